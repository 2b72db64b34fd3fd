"""The end of a run: its totals, the index of its sample ids, and its record."""

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec

from steelyard.core.record import RunRecord, RunStatus
from steelyard.errors import DuplicateIdError
from steelyard.store._body import text_of
from steelyard.store._connect import transaction
from steelyard.store._totals import Tally

__all__ = ["NAMED", "count_outcomes", "ended", "index_samples", "repeated", "replace_record", "write_totals"]

NAMED = 5
"""How many repeated ids an error names."""


def ended(record: RunRecord, status: RunStatus, changes: dict[str, Any], *, rows: int, last_epoch: int) -> RunRecord:
    """The record of a run that ended, with what ``changes`` does not say filled in."""
    filled = {
        "finished": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "n_samples": rows,
        "n_epochs": last_epoch,
        **changes,
    }
    return msgspec.structs.replace(record, status=status, **filled)


def replace_record(db: sqlite3.Connection, record: RunRecord) -> None:
    """Write a run's record anew."""
    text = msgspec.json.encode(record, enc_hook=str).decode()
    db.execute("UPDATE runs SET name = ?, record = ? WHERE id = ?", (record.name, text, record.id))


def write_totals(db: sqlite3.Connection, scoring: int, tally: Tally) -> None:
    """Keep how often each outcome of a scoring occurs, so that an overview reads no scores."""
    db.execute("DELETE FROM totals WHERE scoring = ?", (scoring,))
    rows = [(scoring, kind, cell, reason, tally.collapsed, n) for kind, cell, reason, n in tally.groups]
    db.executemany("INSERT INTO totals VALUES (?, ?, ?, ?, ?, ?)", rows)


def count_outcomes(db: sqlite3.Connection, scoring: int) -> Tally:
    """The tally of the scores that are stored."""
    tally = Tally()
    tally.add(db.execute("SELECT type, value, reason FROM scores WHERE scoring = ?", (scoring,)))
    return tally


def index_samples(db: sqlite3.Connection, sample_set: int) -> None:
    """Fill the index of sample ids, in one go: ids in random order cost more than all else if indexed row by row.

    Raises:
        DuplicateIdError: ids repeat within an epoch.
    """
    try:
        with transaction(db):
            db.execute("DELETE FROM sample_ids WHERE sample_set = ?", (sample_set,))
            db.execute(
                """INSERT INTO sample_ids
                SELECT sample_set, id, epoch, seq FROM samples WHERE sample_set = ? ORDER BY id, epoch""",
                (sample_set,),
            )
            db.execute("UPDATE sample_sets SET indexed = 1 WHERE id = ?", (sample_set,))
    except sqlite3.IntegrityError as error:
        raise _duplicates(db, sample_set) from error


def _duplicates(db: sqlite3.Connection, sample_set: int) -> DuplicateIdError:
    rows = db.execute(
        "SELECT id, epoch, count(*) FROM samples WHERE sample_set = ? GROUP BY id, epoch HAVING count(*) > 1 LIMIT ?",
        (sample_set, NAMED + 1),
    ).fetchall()
    return DuplicateIdError(repeated(((text_of(name), epoch, n) for name, epoch, n in rows), NAMED))


def repeated(found: Iterable[tuple[str, int, int]], named: int) -> str:
    """What to say of (id, epoch, rows) that repeat."""
    listed = [f"{name!r} ({n} rows of epoch {epoch})" for name, epoch, n in found]
    more = ", ..." if len(listed) > named else ""
    return (
        f"sample ids repeat: {', '.join(listed[:named])}{more}; make ids unique, "
        'add an epoch column, or say epochs="repeats" where repetitions are meant'
    )
