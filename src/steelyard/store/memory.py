"""MemoryStore: the same ports without a file. It keeps what it is given, and makes rows when they are asked for."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

import msgspec

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.record import OutcomeRow, RunRecord, RunStatus, ScoringRecord, StoredSample
from steelyard.core.sample import Output
from steelyard.errors import (
    ColumnNotFoundError,
    DuplicateIdError,
    RunNotFoundError,
    StoreError,
    UsageError,
)
from steelyard.store._encode import outcome_cells, output_extra
from steelyard.store._ending import NAMED, ended, repeated
from steelyard.store._find import find_id
from steelyard.store._segments import Segments
from steelyard.store._stored import proper
from steelyard.store._totals import DISTINCT_LIMIT, Group, Sort, Tally

__all__ = ["MemoryRun", "MemoryStore", "MemoryWriter"]


class MemoryBlock(msgspec.Struct, frozen=True):
    """What the encoder was given."""

    columns: Columns
    scored: Sequence[ScoreColumns]
    seqs: Sequence[int]

    def renamed(self, ids: Sequence[str], epochs: Sequence[int] | None) -> "MemoryBlock":
        """The same rows under other ids and epochs."""
        old = self.columns
        new = Columns(old.data, old.n, old.start, list(ids), None if epochs is None else list(epochs), old.outputs)
        return MemoryBlock(new, self.scored, self.seqs)


class MemoryEncoder(msgspec.Struct, frozen=True):
    """Keeps columns as they are."""

    def __call__(self, columns: Columns, scored: Sequence[ScoreColumns], seqs: Sequence[int]) -> MemoryBlock:
        """The block of these rows."""
        if columns.ids is None:
            raise UsageError("rows can be stored only once their ids are known: set Columns.ids")
        return MemoryBlock(columns, tuple(scored), seqs)


class _Table(msgspec.Struct):
    """One run in memory."""

    record: RunRecord
    scorings: list[ScoringRecord]
    rows: Segments[Columns]
    scores: dict[int, Segments[tuple[Columns, ScoreColumns]]]


class MemoryWriter:
    """Appends to one run of a `MemoryStore`. Nothing here outlives the process."""

    def __init__(self, table: _Table, scorings: Sequence[ScoringRecord], *, outcomes_only: bool = False) -> None:
        self.run_id = table.record.id
        self.encoder = MemoryEncoder()
        self.scorings = tuple(scorings)
        self._table = table
        self._outcomes_only = outcomes_only
        self._committed = 0
        self._ended: RunRecord | None = None

    @property
    def committed(self) -> int:
        """Rows that are kept."""
        return self._committed

    @property
    def full(self) -> bool:
        """False: nothing ever waits."""
        return False

    def write(self, block: MemoryBlock) -> None:
        """Append a block that `encoder` made."""
        if self._ended is not None:
            raise StoreError(f"the writer of run {self.run_id} is closed; open another with open_writer")
        if not self._outcomes_only:
            self._table.rows.append(block.seqs, block.columns)
        for scoring, scored in zip(self.scorings, block.scored, strict=True):
            self._table.scores[scoring.id or 0].append(block.seqs, (block.columns, scored))
        self._committed += block.columns.n

    def finish(self, status: RunStatus, **changes: Any) -> RunRecord:
        """Write the run's end with ``changes`` to its record, and close.

        Raises:
            DuplicateIdError: ids repeat within an epoch.
        """
        if self._ended is not None:
            return self._ended
        table = self._table
        if self._outcomes_only:
            record = msgspec.structs.replace(table.record, **changes)
        else:
            last_epoch = max((max(c.epochs) for _, c in table.rows.pieces() if c.epochs), default=1)
            record = ended(table.record, status, changes, rows=len(table.rows), last_epoch=last_epoch)
            fault = _repetition(table.rows)
            if fault is not None:
                table.record = msgspec.structs.replace(record, status="error", error=str(fault))
                raise fault
        table.record = self._ended = record
        return record


class MemoryRun:
    """Reads one run of a `MemoryStore`."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._record = table.record

    @property
    def record(self) -> RunRecord:
        """The run, as it was when the reader was opened."""
        return self._record

    @property
    def scorings(self) -> Sequence[ScoringRecord]:
        """The latest scoring of each name, in the order in which they were given."""
        return tuple({scoring.name: scoring for scoring in self._table.scorings}.values())

    def values(self, scoring: ScoringRecord) -> Iterator[tuple[int, int, int, Any, str | None]]:
        """(seq, epoch, value type, cell, reason or note) of every outcome, in order of seq."""
        known: dict[int, tuple[list[int], list[Any], list[Any]]] = {}
        for seq, (columns, scored), row in self._scores(scoring).rows():
            cells = known.get(id(scored))
            if cells is None:
                cells = known[id(scored)] = _outcomes(scored)
            types, values, reasons = cells
            yield seq, _epoch(columns, row), types[row], proper(values[row]), reasons[row]

    def distinct(self, scoring: ScoringRecord, *, limit: int = DISTINCT_LIMIT) -> list[Group]:
        """(value type, cell, reason or note, count) of each distinct outcome; empty where there are too many."""
        tally = self._tally(scoring)
        groups = [(kind, proper(cell), reason, n) for kind, cell, reason, n in tally.groups]
        return [] if tally.collapsed or len(groups) > limit else groups

    def totals(self, scoring: ScoringRecord) -> list[Sort]:
        """(value type, reason or note, count): how many outcomes of each sort."""
        return self._tally(scoring).sorts

    def sample_ids(self) -> list[str]:
        """The id of the row at each seq; an empty text where no row is stored."""
        return self._by_seq(lambda columns: columns.ids or [""] * columns.n, "")

    def labels(self, column: str) -> list[Any]:
        """The cell of one column of the data at each seq; None where no row is stored.

        Raises:
            ColumnNotFoundError: the data has no such column.
        """
        known = {name for _, columns in self._table.rows.pieces() for name in columns.data} or {*self._record.columns}
        if column not in known:
            raise ColumnNotFoundError.naming(column, known)
        return self._by_seq(lambda columns: columns.data.get(column, [None] * columns.n), None)

    def samples(
        self, seqs: Iterable[int] | None = None, *, offset: int = 0, limit: int | None = None
    ) -> Iterator[StoredSample]:
        """Stored rows: those named by ``seqs``, in that order, or a page of all."""
        rows = self._table.rows
        if seqs is None:
            page = islice(rows.rows(), offset, None if limit is None else offset + limit)
            return (_sample(seq, columns, row) for seq, columns, row in page)
        return (_sample(seq, *found) for seq in seqs if (found := rows.at(seq)) is not None)

    def outcomes(self, scoring: ScoringRecord, seqs: Iterable[int] | None = None) -> Iterator[OutcomeRow]:
        """Outcomes of one scoring with answer, explanation, metadata and error, in order of seq."""
        scores = self._scores(scoring)
        if seqs is None:
            found = scores.rows()
        else:
            found = ((seq, *at) for seq in sorted(set(seqs)) if (at := scores.at(seq)) is not None)
        for seq, (columns, scored), row in found:
            yield OutcomeRow(
                seq=seq,
                id=_id(columns, row),
                epoch=_epoch(columns, row),
                scorer=scoring.name,
                outcome=scored.outcome(row),
            )

    def find_sample(self, sample_id: str) -> list[int]:
        """The seqs of the rows that bear a sample id, one for each epoch."""
        found = [
            (_epoch(columns, row), seq)
            for seq, columns, row in self._table.rows.rows()
            if _id(columns, row) == sample_id
        ]
        return [seq for _, seq in sorted(found)]

    def _scores(self, scoring: ScoringRecord) -> Segments[tuple[Columns, ScoreColumns]]:
        return self._table.scores.get(scoring.id or 0) or Segments()

    def _tally(self, scoring: ScoringRecord) -> Tally:
        tally = Tally()
        for _, (_, scored) in self._scores(scoring).pieces():
            tally.add(zip(*_outcomes(scored), strict=True))
        return tally

    def _by_seq(self, cells: Callable[[Columns], Sequence[Any]], gap: Any) -> list[Any]:
        placed: list[Any] = []
        for seq, columns, row in self._table.rows.rows():
            placed.extend([gap] * (seq - len(placed)))
            placed.append(cells(columns)[row])
        return placed


