"""The decorators `scorer` and `op`."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from steelyard.errors import UsageError
from steelyard.scoring.factory import FactoryInfo, MadeScorer
from steelyard.scoring.form import Facts
from steelyard.scoring.function import FunctionScorer
from steelyard.scoring.options import scorer_options
from steelyard.scoring.registry import register
from steelyard.scoring.scorer import Scorer

__all__ = ["op", "scorer"]

P = ParamSpec("P")
F = TypeVar("F", bound=Callable[..., Any])


class ScorerDecorator(Protocol):
    """What ``@scorer(...)`` is: it decorates a factory, or a function."""

    @overload
    def __call__(self, fn: Callable[P, Scorer], /) -> Callable[P, Scorer]: ...
    @overload
    def __call__(self, fn: Callable[..., Any], /) -> FunctionScorer: ...


@overload
def scorer(metrics: Callable[P, Scorer], name: None = None) -> Callable[P, Scorer]: ...
@overload
def scorer(metrics: Callable[..., Any], name: None = None) -> FunctionScorer: ...
@overload
def scorer(
    metrics: Sequence[Any] | Mapping[str, Any] | None = None,
    name: str | None = None,
    *,
    column_map: Mapping[str, str] | None = None,
    needs: tuple[str, ...] | None = None,
    range: tuple[float, float] | None = None,
    higher_is_better: bool | Mapping[str, bool] = True,
    version: int | str = 1,
    kind: str = "custom",
    columns: Callable[..., Any] | None = None,
    **metadata: Any,
) -> ScorerDecorator: ...
def scorer(
    metrics: Any = None,
    name: str | None = None,
    *,
    column_map: Mapping[str, str] | None = None,
    needs: tuple[str, ...] | None = None,
    range: tuple[float, float] | None = None,
    higher_is_better: bool | Mapping[str, bool] = True,
    version: int | str = 1,
    kind: str = "custom",
    columns: Callable[..., Any] | None = None,
    **metadata: Any,
) -> Any:
    """Make a scorer of a function, or of a factory of scorers. Bare (``@scorer``) or called.

    It decorates a *factory* when the function is annotated ``-> Scorer`` or has no required parameter; otherwise the
    function itself scores: ``(prediction, expected)``, or parameters named after columns.

    Args:
        metrics: The metrics to compute over the scores: a list, a dict of lists by key of a dict score (``"*"`` for
            every other key), or a list mixing both. Metrics may be named as text.
        name: The name of the results; by default the function's.
        column_map: Parameter to column.
        needs: The canonical columns that it reads, which it then gets as text, nulls kept away.
        range: The least and the greatest value; one outside is kept out as malformed.
        higher_is_better: Direction; a dict where the keys of a dict score differ.
        version: The scorer's own version: change it when results change for a reason outside its source text.
        kind: What sort of scorer it is, for `steelyard scorers`.
        columns: The same for whole columns (a kernel), equal to the function row by row.
        **metadata: Anything else, stored with the results.

    Returns:
        The decorated factory, or a scorer that can be called like the function.

    Source: inspect_ai's and aieval's decorators of this name.

    >>> @scorer
    ... def mentions_refund(prediction: str, _expected: str) -> float:
    ...     return 1.0 if "refund" in prediction.lower() else 0.0
    >>> mentions_refund("We will refund you.", "")
    1.0
    """
    if range is not None and not (isinstance(range, tuple | list) and len(range) == 2 and range[0] < range[1]):
        raise UsageError(f"range={range!r} is no range: give (least, greatest), such as (0, 1)")
    facts = Facts(kind=kind, needs=needs, range=range, higher_is_better=higher_is_better, version=str(version))

    def decorate(fn: Callable[..., Any], given: Any) -> Any:
        if inspect.isclass(fn) and issubclass(fn, Scorer):
            return _decorate_class(fn, name, {"metrics": given, "metadata": metadata, **_told(facts)}, column_map)
        if inspect.isclass(fn) or _is_factory(fn):
            info = FactoryInfo(
                name=name or fn.__name__,
                maker=fn,
                facts=facts,
                metrics=given,
                column_map=dict(column_map or {}),
                metadata=metadata,
            )
            return _decorate_factory(info)
        made = FunctionScorer(
            fn,
            name=name,
            facts=facts,
            metrics=given,
            column_map=column_map,
            metadata=metadata,
            kernel=columns,
            known_as=name,
        )
        register(made.name or fn.__name__, made)
        return made

    if callable(metrics) and _is_bare(metrics):
        return decorate(metrics, None)
    return lambda fn: decorate(fn, metrics)


def _told(facts: Facts) -> dict[str, Any]:
    """What the decorator was told, and not left at its default."""
    plain = Facts()
    names = ("range", "higher_is_better", "version")
    return {key: getattr(facts, key) for key in names if getattr(facts, key) != getattr(plain, key)}


def _decorate_class(
    cls: type[Scorer], name: str | None, told: Mapping[str, Any], column_map: Mapping[str, str] | None
) -> type[Scorer]:
    """A class scorer stays a class, and bears what the decorator says."""
    for key, value in told.items():
        if value:
            setattr(cls, key, value)
    changed = {key: value for key, value in (("name", name), ("column_map", column_map)) if value is not None}
    cls.__steelyard_fields__ = {**cls.__steelyard_fields__, **changed}
    register(cls.__name__, cls)
    register(name or cls.__name__, cls)
    return cls


def _decorate_factory(info: FactoryInfo) -> Callable[..., Scorer]:
    maker = info.maker
    known = inspect.signature(maker).parameters

    @functools.wraps(maker)
    def make(*args: Any, **kwargs: Any) -> Scorer:
        own = {key: kwargs.pop(key) for key in ("name", "column_map") if key in kwargs and key not in known}
        return MadeScorer(info, scorer_options(maker, info.name, args, kwargs), **own)

    make.__steelyard_factory__ = info  # type: ignore[attr-defined]
    register(info.name, make)
    return make


def _is_bare(thing: Any) -> bool:
    """A plain function or a class stands for ``@scorer`` without a call; a metric object does not."""
    return (inspect.isfunction(thing) or inspect.isclass(thing)) and not hasattr(thing, "__steelyard_metric__")


def _is_factory(fn: Callable[..., Any]) -> bool:
    note = getattr(fn, "__annotations__", {}).get("return")
    if note is Scorer or (isinstance(note, str) and note.split(".")[-1].strip("\"'") == "Scorer"):
        return True
    parameters = inspect.signature(fn).parameters.values()
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    return not required and not any(p.kind is p.VAR_KEYWORD for p in parameters)


@overload
def op(fn: F) -> F: ...
@overload
def op(fn: None = None, **options: Any) -> Callable[[F], F]: ...
def op(fn: Any = None, **options: Any) -> Any:
    """The identity decorator, with and without call: code written with ``@weave.op`` runs as it stands.

    >>> @op()
    ... def double(x): return 2 * x
    >>> double(2)
    4
    """
    return (lambda inner: inner) if fn is None else fn
