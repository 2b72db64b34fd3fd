"""The mean of several estimates."""

import math
from collections.abc import Sequence

from steelyard.core.estimate import Estimate
from steelyard.stats._quantile import t_quantile

__all__ = ["average"]


def average(estimates: Sequence[Estimate], *, level: float = 0.95) -> Estimate:
    """What is the mean of independent estimates, each counting the same? For groups that are given, not drawn.

        m = sum_g m_g / G,   stderr = sqrt(sum_g stderr_g^2) / G,   m ± t(df) stderr
        df = (sum_g stderr_g^2)^2 / sum_g (stderr_g^4 / (n_g - 1))

    Args:
        estimates: An estimate for each group, shape (G,).
        level: Confidence level.

    Returns:
        The mean with its interval, method ``"stratified t"``; its ``n`` is the sum of the groups'. Undefined when an
        estimate is; no interval when a group has no standard error that tells something.

    Source: Welch (1947), Biometrika 34, 28-35; Satterthwaite (1946), Biometrics Bulletin 2, 110-114.

    >>> from steelyard.stats import wilson
    >>> print(average([wilson(8, 10), wilson(30, 60)]))
    0.650 [0.491, 0.809]
    """
    method = "stratified t"
    if not estimates:
        return Estimate.undefined("there are no groups", method=method)
    n = sum(one.n for one in estimates)
    values = [one.value for one in estimates if one.value is not None]
    if len(values) < len(estimates):
        lacking = len(estimates) - len(values)
        return Estimate.undefined(f"the value of {lacking} of {len(estimates)} groups is undefined", n=n, method=method)
    mean = math.fsum(values) / len(values)
    # A spread of 0 in a group is what was seen, not what is known of its error.
    squares = [(one.stderr**2, one.n - 1) for one in estimates if one.stderr and one.n > 1]
    if len(squares) < len(estimates):
        lacking = len(estimates) - len(squares)
        reason = f"{lacking} of {len(estimates)} groups show no spread"
        return Estimate(value=mean, n=n, method=method, reason=reason)
    total = math.fsum(square for square, _ in squares)
    df = total**2 / math.fsum(square**2 / below for square, below in squares)
    stderr = math.sqrt(total) / len(squares)
    reach = t_quantile(level, df) * stderr
    return Estimate(value=mean, stderr=stderr, low=mean - reach, high=mean + reach, level=level, n=n, method=method)