class MemoryStore:
    """Keeps runs in memory, for as long as it lives itself.

    >>> MemoryStore().runs()
    []
    """

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._scorings = 0

    def __repr__(self) -> str:
        return f"MemoryStore({len(self._tables)} runs)"

    def create(
        self,
        run: RunRecord,
        scorings: Sequence[ScoringRecord],
        *,
        share_samples_with: str | None = None,
        outputs: Sequence[str] = (),
    ) -> MemoryWriter:
        """Begin a run. The columns are kept as they are, so runs over the same columns share them anyhow."""
        if run.id in self._tables:
            raise UsageError(f"there is already a run {run.id}; give the new one another id")
        if share_samples_with is not None and share_samples_with not in self._tables:
            raise RunNotFoundError(f"no run {share_samples_with!r} to share samples with; create that run first")
        self._tables[run.id] = _Table(run, [], Segments(), {})
        return MemoryWriter(self._tables[run.id], [self.add_scoring(run.id, scoring) for scoring in scorings])

    def add_scoring(self, run_id: str, scoring: ScoringRecord) -> ScoringRecord:
        """Begin another scoring of a stored run; the record with its number."""
        table = self._table(run_id)
        self._scorings += 1
        numbered = msgspec.structs.replace(scoring, id=self._scorings)
        table.scorings.append(numbered)
        table.scores[self._scorings] = Segments()
        return numbered

    def put_scoring(self, run_id: str, scoring: ScoringRecord) -> None:
        """Write the record of a stored scoring anew, with the figures that were computed."""
        scorings = self._table(run_id).scorings
        for i, stored in enumerate(scorings):
            if stored.id == scoring.id:
                scorings[i] = scoring
                return
        raise UsageError(f"run {run_id} has no scoring number {scoring.id}; begin one with add_scoring")

    def open_writer(
        self, run_id: str, scorings: Sequence[ScoringRecord], *, outcomes_only: bool = True
    ) -> MemoryWriter:
        """A writer for a stored run: of the outcomes of scorings that it has, or (to resume it) of rows too."""
        return MemoryWriter(self._table(run_id), scorings, outcomes_only=outcomes_only)

    def runs(self, *, limit: int | None = None, name: str | None = None) -> list[RunRecord]:
        """Runs, the newest first."""
        records = [table.record for table in reversed(self._tables.values())]
        records.sort(key=lambda record: record.created, reverse=True)
        return [record for record in records if name is None or record.name == name][:limit]

    def find(self, key: str) -> RunRecord:
        """The run of that id, name (its newest) or unique beginning of an id, or ``latest``.

        Raises:
            RunNotFoundError: there is none, or several ids begin so.
        """
        return self._table(key).record

    def open(self, key: str) -> MemoryRun:
        """A reader of the run that `find` finds."""
        return MemoryRun(self._table(key))

    def _table(self, key: str) -> _Table:
        entries = [(record.id, record.name, record.created) for record in self.runs()]
        return self._tables[find_id(key, entries, "this store in memory")]


