"""The difference of two runs over the same samples."""

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from steelyard.core.estimate import Estimate
from steelyard.errors import UsageError
from steelyard.stats._factorize import Keys
from steelyard.stats._interval import clustered_t, t_interval

__all__ = ["paired_t"]


def paired_t(
    candidate: ArrayLike,
    baseline: ArrayLike | None = None,
    *,
    clusters: Keys | None = None,
    level: float = 0.95,
) -> Estimate:
    """By how much do two runs differ on the same samples? A t interval of the differences.

        d_i = candidate_i - baseline_i,   mean(d) ± t(n-1) s_d / sqrt(n)

    What is hard for both runs cancels, so this is tighter than the difference of two separate means.

    Args:
        candidate: A value for each sample, shape (n,); or the differences themselves, when ``baseline`` is left out.
        baseline: The other run's value for the same sample, shape (n,).
        clusters: The cluster of each sample, shape (n,); the interval is then that of `clustered_t`.
        level: Confidence level.

    Returns:
        The mean difference with its interval, method ``"paired t"`` or ``"clustered paired t"``. Runs that differ by
        the same amount everywhere (by nothing, say) get no interval: their spread does not tell the error.

    Raises:
        UsageError: The two have different lengths.

    Source: Student (1908), Biometrika 6, section IX; Miller (2024), arXiv:2411.00640, section 4.

    >>> print(paired_t([1, 1, 0, 1, 1], [1, 0, 0, 0, 1]))
    0.400 [-0.280, 1.080]
    """
    differences = np.asarray(candidate, dtype=np.float64)
    if baseline is not None:
        other = np.asarray(baseline, dtype=np.float64)
        if other.shape != differences.shape:
            raise UsageError(f"pairs need equal lengths; got {len(differences)} and {len(other)} values")
        differences = differences - other
    if clusters is None:
        return _named(t_interval(differences, level=level), "paired t")
    return _named(clustered_t(differences, clusters, level=level), "clustered paired t")


def _named(found: Estimate, method: str) -> Estimate:
    reason = (
        None if found.reason is None else found.reason.replace("values", "differences").replace("value", "difference")
    )
    return msgspec.structs.replace(found, method=method, reason=reason)
