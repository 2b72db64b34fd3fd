"""JSON: one array of rows, read piece by piece, or one object that holds such an array."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from steelyard.core.columns import Columns
from steelyard.data._format import rows_within
from steelyard.data._memory import read_rows
from steelyard.data._reading import Reading, bad_row
from steelyard.data._rows import Transposer, gather
from steelyard.errors import DataError

__all__ = ["read_json_array", "read_json_object"]

_BLOCK = 1 << 20
_DECODER = json.JSONDecoder()
_ESCAPE = 16
_BATCH = 500
_NAMED = 8
_SPACE = " \t\r\n"
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json_array(stream: BinaryIO, shown: str, reading: Reading, *, byte: int = 0) -> Iterator[Columns]:
    """The rows of a JSON array, in chunks, with no more of the file in memory than a block or a row.

    Args:
        stream: The file.
        shown: Its name in messages.
        reading: The size of chunks, the limit, and what becomes of bad rows.
        byte: Bytes of the file before the stream.

    Raises:
        BadRowError: When an item is no object.
        DataError: When the array is not valid JSON, which ends the reading even where bad rows are left out.
    """
    return gather(_batches(_Text(stream, shown, byte), shown, reading), Transposer(), reading)


def read_json_object(stream: BinaryIO, shown: str, reading: Reading) -> tuple[str, Iterator[Columns]]:
    """The one array of rows in a JSON object, which is read whole: its key, and the rows in chunks.

    Raises:
        DataError: When the object holds no array of objects, or several.
    """
    raw = stream.read()
    try:
        value: dict[str, Any] = json.loads(raw)
    except UnicodeDecodeError as error:
        raise DataError(f"{shown}: not UTF-8 at byte {error.start} of the file ({error.reason})") from None
    except json.JSONDecodeError as error:
        hint = " If it has one object a line, name it .jsonl." if error.msg == "Extra data" else ""
        where = f"{shown}, line {error.lineno}, column {error.colno}"
        raise DataError(f"{where}: not valid JSON ({error.msg}).{hint}") from None
    found = rows_within(value)
    if len(found) == 1:
        return found[0], read_rows(value[found[0]], reading, f"{shown}, {found[0]}")
    if found:
        listed = ", ".join(found)
        raise DataError(f"{shown}: the object holds several arrays of rows ({listed}); write one to a file of its own")
    keys = (", ".join(list(value)[:_NAMED]) or "none") + (", ..." if len(value) > _NAMED else "")
    raise DataError(f"{shown}: the object holds no array of rows (its keys: {keys}); a single row is written as [row]")


def _batches(text: "_Text", shown: str, reading: Reading) -> Iterator[list[dict[str, Any]] | None]:
    rows: list[dict[str, Any]] = []
    for number, item in enumerate(text.items(), 1):
        problem = _problem(item, text.escapes)
        if problem is None:
            rows.append(item)
            if len(rows) == _BATCH:
                yield rows
                rows = []
            continue
        yield rows
        reading.skip(bad_row(f"{shown}, item {number}", problem, ascii(item)[:200]))
        yield None
        rows = []
    yield rows


def _problem(item: Any, escapes: bool) -> str | None:
    """What is wrong with an item of the array, if anything."""
    if not isinstance(item, dict):
        return f'{type(item).__name__}, where an object such as {{"output": ...}} is expected'
    return "half of a surrogate pair, which is no character" if escapes and _is_half(item) else None


def _is_half(item: Any) -> bool:
    """Whether a text in it has half of a surrogate pair, which Python reads and could not write."""
    try:
        json.dumps(item, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


class _Text:
    """A window on a stream of text that holds one JSON array."""

    def __init__(self, stream: BinaryIO, shown: str, byte: int) -> None:
        self._stream = stream
        self._shown = shown
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._byte = byte
        self._buffer = ""
        self._at = 0
        self._line = 1
        self._column = 1
        self.escapes = False

    def items(self) -> Iterator[Any]:
        """The items of the array. Raises `DataError` where it is no valid JSON."""
        self._next_is("[")
        if self._peek() != "]":
            yield self._item()
            while self._next_is(",", "]") == ",":
                yield self._item()
        else:
            self._next_is("]")
        if self._peek():
            raise self._error("there is something after the array", self._at)

    def _item(self) -> Any:
        self._peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                # A block that ends within an item breaks it off; any other fault stays one however much is read.
                broken_off = error.msg.startswith("Unterminated string") or len(self._buffer) - error.pos < _ESCAPE
                within = error.pos - self._at
                if not (broken_off and self._more()):
                    raise self._error(error.msg, self._at + within) from None
                continue
            length = end - self._at
            if end == len(self._buffer) and self._more():
                continue  # a number may go on in the next block
            self._at += length
            return value

    def _peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            while self._at < len(self._buffer):
                if self._buffer[self._at] not in _SPACE:
                    return self._buffer[self._at]
                self._at += 1
            if not self._more():
                return ""

    def _next_is(self, *expected: str) -> str:
        found = self._peek()
        if found not in expected:
            raise self._error(f"{' or '.join(map(repr, expected))} is expected", self._at)
        self._at += 1
        return found

    def _more(self) -> bool:
        """Read on, twice as much as is still unread at least; False at the end."""
        raw = self._stream.read(max(_BLOCK, len(self._buffer) - self._at))
        try:
            text = self._decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            where = f"{self._shown}, line {self._line_of(len(self._buffer))} or after"
            raise DataError(f"{where}: not UTF-8 near byte {self._byte + error.start} of the file") from None
        self._byte += len(raw)
        self._line, self._column = self._line_of(self._at), self._column_of(self._at)
        self._buffer = self._buffer[self._at :] + text
        self._at = 0
        self.escapes = _SURROGATE.search(self._buffer) is not None
        return bool(raw)

    def _line_of(self, at: int) -> int:
        return self._line + self._buffer.count("\n", 0, at)

    def _column_of(self, at: int) -> int:
        before = self._buffer.rfind("\n", 0, at)
        return self._column + at if before < 0 else at - before

    def _error(self, problem: str, at: int) -> DataError:
        where = f"{self._shown}, line {self._line_of(at)}, column {self._column_of(at)}"
        near = self._buffer[at : at + 40]
        return DataError(f"{where}: not valid JSON ({problem}), at {repr(near) if near else 'the end of the file'}")
