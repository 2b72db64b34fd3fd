"""Tidy: cells that come from Python objects, so that a missing one is None and every other can be written."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from steelyard.core.columns import Columns, as_text
from steelyard.errors import error_text

__all__ = ["tidy", "without_arrays"]

_SURE = {str, int, bool, type(None)}


def tidy(chunks: Iterator[Columns]) -> Iterator[Columns]:
    """Chunks whose missing cells are None, and whose others can be compared and written.

    Python has several ways to say that a cell is missing: None, NaN (``DataFrame.to_dict("records")``), pandas' NA and
    NaT. An array becomes a list, a numpy scalar its Python value, and what holds itself or cannot be printed a text
    that says so. Lists of the caller's are left as they are.
    """
    for columns in chunks:
        untidy = {name: cells for name, cells in columns.data.items() if not set(map(type, cells)) <= _SURE}
        if not untidy:
            yield columns
            continue
        data = {**columns.data, **{name: list(map(_cell, cells)) for name, cells in untidy.items()}}
        yield Columns(data, columns.n, columns.start)


def without_arrays(cell: Any) -> Any:
    """A cell without arrays and scalars of numpy, which pandas keeps where Parquet had lists."""
    if type(cell) in _SURE or type(cell) is float:
        return cell
    if isinstance(cell, Mapping):
        return {key: without_arrays(value) for key, value in cell.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(cell, list | tuple):
        return [without_arrays(item) for item in cell]  # pyright: ignore[reportUnknownVariableType]
    if callable(tolist := getattr(cell, "tolist", None)):
        return without_arrays(tolist())
    return cell


def _cell(cell: Any) -> Any:
    kind = type(cell)
    if kind in _SURE:
        return cell
    if kind is float:
        return None if math.isnan(cell) else cell
    try:
        if kind not in (dict, list, tuple):
            if _is_missing(cell):
                return None
            if hasattr(cell, "tolist"):
                return without_arrays(cell)
        as_text(cell)
    except Exception as error:  # noqa: BLE001  a user's object may fail at any touch, or hold itself
        return f"<{kind.__name__}: {error_text(error)}>"
    return cell


def _is_missing(cell: Any) -> bool:
    """Whether a cell marks a missing one: it is not equal to itself."""
    if getattr(cell, "ndim", 0):
        return False
    try:
        return not bool(cell == cell)  # noqa: PLR0124  NaN in numpy, NaT
    except TypeError:  # NA, of whose truth nothing is known
        return True
