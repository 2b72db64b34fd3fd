"""std, var, stderr and bootstrap_stderr: how far values lie apart, and how far their mean can be trusted."""

import math

import msgspec

from steelyard.core.estimate import Estimate
from steelyard.core.score import ValueToFloat
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UsageError
from steelyard.metrics._mean import read_clusters
from steelyard.metrics._metric import Measure, figure
from steelyard.metrics._numbers import Numbers, read_numbers, read_rows
from steelyard.metrics._to_float import DEFAULT, read_to_float
from steelyard.stats import bootstrap_mean, clustered_stderr, mean_stderr, variance

__all__ = ["bootstrap_stderr", "std", "stderr", "var"]


@figure
def std(to_float: ValueToFloat = DEFAULT) -> Measure:
    """How far do the values lie from their mean? The sample standard deviation.

        sqrt(sum_i (v_i - m)^2 / (n - 1))

    Args:
        to_float: How values are read as numbers.

    Returns:
        A metric. Called with scores it returns a float in the unit of the values.

    Raises:
        UndefinedMetric: On a call: there are fewer than two scores (inspect_ai gives 0), or one is no number.

    Source: inspect_ai's metric of this name.

    >>> std()([1.0, 2.0, 3.0])
    1.0
    """
    read = read_to_float(to_float)
    return lambda column, _level: _spread(read_numbers(column, read), root=True)


@figure
def var(to_float: ValueToFloat = DEFAULT) -> Measure:
    """How far do the values lie from their mean, squared? The sample variance.

        sum_i (v_i - m)^2 / (n - 1)

    Args:
        to_float: How values are read as numbers.

    Returns:
        A metric. Called with scores it returns a float in the squared unit of the values.

    Raises:
        UndefinedMetric: On a call: there are fewer than two scores (inspect_ai gives 0), or one is no number.

    Source: inspect_ai's metric of this name.

    >>> var()([1.0, 2.0, 3.0, 4.0])
    1.6666666666666667
    """
    read = read_to_float(to_float)
    return lambda column, _level: _spread(read_numbers(column, read), root=False)


@figure
def stderr(to_float: ValueToFloat = DEFAULT, cluster: str | None = None) -> Measure:
    """How far may the mean be off? Its standard error.

        sqrt(sum_i (v_i - m)^2 / (n - 1)) / sqrt(n), and with clusters
        sqrt(G/(G-1) sum_g (sum_{i in g} (v_i - m))^2) / n

    Args:
        to_float: How values are read as numbers.
        cluster: The column whose equal values make a cluster; by default the run's cluster column, if it has one.

    Returns:
        A metric. Called with scores it returns a float in the unit of the values.

    Raises:
        UndefinedMetric: On a call: there are fewer than two scores or clusters (inspect_ai gives 0), or one is no
            number.
        ColumnNotFoundError: On a call: a score's sample lacks the cluster column.

    Source: inspect_ai's metric of this name; Miller (2024), arXiv:2411.00640, section 2.

    >>> round(stderr()([1.0, 0, True]), 6)
    0.333333
    """
    read = read_to_float(to_float)

    def measure(column: ScoredColumn, _level: float) -> Estimate:
        by = cluster or column.cluster
        if by is not None:
            return _error_of(clustered_stderr(read_rows(column, read), read_clusters(column, by)))
        numbers = read_numbers(column, read)
        return _error_of(mean_stderr(numbers.values, numbers.counts))

    return measure


@figure
def bootstrap_stderr(num_samples: int = 1000, to_float: ValueToFloat = DEFAULT, *, seed: int = 0) -> Measure:
    """How far may the mean be off, by resampling? The standard deviation of the means of resamples.

    Where the run has a cluster column, whole clusters are drawn.

    Args:
        num_samples: Number of resamples.
        to_float: How values are read as numbers.
        seed: The same seed gives the same figure (inspect_ai draws from the global state).

    Returns:
        A metric. Called with scores it returns a float in the unit of the values.

    Raises:
        UndefinedMetric: On a call: there are fewer than two scores, or one is no number.
        UsageError: ``num_samples`` is below 2.

    Source: inspect_ai's metric of this name; Efron and Tibshirani (1993), chapter 6. The mean's resamples are drawn as
    counts of distinct values where those are few: the same distribution, at a fraction of the work.

    >>> round(bootstrap_stderr(seed=1)(["C", "I"] * 50), 2)
    0.05
    """
    read = read_to_float(to_float)
    if num_samples < 2:
        raise UsageError(f"num_samples must be at least 2, not {num_samples}; 1,000 is usual")

    def measure(column: ScoredColumn, _level: float) -> Estimate:
        if column.cluster is not None:
            rows, codes = read_rows(column, read), read_clusters(column, column.cluster)
            found = bootstrap_mean(rows, clusters=codes, resamples=num_samples, seed=seed)
        else:
            numbers = read_numbers(column, read)
            found = bootstrap_mean(numbers.values, numbers.counts, resamples=num_samples, seed=seed)
        return _error_of(found)

    return measure


def _error_of(found: Estimate) -> Estimate:
    """The standard error of an estimate, as a figure of its own."""
    reason = found.reason or ("there is no standard error" if found.stderr is None else None)
    return Estimate(value=found.stderr, n=found.n, method=found.method, reason=reason)


def _spread(numbers: Numbers, *, root: bool) -> Estimate:
    found = variance(numbers.values, numbers.counts)
    if not root or found.value is None:
        return found
    return msgspec.structs.replace(found, value=math.sqrt(found.value))
