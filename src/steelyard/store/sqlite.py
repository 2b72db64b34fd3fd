"""SqliteStore: runs in one SQLite file, durable as they are made."""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from steelyard.core.record import RunRecord, RunStatus, ScoringRecord
from steelyard.errors import DuplicateIdError, RunNotFoundError, UsageError
from steelyard.store._connect import open_writing, reading, transaction
from steelyard.store._encode import RowEncoder
from steelyard.store._ending import count_outcomes, ended, index_samples, replace_record, write_totals
from steelyard.store._faults import store_faults
from steelyard.store._find import find_id, nothing_stored
from steelyard.store._reader import SqliteReader
from steelyard.store._writer import RunTarget, SqliteWriter, Written
from steelyard.store.schema import place

__all__ = ["FILE_NAME", "HOME", "HOME_VARIABLE", "SqliteStore"]

HOME_VARIABLE = "STEELYARD_HOME"
HOME = ".steelyard"
FILE_NAME = "steelyard.db"

_DATABASE_ENDINGS = (".db", ".sqlite", ".sqlite3")


class SqliteStore:
    """Keeps runs in one SQLite file, which is made at the first write.

    Args:
        path: A folder, or a file that ends in ``.db``; by default the folder that ``STEELYARD_HOME`` names, else
            ``./.steelyard``. A folder that has to be made gets a ``.gitignore`` that leaves it out of repositories.

    >>> SqliteStore("results").path.name
    'steelyard.db'
    """

    def __init__(self, path: str | Path | None = None) -> None:
        chosen = Path(path if path is not None else os.environ.get(HOME_VARIABLE) or HOME).expanduser()
        is_file = chosen.suffix in _DATABASE_ENDINGS or chosen.is_file()
        self.path = (chosen if is_file else chosen / FILE_NAME).absolute()
        self._turn = threading.Lock()

    def __repr__(self) -> str:
        return f"SqliteStore({str(self.path)!r})"

    def create(
        self,
        run: RunRecord,
        scorings: Sequence[ScoringRecord],
        *,
        share_samples_with: str | None = None,
        outputs: Sequence[str] = (),
    ) -> SqliteWriter:
        """Begin a run.

        Args:
            run: Its record; ids are unique in a store.
            scorings: What will be scored, with a name each.
            share_samples_with: The id of a run over the same rows, whose samples are not stored a second time.
            outputs: The columns that hold outputs, of this run and of others over the same rows.

        Raises:
            StoreError: the file cannot be opened or written.
        """
        with self._turn, self._opened() as db:
            with store_faults(self.path), transaction(db):
                sample_set = _sample_set(db, share_samples_with)
                number = _insert_run(db, run, sample_set, outputs)
                numbered = tuple(_insert_scoring(db, number, scoring) for scoring in scorings)
            encoder = RowEncoder(left_out=tuple(outputs), labels=_labels(run), keep_samples=share_samples_with is None)
            target = RunTarget(self.path, run.id, number, sample_set, numbered, self._turn)
            return SqliteWriter(db, target, encoder, _End(run, target, share_samples_with is None))

    def add_scoring(self, run_id: str, scoring: ScoringRecord) -> ScoringRecord:
        """Begin another scoring of a stored run; the record with its number."""
        number = self._row(run_id)[0]
        with self._turn, self._opened(keep=False) as db, store_faults(self.path), transaction(db):
            return _insert_scoring(db, number, scoring)

    def put_scoring(self, run_id: str, scoring: ScoringRecord) -> None:
        """Write the record of a stored scoring anew, with the figures that were computed."""
        number = self._row(run_id)[0]
        with self._turn, self._opened(keep=False) as db, store_faults(self.path), transaction(db):
            changed = db.execute(
                "UPDATE scorings SET record = ? WHERE id = ? AND run = ?", (_json(scoring), scoring.id, number)
            )
            if changed.rowcount != 1:
                raise UsageError(f"run {run_id} has no scoring number {scoring.id}; begin one with add_scoring")

    def open_writer(
        self, run_id: str, scorings: Sequence[ScoringRecord], *, outcomes_only: bool = True
    ) -> SqliteWriter:
        """A writer for a stored run: of the outcomes of scorings that it has, or (to resume it) of rows too."""
        number, sample_set, left_out, run = self._row(run_id)
        target = RunTarget(self.path, run.id, number, sample_set, tuple(scorings), self._turn)
        with self._opened() as db:
            owns = not outcomes_only and _owner(db, sample_set) == number
            encoder = RowEncoder(
                left_out=left_out, labels=_labels(run), keep_samples=owns, keep_outputs=not outcomes_only
            )
            return SqliteWriter(db, target, encoder, _End(run, target, owns, again=True, outcomes_only=outcomes_only))

    def runs(self, *, limit: int | None = None, name: str | None = None) -> list[RunRecord]:
        """Stored runs, the newest first."""
        where, values = ("WHERE name = :name", {"name": name}) if name is not None else ("", {})
        with reading(self.path) as db:
            if db is None:
                return []
            rows = db.execute(
                f"SELECT number, sample_set, record FROM runs {where} "  # noqa: S608
                "ORDER BY created DESC, number DESC LIMIT :limit",
                {**values, "limit": -1 if limit is None else limit},
            ).fetchall()
            return [_as_it_stands(db, *row) for row in rows]

    def find(self, key: str) -> RunRecord:
        """The run of that id, name (its newest) or unique beginning of an id, or ``latest``.

        Raises:
            RunNotFoundError: there is none, or several ids begin so.
        """
        return self._row(key)[3]

    def open(self, key: str) -> SqliteReader:
        """A reader of the run that `find` finds."""
        number, sample_set, _, run = self._row(key)
        return SqliteReader(self.path, run, number, sample_set)

    def _row(self, key: str) -> tuple[int, int, tuple[str, ...], RunRecord]:
        """(number, sample set, columns left out, record) of the run that ``key`` means."""
        with reading(self.path) as db:
            if db is None:
                raise nothing_stored(key, str(self.path))
            row = _select_run(db, key)  # a whole id, mostly: no need to list all runs
            if row is None:
                entries = db.execute("SELECT id, name, created FROM runs ORDER BY created DESC, number DESC").fetchall()
                row = _select_run(db, find_id(key, entries, str(self.path)))
            if row is None:  # deleted between two looks
                raise nothing_stored(key, str(self.path))
            number, sample_set, left_out, text = row
            return number, sample_set, tuple(msgspec.json.decode(left_out)), _as_it_stands(db, number, sample_set, text)

    @contextmanager
    def _opened(self, *, keep: bool = True) -> Iterator[sqlite3.Connection]:
        """A connection for writing; closed at the end if told so, or if anything went wrong."""
        db = open_writing(self.path)
        try:
            yield db
        except BaseException:
            db.close()
            raise
        if not keep:
            db.close()