def _id(columns: Columns, row: int) -> str:
    return "" if columns.ids is None else columns.ids[row]


def _epoch(columns: Columns, row: int) -> int:
    return 1 if columns.epochs is None else columns.epochs[row]


def _outcomes(scored: ScoreColumns) -> tuple[list[int], list[Any], list[Any]]:
    """Types, cells and reasons of every row."""
    types, values, reasons = outcome_cells(scored)
    n = len(scored)
    return [types] * n if isinstance(types, int) else types, values, [None] * n if reasons is None else reasons


def _sample(seq: int, columns: Columns, row: int) -> StoredSample:
    given = columns.data["output"][row] if "output" in columns else None
    if columns.outputs is not None:
        given = columns.outputs[row]
    return StoredSample(
        seq=seq,
        id=_id(columns, row),
        epoch=_epoch(columns, row),
        row=columns.row(row),
        output=given.value if isinstance(given, Output) else given,
        extra=output_extra(given) if isinstance(given, Output) else {},
    )


def _repetition(rows: Segments[Columns]) -> DuplicateIdError | None:
    """The error that names ids which repeat within an epoch, if any do."""
    keys = [_keys(columns) for _, columns in rows.pieces()]
    if len(set(chain.from_iterable(keys))) == len(rows):
        return None
    counts = Counter(key if isinstance(key, tuple) else (key, 1) for key in chain.from_iterable(keys))
    found = ((name, epoch, n) for (name, epoch), n in counts.items() if n > 1)
    return DuplicateIdError(repeated(islice(found, NAMED + 1), NAMED))


def _keys(columns: Columns) -> Sequence[Any]:
    """What must not repeat: the ids, with the epochs where there are any."""
    ids = columns.ids or []
    return ids if columns.epochs is None else list(zip(ids, columns.epochs, strict=True))
