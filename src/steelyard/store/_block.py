"""EncodedBlock: scored rows in the form of database cells, still column by column, so that it travels cheaply."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any

import msgspec

from steelyard.store._totals import Tally

__all__ = ["DetailCell", "EncodedBlock", "LabelCells", "ScoreCells"]

DetailCell = tuple[int, bytes]
"""(row of the block, body) of an outcome of which more is known than a score row holds."""


class ScoreCells(msgspec.Struct, frozen=True):
    """The outcomes of one scoring.

    Args:
        types: The type of every row's value, or one type for all rows.
        values: The cell of each row.
        answers: The answer of each row; None where there is none at all.
        reasons: The reason or note of each row; None where there is none at all.
        details: What else is known of some rows, by row.
    """

    types: list[int] | int
    values: list[Any]
    answers: list[Any] | None = None
    reasons: list[Any] | None = None
    details: list[DetailCell] = []

    @property
    def outcomes(self) -> Iterator[tuple[int, Any, Any]]:
        """(value type, cell, reason or note) of each row."""
        return zip(_column(self.types), self.values, _column(self.reasons), strict=False)

    def count_into(self, tally: Tally) -> None:
        """Count the outcomes."""
        if isinstance(self.types, int) and self.reasons is None:
            tally.add_column(self.types, self.values)
        else:
            tally.add(self.outcomes)

    def cut(self, start: int, stop: int) -> "ScoreCells":
        """Rows ``start`` to ``stop``."""
        return ScoreCells(
            self.types if isinstance(self.types, int) else self.types[start:stop],
            self.values[start:stop],
            None if self.answers is None else self.answers[start:stop],
            None if self.reasons is None else self.reasons[start:stop],
            [(row - start, body) for row, body in self.details if start <= row < stop],
        )


def _column(cells: Any) -> Iterable[Any]:
    """A column of cells; one cell stands for all rows."""
    return cells if isinstance(cells, list) else repeat(cells)


class LabelCells(msgspec.Struct, frozen=True):
    """The cells of one column by which figures are split or clustered."""

    name: str
    types: list[int]
    values: list[Any]

    def cut(self, start: int, stop: int) -> "LabelCells":
        """Rows ``start`` to ``stop``."""
        return LabelCells(self.name, self.types[start:stop], self.values[start:stop])


class EncodedBlock(msgspec.Struct, frozen=True):
    """Rows that are ready for the database.

    Args:
        seqs: The place of each row in the run.
        ids: The sample id of each row.
        epochs: The epoch of each row; None where all are 1.
        scores: The outcomes of each scoring, in the writer's order.
        samples: The packed body of each sample; None where another run keeps the samples.
        outputs: The output cell of each row; None where only outcomes are written.
        extras: Usage and the like of each row; None where there is none at all.
        labels: Columns by which figures are split or clustered.
        layout: Every column, in the order of the data, to the name under which its cells are kept.
    """

    seqs: Sequence[int]
    ids: list[Any]
    epochs: list[int] | None
    scores: list[ScoreCells]
    samples: list[bytes] | None = None
    outputs: list[Any] | None = None
    extras: list[bytes | None] | None = None
    labels: list[LabelCells] = []
    layout: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.seqs)

    @property
    def weight(self) -> int:
        """Its bytes, roughly: what it costs to let it wait."""
        bodies = sum(map(len, self.samples)) if self.samples else 0
        outputs = sum(len(cell) for cell in self.outputs if cell is not None) if self.outputs else 0
        return bodies + outputs + 100 * len(self) * (1 + len(self.scores))

    def renamed(self, ids: Sequence[str], epochs: Sequence[int] | None) -> "EncodedBlock":
        """The same rows under other ids and epochs."""
        return msgspec.structs.replace(self, ids=list(ids), epochs=None if epochs is None else list(epochs))

    def pieces(self, limit: int) -> "Iterator[EncodedBlock]":
        """The block cut into pieces of at most ``limit`` rows."""
        if len(self) <= limit:
            return iter((self,))
        return (self._cut(start, min(start + limit, len(self))) for start in range(0, len(self), limit))

    def _cut(self, start: int, stop: int) -> "EncodedBlock":
        return EncodedBlock(
            self.seqs[start:stop],
            self.ids[start:stop],
            None if self.epochs is None else self.epochs[start:stop],
            [cells.cut(start, stop) for cells in self.scores],
            None if self.samples is None else self.samples[start:stop],
            None if self.outputs is None else self.outputs[start:stop],
            None if self.extras is None else self.extras[start:stop],
            [cells.cut(start, stop) for cells in self.labels],
            self.layout,
        )
