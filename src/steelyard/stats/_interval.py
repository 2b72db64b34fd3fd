"""Intervals of a proportion and of a mean, with and without clusters."""

import math

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from steelyard.core.estimate import Estimate
from steelyard.errors import UsageError
from steelyard.stats._factorize import Keys
from steelyard.stats._quantile import normal_quantile, t_quantile
from steelyard.stats._stderr import NO_DATA, clustered_stderr, mean_stderr

__all__ = ["clustered_proportion", "clustered_t", "clustered_wilson", "t_interval", "wilson", "within"]


def wilson(successes: float, n: float, *, level: float = 0.95) -> Estimate:
    """Which true proportions are compatible with ``successes`` in ``n`` trials? The Wilson score interval.

        (p + z^2/2n ± z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n),  p = successes / n

    It stays within [0, 1], has a width even at 0 and n successes, and needs no more than one trial.

    Args:
        successes: Trials that succeeded, from 0 to n; need not be whole (partial credit).
        n: Trials.
        level: Confidence level.

    Returns:
        The proportion, its standard error sqrt(p(1-p)/(n-1)), and the interval; undefined for n = 0.

    Raises:
        UsageError: ``successes`` is not between 0 and n.

    Source: E. B. Wilson (1927), JASA 22, 209-212; recommended by Brown, Cai, DasGupta (2001), Statistical Science 16.

    >>> print(wilson(8, 10))
    0.800 [0.490, 0.943]
    """
    z = normal_quantile(level)
    if n == 0:
        return Estimate.undefined(NO_DATA, method="wilson")
    if not 0 <= successes <= n:
        raise UsageError(f"successes must be between 0 and n = {n:g}, not {successes!r}")
    p = successes / n
    low, high = _score_interval(p, n, z)
    stderr = math.sqrt(p * (1 - p) / (n - 1)) if n > 1 else None
    return Estimate(value=p, stderr=stderr, low=low, high=high, level=level, n=round(n), method="wilson")


def t_interval(values: ArrayLike, counts: ArrayLike | None = None, *, level: float = 0.95) -> Estimate:
    """Which means are compatible with these values? Student's t interval.

        m ± t(n-1) s / sqrt(n)

    Args:
        values: The values, shape (n,); or the distinct values, shape (m,).
        counts: How often each distinct value occurs, shape (m,).
        level: Confidence level.

    Returns:
        The mean with its interval. No interval for one value, nor for values that are all equal.

    Source: Student (1908), Biometrika 6, 1-25.

    >>> print(t_interval([1.0, 2.0, 3.0, 4.0]))
    2.500 [0.446, 4.554]
    """
    found = mean_stderr(values, counts)
    return _around(found, found.n - 1, level=level, method="t")


def clustered_t(values: ArrayLike, clusters: Keys, *, level: float = 0.95) -> Estimate:
    """Which means are compatible with values that come in clusters? A t interval on cluster sums.

        stderr = sqrt(G/(G-1) sum_g (sum_{i in g} (x_i - m))^2) / n,   m ± t(G-1) stderr

    Questions about one passage, turns of one dialogue: such rows tell less than as many independent ones.

    Args:
        values: The values, shape (n,).
        clusters: The cluster of each value, shape (n,): any keys; an array of integers is fastest.
        level: Confidence level.

    Returns:
        The mean with its interval; its ``n`` is the number of clusters G. No interval for one cluster.

    Source: Liang and Zeger (1986), Biometrika 73, 13-22, for the mean; Miller (2024), arXiv:2411.00640, section 2.2;
    the factor G/(G-1) is that of inspect_ai's `stderr(cluster=)`.

    >>> print(clustered_t([1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 2, 2]))
    0.500 [-0.742, 1.742]
    """
    found = clustered_stderr(values, clusters)
    return _around(found, found.n - 1, level=level, method="clustered t")


def clustered_proportion(values: ArrayLike, clusters: Keys, *, level: float = 0.95) -> Estimate:
    """Which true proportions are compatible with zeros and ones that come in clusters?

    The clustered t interval cut to [0, 1]. Where every value is equal there is no spread to see; then a whole cluster
    counts as one trial of a Wilson interval, the most cautious reading.

    Args:
        values: Zeros and ones, shape (n,).
        clusters: The cluster of each, shape (n,).
        level: Confidence level.

    >>> print(clustered_proportion([1, 1, 1, 1], [0, 0, 1, 1]))
    1.000 [0.342, 1.000]
    """
    found = clustered_t(values, clusters, level=level)
    if found.value is None or found.n < 2:
        return found
    if found.value in (0.0, 1.0):
        cautious = wilson(found.value * found.n, found.n, level=level)
        return Estimate(
            value=found.value,
            stderr=0.0,
            low=cautious.low,
            high=cautious.high,
            level=level,
            n=found.n,
            method="clustered wilson",
        )
    return within(found, 0.0, 1.0)


def clustered_wilson(values: ArrayLike, clusters: Keys, *, level: float = 0.95) -> Estimate:
    """Which true proportions are compatible with clustered values in [0, 1]? Wilson with an effective sample size.

        n* = min(n, p(1-p) / stderr^2),   critical value t(G-1) in place of z

    Args:
        values: Values between 0 and 1, shape (n,).
        clusters: The cluster of each, shape (n,).
        level: Confidence level.

    Returns:
        The mean with its interval. Where the spread between clusters tells nothing (every value equal, or deviations
        that cancel), a whole cluster counts as one trial.

    Source: Korn and Graubard (1998), Survey Methodology 24, 193-201; Franco et al. (2019), J. Surv. Stat. Methodol. 7,
    334-364. A departure: inspect_ai keeps the full n where the spread tells nothing, as if rows were independent.
    """
    found = clustered_t(values, clusters, level=level)
    if found.value is None or found.n < 2:
        return msgspec.structs.replace(found, method="clustered wilson")
    p, n_clusters = found.value, found.n
    variance = (found.stderr or 0.0) ** 2
    known = 0 < p < 1 and variance > 0
    n_effective = min(float(len(np.asarray(values))), p * (1 - p) / variance) if known else float(n_clusters)
    low, high = _score_interval(p, n_effective, t_quantile(level, n_clusters - 1))
    return Estimate(
        value=p, stderr=found.stderr, low=low, high=high, level=level, n=n_clusters, method="clustered wilson"
    )


def within(estimate: Estimate, least: float, greatest: float) -> Estimate:
    """The same estimate, its interval cut to what values can be. That loses no coverage.

    >>> print(within(Estimate(value=0.9, low=0.7, high=1.1), 0, 1))
    0.900 [0.700, 1.000]
    """
    if estimate.low is None or estimate.high is None:
        return estimate
    return msgspec.structs.replace(estimate, low=max(least, estimate.low), high=min(greatest, estimate.high))


def _score_interval(p: float, n: float, z: float) -> tuple[float, float]:
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # At p = 0 and p = 1 the formula gives the end itself, but for rounding.
    low = 0.0 if p == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if p == 1 else min(1.0, (centre + half) / scale)
    return low, high


def _around(found: Estimate, df: float, *, level: float, method: str) -> Estimate:
    """The estimate with a t interval, where its standard error tells something."""
    if found.value is None or found.stderr is None or found.reason is not None:
        t_quantile(level, 1)  # a level that is none is an error on any data
        return msgspec.structs.replace(found, method=method)
    reach = t_quantile(level, df) * found.stderr
    low, high = found.value - reach, found.value + reach
    return msgspec.structs.replace(found, low=low, high=high, level=level, method=method)