class _End(msgspec.Struct, frozen=True):
    """Writes the end of a run.

    Args:
        record: The run as it was when the writer was opened.
        target: Where its rows are.
        owns_samples: Whether the samples are its own, and not another run's.
        again: Whether the run had rows before.
        outcomes_only: Whether only outcomes were written, so that the run's own end stays as it is.
    """

    record: RunRecord
    target: RunTarget
    owns_samples: bool
    again: bool = False
    outcomes_only: bool = False

    def __call__(
        self, db: sqlite3.Connection, written: Written, status: RunStatus, changes: dict[str, Any]
    ) -> RunRecord:
        record = self._record(db, written, status, changes)
        with transaction(db):
            for number, tally in zip(self.target.numbers, written.tallies, strict=True):
                write_totals(db, number, count_outcomes(db, number) if self.again else tally)
            replace_record(db, record)
        if self.owns_samples:
            try:
                index_samples(db, self.target.sample_set)
            except DuplicateIdError as error:
                replace_record(db, msgspec.structs.replace(record, status="error", error=str(error)))
                raise
        return record

    def failed(self, db: sqlite3.Connection, error: str) -> None:
        """Note why, unless it was a rescoring that failed: the run itself is as it was."""
        if not self.outcomes_only:
            replace_record(db, msgspec.structs.replace(self.record, status="error", error=error))

    def _record(
        self, db: sqlite3.Connection, written: Written, status: RunStatus, changes: dict[str, Any]
    ) -> RunRecord:
        if self.outcomes_only:
            return msgspec.structs.replace(_current(db, self.record.id), **changes)
        rows = _count_rows(db, self.target.run) if self.again else written.rows
        last_epoch = max(written.last_epoch, self.record.n_epochs)
        return ended(self.record, status, changes, rows=rows, last_epoch=last_epoch)


