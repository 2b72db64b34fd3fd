"""open_source: rows from wherever they are, as one `Source`."""

import io
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from steelyard.core.columns import Columns
from steelyard.core.ports import Chunk
from steelyard.data._bad_row import Skips
from steelyard.data._csv import read_csv
from steelyard.data._format import format_of_name, sniff, sniff_delimiter
from steelyard.data._json import read_json_array, read_json_object
from steelyard.data._jsonl import Place, read_jsonl
from steelyard.data._memory import read_columns, read_pairs, read_rows
from steelyard.data._rows import Transposer
from steelyard.data._stream import ByteStream, open_stream
from steelyard.data.source import RowSource
from steelyard.errors import UsageError

__all__ = ["open_source"]

_BOM = b"\xef\xbb\xbf"


def open_source(
    data: Any = None,
    *,
    outputs: Iterable[Any] | None = None,
    targets: Iterable[Any] | None = None,
    limit: int | None = None,
    skip_bad_rows: bool = False,
    chunk_rows: int = 2000,
) -> RowSource:
    """Open rows to be scored.

    Args:
        data: A path: JSON lines, JSON (an array, or an object that holds one), CSV or TSV, each also gzipped, or
            Parquet; ``"-"`` for standard input. Or a list of dicts or of `Sample`; a dict of columns; a pandas, polars
            or Arrow frame; or any iterable of dicts, which is read once.
        outputs: A plain list of outputs, in place of ``data``.
        targets: A plain list of references beside it.
        limit: Read no more rows than these.
        skip_bad_rows: Leave rows out that cannot be read, and count them.
        chunk_rows: Rows of a chunk, at most.

    Raises:
        DataError: When the data cannot be read (`BadRowError` for one row, `EmptyDataError` when there is none).
        UsageError: When what was given is no data set.
        MissingExtraError: When Parquet is to be read and duckdb is not installed.

    >>> source = open_source(outputs=["4", "5"], targets=["4", "6"])
    >>> source.columns, [chunk.n for chunk in source.chunks()]
    (('output', 'target'), [2])
    """
    if limit is not None and limit < 1:
        raise UsageError(f"limit is the number of rows to read, at least 1, and {limit} was given")
    if chunk_rows < 1:
        raise UsageError(f"chunk_rows is at least 1, and {chunk_rows} was given")
    skips = Skips(skip_bad_rows)
    size = chunk_rows if limit is None else min(chunk_rows, limit)
    if data is None or outputs is not None or targets is not None:
        return _open_pairs(data, outputs, targets, skips, size, limit)
    if isinstance(data, str | os.PathLike):
        return _open_path(os.fspath(data), skips, size, limit)
    return _open_object(data, skips, size, limit)


def _open_pairs(data: Any, outputs: Any, targets: Any, skips: Skips, size: int, limit: int | None) -> RowSource:
    if data is not None:
        raise UsageError("give the data, or plain lists as outputs= and targets=, not both; outputs can be a column of the data")
    if outputs is None and targets is None:
        raise UsageError("there is no data: give a path, a list of dicts, a frame, or outputs=[...] and targets=[...]")
    chunks = read_pairs(outputs, targets, size)
    return RowSource(chunks, {"kind": "lists"}, skips, limit=limit)


def _open_object(data: Any, skips: Skips, size: int, limit: int | None) -> RowSource:
    if isinstance(data, Mapping):
        return RowSource(read_columns(data, size), {"kind": "columns"}, skips, limit=limit)
    if isinstance(data, list | tuple):
        rows: Sequence[Any] = data
        return RowSource(read_rows(rows, skips, size), {"kind": "list", "rows": len(rows)}, skips, limit=limit)
    if isinstance(data, bytes) or not (isinstance(data, Iterable) or hasattr(data, "__getitem__")):
        raise UsageError(
            f"a {type(data).__name__} is no data set: give a path, a list of dicts, a dict of columns, a frame, or an iterable of dicts"
        )
    return RowSource(read_rows(data, skips, size), {"kind": "iterable", "type": type(data).__name__}, skips, limit=limit)


def _open_path(path: str, skips: Skips, size: int, limit: int | None) -> RowSource:
    named = None if path == "-" else format_of_name(path)
    stream = open_stream(path)
    try:
        return _open_stream(path, named, stream, skips, size, limit)
    except BaseException:
        stream.close()
        raise


def _open_stream(path: str, named: str | None, stream: ByteStream, skips: Skips, size: int, limit: int | None) -> RowSource:
    kind = _settled(named, stream)
    description: dict[str, Any] = {"kind": "stdin" if path == "-" else "file", "path": path, "format": kind}
    if stream.size is not None:
        description["bytes"] = stream.size
    if stream.packed:
        description["packed"] = "gzip"
    file = io.BufferedReader(stream, 1 << 16)
    skipped = len(_BOM) if stream.head.startswith(_BOM) else 0
    file.read(skipped)
    parts = None
    if kind == "jsonl":
        chunks = read_jsonl(file, stream.shown, Transposer(), skips, size, at=Place(byte=skipped))
    elif kind in ("csv", "tsv"):
        delimiter = "\t" if kind == "tsv" else sniff_delimiter(stream.head)
        description["delimiter"] = delimiter
        chunks = read_csv(file, stream.shown, delimiter, skips, size, byte=skipped)
    elif stream.head[skipped:].lstrip().startswith(b"{"):
        description["taken"], chunks = read_json_object(file, stream.shown, skips, size)
    else:
        chunks = read_json_array(file, stream.shown, skips, size, byte=skipped)
    return RowSource(_closing(file, chunks), description, skips, limit=limit, parts=parts)


def _settled(named: str | None, stream: ByteStream) -> str:
    """The format; a ``.json`` file may hold JSON lines."""
    if named is None or (named == "json" and stream.head.removeprefix(_BOM).lstrip().startswith(b"{")):
        return sniff(stream.head, stream.shown)
    return named


def _closing(file: io.BufferedReader, chunks: Iterator[Columns]) -> Generator[Columns, None, None]:
    with file:
        yield from chunks
