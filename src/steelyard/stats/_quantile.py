"""Quantiles of the normal and of Student's t distribution."""

from statistics import NormalDist

from steelyard.errors import UsageError

__all__ = ["normal_quantile", "t_quantile"]

_NORMAL = NormalDist()


def normal_quantile(level: float) -> float:
    """How many standard errors a two-sided normal interval reaches to either side.

    Args:
        level: The confidence level, between 0 and 1.

    Raises:
        UsageError: ``level`` is not between 0 and 1.

    Source: Python's `statistics.NormalDist` (Wichura 1988, algorithm AS 241).

    >>> round(normal_quantile(0.95), 4)
    1.96
    """
    # From the lower tail: near level 1 the upper one rounds to 1, which has no quantile.
    return -_NORMAL.inv_cdf(_tail(level))


def t_quantile(level: float, df: float) -> float:
    """How many standard errors a two-sided t interval reaches to either side.

    Args:
        level: The confidence level, between 0 and 1.
        df: Degrees of freedom, above 0; they need not be whole.

    Raises:
        UsageError: ``level`` is not between 0 and 1, or ``df`` not above 0.

    Source: `scipy.special.stdtrit`.

    >>> round(t_quantile(0.95, 9), 4)
    2.2622
    """
    from scipy.special import stdtrit  # a fifth of a second to load, and a table of proportions needs no t

    if not df > 0:
        raise UsageError(f"degrees of freedom must be above 0, not {df!r}")
    return -float(stdtrit(df, _tail(level)))


def _tail(level: float) -> float:
    if not 0 < level < 1:
        raise UsageError(f"a confidence level is between 0 and 1, such as 0.95; {level!r} is not")
    return (1 - level) / 2
