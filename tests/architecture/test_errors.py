"""The tree of errors is the one that its docstring draws, and every class derives from a built-in."""

import builtins
import re

from steelyard import errors

BUILTINS = {thing for thing in vars(builtins).values() if isinstance(thing, type) and issubclass(thing, Exception)}
CLASSES = {
    name: thing for name, thing in vars(errors).items() if isinstance(thing, type) and issubclass(thing, Exception)
}
LINE = re.compile(r"^ {4}(?P<indent>[ │├└─]*)(?P<name>[A-Z]\w+)(?: \((?P<builtin>\w+)\))?")


def _drawn() -> dict[str, tuple[str | None, str | None]]:
    """Name: (parent, built-in) of each line of the drawing."""
    found: dict[str, tuple[str | None, str | None]] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = LINE.match(line)
        if match and (match["name"] == "SteelyardError" or match["indent"]):
            depth = len(match["indent"]) // 4
            path = [*path[:depth], match["name"]]
            found[match["name"]] = (path[depth - 1] if depth else None, match["builtin"])
    return found


def test_the_drawing_names_every_class_under_its_parent():
    ours = {
        name: next((base.__name__ for base in thing.__bases__ if base not in BUILTINS), None)
        for name, thing in CLASSES.items()
    }
    assert {name: parent for name, (parent, _) in _drawn().items()} == ours


def test_the_drawing_names_the_built_in_that_a_class_adds():
    own = {
        name: next((base.__name__ for base in thing.__bases__ if base in BUILTINS and base is not Exception), None)
        for name, thing in CLASSES.items()
    }
    assert {name: builtin for name, (_, builtin) in _drawn().items()} == own


def test_every_class_below_the_root_is_a_built_in_too():
    loose = [
        name
        for name, thing in CLASSES.items()
        if thing is not errors.SteelyardError and not any(base in BUILTINS - {Exception} for base in thing.__mro__)
    ]
    assert not loose


def test_every_class_is_offered():
    assert set(CLASSES) <= set(errors.__all__)


def test_no_error_is_defined_elsewhere():
    import importlib
    import pkgutil

    import steelyard

    strays = []
    for info in pkgutil.walk_packages(steelyard.__path__, "steelyard."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        strays += [
            f"{info.name}.{name}"
            for name, thing in vars(module).items()
            if isinstance(thing, type)
            and issubclass(thing, Exception)
            and thing.__module__ == info.name
            and info.name != "steelyard.errors"
            and not name.startswith("_")
        ]
    assert not strays, f"errors have one home, errors.py: {strays}"
