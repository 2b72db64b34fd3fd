"""From rows to columns: the one place where they are turned, in chunks of a bounded size."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

from steelyard.core.columns import Columns
from steelyard.data._reading import Reading
from steelyard.errors import DataError

__all__ = ["Transposer", "gather"]

Row = TypeVar("Row")


class Transposer:
    """Turns rows that are dicts into columns.

    The first chunk settles the columns that every chunk has; a key that is first seen later is a column of those
    chunks alone in which it occurs, so that a part of a file reads the same in another process. A key that a row
    lacks is None.

    Args:
        base: The columns that every chunk has, where they are known already.

    >>> Transposer()([{"a": 1}, {"a": 2, "b": 3}]).data
    {'a': [1, 2], 'b': [None, 3]}
    """

    __slots__ = ("base",)

    def __init__(self, base: tuple[str, ...] = ()) -> None:
        self.base = base

    def __call__(self, rows: Sequence[dict[str, Any]], start: int = 0) -> Columns:
        """The rows as columns; ``start`` is the number of rows before them."""
        data = _equal_rows(rows, self.base or tuple(rows[0]))
        if data is None or not self.base:
            names = tuple(dict.fromkeys(chain(self.base, chain.from_iterable(rows)))) if data is None else tuple(data)
            _check_names(names)
            data = {name: [row.get(name) for row in rows] for name in names} if data is None else data
            self.base = self.base or names
        return Columns(data, len(rows), start)


def gather(
    batches: Iterable[Sequence[Row] | None],
    turn: Callable[[Sequence[Row], int], Columns],
    reading: Reading,
    start: int = 0,
) -> Iterator[Columns]:
    """Cut batches of rows into chunks, and stop at the limit before another batch is asked for.

    None stands for a row that was left out. It keeps its number: the chunk ends there, so that ``start + i`` is the
    place of a row in the source whether or not bad rows are left out, and however the source is cut into parts.

    Args:
        batches: Rows as they come, or None for one that was left out.
        turn: Makes columns of rows and the number of rows before them.
        reading: The size of chunks, and the limit.
        start: Rows of the source before the first batch.
    """
    size, left = reading.chunk_rows, reading.limit
    pending: list[Row] = []
    for batch in batches:
        if batch is not None:
            pending.extend(batch)
        enough = left is not None and len(pending) >= left
        if enough:
            del pending[left:]
        whole = len(pending) if enough or batch is None else len(pending) - len(pending) % size
        for i in range(0, whole, size):
            chunk = pending[i : min(i + size, whole)]
            yield turn(chunk, start)
            start += len(chunk)
        if enough:
            return
        if left is not None:
            left -= whole
        del pending[:whole]
        if batch is None:
            start += 1
    if pending:
        yield turn(pending, start)


def _equal_rows(rows: Sequence[dict[str, Any]], names: tuple[str, ...]) -> dict[str, list[Any]] | None:
    """The columns of rows that all have just these keys; None where one has others."""
    if set(map(len, rows)) != {len(names)}:
        return None
    try:
        return {name: [row[name] for row in rows] for name in names}
    except KeyError:
        return None


def _check_names(names: Sequence[Any]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise DataError(f"the names of columns are text, and one key is {name!r} ({type(name).__name__})")
