"""FunctionScorer: a function that is a scorer."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.state import TaskState
from steelyard.errors import UnknownNameError, UsageError, nearest
from steelyard.scoring.direct import score_pair, score_state
from steelyard.scoring.form import Body, Facts, ScorerForm, Style
from steelyard.scoring.scorer import Scorer, is_async, parameters_of
from steelyard.scoring.spec import Spec, importable, is_json, resolve_import

__all__ = ["FunctionScorer"]


class FunctionScorer(Scorer):
    """A function under `scorer`, or a bare function given to a run.

    Called directly it returns what its body returns; configured by `with_options` it returns a `Score`.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        *,
        name: str | None = None,
        facts: Facts | None = None,
        metrics: Any = None,
        column_map: Mapping[str, str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        kernel: Callable[..., Any] | None = None,
        options: Mapping[str, Any] | None = None,
        raw: bool = True,
        known_as: str | None = None,
    ) -> None:
        functools.update_wrapper(self, fn)
        object.__setattr__(self, "fn", fn)
        object.__setattr__(self, "name", name or getattr(fn, "__name__", type(fn).__name__))
        object.__setattr__(self, "column_map", dict(column_map or {}))
        self._facts = facts or Facts()
        self._metrics = metrics
        self._metadata = dict(metadata or {})
        self._kernel = kernel
        self._options = dict(options or {})
        self._raw = raw
        self._known_as: str = known_as or str(getattr(fn, "__name__", "scorer"))
        self._frozen = True

    fn: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function's body returns; a `Score` once options were set; awaitable for a `TaskState`."""
        if args and isinstance(args[0], TaskState) and not self._takes_state():
            return score_state(self.__steelyard_form__(), *args, **kwargs)
        if self._raw:
            return self._refused(self.fn(*args, **kwargs))
        return score_pair(self.__steelyard_form__(), args, kwargs)

    def with_options(
        self, *, column_map: Mapping[str, str] | None = None, name: str | None = None, **options: Any
    ) -> "FunctionScorer":
        """The same function with other defaults: a recipe that prints, pickles and returns a `Score`.

        Args:
            column_map: Parameter to column.
            name: Another name for the results.
            options: Keyword-only parameters of the function.

        Raises:
            UnknownNameError: For an option that the function does not have.
        """
        known = [p.name for p in parameters_of(self.fn)[0] if p.keyword_only or not p.required]
        for key in options:
            if key not in known:
                guess = nearest(key, known)
                hint = f" Did you mean {guess!r}?" if guess else ""
                raise UnknownNameError(
                    f"{self.name} has no option {key!r}; it has: {', '.join(known) or 'none'}.{hint}"
                )
        return FunctionScorer(
            self.fn,
            name=name or self.name,
            facts=self._facts,
            metrics=self._metrics,
            column_map={**(self.column_map or {}), **(column_map or {})},
            metadata=self._metadata,
            kernel=self._kernel,
            options={**self._options, **options},
            raw=False,
            known_as=self._known_as,
        )

    def _refused(self, found: Any) -> Any:
        """What the body returned; a function is no score, but what a factory returns."""
        if inspect.isfunction(found):
            raise UsageError(
                f"{self.name} returned a function, as a factory of scorers does: annotate it "
                f"def {self.name}(...) -> Scorer, or its metrics and options are lost"
            )
        return found

    def _takes_state(self) -> bool:
        return [p.name for p in parameters_of(self.fn)[0]][:2] == ["state", "target"]

    def _changed(self) -> dict[str, Any]:
        """The options that differ from the function's defaults."""
        defaults = {p.name: p.default for p in inspect.signature(self.fn).parameters.values()}
        return {
            k: v
            for k, v in self._options.items()
            if k not in defaults or defaults[k] != v or type(defaults[k]) is not type(v)
        }

    def __steelyard_form__(self) -> ScorerForm:
        parameters, takes_rest = parameters_of(self.fn)
        style: Style = "function"
        if self._facts.needs is not None:
            style = "text"
            parameters = tuple(p for p in parameters if not p.keyword_only)
        elif self._takes_state():
            style = "state"
        unset = tuple(p for p in parameters if p.name not in self._options)
        return ScorerForm(
            name=self.name or "scorer",
            spec=Spec(self._known_as, self._changed()),
            facts=self._facts,
            body=Body(
                fn=self.fn,
                style=style,
                parameters=unset,
                takes_rest=takes_rest,
                is_async=is_async(self.fn),
                kernel=self._column_kernel(),
                options=self._options,
            ),
            metrics=self._metrics,
            metadata=self._metadata,
            column_map=self.column_map or {},
            code=self.fn,
            origin=self,
            portable=_importable_function(self.fn) and all(is_json(v) or importable(v) for v in self._options.values()),
        )

    def _column_kernel(self) -> Callable[[Columns], ScoreColumns] | None:
        if self._kernel is None:
            return None
        return functools.partial(self._kernel, **self._options) if self._options else self._kernel

    def __reduce__(self) -> Any:
        settings = {"name": self.name, "column_map": self.column_map, "options": self._options, "raw": self._raw}
        return _rebuild, (f"{self.fn.__module__}:{self.fn.__qualname__}", settings)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        # A decorated function defined in a class body stays a method.
        return self if instance is None else functools.partial(self, instance)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FunctionScorer):
            return NotImplemented
        return (self.fn, self.name, self._options, self.column_map) == (
            other.fn,
            other.name,
            other._options,
            other.column_map,
        )

    def __hash__(self) -> int:
        return hash((self.fn, self.name))

    def __repr__(self) -> str:
        spec = self.__steelyard_form__().spec
        return f"<scorer {self.name}>" if self._raw and not spec.options else f"{spec!r}"


def _importable_function(fn: Callable[..., Any]) -> bool:
    """True when the function, or the scorer that its decorator put in its place, can be imported."""
    module, name = getattr(fn, "__module__", None), getattr(fn, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__":
        return False
    try:
        found = resolve_import(f"{module}:{name}")
    except (ImportError, AttributeError):
        return False
    return found is fn or getattr(found, "fn", None) is fn


def _rebuild(place: str, settings: dict[str, Any]) -> FunctionScorer:
    found = resolve_import(place)
    if isinstance(found, FunctionScorer):
        if settings["raw"]:
            return found
        return found.with_options(name=settings["name"], column_map=settings["column_map"], **settings["options"])
    return FunctionScorer(found, **settings)