def _labels(run: RunRecord) -> tuple[str, ...]:
    """The columns by which the run's figures are split or clustered."""
    return tuple(dict.fromkeys(name for name in (run.cluster, *run.by) if name is not None))


def _json(record: RunRecord | ScoringRecord) -> str:
    return msgspec.json.encode(record, enc_hook=str).decode()


def _run_record(text: str) -> RunRecord:
    return msgspec.json.decode(text, type=RunRecord)


def _as_it_stands(db: sqlite3.Connection, run: int, sample_set: int, text: str) -> RunRecord:
    """The record; of a run that has not ended (its process may have been killed), with what is stored so far."""
    record = _run_record(text)
    if record.status != "started":
        return record
    epochs = db.execute("SELECT max(epoch) FROM samples WHERE sample_set = ?", (sample_set,)).fetchone()[0]
    return msgspec.structs.replace(record, n_samples=_count_rows(db, run), n_epochs=epochs or 1)


def _sample_set(db: sqlite3.Connection, share_with: str | None) -> int:
    if share_with is None:
        return _number(db.execute("INSERT INTO sample_sets DEFAULT VALUES"))
    found = db.execute("SELECT sample_set FROM runs WHERE id = ?", (share_with,)).fetchone()
    if found is None:
        raise RunNotFoundError(f"no run {share_with!r} to share samples with; create that run first")
    return int(found[0])


def _insert_run(db: sqlite3.Connection, run: RunRecord, sample_set: int, left_out: Sequence[str]) -> int:
    names = msgspec.json.encode(list(left_out)).decode()
    try:
        return _number(
            db.execute(
                "INSERT INTO runs (id, name, created, sample_set, left_out, record) VALUES (?, ?, ?, ?, ?, ?)",
                (run.id, run.name, run.created, sample_set, names, _json(run)),
            )
        )
    except sqlite3.IntegrityError as error:
        raise UsageError(f"there is already a run {run.id}; give the new one another id") from error


def _insert_scoring(db: sqlite3.Connection, run: int, scoring: ScoringRecord) -> ScoringRecord:
    number = _number(
        db.execute("INSERT INTO scorings (run, name, record) VALUES (?, ?, ?)", (run, scoring.name, _json(scoring)))
    )
    return msgspec.structs.replace(scoring, id=number)


def _select_run(db: sqlite3.Connection, run_id: str) -> tuple[int, int, str, str] | None:
    row: tuple[int, int, str, str] | None = db.execute(
        "SELECT number, sample_set, left_out, record FROM runs WHERE id = ?", (run_id,)
    ).fetchone()
    return row


def _owner(db: sqlite3.Connection, sample_set: int) -> int:
    """The run whose writer keeps the samples: the first of those that share them."""
    return int(db.execute("SELECT min(number) FROM runs WHERE sample_set = ?", (sample_set,)).fetchone()[0])


def _current(db: sqlite3.Connection, run_id: str) -> RunRecord:
    return _run_record(db.execute("SELECT record FROM runs WHERE id = ?", (run_id,)).fetchone()[0])


def _count_rows(db: sqlite3.Connection, run: int) -> int:
    limits = (place(run), place(run + 1))
    return int(db.execute("SELECT count(*) FROM outputs WHERE place >= ? AND place < ?", limits).fetchone()[0])


def _number(cursor: sqlite3.Cursor) -> int:
    return cursor.lastrowid or 0  # an INSERT has always given one
