"""Declared: classes whose annotated fields are the keyword arguments that make an instance."""

import copyreg
import inspect
from typing import Any, ClassVar, get_origin

from steelyard.errors import nearest

__all__ = ["Declared"]

_REQUIRED = object()


class Declared:
    """A base whose annotated fields become keyword arguments; a field without a value is required.

    Instances are frozen recipes in their declared fields: they print as the call that makes them, and pickle as that
    call. What else an instance keeps for itself (a client that it opened) is its own affair.

    >>> class Greeter(Declared):
    ...     name: str
    ...     times: int = 1
    >>> Greeter(name="Ada", times=2)
    Greeter(name='Ada', times=2)
    """

    __steelyard_fields__: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        inherited = cls.__steelyard_fields__
        fresh = {
            name: cls.__dict__.get(name, inherited.get(name, _REQUIRED))
            for name, note in inspect.get_annotations(cls).items()
            if _is_field(name, note)
        }
        renewed = {name: cls.__dict__[name] for name in inherited if name in cls.__dict__}
        cls.__steelyard_fields__ = {**fresh, **inherited, **renewed, **fresh}

    def __init__(self, *args: Any, **fields: Any) -> None:
        known = type(self).__steelyard_fields__
        if args:
            name = type(self).__name__
            raise TypeError(f"the fields of {name} are named: {name}({', '.join(f'{key}=...' for key in known)})")
        for key in fields:
            if key not in known:
                guess = nearest(key, list(known))
                hint = f" Did you mean {guess!r}?" if guess else ""
                raise TypeError(f"{type(self).__name__} has no field {key!r}; it has: {', '.join(known)}.{hint}")
        missing = [key for key, default in known.items() if default is _REQUIRED and key not in fields]
        if missing:
            raise TypeError(f"{type(self).__name__} needs: {', '.join(missing)}")
        for key, default in known.items():
            object.__setattr__(self, key, fields.get(key, default))
        object.__setattr__(self, "_frozen", True)

    def __setattr__(self, key: str, value: Any) -> None:
        if key in type(self).__steelyard_fields__ and getattr(self, "_frozen", False):
            name = type(self).__name__
            raise AttributeError(f"a {name} is frozen in its fields: make another {name} with {key}={value!r}")
        object.__setattr__(self, key, value)

    def __reduce__(self) -> Any:
        cls = type(self)
        if cls.__init__ is not Declared.__init__:  # its own arguments are not ours to know
            return copyreg.__newobj__, (cls,), dict(self.__dict__)  # type: ignore[attr-defined]  # as objects do
        return _rebuild, (cls, {key: getattr(self, key) for key in cls.__steelyard_fields__})

    def __repr__(self) -> str:
        if type(self).__init__ is not Declared.__init__:
            return f"<{type(self).__name__}>"
        shown = [f"{key}={value!r}" for key, value in self._changed_fields().items()]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _changed_fields(self) -> dict[str, Any]:
        """The fields that differ from their defaults."""
        fields = type(self).__steelyard_fields__
        found = {key: getattr(self, key) for key in fields}
        return {key: value for key, value in found.items() if not _same(value, fields[key])}


def _rebuild(cls: type[Declared], fields: dict[str, Any]) -> Declared:
    return cls(**fields)


def _is_field(name: str, annotation: Any) -> bool:
    if name.startswith("_"):
        return False
    if isinstance(annotation, str):
        return "ClassVar" not in annotation
    return get_origin(annotation) is not ClassVar and annotation is not ClassVar


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))
