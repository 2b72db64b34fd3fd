"""The registry: scorers, metrics and reducers by name."""

import importlib
from collections.abc import Mapping
from typing import Any

from steelyard.core.ports import services
from steelyard.errors import UnknownNameError

__all__ = ["find", "is_registered", "known", "register", "third_party"]

_registered: dict[str, dict[str, Any]] = {"scorers": {}, "metrics": {}, "reducers": {}}


def register(name: str, thing: Any, kind: str = "scorers") -> None:
    """Make a scorer, metric or reducer findable by name. A later one of the same name takes its place."""
    _registered[kind][name] = thing


def is_registered(name: str, kind: str = "scorers") -> bool:
    """Whether something was registered under the name in this process, which shadows a built-in of that name."""
    return name in _registered[kind]


def find(name: str, kind: str = "scorers") -> Any:
    """The scorer, metric or reducer of that name.

    A name that was registered in this process shadows a built-in one; entry points of the group
    ``steelyard.scorers`` (``.metrics``, ``.reducers``) are read only for a name that is neither.

    Raises:
        UnknownNameError: It lists the names that exist, and the nearest.
    """
    registered = _registered[kind].get(name)
    if registered is not None:
        return registered
    builtin = services().catalog(kind)
    if name in builtin:
        module, _, attribute = builtin[name].partition(":")
        return getattr(importlib.import_module(module), attribute or name)
    others = third_party(kind)
    if name in others:
        return others[name].load()
    singular = kind.removesuffix("s")
    raise UnknownNameError.naming(singular, name, {**builtin, **_registered[kind], **others})


def known(kind: str = "scorers") -> dict[str, str]:
    """Every name that `find` finds, with where it comes from: built-in, registered, or a distribution."""
    names = {name: f"entry point {point.value}" for name, point in third_party(kind).items()}
    names.update(dict.fromkeys(services().catalog(kind), "built-in"))
    names.update({name: "registered" for name in _registered[kind] if name not in names})
    return dict(sorted(names.items()))


def third_party(kind: str = "scorers") -> Mapping[str, Any]:
    """Entry points of installed distributions."""
    from importlib.metadata import entry_points  # slow to load, and seldom needed

    return {point.name: point for point in entry_points(group=f"steelyard.{kind}")}
