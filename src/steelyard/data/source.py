"""RowSource: rows to be scored, read in chunks and at most once."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from steelyard.core.columns import Columns
from steelyard.core.ports import Chunk
from steelyard.data._bad_row import Skips
from steelyard.errors import EmptyDataError, UsageError

__all__ = ["RowSource"]


class RowSource:
    """Rows to be scored; fits the port `Source`.

    The first chunk is read when the source is made, so that the columns, and most mistakes, are known at once.

    Args:
        chunks: The rows.
        description: Where they come from.
        skips: The count of bad rows that were left out.
        limit: Give no more rows than these.
        parts: Cuts the source for several processes, given the first chunk and the limit; None when it cannot be cut.

    Raises:
        EmptyDataError: When there is no row.
    """

    def __init__(
        self,
        chunks: Iterator[Columns],
        description: dict[str, Any],
        skips: Skips,
        *,
        limit: int | None = None,
        parts: Callable[[Columns, int | None], Sequence[Chunk] | None] | None = None,
    ) -> None:
        self._chunks = chunks if limit is None else _limited(chunks, limit)
        self._description = description
        self._skips = skips
        self._limit = limit
        self._parts = parts
        self._given = False
        self._rows = 0
        first = next(self._chunks, None)
        if first is None:
            raise EmptyDataError(_empty(description, skips.count))
        self._first: Columns | None = first
        self._columns = tuple(first.data)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the first chunk."""
        return self._columns

    @property
    def peek(self) -> Columns | None:
        """The first chunk, without taking it; None once it was taken."""
        return self._first

    @property
    def description(self) -> dict[str, Any]:
        """Kind, path as it was given, format, bytes; ``rows`` where they are known, at the latest when all were read."""
        return dict(self._description)

    @property
    def skipped(self) -> int:
        """Bad rows that were left out so far, by `chunks`; the parts of `parts` count their own."""
        return self._skips.count

    def chunks(self) -> Iterator[Columns]:
        """The rows in chunks. Raises `UsageError` when asked a second time."""
        if self._given or self._first is None:
            raise UsageError("a source is read at most once: open the data again to read them again")
        self._given = True
        return self._counted(self._first)

    def parts(self) -> Sequence[Chunk] | None:
        """A large uncompressed JSONL file in parts of about 1 MB, for several processes; None for everything else."""
        if self._parts is None or self._first is None:
            return None
        return self._parts(self._first, self._limit)

    def _counted(self, first: Columns) -> Iterator[Columns]:
        rows = 0
        self._first = None
        for chunk in chain((first,), self._chunks):
            rows += chunk.n
            yield chunk
        self._description["rows"] = rows

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._description.get('path', self._description['kind'])}: {', '.join(self._columns)}>"


def _limited(chunks: Iterator[Columns], limit: int) -> Iterator[Columns]:
    left = limit
    for chunk in chunks:
        if chunk.n >= left:
            yield chunk if chunk.n == left else chunk.take(range(left))
            return
        yield chunk
        left -= chunk.n


def _empty(description: dict[str, Any], skipped: int) -> str:
    name = description.get("path", f"the {description['kind']}")
    if skipped:
        return f"{name}: there is nothing to score, since all {skipped} rows are bad and were skipped"
    return f"{name}: there is nothing to score, since it has no rows"
