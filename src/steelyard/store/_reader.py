"""SqliteReader: reads one run, a page or a stream at a time. Every call has its own connection, closed at its end."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from steelyard.core.record import OutcomeRow, RunRecord, ScoringRecord, StoredSample
from steelyard.errors import ColumnNotFoundError, StoreError
from steelyard.store._body import text_cell, text_of, unpack
from steelyard.store._connect import reading
from steelyard.store._encode import ECHO
from steelyard.store._ending import count_outcomes
from steelyard.store._stored import Cells, groups_of, proper, stored_outcome, stored_output, stored_sample, stored_value
from steelyard.store._totals import DISTINCT_LIMIT, Group, Sort, sorts_of
from steelyard.store.schema import SEQ_BITS, place

__all__ = ["SqliteReader", "scorings_of"]

PAGE = 500
"""Rows that are read at once where rows are asked for by place, and rows between two looks at a stream."""

_SAMPLES = f"""
    SELECT s.seq, s.id, s.epoch, b.body, o.value, o.extra
    FROM outputs o
    JOIN samples s ON s.sample_set = :samples AND s.seq = o.place & {(1 << SEQ_BITS) - 1}
    JOIN sample_bodies b ON b.place = (s.sample_set << {SEQ_BITS}) + s.seq
"""  # noqa: S608  (numbers of ours)

_OUTCOMES = f"""
    SELECT c.seq, s.id, c.epoch, c.type, c.value, c.answer, c.reason, d.body
    FROM scores c
    JOIN samples s ON s.sample_set = :samples AND s.seq = c.seq
    LEFT JOIN details d ON d.place = (c.scoring << {SEQ_BITS}) + c.seq
    WHERE c.scoring = :scoring
