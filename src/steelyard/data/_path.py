"""Dotted paths into nested rows: ``a.b.0.c``."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from steelyard.core.columns import Columns

__all__ = ["Path", "dig", "find_path", "paths_within"]

_MISSING = object()


class Path(msgspec.Struct, frozen=True):
    """A column, and the steps that lead from its cells.

    Args:
        column: The column.
        steps: Keys of objects, or places in lists; none for the cell itself.
    """

    column: str
    steps: tuple[str, ...] = ()

    def leads_from(self, cell: Any) -> bool:
        """Whether a cell has what the path names, null or not."""
        return _follow(cell, self.steps) is not _MISSING


def find_path(text: str, columns: Sequence[str]) -> Path | None:
    """The path that a text names among columns; the longest column wins. None where it begins with no column.

    >>> find_path("a.b.0", ["a", "a.b"])
    Path(column='a.b', steps=('0',))
    """
    parts = text.split(".")
    for length in range(len(parts), 0, -1):
        column = ".".join(parts[:length])
        if column in columns:
            return Path(column, tuple(parts[length:]))
    return None


def dig(cells: list[Any], path: Path) -> list[Any]:
    """What a path names in every cell, None where a cell lacks it; the same list for a path without steps."""
    if not path.steps:
        return cells
    found = (_follow(cell, path.steps) for cell in cells)
    return [None if value is _MISSING else value for value in found]


def paths_within(columns: Columns) -> Iterator[str]:
    """The keys of the first nested level, as dotted paths."""
    for name, cells in columns.data.items():
        keys: dict[str, None] = {}
        for cell in cells:
            if isinstance(cell, dict):
                keys.update(dict.fromkeys(map(str, cell)))  # pyright: ignore[reportUnknownArgumentType]
        yield from (f"{name}.{key}" for key in keys)


def _follow(cell: Any, steps: Sequence[str]) -> Any:
    for step in steps:
        if isinstance(cell, dict):
            cell = cell.get(step, _MISSING)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        elif isinstance(cell, list | tuple) and step.isdecimal() and int(step) < len(cell):  # pyright: ignore[reportUnknownArgumentType]
            cell = cell[int(step)]  # pyright: ignore[reportUnknownVariableType]
        else:
            return _MISSING
    return cell  # pyright: ignore[reportUnknownVariableType]
