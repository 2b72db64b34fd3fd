"""A lazy door: a package whose public names are loaded at first use."""

from importlib import import_module

__all__ = ["door"]

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs more to import than all the rest of a door
    from collections.abc import Callable, Mapping


def door(package: "dict[str, object]", homes: "Mapping[str, str]") -> "Callable[[str], object]":
    """The module-level ``__getattr__`` of a package.

    Args:
        package: Its ``globals()``, in which a name is kept once it was loaded.
        homes: Public name to the module that holds it, in full or from the package on.
    """
    own = str(package["__name__"])

    def load(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {own!r} has no attribute {name!r}")
        module = import_module(home if home.startswith("steelyard.") else f"{own}.{home}")
        value: object = getattr(module, name)
        package[name] = value
        return value

    return load
