"""RowSource: rows to be scored, read in chunks and at most once."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from steelyard.core.columns import Columns
from steelyard.core.ports import Chunk
from steelyard.data._parts import SMALLEST
from steelyard.data._reading import Reading
from steelyard.errors import EmptyDataError, UsageError

__all__ = ["RowSource"]


class RowSource:
    """Rows to be scored; fits the port `Source`.

    The first chunk is read when the source is made, so that the columns, and most mistakes, are known at once.

    Args:
        chunks: The rows.
        description: Where they come from.
        reading: Counts the bad rows that were left out.
        cut: Cuts the source into parts, given its columns; None where that cannot be done.

    Raises:
        EmptyDataError: When there is no row.
    """

    def __init__(
        self,
        chunks: Iterator[Columns],
        description: dict[str, Any],
        reading: Reading,
        *,
        cut: Callable[[tuple[str, ...]], Sequence[Chunk] | None] | None = None,
    ) -> None:
        self._chunks = chunks
        self._description = description
        if "rows" in description and reading.limit is not None:
            description["rows"] = min(description["rows"], reading.limit)
        self._reading = reading
        self._cut = cut
        first = next(self._chunks, None)
        if first is None:
            raise EmptyDataError(_empty(description, reading.skipped))
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
        """Kind, path as it was given, format, bytes; ``rows`` where they are known, which is when all were read."""
        return dict(self._description)

    @property
    def skipped(self) -> int:
        """Bad rows that were left out so far."""
        return self._reading.skipped

    def chunks(self) -> Iterator[Columns]:
        """The rows in chunks. Raises `UsageError` when asked a second time."""
        first, self._first = self._first, None
        if first is None:
            raise UsageError("a source is read at most once: open the data again to read them again")
        return self._counted(first)

    @property
    def is_large(self) -> bool:
        """Whether `parts` would cut it."""
        size = self._description.get("bytes")
        return self._cut is not None and not self._reading.skip_bad_rows and (size or 0) >= SMALLEST

    def parts(self) -> Sequence[Chunk] | None:
        """A large uncompressed file of JSON lines in parts of about 1 MB; None for everything else.

        In another process a part gives the same columns as `chunks` would, with the same numbers of rows and lines.
        Where bad rows are left out there are no parts, since `skipped` counts them here.
        """
        if self._cut is None or self._reading.skip_bad_rows:
            return None
        return self._cut(self._columns)

    def _counted(self, first: Columns) -> Iterator[Columns]:
        rows = 0
        for chunk in chain((first,), self._chunks):
            rows += chunk.n
            yield chunk
        self._description["rows"] = rows

    def __repr__(self) -> str:
        name = self._description.get("path", self._description["kind"])
        return f"<{type(self).__name__} {name}: {', '.join(self._columns)}>"


def _empty(description: dict[str, Any], skipped: int) -> str:
    name = description.get("path", f"the {description['kind']}")
    if skipped:
        return f"{name}: there is nothing to score, since all {skipped} rows are bad and were skipped"
    return f"{name}: there is nothing to score, since it has no rows"
