"""Metric objects: those that know their error bar, and those that users write."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, cast, get_type_hints, overload

import msgspec

from steelyard.core.estimate import Estimate
from steelyard.core.score import SampleScore, Value, value_to_float
from steelyard.core.scored import ScoredColumn
from steelyard.errors import SteelyardError, UndefinedMetric
from steelyard.metrics._made import Made, factory_of
from steelyard.metrics._scores import column_of, sample_scores_of

__all__ = ["CustomMetric", "FigureMetric", "IntervalMetric", "MetricObject", "figure", "interval", "metric"]

P = ParamSpec("P")

Figures = Estimate | dict[str, Estimate]
Measure = Callable[[ScoredColumn, float], Figures]
"""From a column and a confidence level to a figure, or to several by name."""


class MetricObject(Made):
    """What ``accuracy()`` is: call it with scores, or ask it for estimates."""

    __slots__ = ()

    def __call__(self, scores: Sequence[Any]) -> Any:
        """The plain value over SampleScores, Scores or plain values."""
        raise NotImplementedError

    def estimates(self, column: ScoredColumn, *, level: float = 0.95) -> dict[str, Estimate]:
        """The figures over a column: one under ``""``, or several by name."""
        raise NotImplementedError

    def estimate(self, column: ScoredColumn, *, level: float = 0.95) -> Estimate:
        """The figure over a column.

        Raises:
            TypeError: The metric gives several figures: ask for `estimates`.
        """
        found = self.estimates(column, level=level)
        if set(found) != {""}:
            raise TypeError(f"{self!r} gives several figures; use estimates()")
        return found[""]


class FigureMetric(MetricObject):
    """A built-in metric: its body gives estimates."""

    __slots__ = ()
    built_in = True

    def __call__(self, scores: Sequence[Any]) -> Any:
        """The plain value over SampleScores, Scores or plain values; those that are unscored are left out.

        Raises:
            UndefinedMetric: The scores do not define it.
        """
        found: Figures = self._body(column_of(scores), 0.95)
        return float(found) if isinstance(found, Estimate) else {name: float(one) for name, one in found.items()}

    def estimates(self, column: ScoredColumn, *, level: float = 0.95) -> dict[str, Estimate]:
        """The figures over a column; what cannot be read or found makes them undefined, with the reason."""
        try:
            found: Figures = self._body(column, level)
        except SteelyardError as error:
            found = Estimate.undefined(str(error), n=len(column), method="none")
        return {"": found} if isinstance(found, Estimate) else found


class IntervalMetric(FigureMetric):
    """A built-in metric whose plain value is an interval."""

    __slots__ = ()

    def __call__(self, scores: Sequence[Any]) -> dict[str, float]:
        """The interval, as ``{"lower": ..., "upper": ...}``.

        Raises:
            UndefinedMetric: The scores do not define it.
        """
        found: Estimate = self._body(column_of(scores), 0.95)
        if found.low is None or found.high is None:
            raise UndefinedMetric(found.reason or "there is no interval")
        return {"lower": found.low, "upper": found.high}


class CustomMetric(MetricObject):
    """A metric that a user wrote: its body gives a value."""

    __slots__ = ()

    def __call__(self, scores: Sequence[Any]) -> Value:
        """The value over SampleScores, Scores or plain values."""
        return self.over(sample_scores_of(scores))

    def over(self, scores: list[SampleScore]) -> Value:
        """The value over the scores of samples, in the form that the body takes."""
        return cast("Value", self._body([one.score for one in scores] if takes_scores(self._body) else scores))

    def estimates(self, column: ScoredColumn, *, level: float = 0.95) -> dict[str, Estimate]:
        """The value as figures without interval, method ``"custom"``; several where it is a dict or a list.

        Raises:
            Exception: Whatever the body raises.
        """
        return figures_of(self.over(column.sample_scores()), len(column))


def figures_of(value: Any, n: int) -> dict[str, Estimate]:
    """What a custom metric returned, as figures: keys of dicts and places in lists become names, joined by dots."""
    if isinstance(value, Estimate):
        method = value.method if value.method.startswith("custom") else f"custom {value.method}"
        return {"": msgspec.structs.replace(value, method=method)}
    plain: Any = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(plain, Mapping | list | tuple):
        return {"": _figure(plain, n)}
    several = cast("Mapping[Any, Any] | Sequence[Any]", plain)
    members = several if isinstance(several, Mapping) else dict(enumerate(several))
    return {
        f"{key}.{rest}" if rest else str(key): estimate
        for key, member in members.items()
        for rest, estimate in figures_of(member, n).items()
    }


def takes_scores(body: Callable[..., Any]) -> bool:
    """True for the older form, ``list[Score]``, told by the annotation."""
    function = body if hasattr(body, "__annotations__") and hasattr(body, "__code__") else type(body).__call__
    try:
        hints: Mapping[str, Any] = get_type_hints(function)
    except Exception:  # noqa: BLE001  an annotation may name what only its author's type checker knows
        hints = getattr(function, "__annotations__", {})
    notes = [note for name, note in hints.items() if name not in ("return", "self")]
    if not notes:
        return False
    return re.search(r"\bScore\b", notes[0] if isinstance(notes[0], str) else repr(notes[0])) is not None


def _figure(value: Any, n: int) -> Estimate:
    if value is None:
        return Estimate.undefined("the metric gave no value", n=n)
    try:
        number = _to_float(value)
    except UndefinedMetric as error:
        return Estimate.undefined(f"the metric's result is no number: {error.reason}", n=n)
    if not math.isfinite(number):
        return Estimate.undefined(f"the metric gave {number}", n=n)
    return Estimate(value=number, n=n, method="custom")


_to_float = value_to_float()


@overload
def metric(name: Callable[P, Any]) -> Callable[P, CustomMetric]: ...
@overload
def metric(name: str | None = None) -> Callable[[Callable[P, Any]], Callable[P, CustomMetric]]: ...
def metric(name: Any = None) -> Any:
    """Register a factory of metrics: bare ``@metric``, ``@metric("name")`` or ``@metric(name="name")``.

    The factory returns a function from a list of SampleScores (or, in the older form, annotated ``list[Score]``) to a
    number, or to a dict or list of several.

    Args:
        name: The name in results; by default the factory's.

    Returns:
        The factory. What it makes can be called with SampleScores, Scores or plain values.

    Source: inspect_ai's decorator of this name.

    >>> @metric
    ... def extent():
    ...     def over(scores) -> float:
    ...         values = [score.as_float() for score in scores]
    ...         return max(values) - min(values)
    ...     return over
    >>> extent()([1.0, 0.25, "C"])
    0.75
    """
    if name is None or isinstance(name, str):

        def decorate(maker: Callable[..., Any]) -> Callable[..., Any]:
            return factory_of(CustomMetric, maker, name or maker.__name__, "metrics")

        return decorate
    return factory_of(CustomMetric, name, name.__name__, "metrics")


def figure(maker: Callable[P, Measure]) -> Callable[P, FigureMetric]:
    """Mark a factory of a built-in metric. The door lists it, so that a name registered by a user comes first."""
    made: Callable[P, FigureMetric] = factory_of(FigureMetric, maker, maker.__name__, None)
    return made


def interval(maker: Callable[P, Measure]) -> Callable[P, IntervalMetric]:
    """As `figure`, for a metric whose plain value is its interval."""
    made: Callable[P, IntervalMetric] = factory_of(IntervalMetric, maker, maker.__name__, None)
    return made
