"""MadeScorer: what a factory under `scorer` returns."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from steelyard.scoring.form import Body, Facts, Pair, ScorerForm, Style
from steelyard.scoring.options import scorer_options
from steelyard.scoring.scorer import Scorer, is_async, parameters_of
from steelyard.scoring.spec import Spec, importable, is_json, resolve_import

__all__ = ["FactoryInfo", "MadeScorer", "factory_info"]


class FactoryInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What the decorator was told of a factory."""

    name: str
    maker: Callable[..., Any]
    facts: Facts
    metrics: Any = None
    column_map: Mapping[str, str] = {}
    metadata: Mapping[str, Any] = {}


def factory_info(thing: Any) -> FactoryInfo | None:
    """What is known of a decorated factory; None for anything else."""
    info = getattr(thing, "__steelyard_factory__", None)
    return info if isinstance(info, FactoryInfo) else None


class MadeScorer(Scorer):
    """A scorer made by a factory: it prints as, compares by, and pickles as the call that made it."""

    def __init__(
        self,
        info: FactoryInfo,
        options: Mapping[str, Any],
        column_map: Mapping[str, str] | None = None,
        name: str | None = None,
    ) -> None:
        object.__setattr__(self, "name", name or info.name)
        object.__setattr__(self, "column_map", {**info.column_map, **(column_map or {})})
        self._info = info
        self._options = dict(options)
        made = info.maker(**options) if not _positional(info.maker) else _call(info.maker, options)
        self._body = _body(info.name, made)
        # A class that has no summary of its own inherits one that raises.
        self._summarize = made.__steelyard_form__().summarize if isinstance(made, Scorer) else _summary_of(made)
        self._frozen = True

    def with_options(
        self, *, column_map: Mapping[str, str] | None = None, name: str | None = None, **options: Any
    ) -> "MadeScorer":
        """The same scorer with other options, or under another name."""
        changed = scorer_options(self._info.maker, self._info.name, (), {**self._options, **options})
        moved = {**(self.column_map or {}), **(column_map or {})}
        return MadeScorer(self._info, changed, moved, name or self.name)

    def __steelyard_form__(self) -> ScorerForm:
        info = self._info
        spec = Spec(info.name, self._options)
        return ScorerForm(
            name=self.name or info.name,
            spec=spec,
            facts=info.facts,
            body=self._body,
            metrics=info.metrics,
            metadata=info.metadata,
            column_map=self.column_map or {},
            summarize=self._summarize,
            code=info.maker,
            origin=self,
            portable=_factory_place(info.maker) is not None
            and all(is_json(value) or importable(value) for value in self._options.values()),
        )

    def __reduce__(self) -> Any:
        return _rebuild, (
            f"{self._info.maker.__module__}:{self._info.maker.__qualname__}",
            self._options,
            self.column_map,
            self.name,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MadeScorer):
            return NotImplemented
        return (self._info.maker, self._options, self.column_map) == (
            other._info.maker,
            other._options,
            other.column_map,
        )

    def __hash__(self) -> int:
        return hash(Spec(self._info.name, self._options))

    def __repr__(self) -> str:
        return repr(Spec(self._info.name, self._options))


def _summary_of(made: Any) -> Callable[..., Any] | None:
    summarize = getattr(made, "summarize", None)
    return summarize if callable(summarize) else None


def _positional(maker: Callable[..., Any]) -> bool:
    return any(
        p.kind is p.POSITIONAL_ONLY or p.kind is p.VAR_POSITIONAL for p in inspect.signature(maker).parameters.values()
    )


def _call(maker: Callable[..., Any], options: Mapping[str, Any]) -> Any:
    args: list[Any] = []
    rest = dict(options)
    for parameter in inspect.signature(maker).parameters.values():
        if parameter.kind is parameter.POSITIONAL_ONLY and parameter.name in rest:
            args.append(rest.pop(parameter.name))
        elif parameter.kind is parameter.VAR_POSITIONAL:
            args.extend(rest.pop(parameter.name, ()))
    return maker(*args, **rest)


def _body(name: str, made: Any) -> Body:
    """The body of what a factory returned: a `Pair`, a scorer, or ``async def score(state, target)``."""
    if isinstance(made, Pair):
        parameters, takes_rest = parameters_of(made.score)
        return Body(
            fn=made.score,
            style="text",
            parameters=parameters,
            takes_rest=takes_rest,
            is_async=is_async(made.score),
            kernel=made.columns,
        )
    if isinstance(made, Scorer):
        return made.__steelyard_form__().body
    if not callable(made):
        raise TypeError(
            f"the factory {name} returned a {type(made).__name__}, not a scorer: "
            "return an async function (state, target)"
        )
    parameters, takes_rest = parameters_of(made)
    awaits = is_async(made)
    positional = [p for p in parameters if not p.keyword_only]
    of_state = [p.name for p in positional[:1]] == ["state"]
    if of_state and (len(positional) < 2 or any(p.required for p in positional[2:])):
        raise TypeError(
            f"the factory {name} returned a function of ({', '.join(p.name for p in positional)}): "
            "a scorer of states takes (state, target)"
        )
    style: Style = "state" if of_state or (awaits and len(positional) == 2) else "function"
    return Body(fn=made, style=style, parameters=parameters, takes_rest=takes_rest, is_async=awaits)


def _factory_place(maker: Callable[..., Any]) -> str | None:
    """Where the decorated factory can be imported from, or None."""
    module, name = getattr(maker, "__module__", None), getattr(maker, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__":
        return None
    place = f"{module}:{name}"
    try:
        info = factory_info(resolve_import(place))
    except (ImportError, AttributeError):
        return None
    return place if info is not None and info.maker is maker else None


def _rebuild(place: str, options: Mapping[str, Any], column_map: Mapping[str, str], name: str) -> MadeScorer:
    info = factory_info(resolve_import(place))
    if info is None:
        raise TypeError(f"{place} is no scorer factory any more")
    return MadeScorer(info, options, column_map, name)
