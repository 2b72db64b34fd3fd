"""write_rows: rows to a file, all of them or none."""

import csv
import gzip
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from steelyard.data._column_types import ColumnTypes
from steelyard.data._format import format_of_name
from steelyard.data._parquet import convert_to_parquet
from steelyard.errors import DataError, UsageError

__all__ = ["write_rows"]

_ENCODER = msgspec.json.Encoder(enc_hook=str)


def write_rows(
    target: str | os.PathLike[str] | BinaryIO, rows: Iterable[Mapping[str, Any]], format: str | None = None
) -> int:
    """Write rows to a file, which is there whole or not at all: an error leaves what was there before.

    Args:
        target: A path, ``"-"`` for standard output, or an open binary file. A name that ends in ``.gz`` is packed.
        rows: The rows, which may come from an iterator; they are not held in memory.
        format: ``"jsonl"``, ``"json"``, ``"csv"``, ``"tsv"`` or ``"parquet"``; by default what the extension says, and
            JSON lines for standard output.

    Returns:
        The number of rows.

    In CSV and TSV the columns are those of all rows, in the order in which they are first seen; None is an empty cell,
    and a list, an object or a truth value is written as JSON. Parquet holds an object as JSON text.

    Raises:
        UsageError: When the format is not known.
        DataError: When the file cannot be written.
    """
    kind = format or _format_of(target)
    if kind not in _WRITERS:
        raise UsageError(f"no format {kind!r}; known: {', '.join(_WRITERS)}")
    write = _WRITERS[kind]
    if not isinstance(target, str | os.PathLike):
        return write(target, rows)
    if os.fspath(target) == "-":
        n = write(sys.stdout.buffer, rows)
        sys.stdout.buffer.flush()
        return n
    with _whole(Path(target)) as file:
        if Path(target).suffix.lower() != ".gz":
            return write(file, rows)
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
            return write(cast(BinaryIO, packed), rows)


def _format_of(target: str | os.PathLike[str] | BinaryIO) -> str:
    if not isinstance(target, str | os.PathLike) or os.fspath(target) == "-":
        return "jsonl"
    name = os.fspath(target)
    try:
        named = format_of_name(name)
    except DataError:
        named = None
    if named is None or (named == "parquet" and name.lower().endswith(".gz")):
        raise UsageError(
            f"{name}: the ending names no format that is written; it may be .jsonl, .json, .csv or .tsv, each also "
            "with .gz, or .parquet"
        )
    return named


@contextmanager
def _whole(path: Path) -> Generator[BinaryIO, None, None]:
    """A file that takes the path's place once it is complete, and leaves nothing behind otherwise."""
    real = Path(os.path.realpath(path))
    if real.exists() and not real.is_file():  # a pipe or a device: there is nothing to replace
        with _opened(real, path) as file:
            yield file
        return
    draft = real.with_name(f".{real.name}.{os.getpid()}.part")
    try:
        with _opened(draft, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(real)
    finally:
        draft.unlink(missing_ok=True)


def _opened(path: Path, shown: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        why = f"there is no folder {shown.parent}" if not shown.parent.is_dir() else error.strerror or error
        raise DataError(f"{shown} cannot be written: {why}") from None


def _write_jsonl(file: BinaryIO, rows: Iterable[Mapping[str, Any]]) -> int:
    n = 0
    for row in rows:
        file.write(_ENCODER.encode(row) + b"\n")
        n += 1
    return n


def _write_json(file: BinaryIO, rows: Iterable[Mapping[str, Any]]) -> int:
    n = 0
    file.write(b"[")
    for row in rows:
        file.write((b",\n" if n else b"\n") + _ENCODER.encode(row))
        n += 1
    file.write(b"\n]\n" if n else b"]\n")
    return n


def _write_csv(file: BinaryIO, rows: Iterable[Mapping[str, Any]]) -> int:
    return _write_table(file, rows, ",")


def _write_tsv(file: BinaryIO, rows: Iterable[Mapping[str, Any]]) -> int:
    return _write_table(file, rows, "\t")


def _write_table(file: BinaryIO, rows: Iterable[Mapping[str, Any]], delimiter: str) -> int:
    """Write the rows aside first: the header has to name every column that any of them has."""
    names: dict[str, None] = {}
    with tempfile.TemporaryFile() as aside:
        n = _write_jsonl(aside, _noting(rows, names))
        aside.seek(0)
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        writer = csv.writer(text, delimiter=delimiter)
        if names:
            writer.writerow(names)
        for line in aside:
            row: dict[str, Any] = msgspec.json.decode(line)
            writer.writerow([_cell(row.get(name)) for name in names])
        text.detach()
    return n


def _noting(rows: Iterable[Mapping[str, Any]], names: dict[str, None]) -> Iterator[Mapping[str, Any]]:
    for row in rows:
        names.update(dict.fromkeys(row))
        yield row


def _cell(value: Any) -> Any:
    return _ENCODER.encode(value).decode() if isinstance(value, bool | list | dict) else value


def _write_parquet(file: BinaryIO, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write the rows aside first: a column's type is settled by all of its cells."""
    types = ColumnTypes()
    with tempfile.TemporaryDirectory(prefix="steelyard-") as folder:
        aside, made = Path(folder, "rows.jsonl"), Path(folder, "rows.parquet")
        with aside.open("wb") as lines:
            n = _write_jsonl(lines, types.noting(rows))
        convert_to_parquet(aside, made, types.settled())
        with made.open("rb") as source:
            shutil.copyfileobj(source, file)
    return n


_WRITERS: dict[str, Callable[[BinaryIO, Iterable[Mapping[str, Any]]], int]] = {
    "jsonl": _write_jsonl,
    "json": _write_json,
    "csv": _write_csv,
    "tsv": _write_tsv,
    "parquet": _write_parquet,
}
