"""Doors: every public module says what it offers, and what it offers is there."""

import ast
import importlib
import pkgutil
import subprocess
import sys
import textwrap
import types
from pathlib import Path

import pytest

import steelyard

SOURCE = Path(steelyard.__file__).parent
DOORS = ["steelyard", "steelyard.scorers", "steelyard.metrics", "steelyard.errors", "steelyard.testing"]
SKIPPED = ("__main__",)


def _modules() -> list[str]:
    found = [info.name for info in pkgutil.walk_packages([str(SOURCE)], "steelyard.")]
    return ["steelyard", *sorted(name for name in found if name.split(".")[-1] not in SKIPPED)]


def _source(module: str) -> Path:
    folder = SOURCE.joinpath(*module.split(".")[1:])
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def _declares_all(module: str) -> bool:
    tree = ast.parse(_source(module).read_text(encoding="utf-8"))
    targets = [
        *(target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets),
        *(node.target for node in tree.body if isinstance(node, ast.AnnAssign)),
    ]
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)


def _is_empty(module: str) -> bool:
    """A package without a door: its `__init__` holds a docstring at the most."""
    body = ast.parse(_source(module).read_text(encoding="utf-8")).body
    return all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in body)


MODULES = _modules()


@pytest.mark.parametrize("module", MODULES)
def test_a_module_declares_what_it_offers(module):
    private = any(part.startswith("_") for part in module.split(".")[1:])
    if not _is_empty(module) and not private:
        assert _declares_all(module), f"{module} has no __all__"


@pytest.mark.parametrize("module", MODULES)
def test_what_a_module_offers_is_there(module):
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", [])
    assert len(set(names)) == len(names), f"{module}.__all__ names something twice"
    missing = [name for name in names if not hasattr(loaded, name)]
    assert not missing, f"{module} offers {missing}, which are not there"


@pytest.mark.parametrize("door", DOORS)
def test_a_door_lists_its_names_in_order(door):
    loaded = importlib.import_module(door)
    assert list(loaded.__all__) == sorted(loaded.__all__)


@pytest.mark.parametrize("door", DOORS)
def test_dir_shows_what_a_door_offers(door):
    loaded = importlib.import_module(door)
    assert set(loaded.__all__) <= set(dir(loaded))


def test_the_root_door_is_reality():
    """`__all__`, the table of homes, and the imports that type checkers see name the same things."""
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {
        alias.asname or alias.name: node.module.removeprefix("steelyard.")
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert typed == steelyard._HOMES
    assert sorted(typed) == steelyard.__all__


def test_a_name_that_is_not_there_is_said_to_be_missing():
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        steelyard.no_such_name


@pytest.mark.parametrize("package", [name for name in MODULES if _source(name).name == "__init__.py"])
def test_no_module_bears_the_name_of_a_public_object_of_its_parent(package):
    """With lazy doors the module would take the object's place once anything imports it."""
    children = {info.name for info in pkgutil.iter_modules([str(_source(package).parent)])}
    offered = set(getattr(importlib.import_module(package), "__all__", []))
    assert not children & offered


def test_every_name_is_the_same_twice_after_every_module_is_imported():
    code = """
    import importlib, sys, types
    doors, modules = sys.argv[1].split(","), sys.argv[2].split(",")
    before = {(door, name): getattr(importlib.import_module(door), name)
              for door in doors for name in importlib.import_module(door).__all__}
    for module in modules:
        importlib.import_module(module)
    for (door, name), first in before.items():
        for again in (getattr(importlib.import_module(door), name) for _ in range(2)):
            assert again is first, f"{door}.{name} was {first!r}, and became {again!r}"
            assert not isinstance(again, types.ModuleType), f"{door}.{name} is a module"
    """
    arguments = [",".join(DOORS), ",".join(MODULES)]
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_public_objects_say_what_they_are():
    silent = []
    for door in DOORS:
        loaded = importlib.import_module(door)
        for name in loaded.__all__:
            value = getattr(loaded, name)
            documented = isinstance(value, type | types.FunctionType)
            if documented and not (value.__doc__ or "").strip():
                silent.append(f"{door}.{name}")
    assert not silent
