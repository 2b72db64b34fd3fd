"""Which format a file has: by its extension, else by its beginning."""

import csv
from pathlib import PurePath
from typing import Any

import msgspec

from steelyard.errors import DataError

__all__ = ["FORMATS", "format_of_name", "rows_within", "sniff", "sniff_delimiter"]

FORMATS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
"""Extension to format."""

_ELSEWHERE = {
    (".xlsx", ".xls", ".ods"): "save the sheet as CSV",
    (".arrow", ".feather", ".ipc"): "read it with polars or pyarrow, and give the frame",
    (".yaml", ".yml", ".toml", ".xml"): "load it, and give a list of dicts",
    (".pkl", ".pickle", ".npy", ".npz"): "load it, and give a list of dicts or a frame",
    (".zip", ".tar", ".tgz", ".bz2", ".xz", ".zst", ".7z"): "unpack it, or pack it with gzip",
    (".db", ".sqlite", ".sqlite3", ".duckdb"): "export the table as CSV or Parquet, or give a frame",
}
_READ = "JSON lines (.jsonl, .ndjson), JSON (.json), CSV, TSV, each also packed with gzip (.gz), and Parquet (.parquet)"


def format_of_name(path: str) -> str | None:
    """The format that the extension names; None for one that says nothing, or standard input.

    Raises:
        DataError: When the extension names a format that is not read; it says what to do instead.

    >>> format_of_name("run/answers.jsonl.gz"), format_of_name("-")
    ('jsonl', None)
    """
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    if suffixes[-1:] == [".gz"]:
        suffixes.pop()
    last = suffixes[-1] if suffixes else ""
    for extensions, remedy in _ELSEWHERE.items():
        if last in extensions:
            raise DataError(f"{path}: {last} files are not read; {remedy}. Read are: {_READ}.")
    return FORMATS.get(last)


def sniff(head: bytes, shown: str) -> str:
    """The format that the first bytes of a file tell.

    Raises:
        DataError: When they tell none.
    """
    if head.startswith(b"PAR1"):
        return "parquet"
    text = head.lstrip()
    if text.startswith(b"["):
        return "json"
    if text.startswith(b"{"):
        return "jsonl" if _is_lines(text) else "json"
    line = text.split(b"\n", 1)[0]
    if b"\0" not in text:
        if b"\t" in line:
            return "tsv"
        if b"," in line or b";" in line:
            return "csv"
        if not text:
            return "jsonl"  # nothing at all: any reader finds that there are no rows
    raise DataError(f"{shown}: what it holds cannot be told from its name or its beginning. Read are: {_READ}.")


def sniff_delimiter(head: bytes) -> str:
    r"""What parts the cells of a CSV file: a comma, unless its header has none and has semicolons or tabs instead.

    >>> sniff_delimiter(b"id;output;target\n")
    ';'
    """
    line = head.lstrip().splitlines()[0].decode("utf-8", "replace") if head.strip() else ""
    for delimiter in (",", ";", "\t"):
        if any(len(cells) > 1 for cells in csv.reader([line], delimiter=delimiter)):
            return delimiter
    return ","


def _is_lines(text: bytes) -> bool:
    """Whether a text that begins with a brace is one object a line, not one object that holds an array of rows."""
    first, _, rest = text.partition(b"\n")
    try:
        value = msgspec.json.decode(first, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        # An object over several lines breaks off where its first line ends; a bad first line of many does not.
        return first.rstrip().endswith(b"}")
    return bool(rest.strip()) or not rows_within(value)


def rows_within(value: dict[str, Any]) -> list[str]:
    """The keys of an object whose values are arrays of objects."""
    return [
        key
        for key, cells in value.items()
        if isinstance(cells, list) and cells and all(isinstance(cell, dict) for cell in cells)  # pyright: ignore[reportUnknownVariableType]
    ]
