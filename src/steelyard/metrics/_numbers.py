"""Values as arrays of numbers, read once for each distinct value."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steelyard.core.score import ValueToFloat
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UndefinedMetric
from steelyard.metrics._to_float import DEFAULT

__all__ = ["Numbers", "condensed", "read_numbers", "read_rows"]

Floats = NDArray[np.float64]


class Numbers(NamedTuple):
    """Values, or distinct values with how often each occurs."""

    values: Floats
    counts: NDArray[np.int64] | None = None

    @property
    def n(self) -> int:
        """How many values there are."""
        return len(self.values) if self.counts is None else int(self.counts.sum())

    @property
    def total(self) -> float:
        """Their sum."""
        return float(self.values.sum() if self.counts is None else self.counts @ self.values)

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.total / self.n

    @property
    def binary(self) -> bool:
        """True when all are 0 or 1."""
        return bool(((self.values == 0) | (self.values == 1)).all())


def read_numbers(column: ScoredColumn, to_float: ValueToFloat) -> Numbers:
    """The column's values as numbers, in no particular order.

    Raises:
        UndefinedMetric: A value is no number; it names the value.
    """
    found = condensed(column)
    if found.distinct is not None:
        return _counted(found.distinct, to_float)
    return Numbers(read_rows(column, to_float))


def condensed(column: ScoredColumn) -> ScoredColumn:
    """The same column; where its values are text or truth values, with how often each occurs.

    Numbers are left alone: 1, 1.0 and True compare equal, and ``to_float`` may tell them apart.
    """
    if column.distinct is not None or not {*map(type, column.values)} <= {str, bool}:
        return column
    return column.replace(distinct=Counter(column.values))


def read_rows(column: ScoredColumn, to_float: ValueToFloat) -> Floats:
    """The column's values as numbers, row by row.

    Raises:
        UndefinedMetric: A value is no number; it names the value.
    """
    values = column.values
    types = set(map(type, values))
    if types <= {bool, int, float} and to_float == DEFAULT:
        return _finite(_plain(values))
    if types <= {str, bool}:
        table = {value: _read(value, to_float) for value in set(values)}
        return _finite(np.fromiter(map(table.__getitem__, values), np.float64, len(values)))
    return _finite(np.array([_read(value, to_float) for value in values], dtype=np.float64))


def _counted(distinct: Any, to_float: ValueToFloat) -> Numbers:
    read = [_read(value, to_float) for value in distinct]
    return Numbers(_finite(np.array(read, dtype=np.float64)), np.fromiter(distinct.values(), np.int64, len(read)))


def _read(value: Any, to_float: ValueToFloat) -> float:
    return float(to_float(value))


def _plain(values: Sequence[Any]) -> Floats:
    try:
        return np.fromiter(values, np.float64, len(values))
    except OverflowError:
        raise UndefinedMetric("a value is too great for a float") from None


def _finite(numbers: Floats) -> Floats:
    if not np.isfinite(numbers).all():
        wrong = numbers[~np.isfinite(numbers)]
        raise UndefinedMetric(f"{len(wrong)} of {len(numbers)} values are not finite, such as {wrong[0]}")
    return numbers
