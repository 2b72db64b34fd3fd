"""The bootstrap: the error of a figure from resampling what was seen."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.core.estimate import Estimate
from steelyard.errors import UsageError
from steelyard.stats._factorize import Keys, factorize

__all__ = ["bootstrap_mean", "bootstrap_rows"]

FEW = 2000
"""Up to so many distinct values, drawing how often each occurs is quicker than drawing each row."""

CHUNK = 4_000_000
"""Numbers held at once while counts are drawn: 32 MB."""

Floats = NDArray[np.float64]


def bootstrap_mean(
    values: ArrayLike,
    counts: ArrayLike | None = None,
    *,
    clusters: Keys | None = None,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Which means are compatible with these values, without assuming a shape? The percentile bootstrap.

    Each resample draws n values with replacement (or G clusters, each with all its values); the standard error is the
    standard deviation of the resamples' means, the interval their percentiles.

    A mean depends on a resample only through how often each distinct value occurs in it, and those counts are
    Multinomial(n, share of each value): with few distinct values they are drawn directly. The distribution is exactly
    the same; the cost no longer grows with n.

    Args:
        values: The values, shape (n,); or the distinct values, shape (m,).
        counts: How often each distinct value occurs, shape (m,). Not with ``clusters``.
        clusters: The cluster of each value, shape (n,).
        resamples: Number of resamples.
        seed: The same seed gives the same figure.
        level: Confidence level.

    Returns:
        The mean with its interval; the method names resamples and seed. No interval for one value (or cluster), nor for
        values that are all equal.

    Raises:
        UsageError: ``resamples`` is below 2.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 13.

    >>> print(bootstrap_mean([0.0, 1.0, 1.0, 1.0] * 25))
    0.750 [0.660, 0.830]
    """
    _check(resamples, level)
    method = method_name(resamples, seed, clustered=clusters is not None)
    x = np.asarray(values, dtype=np.float64)
    weights = None if counts is None else np.asarray(counts, dtype=np.int64)
    n = len(x) if weights is None else int(weights.sum())
    if n == 0:
        return Estimate.undefined("there are no values", method=method)
    mean = float(x.mean()) if weights is None else float(weights @ x) / n
    units = x[:, None]
    if clusters is not None:
        units, weights = _cluster_units(x, factorize(clusters)), None
        n = len(units)
    if n == 1:
        one = "cluster" if clusters is not None else "value"
        return Estimate(value=mean, n=1, method=method, reason=f"resampling one {one} shows no spread")
    rng = np.random.default_rng(seed)
    sums = _resampled_sums(units, weights, n, resamples, rng)
    means = sums[:, 0] / (sums[:, 1] if clusters is not None else n)
    return _of_resamples(mean, means, n=n, level=level, method=method)


def bootstrap_rows(
    figure: Callable[[NDArray[np.int64]], float],
    n: int,
    *,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """The percentile bootstrap of any figure, computed anew for each resample.

    Args:
        figure: From row numbers, which may repeat, to the figure over those rows.
        n: Number of rows.
        resamples: Number of resamples.
        seed: The same seed gives the same interval.
        level: Confidence level.

    Returns:
        The figure over all rows with its interval.

    Raises:
        UsageError: ``resamples`` is below 2.

    Source: as `bootstrap_mean`.

    >>> values = np.array([1.0, 2.0, 3.0, 4.0, 10.0])
    >>> print(bootstrap_rows(lambda rows: float(np.median(values[rows])), 5))
    3.000 [1.000, 10.000]
    """
    _check(resamples, level)
    method = method_name(resamples, seed)
    value = figure(np.arange(n))
    if n < 2:
        return Estimate(value=value, n=n, method=method, reason="resampling one value shows no spread")
    rng = np.random.default_rng(seed)
    found = np.array([figure(rng.integers(0, n, n)) for _ in range(resamples)], dtype=np.float64)
    return _of_resamples(value, found, n=n, level=level, method=method)


def method_name(resamples: int, seed: int, *, clustered: bool = False) -> str:
    """The method of an estimate: whoever reads it can draw the same resamples."""
    return f"{'clustered ' if clustered else ''}bootstrap ({resamples} resamples, seed {seed})"


def _check(resamples: int, level: float) -> None:
    if resamples < 2:
        raise UsageError(f"a bootstrap needs at least 2 resamples, not {resamples}; 1,000 is usual")
    if not 0 < level < 1:
        raise UsageError(f"a confidence level is between 0 and 1, such as 0.95; {level!r} is not")


def _cluster_units(x: Floats, codes: NDArray[np.int64]) -> Floats:
    """The sum and the size of each cluster, shape (G, 2): the mean of a resample is a ratio of their sums."""
    sizes = np.bincount(codes)
    sums = np.bincount(codes, weights=x)
    there = sizes > 0
    units = np.empty((int(there.sum()), 2))
    units[:, 0], units[:, 1] = sums[there], sizes[there]
    return units


def _resampled_sums(
    units: Floats, counts: NDArray[np.int64] | None, n: int, resamples: int, rng: np.random.Generator
) -> Floats:
    """For each resample of n units the sum over them, shape (resamples, d); ``units`` has shape (m, d)."""
    if counts is None:
        distinct = _few_distinct(units)
        if distinct is None:
            return _sums_by_rows(units, n, resamples, rng)
        units, counts = distinct
    shares = counts / counts.sum()
    at_once = max(1, CHUNK // len(units))
    parts = [
        rng.multinomial(n, shares, min(at_once, resamples - done)) @ units for done in range(0, resamples, at_once)
    ]
    return np.concatenate(parts)


def _few_distinct(units: Floats) -> tuple[Floats, NDArray[np.int64]] | None:
    """The distinct units and how often each occurs; None where there are many."""
    if units.shape[1] == 1:
        column = units[:, 0]
        # A sample of the rows tells a continuous column, and saves sorting it.
        if len(column) > 20 * FEW and len(np.unique(column[:: len(column) // (2 * FEW)])) > FEW:
            return None
        found, counts = np.unique(column, return_counts=True)
        found = found[:, None]
    else:
        found, counts = np.unique(units, axis=0, return_counts=True)
    return (found, counts) if len(found) <= FEW else None


def _sums_by_rows(units: Floats, n: int, resamples: int, rng: np.random.Generator) -> Floats:
    """One resample at a time: row numbers of one stay in the cache, those of all would fill the memory."""
    columns = [np.ascontiguousarray(units[:, d]) for d in range(units.shape[1])]
    sums = np.empty((resamples, len(columns)))
    kind = np.int32 if len(units) < 2**31 else np.int64
    # Fresh memory for each resample would cost more than the arithmetic, hence the two buffers; "clip" lets numpy write
    # into one without a copy, and no row number is out of bounds.
    rows, drawn = np.empty(n, dtype=np.intp), np.empty(n)
    for b in range(resamples):
        rows[:] = rng.integers(0, len(units), n, dtype=kind)
        for d, column in enumerate(columns):
            sums[b, d] = np.take(column, rows, out=drawn, mode="clip").sum()
    return sums


def _of_resamples(value: float, found: Floats, *, n: int, level: float, method: str) -> Estimate:
    if bool(found.min() == found.max()):
        return Estimate(value=value, stderr=0.0, n=n, method=method, reason="every resample gives the same figure")
    tail = (1 - level) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    stderr = float(found.std(ddof=1))
    return Estimate(value=value, stderr=stderr, low=float(low), high=float(high), level=level, n=n, method=method)
