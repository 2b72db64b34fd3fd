"""ScoredColumn: what a metric is computed from."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from steelyard.core.estimate import Counts
from steelyard.core.score import SampleScore, Score
from steelyard.errors import ColumnNotFoundError

__all__ = ["ScoredColumn"]


class ScoredColumn:
    """The values that one scorer gave, one a sample, with what a metric may ask about them.

    Args:
        name: The scorer, or ``scorer.key`` for one key of a dict score.
        values: The values of the scored samples, after epochs are reduced. May be lazy when ``distinct`` is given.
        ids: The sample ids, aligned with ``values``.
        labels: Column name to its cells, aligned with ``values``. Raises `ColumnNotFoundError`.
        counts: What became of every outcome.
        range: The least and the greatest value, where declared.
        cluster: The run's cluster column.
        distinct: Value to number of samples, where that is all that was read.
        higher_is_better: Direction: it says which end of the range is the worst.
        columns: The names that ``labels`` knows, for the metadata that custom metrics see.
        unscored_labels: As ``labels``, for the samples without a score.
        scores: The whole scores, aligned with ``values``, for custom metrics that read answers and metadata.

    >>> column = ScoredColumn("match", ["C", "I"])
    >>> len(column), column.counts.scored
    (2, 2)
    """

    __slots__ = (
        "cluster",
        "columns",
        "counts",
        "distinct",
        "higher_is_better",
        "ids",
        "labels",
        "name",
        "range",
        "scores",
        "unscored_labels",
        "values",
    )

    def __init__(
        self,
        name: str,
        values: Sequence[Any],
        *,
        ids: Sequence[str | int | None] = (),
        labels: Callable[[str], Sequence[Any]] | None = None,
        counts: Counts | None = None,
        range: tuple[float, float] | None = None,
        cluster: str | None = None,
        distinct: Mapping[Any, int] | None = None,
        higher_is_better: bool = True,
        columns: Sequence[str] = (),
        unscored_labels: Callable[[str], Sequence[Any]] | None = None,
        scores: Callable[[], Sequence[Score]] | None = None,
    ) -> None:
        self.name = name
        self.values = values
        self.ids = ids
        self.labels = _no_labels if labels is None else labels
        self.counts = Counts(attempted=len(values), scored=len(values)) if counts is None else counts
        self.range = range
        self.cluster = cluster
        self.distinct = distinct
        self.higher_is_better = higher_is_better
        self.columns = columns
        self.unscored_labels = unscored_labels
        self.scores = scores

    def __len__(self) -> int:
        return len(self.values) if self.distinct is None else sum(self.distinct.values())

    def sample_scores(self) -> list[SampleScore]:
        """The scores as custom metrics receive them; each sample's metadata is looked up when it is asked for."""
        read = _Remembered(self.labels)
        ids = itertools.chain(self.ids, itertools.repeat(None))
        scores = map(Score, self.values) if self.scores is None else self.scores()
        return [
            # A read-only mapping stands for the dict: a metric reads a key or two of samples that may have fifty.
            SampleScore(score, sample_id, cast("dict[str, Any]", _Row(self.columns, read, i)), self.name)
            for i, (score, sample_id) in enumerate(zip(scores, ids, strict=False))
        ]

    def replace(self, **changes: Any) -> "ScoredColumn":
        """The same column with other fields."""
        return ScoredColumn(**{**{field: getattr(self, field) for field in self.__slots__}, **changes})

    def take(self, rows: Sequence[int]) -> "ScoredColumn":
        """Only these samples, in this order; they may repeat. The counts are those of the samples taken."""
        every, whole = self.labels, self.scores

        def labels(column: str) -> Sequence[Any]:
            cells = every(column)
            return [cells[i] for i in rows]

        def scores() -> Sequence[Score]:
            found = whole() if whole is not None else ()
            return [found[i] for i in rows]

        return self.replace(
            values=[self.values[i] for i in rows],
            ids=[self.ids[i] for i in rows] if self.ids else (),
            labels=labels,
            counts=None,
            distinct=None,
            unscored_labels=None,
            scores=None if whole is None else scores,
        )


def _no_labels(column: str) -> Sequence[Any]:
    raise ColumnNotFoundError.naming(column, ())


class _Remembered:
    """Columns of labels, each read once."""

    def __init__(self, labels: Callable[[str], Sequence[Any]]) -> None:
        self._labels = labels
        self._read: dict[str, Sequence[Any]] = {}

    def __getitem__(self, column: str) -> Sequence[Any]:
        if column not in self._read:
            self._read[column] = self._labels(column)
        return self._read[column]


class _Row(Mapping[str, Any]):
    """One sample's columns."""

    __slots__ = ("_columns", "_i", "_read")

    def __init__(self, columns: Sequence[str], read: _Remembered, i: int) -> None:
        self._columns = columns
        self._read = read
        self._i = i

    def __getitem__(self, column: str) -> Any:
        return self._read[column][self._i]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return repr(dict(self))
