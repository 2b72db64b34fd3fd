"""From SQLite's errors to `StoreError`: what happened, to which file, and what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from steelyard.errors import StoreError

__all__ = ["BUSY_SECONDS", "store_faults"]

BUSY_SECONDS = 30.0
"""How long to wait for another process that holds the database."""

_ELSEWHERE = "point STEELYARD_HOME (or the store's path) at another folder"

_HELD = f"another process has held it for more than {BUSY_SECONDS:.0f} s: end that process, or {_ELSEWHERE}"

_REMEDIES = {
    "SQLITE_FULL": "the disk is full: free some space; every row that was counted as committed is safe",
    "SQLITE_READONLY": f"it cannot be written to: change its permissions, or {_ELSEWHERE}",
    "SQLITE_CANTOPEN": f"it cannot be opened: check that the folder exists and may be written to, or {_ELSEWHERE}",
    "SQLITE_PERM": f"access is denied: change its permissions, or {_ELSEWHERE}",
    "SQLITE_NOTADB": f"it is no SQLite database: move the file away, or {_ELSEWHERE}",
    "SQLITE_CORRUPT": "it is damaged: move it away and restore a copy; 'sqlite3 FILE .recover' saves what can be read",
    "SQLITE_BUSY": _HELD,
    "SQLITE_LOCKED": _HELD,
    "SQLITE_IOERR": f"reading or writing failed: check the disk, or {_ELSEWHERE}",
    "SQLITE_CONSTRAINT": "a place of a run was written twice, which is a fault of the program that writes",
    "SQLITE_TOOBIG": "a cell is larger than SQLite allows (about 1 GB): shorten that output or column",
}


@contextmanager
def store_faults(path: Path) -> Iterator[None]:
    """Inside, an error of SQLite or of the file system becomes a `StoreError` that names the file and the remedy."""
    try:
        yield
    except StoreError as error:
        if str(path) in str(error):
            raise
        raise StoreError(f"the store {path} cannot be used: {error}") from error
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", None) or ""
        remedy = next((text for code, text in _REMEDIES.items() if name.startswith(code)), None)
        raise StoreError(f"the store {path} cannot be used: {remedy or error} ({name or 'SQLite'}: {error})") from error
    except OSError as error:
        raise StoreError(f"the store {path} cannot be used: {error.strerror or error}; {_ELSEWHERE}") from error
