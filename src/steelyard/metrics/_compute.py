"""compute: the figures of one column."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from steelyard.core.estimate import Estimate
from steelyard.core.score import SampleScore
from steelyard.core.scored import ScoredColumn
from steelyard.errors import SteelyardError, UndefinedMetric, UnscoredError, UsageError, error_text
from steelyard.metrics._find import find_metric
from steelyard.metrics._metric import CustomMetric, figures_of
from steelyard.metrics._numbers import condensed
from steelyard.metrics._unscored import filled
from steelyard.scoring.spec import parse_spec
from steelyard.stats import bootstrap_rows

__all__ = ["compute"]

OnUnscored = Literal["exclude", "worst", "raise"]


def compute(
    metrics: Sequence[Any],
    column: ScoredColumn,
    *,
    level: float = 0.95,
    on_unscored: OnUnscored = "exclude",
    ci: Literal["bootstrap"] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Every figure of one column of scores.

    Args:
        metrics: Metric objects, names or specs, as `select_metrics` gives them.
        column: The scores.
        level: Confidence level.
        on_unscored: ``"exclude"``: means are over the scored, with worst and best bounds beside them where a range is
            known. ``"worst"``: an unscored sample counts as the worst value. ``"raise"``: it is an error.
        ci: ``"bootstrap"`` gives the figures of custom metrics an interval, by resampling samples.
        resamples: Number of resamples.
        seed: Of the resampling; the figure's method records it.

    Returns:
        Name to figure. A metric that gives several has dotted names, ``"grouped.law"``. What a metric raises is the
        reason of an undefined figure: one metric's failure touches no other.

    Raises:
        UnscoredError: ``on_unscored="raise"``, and a sample is unscored.
        UsageError: ``level``, ``on_unscored`` or ``ci`` is none of those.

    >>> figures = compute(["accuracy", "stderr"], ScoredColumn("match", ["C", "I", "C", "C"]))
    >>> {name: str(figure) for name, figure in figures.items()}
    {'accuracy': '0.750 [0.301, 0.954]', 'stderr': '0.250'}
    """
    _check(level, on_unscored, ci)
    counts = column.counts
    if on_unscored == "raise" and counts.missing:
        why = ", ".join(f"{n} {reason}" for reason, n in counts.unscored.items())
        raise UnscoredError(
            f"{column.name}: {counts.missing} of {counts.attempted} outcomes are unscored ({why}); "
            "use on_unscored='exclude' or 'worst' to compute figures all the same"
        )
    prepared: ScoredColumn | str = condensed(column)
    if on_unscored == "worst":
        try:
            prepared = condensed(filled(column))
        except UndefinedMetric as error:
            prepared = error.reason
    resampling = _Resampling(resamples, seed) if ci else None
    figures: dict[str, Estimate] = {}
    for given in metrics:
        name, shown, found = _figures(given, prepared, level, resampling)
        stem = name if not any(_joined(name, key) in figures for key in found) else shown
        figures.update({_joined(stem, key): estimate for key, estimate in found.items()})
    return figures


class _Resampling(msgspec.Struct, frozen=True):
    resamples: int
    seed: int


def _figures(
    given: Any, column: ScoredColumn | str, level: float, resampling: _Resampling | None
) -> tuple[str, str, dict[str, Estimate]]:
    """One metric's name, what it prints as, and its figures; ``column`` is text where there is none, and says why."""
    try:
        metric = find_metric(given)
    except (SteelyardError, TypeError) as error:
        return _name(given), str(given), {"": Estimate.undefined(str(error))}
    if isinstance(column, str):
        method = "custom" if isinstance(metric, CustomMetric) else "none"
        return metric.name, repr(metric), {"": Estimate.undefined(column, method=method)}
    try:
        if resampling is not None and isinstance(metric, CustomMetric):
            found = _resampled(metric, column, level, resampling)
        else:
            found = metric.estimates(column, level=level)
    except Exception as error:  # noqa: BLE001  a user's metric or to_float fails alone: its error is its result
        found = {"": Estimate.undefined(_told(error), n=len(column))}
    return metric.name, repr(metric), found


def _resampled(
    metric: CustomMetric, column: ScoredColumn, level: float, resampling: _Resampling
) -> dict[str, Estimate]:
    """A custom metric's figures, with percentile intervals where it gave none."""
    scores = column.sample_scores()
    figures = figures_of(metric.over(scores), len(scores))
    for key, found in figures.items():
        if found.value is not None and found.low is None:
            figures[key] = _with_interval(found, metric, scores, key, level, resampling)
    return figures


def _with_interval(  # noqa: PLR0917  the parts of one figure
    found: Estimate, metric: CustomMetric, scores: list[SampleScore], key: str, level: float, resampling: _Resampling
) -> Estimate:
    def again(rows: Any) -> float:
        drawn = figures_of(metric.over([scores[i] for i in rows]), len(rows))
        if key not in drawn:
            raise UndefinedMetric(f"a resample has no {key!r}")
        return float(drawn[key])

    try:
        drawn = bootstrap_rows(again, len(scores), resamples=resampling.resamples, seed=resampling.seed, level=level)
    except Exception as error:  # noqa: BLE001  likewise; the figure itself stands
        return msgspec.structs.replace(found, reason=f"no interval by resampling: {_told(error)}")
    return msgspec.structs.replace(drawn, method=f"custom {drawn.method}")


def _joined(stem: str, key: str) -> str:
    return f"{stem}.{key}" if key else stem


def _told(error: Exception) -> str:
    if isinstance(error, SteelyardError):
        return str(error)
    return error_text(error)


def _name(given: Any) -> str:
    """The name of a metric that cannot be found."""
    try:
        return parse_spec(given).name
    except UsageError:
        return str(given)


def _check(level: float, on_unscored: str, ci: str | None) -> None:
    if not 0 < level < 1:
        raise UsageError(f"a confidence level is between 0 and 1, such as 0.95; {level!r} is not")
    if on_unscored not in ("exclude", "worst", "raise"):
        raise UsageError(f"on_unscored must be 'exclude', 'worst' or 'raise', not {on_unscored!r}")
    if ci not in (None, "bootstrap"):
        raise UsageError(f"ci must be 'bootstrap' or None, not {ci!r}")
