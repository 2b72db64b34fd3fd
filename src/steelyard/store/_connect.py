"""Connections to the database file: made at the first write, and never for a read of a file that is not there."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from steelyard.errors import StoreError
from steelyard.store._faults import BUSY_SECONDS, store_faults
from steelyard.store.migrations import migrate, pending

__all__ = ["open_reading", "open_writing", "reading", "transaction"]

CHECKPOINT_PAGES = 4000
"""Pages (16 MB) that the write-ahead log gathers before they are moved into the database: fewer repeated writes."""

CACHE_KIBIBYTES = 8192


def open_writing(path: Path) -> sqlite3.Connection:
    """A connection for writing to a database that is made where there is none, and brought up to date."""
    with store_faults(path):
        _make_folder(path.parent)
        db = _connect(path, "rwc")
        try:
            _use_write_ahead_log(db)
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            db.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
            migrate(db)
        except BaseException:
            db.close()
            raise
        return db


def open_reading(path: Path) -> sqlite3.Connection | None:
    """A connection for reading; None where there is no database."""
    if not path.exists():
        return None
    with store_faults(path):
        if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
            return _open_unwritable(path)
        db = _connect(path, "rw")
        try:
            outdated = bool(pending(db))
            if not outdated:
                db.execute("PRAGMA query_only = ON")
                return db
        except BaseException:
            db.close()
            raise
        db.close()
        open_writing(path).close()
        return open_reading(path)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection | None]:
    """A connection for reading, closed at the end; None where there is no database."""
    db = open_reading(path)
    if db is None:
        yield None
        return
    with closing(db), store_faults(path):
        yield db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is written inside, or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk may have rolled back already
            db.execute("ROLLBACK")
        raise


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _open_unwritable(path: Path) -> sqlite3.Connection:
    """Without the right to write, a log that another process keeps is read; where there is none, the file alone."""
    has_log = path.with_name(f"{path.name}-wal").exists()
    db = _connect(path, "ro" if has_log else "ro&immutable=1")
    try:
        if pending(db):
            raise StoreError(
                "an older steelyard wrote it, and it cannot be brought up to date without the right to write"
            )
    except BaseException:
        db.close()
        raise
    return db


def _make_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("*\n")


def _use_write_ahead_log(db: sqlite3.Connection) -> None:
    """Two processes that make the file at once can meet here, where SQLite does not wait by itself."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return
