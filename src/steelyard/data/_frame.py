"""Frames: pandas, polars, Arrow and whatever else narwhals reads."""

from collections.abc import Iterator
from typing import Any

from steelyard.core.columns import Columns
from steelyard.data._reading import Reading
from steelyard.data._tidy import without_arrays
from steelyard.errors import DataError

__all__ = ["is_frame", "read_frame"]

_HOMES = {"pandas", "polars", "pyarrow", "modin", "cudf", "duckdb", "dask", "ibis", "pyspark", "sqlframe", "daft"}
_PLAIN = {str, int, float, bool, type(None)}


def is_frame(data: Any) -> bool:
    """Whether something comes from a library of frames; none of them is imported to find out."""
    if hasattr(data, "__narwhals_dataframe__") or hasattr(data, "__narwhals_lazyframe__"):
        return True
    return any(base.__module__.split(".")[0] in _HOMES for base in type(data).__mro__)


def read_frame(data: Any, reading: Reading) -> tuple[str, int, Iterator[Columns]]:
    """The kind of a frame, its number of rows, and its rows in chunks. A missing cell is None, NaN in pandas too.

    Raises:
        DataError: When it is no frame after all, or names a column twice.
    """
    data = _with_index(data)
    import narwhals  # a fifth of a second, and only needed when a frame is given

    try:
        frame: Any = narwhals.from_native(data)
        if isinstance(frame, narwhals.LazyFrame):
            frame = frame.collect()
        names: list[str] = [str(name) for name in frame.columns]
        kind = str(frame.implementation)
    except (TypeError, ValueError, narwhals.exceptions.NarwhalsError) as error:
        given = f"{type(data).__module__}.{type(data).__qualname__}"
        raise DataError(f"a {given} cannot be read as a frame: {error}") from None
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise DataError(
            f"the frame names {', '.join(map(repr, repeated))} more than once; give every column a name of its own"
        )
    rows = len(frame)
    return kind, rows, _chunks(frame, names, rows, reading)


def _with_index(data: Any) -> Any:
    """A frame of pandas whose index has names has these as columns too: ``set_index("id")`` loses no id."""
    names = getattr(getattr(data, "index", None), "names", None)
    if not names or not hasattr(data, "reset_index"):
        return data
    new = all(isinstance(name, str) and name not in data.columns for name in names)
    return data.reset_index() if new else data


def _chunks(frame: Any, names: list[str], rows: int, reading: Reading) -> Iterator[Columns]:
    rows = rows if reading.limit is None else min(rows, reading.limit)
    for start in range(0, rows, reading.chunk_rows):
        part = frame[start : min(start + reading.chunk_rows, rows)]
        data = {name: _cells(series) for name, series in zip(names, part.iter_columns(), strict=True)}
        yield Columns(data, len(part), start)


def _cells(series: Any) -> list[Any]:
    cells: list[Any] = series.to_list()
    kinds = set(map(type, cells))
    if kinds <= _PLAIN and float not in kinds:
        return cells
    if float in kinds or not kinds <= _PLAIN:
        missing = series.is_null().to_list() if series.null_count() else ()
        cells = [None if gone else cell for cell, gone in zip(cells, missing, strict=True)] if missing else cells
    return cells if kinds <= _PLAIN else [without_arrays(cell) for cell in cells]
