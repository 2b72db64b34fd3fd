"""Inserting many rows with few calls.

SQLite's Python module lets go of the interpreter at every statement that it runs. Beside a busy main thread each of
those costs up to 5 ms to get it back, so a statement carries many rows.
"""

import sqlite3
from collections.abc import Iterable
from functools import cache
from itertools import chain, islice
from typing import Any

__all__ = ["insert"]

_SIZES = (100, 10, 1)
"""Rows a statement; 100 rows of 7 columns stay below the 999 variables of an old SQLite."""

_WIDTHS = {
    "details": 2,
    "labels": 5,
    "outputs": 3,
    "sample_bodies": 2,
    "samples": 4,
    "scores": 7,
}


def insert(db: sqlite3.Connection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows, each a tuple of the table's columns in order."""
    waiting = iter(rows)
    for group in iter(lambda: list(islice(waiting, _SIZES[0])), []):
        start = 0
        for size in _SIZES:
            while len(group) - start >= size:
                cells = list(chain.from_iterable(group[start : start + size]))
                db.execute(_statement(table, size), cells)
                start += size


@cache
def _statement(table: str, rows: int) -> str:
    one = f"({', '.join('?' * _WIDTHS[table])})"
    return f"INSERT INTO {table} VALUES {', '.join([one] * rows)}"  # noqa: S608  (our own table names)
