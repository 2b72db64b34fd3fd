"""open_source: rows from wherever they are, as one `Source`."""

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

from steelyard.core.columns import Columns
from steelyard.data._csv import read_csv
from steelyard.data._format import format_of_name, sniff, sniff_delimiter
from steelyard.data._frame import is_frame, read_frame
from steelyard.data._json import read_json_array, read_json_object
from steelyard.data._jsonl import Place, read_jsonl
from steelyard.data._memory import read_columns, read_pairs, read_rows
from steelyard.data._parquet import read_parquet
from steelyard.data._parts import JsonlPart, cut_jsonl
from steelyard.data._reading import Reading
from steelyard.data._stream import Opened, open_stream
from steelyard.data._tidy import tidy
from steelyard.data.source import RowSource
from steelyard.errors import DataError, UsageError

__all__ = ["open_source"]


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
    for name, number in (("limit", limit), ("chunk_rows", chunk_rows)):
        if number is not None and number < 1:
            raise UsageError(f"{name} is a number of rows, at least 1, and {number} was given")
    reading = Reading(chunk_rows, limit, skip_bad_rows=skip_bad_rows)
    if outputs is not None or targets is not None:
        if data is not None:
            raise UsageError("give data, or plain lists as outputs= and targets=, not both: outputs can be a column")
        return RowSource(tidy(read_pairs(outputs, targets, reading)), {"kind": "lists"}, reading)
    if isinstance(data, str | os.PathLike):
        return _open_path(os.fspath(data), reading)
    return _open_object(data, reading)


def _open_object(data: Any, reading: Reading) -> RowSource:
    kind: type[Any] = data.__class__
    if is_frame(data):
        library, rows, chunks = read_frame(data, reading)
        return RowSource(chunks, {"kind": "frame", "type": library, "rows": rows}, reading)
    if issubclass(kind, Mapping):
        return RowSource(tidy(read_columns(data, reading)), {"kind": "columns"}, reading)
    if issubclass(kind, list | tuple):
        return RowSource(tidy(read_rows(data, reading)), {"kind": "list", "rows": len(data)}, reading)
    if kind is not bytes and (issubclass(kind, Iterable) or hasattr(kind, "__getitem__")):
        return RowSource(tidy(read_rows(data, reading)), {"kind": "iterable", "type": kind.__name__}, reading)
    given = "no data were given" if data is None else f"a value of type {kind.__name__} is no data set"
    raise UsageError(
        f"{given}: give a path, a list of dicts, a dict of columns, a frame, an iterable of dicts, "
        "or two plain lists as outputs=[...] and targets=[...]"
    )


def _open_path(path: str, reading: Reading) -> RowSource:
    named = None if path == "-" else format_of_name(path)
    opened = open_stream(path)
    try:
        kind = _settled(named, opened)
        if kind == "parquet":
            opened.file.close()
            return _open_parquet(path, opened, reading)
        return _open_text(path, kind, opened, reading)
    except BaseException:
        opened.file.close()
        raise


def _settled(named: str | None, opened: Opened) -> str:
    """The format; a ``.json`` file may hold JSON lines."""
    if named is None or (named == "json" and opened.head.lstrip().startswith(b"{")):
        return sniff(opened.head, opened.shown)
    return named


def _open_parquet(path: str, opened: Opened, reading: Reading) -> RowSource:
    if path == "-" or opened.packed:
        raise DataError(f"{opened.shown}: Parquet is read from an unpacked file, not from a stream")
    rows, chunks = read_parquet(path, reading)
    return RowSource(chunks, {**_described(path, "parquet", opened), "rows": rows}, reading)


def _open_text(path: str, kind: str, opened: Opened, reading: Reading) -> RowSource:
    description = _described(path, kind, opened)
    file, shown, at = opened.file, opened.shown, opened.at
    cut = None
    if kind == "jsonl":
        chunks = read_jsonl(file, shown, reading, at=Place(byte=at))
        if path != "-" and not opened.packed:
            cut = partial(_cut, path, reading, at)
    elif kind in ("csv", "tsv"):
        description["delimiter"] = "\t" if kind == "tsv" else sniff_delimiter(opened.head)
        chunks = read_csv(file, shown, reading, delimiter=description["delimiter"], byte=at)
    elif opened.head.lstrip().startswith(b"{"):
        description["taken"], chunks = read_json_object(file, shown, reading)
    else:
        chunks = read_json_array(file, shown, reading, byte=at)
    return RowSource(_closing(file, chunks), description, reading, cut=cut)


def _described(path: str, kind: str, opened: Opened) -> dict[str, Any]:
    description: dict[str, Any] = {"kind": "stdin" if path == "-" else "file", "path": path, "format": kind}
    if opened.size is not None:
        description["bytes"] = opened.size
    if opened.packed:
        description["packed"] = "gzip"
    return description


def _cut(path: str, reading: Reading, at: int, columns: tuple[str, ...]) -> Sequence[JsonlPart] | None:
    return cut_jsonl(path, path, reading, columns, at=at)


def _closing(file: BinaryIO, chunks: Iterator[Columns]) -> Generator[Columns, None, None]:
    with file:
        yield from chunks
