"""Made: what a factory of metrics or reducers returns."""

import functools
import pickle
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Self

from steelyard.scoring.registry import register
from steelyard.scoring.spec import Spec, bind_options, resolve_import

__all__ = ["MARK", "Made", "factory_of", "is_factory"]

MARK = "__steelyard_metric__"
"""What a metric, a reducer and their factories bear, so that ``@scorer(accuracy())`` is not taken for a bare one."""


class Made:
    """A frozen object with a name and a spec; it prints as, compares by, and pickles as the call that made it.

    Args:
        name: The name in results and in the registry.
        maker: The function that was decorated (or, of a plain function, the function itself).
        options: The arguments that differ from their defaults.
        body: What the maker returned.
    """

    __slots__ = ("_body", "_maker", "name", "spec")

    __steelyard_metric__ = True
    built_in = False  # whether every reader of a stored run has the code

    name: str
    spec: Spec
    _maker: Callable[..., Any]
    _body: Callable[..., Any]

    def __init__(
        self, name: str, maker: Callable[..., Any], options: Mapping[str, Any], body: Callable[..., Any]
    ) -> None:
        for field, value in (("name", name), ("spec", Spec(name, dict(options))), ("_maker", maker), ("_body", body)):
            object.__setattr__(self, field, value)

    @property
    def code(self) -> Callable[..., Any]:
        """The function that was decorated, whose source text tells whether the code is the same."""
        return self._maker

    def __setattr__(self, field: str, value: object) -> NoReturn:
        raise AttributeError(f"{self!r} is frozen: make another with other options")

    def __delattr__(self, field: str) -> NoReturn:
        raise AttributeError(f"{self!r} is frozen")

    def __repr__(self) -> str:
        return repr(self.spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Made):
            return NotImplemented
        return self._maker is other._maker and self.spec == other.spec

    def __hash__(self) -> int:
        return hash((self._maker, self.spec.name))

    def __reduce__(self) -> tuple[Any, ...]:
        place = f"{getattr(self._maker, '__module__', None)}:{getattr(self._maker, '__qualname__', None)}"
        try:
            found = resolve_import(place)
        except (ImportError, AttributeError):
            found = None
        if getattr(found, "__wrapped__", found) is not self._maker:
            raise pickle.PicklingError(f"{self!r} cannot be pickled: {place} cannot be imported by another process")
        return _rebuild, (type(self), place, dict(self.spec.options))

    @classmethod
    def of(cls, function: Callable[..., Any]) -> Self:
        """A plain function as it stands, under its own name."""
        name = getattr(function, "__name__", type(function).__name__)
        return cls(name, function, {}, function)


def factory_of(cls: type[Made], maker: Callable[..., Any], name: str, kind: str | None) -> Callable[..., Any]:
    """The decorated form of ``maker``: calling it makes a ``cls``. It is registered when ``kind`` is given."""

    @functools.wraps(maker, updated=())
    def make(*args: Any, **kwargs: Any) -> Made:
        options = bind_options(maker, name, args, kwargs)
        body = maker(*args, **kwargs)
        if not callable(body):
            what = "reducer" if kind == "reducers" else "metric"
            raise TypeError(
                f"the factory {name} returned a {type(body).__name__}, not a {what}: return a function of scores"
            )
        return cls(name, maker, options, body)

    setattr(make, MARK, True)
    make.__steelyard_factory_of__ = cls  # type: ignore[attr-defined]
    if kind is not None:
        register(name, make, kind)
    return make


def is_factory(thing: Any, cls: type[Made]) -> bool:
    """True for a decorated factory that makes such objects."""
    made = getattr(thing, "__steelyard_factory_of__", None)
    return isinstance(made, type) and issubclass(made, cls)


def _rebuild(cls: type[Made], place: str, options: Mapping[str, Any]) -> Any:
    found = resolve_import(place)
    return found(**options) if hasattr(found, MARK) else cls.of(found)
