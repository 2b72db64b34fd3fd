"""Streams of bytes: files, packed files and standard input, with the beginning in view."""

import codecs
import gzip
import io
import os
import sys
import zlib
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from steelyard.errors import DataError, nearest

__all__ = ["Opened", "open_stream"]

_HEAD = 1 << 16
_GZIP = b"\x1f\x8b"


class Opened(NamedTuple):
    """An open stream, unpacked, that stands behind the byte order mark.

    Args:
        file: The bytes that are to be read.
        shown: The name for messages: the path as it was given.
        head: How it begins: bytes that are still to be read.
        at: Bytes before them: those of a byte order mark.
        size: Bytes of the file, as it lies there; None for standard input.
        packed: Whether it was gzipped.
    """

    file: BinaryIO
    shown: str
    head: bytes
    at: int
    size: int | None
    packed: bool


def open_stream(path: str) -> Opened:
    """Open a path, or standard input for ``-``; gzip is known by its first bytes.

    Raises:
        DataError: When it cannot be read, or is UTF-16 by its byte order mark.
    """
    source, size = (sys.stdin.buffer, None) if path == "-" else _open_file(path)
    shown = "standard input" if path == "-" else path
    raw = _Headed(source, shown)
    try:
        packed = raw.head.startswith(_GZIP)
        if packed:
            raw = _Headed(gzip.GzipFile(fileobj=io.BufferedReader(raw)), shown)
        if raw.head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise DataError(f"{shown} is UTF-16, and UTF-8 is read: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)")
        file = io.BufferedReader(raw, _HEAD)
        at = len(file.read(len(codecs.BOM_UTF8))) if raw.head.startswith(codecs.BOM_UTF8) else 0
    except BaseException:
        raw.close()
        raise
    return Opened(file, shown, raw.head[at:], at, size, packed)


class _Headed(io.RawIOBase):
    """A stream whose beginning can be looked at before it is read."""

    def __init__(self, source: Any, shown: str) -> None:
        super().__init__()
        self._source = source
        self._shown = shown
        self.head = b""
        while len(self.head) < _HEAD and (piece := self._read(_HEAD - len(self.head))):
            self.head += piece
        self._left = memoryview(self.head)

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what comes next into a buffer."""
        piece = self._left[: len(buffer)] or self._read(len(buffer))
        self._left = self._left[len(piece) :] if self._left else self._left
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the source, unless it is standard input."""
        if self._source is not sys.stdin.buffer and not self.closed:
            self._source.close()
        super().close()

    def _read(self, size: int) -> bytes:
        try:
            piece: bytes = self._source.read1(size)
        except (EOFError, OSError, zlib.error) as error:
            raise DataError(f"{self._shown} cannot be read: {error}") from None
        return piece


def _open_file(path: str) -> tuple[BinaryIO, int]:
    try:
        file = Path(path).open("rb")  # noqa: SIM115  who reads it closes it
    except FileNotFoundError:
        raise DataError(_missing(path)) from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder; give one of its files: {_listed(_files(Path(path)))}") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return file, os.fstat(file.fileno()).st_size


def _missing(path: str) -> str:
    if "://" in path:
        return f"{path} is no file: addresses are not fetched; download it and give the path"
    if "\n" in path or path.lstrip()[:1] in ("{", "["):
        return "the text given is no path of a file; rows are given as a list of dicts, and one output as outputs=[...]"
    folder = Path(path).parent
    if not folder.is_dir():
        return f"there is no file {path}: the folder {folder} does not exist"
    names = _files(folder)
    guess = nearest(Path(path).name, names)
    hint = f" Did you mean {folder / guess}?" if guess else ""
    return f"there is no file {path}.{hint} Files there: {_listed(names)}"


def _files(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.is_file() and not entry.name.startswith(".")]


def _listed(names: list[str]) -> str:
    shown = sorted(names)[:8]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "") if shown else "none"
