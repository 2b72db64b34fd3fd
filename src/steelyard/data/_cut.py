"""Cutting the part that matters out of texts, by a regular expression."""

import re
from functools import cache
from typing import Any

from steelyard.core.columns import as_text
from steelyard.errors import UsageError

__all__ = ["compiled", "cut", "cut_cells"]


@cache
def compiled(pattern: str, name: str) -> re.Pattern[str]:
    """The pattern; ``name`` is the column that it cuts. Raises `UsageError` when it is no regular expression."""
    try:
        return re.compile(pattern)
    except re.error as error:
        where = "" if error.pos is None else f" at character {error.pos + 1}"
        raise UsageError(f"{name}_pattern is no regular expression: {pattern!r} ({error.msg}{where})") from None


def cut(text: str, pattern: re.Pattern[str]) -> str | None:
    r"""What the first group of the last match holds; the whole match where there is no group. None without a match.

    >>> cut("A: 4, no, A: 5 ", re.compile(r"A: (\d+)"))
    '5'
    """
    last = None
    for last in pattern.finditer(text):  # noqa: B007  the last one is wanted
        pass
    if last is None:
        return None
    held = next((group for group in last.groups() if group is not None), None)
    return (last.group() if held is None else held).strip()


def cut_cells(cells: list[Any], pattern: re.Pattern[str]) -> tuple[list[Any], int]:
    """Every cell cut, of a list each item; and how many cells that were there did not match, and are None now."""
    cuts = [None if cell is None else _cut_cell(cell, pattern) for cell in cells]
    return cuts, cuts.count(None) - cells.count(None)


def _cut_cell(cell: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(cell, list | tuple):
        items = [cut(as_text(item), pattern) for item in cell]  # pyright: ignore[reportUnknownVariableType]
        return [item for item in items if item is not None] or None
    return cut(as_text(cell), pattern)
