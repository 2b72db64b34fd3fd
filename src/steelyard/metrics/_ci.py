"""ci and ci_wilson: the interval of the mean as a metric."""

from typing import Literal

import msgspec

from steelyard.core.estimate import Estimate
from steelyard.core.score import ValueToFloat
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UndefinedMetric, UsageError
from steelyard.metrics._mean import mean_estimate, read_clusters
from steelyard.metrics._metric import Measure, interval
from steelyard.metrics._numbers import read_numbers, read_rows
from steelyard.metrics._to_float import DEFAULT, read_to_float
from steelyard.stats import bootstrap_mean, clustered_t, clustered_wilson, t_interval, wilson

__all__ = ["ci", "ci_wilson"]


@interval
def ci(
    level: float = 0.95,
    method: Literal["t", "bootstrap"] = "t",
    num_samples: int = 1000,
    to_float: ValueToFloat = DEFAULT,
    cluster: str | None = None,
    *,
    seed: int = 0,
) -> Measure:
    """Between which bounds does the mean lie?

    ``"t"`` is Student's interval (with clusters: on cluster sums, G - 1 degrees of freedom), ``"bootstrap"`` the
    percentiles of resampled means (with clusters: whole clusters are drawn).

    Args:
        level: Confidence level, between 0 and 1.
        method: ``"t"`` or ``"bootstrap"``.
        num_samples: Number of resamples.
        to_float: How values are read as numbers.
        cluster: The column whose equal values make a cluster; by default the run's cluster column, if it has one.
        seed: Of the resampling.

    Returns:
        A metric. Called with scores it returns ``{"lower": ..., "upper": ...}``; its estimate is the mean's.

    Raises:
        UsageError: ``level``, ``method`` or ``num_samples`` is none of those.
        UndefinedMetric: On a call: fewer than two scores or clusters, or all equal (inspect_ai gives a point).

    Source: inspect_ai's metric of this name; see `t_interval`, `clustered_t`, `bootstrap_mean`.

    >>> {end: round(value, 3) for end, value in ci(0.9)([1.0, 2.0, 3.0, 4.0]).items()}
    {'lower': 0.981, 'upper': 4.019}
    """
    read = read_to_float(to_float)
    _check_level(level)
    if method not in ("t", "bootstrap"):
        raise UsageError(f"method must be 't' or 'bootstrap', not {method!r}")
    if num_samples < 2:
        raise UsageError(f"num_samples must be at least 2, not {num_samples}; 1,000 is usual")

    def measure(column: ScoredColumn, _level: float) -> Estimate:
        by = cluster or column.cluster
        if by is None:
            values, counts = read_numbers(column, read)
            if method == "t":
                return t_interval(values, counts, level=level)
            return bootstrap_mean(values, counts, resamples=num_samples, seed=seed, level=level)
        rows, codes = read_rows(column, read), read_clusters(column, by)
        if method == "t":
            return clustered_t(rows, codes, level=level)
        return bootstrap_mean(rows, clusters=codes, resamples=num_samples, seed=seed, level=level)

    return measure


@interval
def ci_wilson(level: float = 0.95, to_float: ValueToFloat = DEFAULT, cluster: str | None = None) -> Measure:
    """Between which bounds does a proportion lie? Wilson's interval, which never leaves [0, 1].

    With clusters, Wilson with the effective sample size of Korn and Graubard.

    Args:
        level: Confidence level, between 0 and 1.
        to_float: How values are read as numbers, from 0 to 1.
        cluster: The column whose equal values make a cluster; by default the run's cluster column, if it has one.

    Returns:
        A metric. Called with scores it returns ``{"lower": ..., "upper": ...}``; its estimate is the mean's.

    Raises:
        UsageError: ``level`` is not between 0 and 1.
        UndefinedMetric: On a call: there are no scores, one lies outside [0, 1], or all are in one cluster.

    Source: inspect_ai's metric of this name; see `wilson` and `clustered_wilson`.

    >>> {end: round(value, 3) for end, value in ci_wilson()(["C"] * 8 + ["I"] * 2).items()}
    {'lower': 0.49, 'upper': 0.943}
    """
    read = read_to_float(to_float)
    _check_level(level)

    def measure(column: ScoredColumn, _level: float) -> Estimate:
        numbers = read_numbers(column, read)
        outside = numbers.values[(numbers.values < 0) | (numbers.values > 1)]
        if len(outside):
            raise UndefinedMetric(f"the value {outside[0]:g} is no share: Wilson's interval needs values from 0 to 1")
        by = cluster or column.cluster
        if by is not None:
            return clustered_wilson(read_rows(column, read), read_clusters(column, by), level=level)
        found = wilson(min(numbers.total, numbers.n), numbers.n, level=level)
        plain = mean_estimate(column, read, level)
        return msgspec.structs.replace(found, stderr=plain.stderr, worst=plain.worst, best=plain.best)

    return measure


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise UsageError(f"a confidence level is between 0 and 1, such as 0.95; {level!r} is not")
