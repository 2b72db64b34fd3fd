"""Unscored samples in a figure: counted as the worst value, or as a bound beside it."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from steelyard.core.score import CORRECT, INCORRECT
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UndefinedMetric
from steelyard.metrics._kinds import known_range

__all__ = ["extremes", "filled", "missing_samples"]


def extremes(column: ScoredColumn) -> tuple[Any, Any] | None:
    """The worst and the best value that a sample could have had; None where no range is known.

    >>> extremes(ScoredColumn("match", ["C", "I"])), extremes(ScoredColumn("f1", [0.5], range=(0.0, 1.0)))
    (('I', 'C'), (0.0, 1.0))
    >>> extremes(ScoredColumn("length", [17]))
    """
    found = known_range(column)
    if found is None:
        return None
    worst: Any
    best: Any
    worst, best = found
    if column.range is None:  # grades: a value of their own kind, which any to_float reads
        sample = next(iter(column.distinct if column.distinct is not None else column.values))
        worst, best = (INCORRECT, CORRECT) if isinstance(sample, str) else (False, True)
    return (worst, best) if column.higher_is_better else (best, worst)


def missing_samples(column: ScoredColumn) -> int | None:
    """How many samples have no value; None where epochs were reduced, so that outcomes are not samples."""
    return column.counts.missing if column.counts.scored == len(column) else None


def filled(column: ScoredColumn) -> ScoredColumn:
    """The column with every unscored sample at the worst value.

    Raises:
        UndefinedMetric: No range is known, or epochs were reduced before.
    """
    if not column.counts.missing:
        return column
    missing = missing_samples(column)
    if missing is None:
        raise UndefinedMetric(
            f"{column.counts.missing} outcomes are unscored, and epochs were reduced: too late to count them"
        )
    found = extremes(column)
    if found is None:
        raise UndefinedMetric(
            f"{missing} samples are unscored, and no worst value is known: give the scorer a range=(least, greatest)"
        )
    worst = found[0]
    counts = column.counts
    distinct = column.distinct
    return column.replace(
        values=_Padded(column.values, worst, missing),
        labels=_joined(column),
        counts=msgspec.structs.replace(counts, scored=counts.attempted, unscored={}),
        distinct=None if distinct is None else {**distinct, worst: distinct.get(worst, 0) + missing},
        unscored_labels=None,
        scores=None,
    )


def _joined(column: ScoredColumn) -> Callable[[str], Sequence[Any]]:
    def labels(name: str) -> Sequence[Any]:
        if column.unscored_labels is None:
            raise UndefinedMetric(f"the column {name!r} of the unscored samples was not read")
        return [*column.labels(name), *column.unscored_labels(name)]

    return labels


class _Padded(Sequence[Any]):
    """Values followed by one value many times; the values are not read before they are asked for."""

    def __init__(self, values: Sequence[Any], pad: Any, times: int) -> None:
        self._values = values
        self._pad = pad
        self._times = times

    def __len__(self) -> int:
        return len(self._values) + self._times

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [*self][i]
        n = len(self._values)
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        place = i % len(self)
        return self._values[place] if place < n else self._pad

    def __iter__(self) -> Iterator[Any]:
        yield from self._values
        yield from itertools.repeat(self._pad, self._times)
