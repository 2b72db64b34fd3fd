"""Parquet, read and written through duckdb, without pyarrow."""

import json
from collections.abc import Iterator
from typing import Any

from steelyard.core.columns import Columns
from steelyard.data._reading import Reading
from steelyard.errors import DataError, MissingExtraError

__all__ = ["load_duckdb", "read_parquet"]


def load_duckdb() -> Any:
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
    duckdb = load_duckdb()
    connection = duckdb.connect()
    literal = _escaped(path)
    try:
        rows = connection.execute("SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata(?)", [literal]).fetchone()[0]
        cursor = connection.execute("SELECT * FROM read_parquet(?)", [literal])
    except duckdb.Error as error:
        connection.close()
        raise DataError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}") from None
    return int(rows), _chunks(connection, cursor, reading)


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
