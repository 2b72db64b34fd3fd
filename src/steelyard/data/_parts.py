"""A large file of JSON lines, cut into parts that other processes read by themselves."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from steelyard.core.columns import Columns
from steelyard.data._jsonl import Place, read_jsonl
from steelyard.data._reading import Reading
from steelyard.data._rows import Transposer
from steelyard.errors import DataError

__all__ = ["SMALLEST", "JsonlPart", "cut_jsonl"]

SMALLEST = 8 << 20
"""Bytes from which a file is worth cutting."""

PART = 1 << 20
_MAYBE_BLANK = re.compile(rb"\n[ \t\r\n]")
_SPACE = b" \t\r"


class JsonlPart(msgspec.Struct, frozen=True):
    """A range of bytes of a file of JSON lines. Picklable.

    Args:
        path: The file.
        shown: Its name in messages.
        at: Where the part begins.
        size: Its bytes.
        rows: The rows to read.
        columns: The columns that every chunk has.
        chunk_rows: Rows of a chunk, at most.
    """

    path: str
    shown: str
    at: Place
    size: int
    rows: int
    columns: tuple[str, ...] = ()
    chunk_rows: int = 2000

    def read(self) -> Iterator[Columns]:
        """The rows of the part, with the numbers that they have in the file.

        Raises:
            BadRowError: When a line is no JSON object; it names the line by its number in the file.
            DataError: When the file is not what it was when it was cut.
        """
        reading = Reading(self.chunk_rows, self.rows)
        turn = Transposer(self.columns)
        found = 0
        with _opened(self.path, self.shown) as file:
            file.seek(self.at.byte)
            for chunk in read_jsonl(file, self.shown, reading, turn=turn, at=self.at, size=self.size):
                found += chunk.n
                yield chunk
        if found != self.rows:
            raise DataError(f"{self.shown} was changed while it was read, near line {self.at.line}: read it again")


def cut_jsonl(
    path: str,
    shown: str,
    reading: Reading,
    columns: tuple[str, ...] = (),
    *,
    at: int = 0,
    part: int = PART,
    smallest: int = SMALLEST,
) -> Sequence[JsonlPart] | None:
    """Cut a file into parts that end where a line ends, in one scan that counts lines.

    Args:
        path: The file.
        shown: Its name in messages.
        reading: The size of chunks, and the limit.
        columns: The columns that every chunk has.
        at: Bytes before the first line.
        part: Bytes of a part, about.
        smallest: Bytes from which the file is cut.

    Returns:
        The parts, as many as the limit needs; None where the file is small.
    """
    if Path(path).stat().st_size < smallest:
        return None
    parts: list[JsonlPart] = []
    absolute = str(Path(path).absolute())
    place, left = Place(byte=at), reading.limit
    for size, lines, rows in _ranges(path, at, part):
        taken = rows if left is None else min(rows, left)
        if taken:
            parts.append(JsonlPart(absolute, shown, place, size, taken, columns, reading.chunk_rows))
        place = Place(place.byte + size, place.line + lines, place.row + rows)
        if left is not None:
            left -= taken
            if left == 0:
                break
    return parts


def _opened(path: str, shown: str) -> BinaryIO:
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise DataError(f"{shown} cannot be read: {error.strerror or error}") from None


def _ranges(path: str, at: int, part: int) -> Iterator[tuple[int, int, int]]:
    """(bytes, lines, rows) of each part."""
    with Path(path).open("rb") as file:
        file.seek(at)
        carry = b""
        while block := file.read(part):
            block = carry + block
            end = block.rfind(b"\n") + 1
            if end == 0:
                block += file.readline()
                end = len(block)
            carry = block[end:]
            yield end, *_count(block[:end])
        if carry:
            yield len(carry), *_count(carry)


def _count(block: bytes) -> tuple[int, int]:
    """Lines, and those that are not blank."""
    lines = block.count(b"\n")
    if block[:1] not in b" \t\r\n" and not _MAYBE_BLANK.search(block):
        return lines, lines + (not block.endswith(b"\n"))
    return lines, sum(1 for line in block.split(b"\n") if line.strip(_SPACE))
