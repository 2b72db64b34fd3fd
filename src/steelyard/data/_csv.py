"""CSV and TSV: every cell is text, and an empty cell is the empty text."""

import csv
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from steelyard.core.columns import Columns
from steelyard.data._reading import Reading, bad_row
from steelyard.data._rows import gather
from steelyard.errors import BadRowError, DataError

__all__ = ["read_csv"]

_FIELD_BYTES = 1 << 28
_BATCH = 500


def read_csv(
    stream: BinaryIO, shown: str, reading: Reading, *, delimiter: str = ",", byte: int = 0
) -> Iterator[Columns]:
    """The rows of a CSV file with a header line, in chunks.

    Every cell is text as it stands, the empty one too: an empty output is an output. Blank lines are passed over. A
    column without a name is called ``unnamed_`` and its number.

    Args:
        stream: The file.
        shown: Its name in messages.
        reading: The size of chunks, the limit, and what becomes of bad rows.
        delimiter: What parts the cells.
        byte: Bytes of the file before the stream.

    Raises:
        BadRowError: When a row has more or fewer cells than the header.
        DataError: When the header names a column twice, or a quote is never closed.
    """
    if csv.field_size_limit() < _FIELD_BYTES:
        csv.field_size_limit(_FIELD_BYTES)  # one setting for the whole process; the default refuses fields over 128 KB
    table = _Table(_Lines(stream, shown, byte), delimiter, reading)
    names = table.header()
    if not names:
        return iter(())
    return gather(table.batches(len(names)), lambda rows, start: _turn(names, rows, start), reading)


def _turn(names: Sequence[str], rows: Sequence[list[str]], start: int) -> Columns:
    cells = map(list, zip(*rows, strict=True))
    data: dict[str, list[Any]] = dict(zip(names, cells, strict=True))
    return Columns(data, len(rows), start)


class _Lines:
    """The lines of a stream as text, counted."""

    def __init__(self, stream: BinaryIO, shown: str, byte: int) -> None:
        self._stream = stream
        self._byte = byte
        self.shown = shown
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._stream:
            self.number += 1
            try:
                yield line.decode()
            except UnicodeDecodeError as error:
                raise DataError(
                    f"{self.shown}, line {self.number}: not UTF-8 at byte {error.start} of the line, byte "
                    f"{self._byte + error.start} of the file ({error.reason}). Save the file as UTF-8."
                ) from None
            self._byte += len(line)


class _Table:
    """A table in CSV, which knows on which line a row began."""

    def __init__(self, lines: _Lines, delimiter: str, reading: Reading) -> None:
        self._lines = lines
        self._shown = lines.shown
        self._delimiter = delimiter
        self._reading = reading
        self._rows = csv.reader(lines, delimiter=delimiter, strict=True)

    def header(self) -> tuple[str, ...]:
        """The names of the columns; none for an empty file."""
        cells: list[str] = []
        while not any(cells):
            try:
                found = self._next(1)
            except BadRowError as problem:
                raise DataError(f"the header cannot be read: {problem}") from None
            if found is None:
                return ()
            cells = found
        names = tuple(name.strip() or f"unnamed_{i}" for i, name in enumerate(cells, 1))
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise DataError(
                f"{self._shown}, line {self._lines.number}: the header names {', '.join(map(repr, repeated))} "
                f"more than once; give every column a name of its own. It reads: {', '.join(names)}."
            )
        return names

    def batches(self, width: int) -> Iterator[list[list[str]] | None]:
        """Rows of ``width`` cells; None for a bad one that was left out."""
        rows: list[list[str]] = []
        while True:
            first = self._lines.number + 1
            try:
                row = self._next(first)
                if row is None:
                    break
                if len(row) == width:
                    rows.append(row)
                elif len(row) > 1 or any(map(str.strip, row)):
                    raise self._uneven(first, row, width)
            except BadRowError as problem:
                yield rows
                self._reading.skip(problem)
                yield None
                rows = []
            if len(rows) == _BATCH:
                yield rows
                rows = []
        yield rows

    def _next(self, first: int) -> list[str] | None:
        """The next row, or None at the end."""
        try:
            return next(self._rows, None)
        except csv.Error as error:
            where = f"{self._shown}, line {first}"
            problem = str(error)
        if "end of data" in problem or "field limit" in problem:
            raise DataError(  # left out, it would take every row after it along
                f"{where}: a quote is opened in this row and never closed (it goes on to line {self._lines.number}). "
                "Close it, or write a quote inside a cell twice."
            )
        hint = "Write a quote inside a quoted cell twice."
        if "new-line character" in problem:
            problem = "a lone carriage return"
            hint = "Quote the cell that holds it; or, where lines end in it, save the file with ordinary line ends."
        raise bad_row(where, f"not valid CSV ({problem})", hint=hint)

    def _uneven(self, first: int, row: Sequence[str], width: int) -> BadRowError:
        what = f"{len(row)} cells, where the header has {width}"
        hint = "A cell that holds the delimiter must be quoted." if len(row) > width else ""
        return bad_row(f"{self._shown}, line {first}", what, self._delimiter.join(row), hint)
