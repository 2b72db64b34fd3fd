"""Migrations: how a database of any age becomes one of today. The list only ever grows at its end."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from steelyard.errors import StoreError
from steelyard.store.schema import APPLICATION_ID, FIRST_TABLES

__all__ = ["MIGRATIONS", "Migration", "migrate", "pending"]

Migration = Callable[[sqlite3.Connection], None]


def m001_first_tables(db: sqlite3.Connection) -> None:
    """The tables of the first release."""
    for statement in FIRST_TABLES:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


MIGRATIONS: tuple[Migration, ...] = (m001_first_tables,)
"""In the order in which they are applied. Append; never change or remove one that was released."""


def pending(db: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> list[Migration]:
    """The migrations that this database still lacks.

    Raises:
        StoreError: the file is another program's database, or a newer steelyard wrote it.
    """
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "migrations" not in tables:
        if tables:
            raise StoreError(
                f"it is a database of another program (it has the table {min(tables)!r}); give another path"
            )
        return list(steps)
    applied = {name for (name,) in db.execute("SELECT name FROM migrations")}
    unknown = sorted(applied - {step.__name__ for step in steps})
    if unknown:
        raise StoreError(
            f"it was written by a newer steelyard (its migration {unknown[-1]!r} is not known here); "
            "upgrade with: pip install --upgrade steelyard"
        )
    return [step for step in steps if step.__name__ not in applied]


def migrate(db: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply what is pending, all of it or nothing. Several processes may try at once."""
    if not pending(db, steps):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        db.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied TEXT NOT NULL)")
        for step in pending(db, steps):  # asked again: another process may have been quicker
            step(db)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            db.execute("INSERT INTO migrations VALUES (?, ?)", (step.__name__, now))
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