"""  # noqa: S608


class SqliteReader:
    """Reads one run of a `SqliteStore`.

    Args:
        path: The database file.
        record: The run.
        number: The run's number.
        sample_set: The number of its rows' sample set.
    """

    def __init__(self, path: Path, record: RunRecord, number: int, sample_set: int) -> None:
        self._path = path
        self._record = record
        self._number = number
        self._set = sample_set

    @property
    def record(self) -> RunRecord:
        """The run, as it was when the reader was opened."""
        return self._record

    @property
    def scorings(self) -> Sequence[ScoringRecord]:
        """The latest scoring of each name, in the order in which they were given."""
        with self._reading() as db:
            latest: dict[str, ScoringRecord] = {}
            for scoring in scorings_of(db, self._number):
                latest[scoring.name] = scoring
            return tuple(latest.values())

    def values(self, scoring: ScoringRecord) -> Iterator[tuple[int, int, int, Any, str | None]]:
        """(seq, epoch, value type, cell, reason or note) of every outcome, in order of seq."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT seq, epoch, type, value, reason FROM scores WHERE scoring = ? ORDER BY seq", (scoring.id,)
            )
            for row in rows:
                yield (*row[:3], proper(row[3]), row[4]) if type(row[3]) is bytes else row

    def distinct(self, scoring: ScoringRecord, *, limit: int = DISTINCT_LIMIT) -> list[Group]:
        """(value type, cell, reason or note, count) of each distinct outcome; empty where there are too many."""
        with self._reading() as db:
            collapsed, groups = _groups(db, scoring)
        return [] if collapsed or len(groups) > limit else groups

    def totals(self, scoring: ScoringRecord) -> list[Sort]:
        """(value type, reason or note, count): how many outcomes of each sort."""
        with self._reading() as db:
            return sorts_of(_groups(db, scoring)[1])

    def sample_ids(self) -> list[str]:
        """The id of the row at each seq; an empty text where no row is stored."""
        with self._reading() as db:
            rows = db.execute("SELECT seq, id FROM samples WHERE sample_set = ? ORDER BY seq", (self._set,))
            return _by_seq(((seq, text_of(name)) for seq, name in rows), "")

    def labels(self, column: str) -> list[Any]:
        """The cell of one column of the data at each seq; None where no row is stored.

        Raises:
            ColumnNotFoundError: the data has no such column.
        """
        with self._reading() as db:
            rows = db.execute(
                "SELECT seq, type, value FROM labels WHERE sample_set = ? AND name = ? ORDER BY seq",
                (self._set, column),
            )
            cells = _by_seq(((seq, stored_value(kind, cell)) for seq, kind, cell in rows), None)
        return cells or self._cells_of_bodies(column)

    def samples(
        self, seqs: Iterable[int] | None = None, *, offset: int = 0, limit: int | None = None
    ) -> Iterator[StoredSample]:
        """Stored rows: those named by ``seqs``, in that order, or a page of all."""
        with self._reading() as db:
            layout = self._layout(db)
            rows = self._page(db, offset, limit) if seqs is None else self._picked(db, seqs)
            for row in rows:
                yield stored_sample(row, layout)

    def outcomes(self, scoring: ScoringRecord, seqs: Iterable[int] | None = None) -> Iterator[OutcomeRow]:
        """Outcomes of one scoring with answer, explanation, metadata and error, in order of seq."""
        names = {"samples": self._set, "scoring": scoring.id}
        with self._reading() as db:
            if seqs is None:
                yield from self._outcome_rows(db, scoring, db.execute(f"{_OUTCOMES} ORDER BY c.seq", names))
                return
            for group in groups_of(sorted(set(seqs)), PAGE):
                places = ", ".join(map(str, group))
                query = f"{_OUTCOMES} AND c.seq IN ({places}) ORDER BY c.seq"
                yield from self._outcome_rows(db, scoring, db.execute(query, names))

    def find_sample(self, sample_id: str) -> list[int]:
        """The seqs of the rows that bear a sample id, one for each epoch."""
        with self._reading() as db:
            indexed = db.execute("SELECT indexed FROM sample_sets WHERE id = ?", (self._set,)).fetchone()[0]
            table = "sample_ids" if indexed else "samples"
            rows = db.execute(
                f"SELECT seq FROM {table} WHERE sample_set = ? AND id = ? ORDER BY epoch, seq",  # noqa: S608
                (self._set, text_cell(sample_id)),
            )
            return [seq for (seq,) in rows]

    def _reading(self) -> AbstractContextManager[sqlite3.Connection]:
        return _present(self._path)

    def _layout(self, db: sqlite3.Connection) -> dict[str, str]:
        found = db.execute("SELECT layout FROM runs WHERE number = ?", (self._number,)).fetchone()
        return msgspec.json.decode(found[0], type=dict[str, str])

    def _page(self, db: sqlite3.Connection, offset: int, limit: int | None) -> Iterator[Cells]:
        first, end = place(self._number), place(self._number + 1)
        if offset and self._is_dense(db):  # no gaps: go there instead of counting rows
            first, offset = first + offset, 0
        return db.execute(
            f"{_SAMPLES} WHERE o.place >= :first AND o.place < :end ORDER BY o.place LIMIT :limit OFFSET :offset",
            {
                "samples": self._set,
                "first": first,
                "end": end,
                "limit": -1 if limit is None else limit,
                "offset": offset,
            },
        )

    def _is_dense(self, db: sqlite3.Connection) -> bool:
        last = db.execute(
            "SELECT max(place) FROM outputs WHERE place >= ? AND place < ?",
            (place(self._number), place(self._number + 1)),
        ).fetchone()[0]
        return last is not None and last - place(self._number) + 1 == self._record.n_samples

    def _picked(self, db: sqlite3.Connection, seqs: Iterable[int]) -> Iterator[Cells]:
        for group in groups_of(seqs, PAGE):
            places = ", ".join(str(place(self._number, seq)) for seq in group)
            rows = db.execute(f"{_SAMPLES} WHERE o.place IN ({places})", {"samples": self._set})
            found = {row[0]: row for row in rows}
            yield from (found[seq] for seq in group if seq in found)

    def _cells_of_bodies(self, column: str) -> list[Any]:
        with self._reading() as db:
            known = {*self._layout(db), *self._record.columns}
        if column not in known:
            raise ColumnNotFoundError.naming(column, known)
        return _by_seq(((sample.seq, sample.row.get(column)) for sample in self.samples()), None)

    def _outcome_rows(
        self, db: sqlite3.Connection, scoring: ScoringRecord, rows: sqlite3.Cursor
    ) -> Iterator[OutcomeRow]:
        while page := rows.fetchmany(PAGE):
            details = {row[0]: unpack(row[-1]) for row in page if row[-1] is not None}
            self._fill_echoes(db, details)
            for seq, name, epoch, kind, cell, answer, reason, _ in page:
                outcome = stored_outcome(kind, cell, answer, reason, details.get(seq))
                yield OutcomeRow(seq=seq, id=text_of(name), epoch=epoch, scorer=scoring.name, outcome=outcome)

    def _fill_echoes(self, db: sqlite3.Connection, details: dict[int, dict[str, Any]]) -> None:
        """Put the output where a detail says that its text is the output itself."""
        echoing = {seq: detail.pop(ECHO) for seq, detail in details.items() if ECHO in detail}
        if not echoing:
            return
        places = ", ".join(str(place(self._number, seq)) for seq in echoing)
        for at, cell in db.execute(f"SELECT place, value FROM outputs WHERE place IN ({places})"):  # noqa: S608
            seq = at - place(self._number)
            details[seq].update(dict.fromkeys(echoing[seq], stored_output(cell)))


@contextmanager
def _present(path: Path) -> Iterator[sqlite3.Connection]:
    with reading(path) as db:
        if db is None:
            raise StoreError(f"the store {path} is gone since this run was opened")
        yield db


def scorings_of(db: sqlite3.Connection, run: int) -> Iterator[ScoringRecord]:
    """Every scoring of a run, the oldest first."""
    rows = db.execute("SELECT id, record FROM scorings WHERE run = ? ORDER BY id", (run,))
    for number, record in rows:
        yield msgspec.structs.replace(msgspec.json.decode(record, type=ScoringRecord), id=number)


def _groups(db: sqlite3.Connection, scoring: ScoringRecord) -> tuple[bool, list[Group]]:
    """Whether the groups are collapsed, and they: as stored at the run's end, else counted now."""
    rows = db.execute(
        "SELECT collapsed, type, value, reason, count FROM totals WHERE scoring = ?", (scoring.id,)
    ).fetchall()
    if rows:
        return bool(rows[0][0]), [(kind, proper(cell), reason, n) for _, kind, cell, reason, n in rows]
    tally = count_outcomes(db, scoring.id or 0)
    return tally.collapsed, [(kind, proper(cell), reason, n) for kind, cell, reason, n in tally.groups]


def _by_seq(cells: Iterable[tuple[int, Any]], gap: Any) -> list[Any]:
    """A list whose places are seqs, from cells in order of seq."""
    placed: list[Any] = []
    for seq, cell in cells:
        if seq > len(placed):
            placed.extend([gap] * (seq - len(placed)))
        placed.append(cell)
    return placed
