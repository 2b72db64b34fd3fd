"""JSON lines: one object a line, decoded in blocks."""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from steelyard.core.columns import Columns
from steelyard.data._reading import Reading, bad_row
from steelyard.data._rows import Transposer, gather
from steelyard.errors import BadRowError

__all__ = ["START", "Place", "read_jsonl"]

_BLOCK = 1 << 20
_SPACE = b" \t\r"
_DECODER: "msgspec.json.Decoder[dict[str, Any]]" = msgspec.json.Decoder(dict[str, Any])
_BYTE = re.compile(r" ?\(byte (\d+)\)$")


class Place(msgspec.Struct, frozen=True):
    """Where in a file to begin.

    Args:
        byte: Bytes before it.
        line: The number of the line there, counted from 1.
        row: Rows before it: lines that are not blank, bad ones included.
    """

    byte: int = 0
    line: int = 1
    row: int = 0


START = Place()


def read_jsonl(
    stream: BinaryIO,
    shown: str,
    reading: Reading,
    *,
    turn: Transposer | None = None,
    at: Place = START,
    size: int | None = None,
) -> Iterator[Columns]:
    """The rows of a stream of JSON lines, in chunks.

    Args:
        stream: Stands at ``at``.
        shown: The file's name in messages.
        reading: The size of chunks, the limit, and what becomes of bad rows.
        turn: Makes columns of rows, where it is known which columns there are.
        at: The place of the stream in its file.
        size: Bytes to read; None for all.

    Raises:
        BadRowError: When a line is no JSON object; it names file, line, column, and the remedy.
    """
    return gather(_batches(_blocks(stream, size), shown, reading, at), turn or Transposer(), reading, at.row)


def _blocks(stream: BinaryIO, size: int | None) -> Iterator[bytes]:
    """Blocks that end where a line ends."""
    pieces: list[bytes] = []
    left = size
    while block := stream.read(_BLOCK if left is None else min(_BLOCK, left)):
        if left is not None:
            left -= len(block)
        end = block.rfind(b"\n") + 1
        if end == 0:
            pieces.append(block)
            continue
        yield b"".join((*pieces, block[:end]))
        pieces = [block[end:]]
    if rest := b"".join(pieces):
        yield rest


def _batches(blocks: Iterator[bytes], shown: str, reading: Reading, at: Place) -> Iterator[list[dict[str, Any]] | None]:
    byte, line = at.byte, at.line
    for block in blocks:
        try:
            yield list(map(_DECODER.decode, filter(None, block.split(b"\n"))))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            yield from _one_by_one(block, shown, reading, byte, line)
        byte += len(block)
        line += block.count(b"\n")


def _one_by_one(
    block: bytes, shown: str, reading: Reading, byte: int, line: int
) -> Iterator[list[dict[str, Any]] | None]:
    """The rows of a block in which a line is blank, bad, or has what only the standard library reads."""
    rows: list[dict[str, Any]] = []
    for number, text in enumerate(block.split(b"\n"), line):
        if text.strip(_SPACE):
            try:
                rows.append(_decode(text, shown, number, byte))
            except BadRowError as problem:
                yield rows
                reading.skip(problem)
                yield None
                rows = []
        byte += len(text) + 1
    yield rows


def _decode(text: bytes, shown: str, line: int, byte: int) -> dict[str, Any]:
    where = f"{shown}, line {line}"
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 at byte {error.start} of the line, byte {byte + error.start} of the file ({error.reason})"
        raise bad_row(where, problem, text) from None
    try:
        return _DECODER.decode(text)
    except msgspec.ValidationError as error:
        reason = str(error)
    except msgspec.DecodeError as error:
        reason = str(error)
    value = _lenient(decoded)
    if isinstance(value, dict):
        row: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  the keys of JSON are text
        return row
    if value is None and decoded.strip() != "null":
        raise bad_row(*_malformed(where, text, decoded, reason))
    what = "an array" if isinstance(value, list) else f"{decoded.strip()[:20]}"
    hint = "The file looks like one JSON array: name it .json." if line == 1 and isinstance(value, list) else ""
    raise bad_row(where, f'{what}, where an object such as {{"output": ...}} is expected', text, hint)


def _lenient(text: str) -> Any:
    """A value, NaN and Infinity allowed, which Python's own ``json`` writes; None where it is no JSON."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair could not be stored
    except ValueError:
        return None
    return value


def _malformed(where: str, raw: bytes, text: str, reason: str) -> tuple[str, str, str, str]:
    """Place, problem, beginning and hint of a line that is no JSON."""
    hint = ""
    if raw.strip() in (b"[", b"{"):
        hint = "The file looks like one JSON value over several lines: name it .json."
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        column = error.colno
        reason = error.msg
    else:
        column = len(text)
        reason = "half of a surrogate pair, which is no character" if "\\u" in text else reason
    return f"{where}, column {column}", f"not valid JSON ({_BYTE.sub('', reason)})", text, hint
