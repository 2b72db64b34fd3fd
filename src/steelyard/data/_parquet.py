"""Parquet, read and written through duckdb, without pyarrow."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from steelyard.core.columns import Columns
from steelyard.data._reading import Reading
from steelyard.errors import DataError, MissingExtraError

__all__ = ["convert_to_parquet", "read_parquet"]

_CONFIG = {"threads": 1}  # each thread holds blocks of rows; one is quick enough to keep Python busy


def _duckdb() -> Any:
    """The module. Raises `MissingExtraError` when it is not installed."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError.naming("Parquet", "parquet") from None
    return duckdb


def read_parquet(path: str, reading: Reading) -> tuple[int, Iterator[Columns]]:
    """The number of rows of a Parquet file, and its rows in chunks.

    Raises:
        DataError: When the file is no Parquet file.
        MissingExtraError: When duckdb is not installed.
    """
    duckdb = _duckdb()
    connection = duckdb.connect(config=_CONFIG)
    literal = _escaped(path)
    try:
        rows = connection.execute("SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(?)", [literal]).fetchone()[0]
        cursor = connection.execute("SELECT * FROM read_parquet(?)", [literal])
    except duckdb.Error as error:
        connection.close()
        raise DataError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None
    return int(rows), _chunks(connection, cursor, reading)


def convert_to_parquet(lines: Path, made: Path, types: Mapping[str, str]) -> None:
    """Make a Parquet file of a file of JSON lines.

    Args:
        lines: The file of JSON lines.
        made: The file to be made.
        types: Column to type.

    Raises:
        DataError: When there is no column, or duckdb takes two names for one.
        MissingExtraError: When duckdb is not installed.
    """
    duckdb = _duckdb()
    if not types:
        raise DataError("a Parquet file has at least one column, and there are no rows")
    columns = ", ".join(f"{_quoted(name)}: {_quoted(kind)}" for name, kind in types.items())
    with lines.open("rb") as rows:
        longest = max(map(len, rows))
    options = (
        f"format = 'newline_delimited', columns = {{{columns}}}, maximum_object_size = {max(1 << 20, 2 * longest)}"
    )
    table = f"SELECT * FROM read_json({_quoted(str(lines))}, {options})"  # noqa: S608  every text in it is quoted
    query = f"COPY ({table}) TO {_quoted(str(made))} (FORMAT parquet, COMPRESSION zstd)"
    with duckdb.connect(config=_CONFIG) as connection:
        try:
            connection.execute(query)
        except duckdb.Error as error:
            raise DataError(f"the rows cannot be written as Parquet: {str(error).splitlines()[0]}") from None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _chunks(connection: Any, cursor: Any, reading: Reading) -> Iterator[Columns]:
    names = [str(column[0]) for column in cursor.description]
    as_json = [str(column[1]) == "JSON" for column in cursor.description]
    start = 0
    try:
        while rows := cursor.fetchmany(_wanted(reading, start)):
            cells = [list(column) for column in zip(*rows, strict=True)]
            data = {
                name: [None if cell is None else json.loads(cell) for cell in column] if parsed else column
                for name, column, parsed in zip(names, cells, as_json, strict=True)
            }
            yield Columns(data, len(rows), start)
            start += len(rows)
    finally:
        connection.close()


def _wanted(reading: Reading, start: int) -> int:
    return reading.chunk_rows if reading.limit is None else min(reading.chunk_rows, reading.limit - start)


def _escaped(path: str) -> str:
    """A path whose brackets and stars are no pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path)
