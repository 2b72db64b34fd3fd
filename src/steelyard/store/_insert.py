"""Inserting many rows with few calls, column by column.

SQLite's Python module lets go of the interpreter at every statement that it runs. Beside a busy main thread each of
those costs up to 5 ms to get it back, so a statement carries many rows. It also looks for an adapter of every cell that
is not exactly an int, float, str or bytearray, at nearly a microsecond each, so others are turned into those.
"""

import sqlite3
from collections.abc import Sequence
from functools import cache
from typing import Any

__all__ = ["Column", "insert"]

Column = Any
"""A list or range of cells, one a row; anything else is one cell that stands for all rows."""

_SIZES = (100, 10, 1)
"""Rows a statement; 100 rows of 7 columns stay below the 999 variables of an old SQLite."""

_NULL = float("nan")  # SQLite keeps NaN as NULL, and Python's None would be looked up
_BOUND_AS_IT_IS = {int, float, str, bytearray}


def insert(db: sqlite3.Connection, table: str, columns: Sequence[Column], rows: int) -> None:
    """Insert so many rows, given as the table's columns in order."""
    shape = tuple(isinstance(column, list | range) for column in columns)
    same = [column for column, varies in zip(columns, shape, strict=True) if not varies]
    varying = [_bindable(column) for column, varies in zip(columns, shape, strict=True) if varies]
    start = 0
    for size in _SIZES:
        while rows - start >= size:
            cells = same + [None] * (size * len(varying))
            for place, column in enumerate(varying, len(same)):
                cells[place :: len(varying)] = column[start : start + size]
            db.execute(_statement(table, shape, size), cells)
            start += size


def _bindable(column: Column) -> Column:
    """The cells in types that are bound without a detour."""
    if isinstance(column, range):
        return column
    detours = set(map(type, column)) - _BOUND_AS_IT_IS
    if not detours:
        return column
    if detours == {type(None)}:
        return [_NULL if cell is None else cell for cell in column]
    if detours == {bytes}:
        return [bytearray(cell) if type(cell) is bytes else cell for cell in column]
    return [_bindable_cell(cell) for cell in column]


def _bindable_cell(cell: Any) -> Any:
    if cell is None:
        return _NULL
    if type(cell) is bytes:
        return bytearray(cell)
    return int(cell) if type(cell) is bool else cell


@cache
def _statement(table: str, shape: tuple[bool, ...], rows: int) -> str:
    """The statement for a table of which some columns vary; the cells of the others come first, once for all rows."""
    same, varying = shape.count(False), shape.count(True)
    lines = []
    for row in range(rows):
        once, each = iter(range(1, same + 1)), iter(range(same + 1 + row * varying, same + 1 + (row + 1) * varying))
        lines.append(f"({', '.join(f'?{next(each) if varies else next(once)}' for varies in shape)})")
    return f"INSERT INTO {table} VALUES {', '.join(lines)}"  # noqa: S608  (our own table names)
