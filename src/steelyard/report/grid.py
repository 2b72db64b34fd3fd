"""Grid: a table whose less important columns give way where a line is too short for all of them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.report.plain import printable

__all__ = ["GAP", "GridColumn", "draw", "fit", "natural_width"]

GAP = 2
"""Blanks between two columns."""


class GridColumn(msgspec.Struct, frozen=True, kw_only=True):
    """One column: its head, its cells, and what becomes of it where the line is short.

    Args:
        title: The head.
        cells: A text for each row.
        right: Flush right, as numbers are.
        style: What `rich` calls a style; only terminals show it.
        rank: 0 stays; of the others the highest gives way first.
        least: It may be cut to so many characters, once nothing is left to give way; None where it may not.
    """

    title: str
    cells: tuple[str, ...]
    right: bool = False
    style: str = ""
    rank: int = 0
    least: int | None = None

    @property
    def width(self) -> int:
        """How many characters it takes."""
        return max(map(_length, (self.title, *self.cells)))


def natural_width(columns: Sequence[GridColumn]) -> int:
    """The width of a table of these columns."""
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def fit(columns: Sequence[GridColumn], width: int) -> list[GridColumn]:
    """The columns that a line of ``width`` has room for; those that give way are left out.

    >>> name, size = GridColumn(title="name", cells=("a",)), GridColumn(title="size", cells=("1",), rank=1)
    >>> [column.title for column in fit([name, size], 10)], [column.title for column in fit([name, size], 9)]
    (['name', 'size'], ['name'])
    """
    kept = list(columns)
    while natural_width(kept) > width:
        last = max(kept, key=lambda column: column.rank)
        if last.rank == 0:
            break
        kept.remove(last)
    return kept


def draw(columns: Sequence[GridColumn], width: int, *, breaks: Sequence[int] = ()) -> Any:
    """The columns as a `rich` table.

    Args:
        columns: What `fit` left.
        width: How much room there is; a column that may be cut is cut to it.
        breaks: Rows before which a blank line stands.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), header_style="bold")
    lengths = _lengths(columns, width)
    for column, length in zip(columns, lengths, strict=True):
        table.add_column(
            column.title,
            justify="right" if column.right else "left",
            style=column.style or None,
            no_wrap=True,
            overflow="ellipsis",
            width=length,
        )
    for row, cells in enumerate(zip(*(column.cells for column in columns), strict=True)):
        if row in breaks:
            table.add_row()
        table.add_row(*[Text(printable(cell)) for cell in cells])
    return table


def _lengths(columns: Sequence[GridColumn], width: int) -> list[int]:
    """The width of each column; the widest of those that may be cut gives first."""
    lengths = [column.width for column in columns]
    while sum(lengths) + GAP * (len(lengths) - 1) > width:
        cuttable = [i for i, column in enumerate(columns) if column.least is not None and lengths[i] > column.least]
        if not cuttable:
            break
        lengths[max(cuttable, key=lambda i: lengths[i])] -= 1
    return lengths


def _length(text: str) -> int:
    """The cells that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
