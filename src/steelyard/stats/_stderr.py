"""The standard error of a mean, with and without clusters."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.core.estimate import Estimate
from steelyard.errors import UsageError
from steelyard.stats._factorize import Keys, factorize

__all__ = ["clustered_stderr", "mean_stderr", "variance"]

NO_DATA = "there are no values"
ONE_VALUE = "one value has no spread"
CONSTANT = "all {n} values are equal, so their spread does not tell the error"
ONE_CLUSTER = "all values are in one cluster"
CANCELLING = "the deviations within clusters cancel, so their spread does not tell the error"


def mean_stderr(values: ArrayLike, counts: ArrayLike | None = None) -> Estimate:
    """How far may the mean of these values be off?

        sqrt(sum_i (x_i - m)^2 / (n - 1)) / sqrt(n)

    Args:
        values: The values, shape (n,); or the distinct values, shape (m,).
        counts: How often each distinct value occurs, shape (m,).

    Returns:
        The mean with its standard error and no interval. No standard error for one value. For values that are all
        equal it is 0 by the formula, with a reason why that tells nothing.

    Source: the central limit theorem; Miller (2024), arXiv:2411.00640, section 2.1.

    >>> round(mean_stderr([1.0, 0.0, 1.0]).stderr, 6)
    0.333333
    """
    method = "standard error"
    n, mean, squares = _moments(values, counts)
    if n == 0:
        return Estimate.undefined(NO_DATA, method=method)
    if n == 1:
        return Estimate(value=mean, n=1, method=method, reason=ONE_VALUE)
    reason = None if squares else CONSTANT.format(n=n)
    return Estimate(value=mean, stderr=math.sqrt(squares / (n - 1) / n), n=n, method=method, reason=reason)


def variance(values: ArrayLike, counts: ArrayLike | None = None) -> Estimate:
    """How far do these values lie from their mean, squared?

        sum_i (x_i - m)^2 / (n - 1)

    Args:
        values: The values, shape (n,); or the distinct values, shape (m,).
        counts: How often each distinct value occurs, shape (m,).

    Returns:
        The sample variance, without interval, in the squared unit of the values; undefined for fewer than two.

    Source: Bessel's correction; any textbook.

    >>> variance([1.0, 2.0, 3.0]).value
    1.0
    """
    n, _, squares = _moments(values, counts)
    if n < 2:
        return Estimate.undefined(ONE_VALUE if n else NO_DATA, n=n, method="sample")
    return Estimate(value=squares / (n - 1), n=n, method="sample")


def clustered_stderr(values: ArrayLike, clusters: Keys) -> Estimate:
    """How far may the mean be off when values come in clusters?

        sqrt(G/(G-1) sum_g (sum_{i in g} (x_i - m))^2) / n

    Questions about one passage, turns of one dialogue: such rows tell less than as many independent ones.

    Args:
        values: The values, shape (n,).
        clusters: The cluster of each value, shape (n,): any keys; an array of integers is fastest.

    Returns:
        The mean with its standard error and no interval; its ``n`` is the number of clusters G. No standard error for
        one cluster. Where the sums of clusters cancel it is 0 by the formula, with a reason why that tells nothing.

    Raises:
        UsageError: There is not one cluster for each value.

    Source: Liang and Zeger (1986), Biometrika 73, 13-22, for the mean; Miller (2024), arXiv:2411.00640, section 2.2;
    the factor G/(G-1) is that of inspect_ai's `stderr(cluster=)`.

    >>> round(clustered_stderr([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"]).stderr, 4)
    0.2887
    """
    method = "clustered standard error"
    x = np.asarray(values, dtype=np.float64)
    groups = factorize(clusters)
    if len(x) != len(groups):
        raise UsageError(f"{len(x)} values have {len(groups)} cluster keys: there must be one for each")
    if len(x) == 0:
        return Estimate.undefined(NO_DATA, method=method)
    mean = float(x.mean())
    n_clusters = int(np.count_nonzero(np.bincount(groups)))
    if n_clusters == 1:
        return Estimate(value=mean, n=1, method=method, reason=ONE_CLUSTER)
    if _constant(x):
        return Estimate(value=float(x[0]), stderr=0.0, n=n_clusters, method=method, reason=CONSTANT.format(n=len(x)))
    sums = np.bincount(groups, weights=x - mean)
    squares = float(sums @ sums)
    # Sums that cancel leave rounding errors of the order of eps times what was added up.
    if squares <= (8 * np.finfo(np.float64).eps * float(np.abs(x).sum())) ** 2:
        return Estimate(value=mean, stderr=0.0, n=n_clusters, method=method, reason=CANCELLING)
    error = math.sqrt(squares * n_clusters / (n_clusters - 1)) / len(x)
    return Estimate(value=mean, stderr=error, n=n_clusters, method=method)


def _moments(values: ArrayLike, counts: ArrayLike | None) -> tuple[int, float, float]:
    """(n, mean, sum of squared deviations); the last is exactly 0 where all values are equal."""
    x = np.asarray(values, dtype=np.float64)
    if counts is None:
        if len(x) == 0 or _constant(x):
            return len(x), float(x[0]) if len(x) else 0.0, 0.0
        mean = float(x.mean())
        deviations = x - mean
        return len(x), mean, float(deviations @ deviations)
    weights = np.asarray(counts, dtype=np.float64)
    x, weights = x[weights > 0], weights[weights > 0]
    n = round(float(weights.sum()))
    if n == 0 or _constant(x):
        return n, float(x[0]) if n else 0.0, 0.0
    mean = float(weights @ x) / n
    deviations = x - mean
    return n, mean, float(weights @ (deviations * deviations))


def _constant(x: NDArray[np.float64]) -> bool:
    return bool(x.min() == x.max())
