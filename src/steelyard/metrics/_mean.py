"""accuracy and mean: the average, with the interval that fits the values."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from steelyard.core.estimate import Estimate
from steelyard.core.score import ValueToFloat
from steelyard.core.scored import ScoredColumn
from steelyard.errors import SteelyardError, UndefinedMetric
from steelyard.metrics._metric import Measure, figure
from steelyard.metrics._numbers import condensed, read_numbers, read_rows
from steelyard.metrics._to_float import DEFAULT, read_to_float
from steelyard.metrics._unscored import extremes, missing_samples
from steelyard.stats import clustered_proportion, clustered_t, factorize, t_interval, wilson, within

__all__ = ["accuracy", "mean", "mean_estimate", "read_clusters"]


@figure
def accuracy(to_float: ValueToFloat = DEFAULT) -> Measure:
    """Which share of the answers is correct?

        sum_i to_float(v_i) / n

    The interval is Wilson's where every value is 0 or 1, Student's t otherwise (partial credit), and a clustered one
    where the run has a cluster column.

    Args:
        to_float: How values are read as numbers; by default C is 1, P 0.5, I and N 0, and numbers are themselves.

    Returns:
        A metric. Called with scores it returns a float in the unit of the values.

    Raises:
        UndefinedMetric: On a call: there are no scores, or one cannot be read as a number.

    Source: inspect_ai's metric of this name; the intervals are those of `steelyard.stats`.

    >>> accuracy()(["C", "I", "C", "P"])
    0.625
    >>> print(accuracy().estimate(ScoredColumn("match", ["C"] * 8 + ["I"] * 2)))
    0.800 [0.490, 0.943]
    """
    read = read_to_float(to_float)
    return lambda column, level: mean_estimate(column, read, level)


@figure
def mean() -> Measure:
    """What is the average value?

        sum_i v_i / n

    The letters C, I, P, N count 1, 0, 0.5, 0. The interval is chosen as by `accuracy`.

    Returns:
        A metric. Called with scores it returns a float in the unit of the values.

    Raises:
        UndefinedMetric: On a call: there are no scores, or one cannot be read as a number.

    Source: inspect_ai's metric of this name.

    >>> mean()([0.25, 0.75, True])
    0.6666666666666666
    >>> print(mean().estimate(ScoredColumn("f1", [0.2, 0.4, 0.9])))
    0.500 [-0.396, 1.396]
    >>> print(mean().estimate(ScoredColumn("f1", [0.2, 0.4, 0.9], range=(0.0, 1.0))))
    0.500 [0.000, 1.000]
    """
    return lambda column, level: mean_estimate(column, DEFAULT, level)


def mean_estimate(column: ScoredColumn, to_float: ValueToFloat, level: float, cluster: str | None = None) -> Estimate:
    """The mean of a column, with its interval, and its bounds where samples are unscored.

    Args:
        column: The values.
        to_float: How they are read as numbers.
        level: Confidence level.
        cluster: The cluster column; by default the run's.

    Raises:
        UndefinedMetric: A value cannot be read as a number.
    """
    by = cluster or column.cluster
    column = condensed(column)
    found = _plain(column, to_float, level) if by is None else _clustered(column, to_float, level, by)
    return _bounded(_cut(found, column, to_float), column, to_float)


def read_clusters(column: ScoredColumn, cluster: str) -> NDArray[np.int64]:
    """The cluster of each value, as integers.

    Raises:
        ColumnNotFoundError: There is no such column.
        UsageError: Some rows have no cluster.
    """
    return factorize(column.labels(cluster))


def _plain(column: ScoredColumn, to_float: ValueToFloat, level: float) -> Estimate:
    numbers = read_numbers(column, to_float)
    if numbers.n and numbers.binary and _is_share(column):
        return wilson(numbers.total, numbers.n, level=level)
    return t_interval(numbers.values, numbers.counts, level=level)


def _clustered(column: ScoredColumn, to_float: ValueToFloat, level: float, cluster: str) -> Estimate:
    values = read_rows(column, to_float)
    try:
        codes = read_clusters(column, cluster)
    except SteelyardError as error:  # the mean itself needs no clusters
        value = float(values.mean()) if len(values) else None
        return Estimate(value=value, n=len(values), method="clustered t", reason=str(error))
    binary = bool(((values == 0) | (values == 1)).all()) and _is_share(column)
    return (clustered_proportion if binary else clustered_t)(values, codes, level=level)


def _is_share(column: ScoredColumn) -> bool:
    """False for counts that happen to be 0 and 1: a declared range says that they could have been more."""
    return column.range in (None, (0.0, 1.0))


def _cut(found: Estimate, column: ScoredColumn, to_float: ValueToFloat) -> Estimate:
    ends = _ends(column, to_float) if found.low is not None else None
    return found if ends is None else within(found, min(ends), max(ends))


def _bounded(found: Estimate, column: ScoredColumn, to_float: ValueToFloat) -> Estimate:
    """The estimate with the figures that unscored samples could have made of it."""
    missing = missing_samples(column)
    ends = _ends(column, to_float) if missing else None
    if not missing or ends is None:
        return found
    scored = len(column)
    total = (found.value or 0.0) * scored
    worst, best = ((total + missing * end) / (scored + missing) for end in ends)
    return msgspec.structs.replace(found, worst=worst, best=best)


def _ends(column: ScoredColumn, to_float: ValueToFloat) -> tuple[float, float] | None:
    """The worst and the best number that a sample could have had."""
    ends = extremes(column)
    if ends is None:
        return None
    try:
        return float(to_float(ends[0])), float(to_float(ends[1]))
    except (UndefinedMetric, LookupError, TypeError, ValueError):
        return None  # a user's function may know only the values that there are
