"""The reducers: one score of a sample's epochs."""

import math
import statistics
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from steelyard.core.score import ValueToFloat
from steelyard.errors import UndefinedMetric, UsageError
from steelyard.metrics._reducer import Leaf, named_leaf
from steelyard.metrics._to_float import DEFAULT, read_to_float

__all__ = ["at_least", "max_score", "mean_score", "median_score", "mode_score", "pass_at", "pass_k"]


@named_leaf("mean")
def mean_score(value_to_float: ValueToFloat = DEFAULT) -> Leaf:
    """The mean of the epochs' values, as numbers.

    Dict values are reduced by key, lists by place; answer, explanation and metadata are kept where all epochs agree.

    Args:
        value_to_float: How values are read as numbers.

    Returns:
        A reducer, named ``"mean"``: from a list of Scores or plain values to a Score.

    Raises:
        UndefinedMetric: On a call: no epoch is scored, or a value is no number.

    Source: inspect_ai's reducer of this name.

    >>> mean_score()(["C", "I", "C", "C"]).value
    0.75
    >>> mean_score()([{"style": 1, "facts": 0}, {"style": 0}]).value
    {'style': 0.5, 'facts': 0.0}
    """
    read = read_to_float(value_to_float)
    return lambda values: math.fsum(map(read, values)) / len(values)


@named_leaf("median")
def median_score(value_to_float: ValueToFloat = DEFAULT) -> Leaf:
    """The median of the epochs' values, as numbers; of an even number the mean of the middle two.

    Args:
        value_to_float: How values are read as numbers.

    Returns:
        A reducer, named ``"median"``.

    Raises:
        UndefinedMetric: On a call: no epoch is scored, or a value is no number.

    Source: inspect_ai's reducer of this name.

    >>> median_score()([0.1, 0.9, 0.2]).value
    0.2
    """
    read = read_to_float(value_to_float)
    return lambda values: statistics.median(map(read, values))


@named_leaf("mode")
def mode_score() -> Leaf:
    """The value that most epochs gave, as it stands; of equally frequent ones the first seen.

    Values of different types are different: True is not 1 (inspect_ai takes them for one).

    Returns:
        A reducer, named ``"mode"``.

    Raises:
        UndefinedMetric: On a call: no epoch is scored.

    Source: inspect_ai's reducer of this name.

    >>> mode_score()(["refund", "delivery", "refund"]).value
    'refund'
    """

    def leaf(values: list[Any]) -> Any:
        counted = Counter[tuple[str, Any]]((type(value).__name__, value) for value in values)
        return counted.most_common(1)[0][0][1]

    return leaf


@named_leaf("max")
def max_score(value_to_float: ValueToFloat = DEFAULT) -> Leaf:
    """The value with the greatest number, as it stands; of equal ones the first.

    Args:
        value_to_float: How values are read as numbers.

    Returns:
        A reducer, named ``"max"``.

    Raises:
        UndefinedMetric: On a call: no epoch is scored, or a value is no number.

    Source: inspect_ai's reducer of this name.

    >>> max_score()(["I", "P", "I"]).value
    'P'
    """
    read = read_to_float(value_to_float)
    return lambda values: max(values, key=read)


@named_leaf("at_least")
def at_least(k: int, value: float = 1.0, value_to_float: ValueToFloat = DEFAULT) -> Leaf:
    """1 if at least k epochs reach the value, else 0. Unscored epochs do not reach it.

    Args:
        k: How many epochs have to, at least 1.
        value: The least value that counts.
        value_to_float: How values are read as numbers.

    Returns:
        A reducer; ``"at_least_2"`` names ``at_least(2)``.

    Raises:
        UsageError: ``k`` is below 1.
        UndefinedMetric: On a call: no epoch is scored, or a value is no number.

    Source: inspect_ai's reducer of this name.

    >>> at_least(2)(["C", "I", "C"]).value
    1.0
    """
    read = _threshold(k, value, value_to_float, "at_least")
    return lambda values: float(read(values) >= k)


@named_leaf("pass_at")
def pass_at(k: int, value: float = 1.0, value_to_float: ValueToFloat = DEFAULT) -> Leaf:
    """With what probability is at least one of k draws from the epochs correct? The unbiased estimate of pass@k.

        1 - C(n - c, k) / C(n, k),   c of n epochs reach the value

    Args:
        k: Number of draws, at least 1.
        value: The least value that counts as correct.
        value_to_float: How values are read as numbers.

    Returns:
        A reducer; ``"pass_at_3"`` names ``pass_at(3)``. Its values lie in [0, 1].

    Raises:
        UsageError: ``k`` is below 1.
        UndefinedMetric: On a call: fewer than k epochs are scored, or a value is no number.

    Source: Chen et al. (2021), arXiv:2107.03374, equation 1.

    >>> pass_at(1)([False, False, False, True, True, True]).value
    0.5
    >>> pass_at(2)(["C", "I"]).value
    1.0
    """
    read = _threshold(k, value, value_to_float, "pass_at")

    def leaf(values: list[Any]) -> float:
        n, c = _enough(values, k, "pass_at"), read(values)
        return float(1 - Fraction(math.comb(n - c, k), math.comb(n, k)))

    return leaf


@named_leaf("pass_k")
def pass_k(k: int, value: float = 1.0, value_to_float: ValueToFloat = DEFAULT) -> Leaf:
    """With what probability are all of k draws from the epochs correct? The unbiased estimate of pass^k.

        C(c, k) / C(n, k),   c of n epochs reach the value

    Args:
        k: Number of draws, at least 1.
        value: The least value that counts as correct.
        value_to_float: How values are read as numbers.

    Returns:
        A reducer; ``"pass_k_3"`` names ``pass_k(3)``. Its values lie in [0, 1].

    Raises:
        UsageError: ``k`` is below 1.
        UndefinedMetric: On a call: fewer than k epochs are scored, or a value is no number.

    Source: Yao et al. (2024), arXiv:2406.12045, section 3.

    >>> pass_k(2)(["C", "C", "I", "C"]).value
    0.5
    """
    read = _threshold(k, value, value_to_float, "pass_k")

    def leaf(values: list[Any]) -> float:
        n, c = _enough(values, k, "pass_k"), read(values)
        return float(Fraction(math.comb(c, k), math.comb(n, k)))

    return leaf


def _threshold(k: Any, value: float, value_to_float: ValueToFloat, name: str) -> Callable[[list[Any]], int]:
    """The function that counts the values which reach ``value``."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise UsageError(f"{name} needs a whole k of at least 1, not {k!r}")
    read = read_to_float(value_to_float)

    def reaching(values: list[Any]) -> int:
        return sum(read(one) >= value for one in values)

    return reaching


def _enough(values: list[Any], k: int, name: str) -> int:
    n = len(values)
    if n < k:
        raise UndefinedMetric(f"{name} needs k = {k} scored epochs; there {'is' if n == 1 else 'are'} {n}")
    return n
