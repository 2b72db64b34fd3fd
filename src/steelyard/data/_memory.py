"""Rows that are in memory already, or come out of an iterator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from steelyard.core.columns import Columns
from steelyard.core.sample import Sample
from steelyard.data._reading import Reading, bad_row
from steelyard.data._rows import Transposer, gather
from steelyard.errors import BadRowError, DataError, UsageError

__all__ = ["read_columns", "read_pairs", "read_rows"]

_FEW = 100


def read_rows(rows: Iterable[Any], reading: Reading, shown: str = "") -> Iterator[Columns]:
    """Rows that are dicts, `Sample` objects, dataclasses or pydantic models, in chunks.

    Args:
        rows: The rows; an iterator is read no further than it has to be.
        reading: The size of chunks, the limit, and what becomes of bad rows.
        shown: Where they stand, for messages.

    Raises:
        BadRowError: When a row is something else.
    """
    return gather(_batches(rows, reading, shown), Transposer(), reading)


def read_columns(data: Mapping[str, Any], reading: Reading) -> Iterator[Columns]:
    """A dict of columns, in chunks.

    Raises:
        DataError: When the columns differ in length.
        UsageError: When it is a single row, or a dict of whole data sets.
    """
    columns = {name: _cells(cells) for name, cells in data.items()}
    _check_columns(data, columns)
    lengths = {name: len(cells) for name, cells in columns.items() if cells is not None}
    if len(set(lengths.values())) > 1:
        raise DataError(f"columns differ in length: {', '.join(f'{name} has {n}' for name, n in lengths.items())}")
    return _slices({name: cells for name, cells in columns.items() if cells is not None}, reading)


def read_pairs(outputs: Any, targets: Any, reading: Reading) -> Iterator[Columns]:
    """Two plain lists, in chunks.

    Raises:
        DataError: When they differ in length.
    """
    columns: dict[str, list[Any]] = {}
    for name, cells in (("output", outputs), ("target", targets)):
        if cells is None:
            continue
        if issubclass(type(cells), str | bytes | Mapping):
            given = type(cells).__name__
            raise UsageError(f"{name}s is a list with an item for each sample, and a {given} was given: {name}s=[...]")
        columns[name] = _cells(cells) or list(cells)
    if len(columns) == 2 and len(columns["output"]) != len(columns["target"]):
        raise DataError(
            f"outputs has {len(columns['output'])} items, and targets has {len(columns['target'])}: "
            "they must be as many, in the same order"
        )
    return _slices(columns, reading)


def _batches(rows: Iterable[Any], reading: Reading, shown: str) -> Iterator[list[dict[str, Any]] | None]:
    number = 0
    for batch in _slices_of(rows, reading):
        if set(map(type, batch)) == {dict}:
            yield batch
        else:
            yield from _as_rows(batch, number, reading, shown)
        number += len(batch)


def _slices_of(rows: Iterable[Any], reading: Reading) -> Iterator[list[Any]]:
    """Whole chunks of a list; of an iterator only few rows at once, since each may cost something."""
    if isinstance(rows, list):
        known: list[Any] = rows
        yield from (known[i : i + reading.chunk_rows] for i in range(0, len(known), reading.chunk_rows))
        return
    iterator = iter(rows)
    size = min(_FEW, reading.chunk_rows)
    while batch := list(islice(iterator, size)):
        yield batch


def _as_rows(batch: list[Any], number: int, reading: Reading, shown: str) -> Iterator[list[dict[str, Any]] | None]:
    rows: list[dict[str, Any]] = []
    for row, item in enumerate(batch, number + 1):
        try:
            rows.append(_as_row(item, f"{shown}, row {row}" if shown else f"row {row}"))
        except BadRowError as problem:
            yield rows
            reading.skip(problem)
            yield None
            rows = []
    yield rows


def _as_row(item: Any, where: str) -> dict[str, Any]:
    if isinstance(item, Sample):
        return item.as_row()
    kind: type[Any] = item.__class__
    if issubclass(kind, Mapping):
        return dict(item)
    if is_dataclass(kind):
        return {field.name: getattr(item, field.name) for field in fields(kind)}
    if callable(dump := getattr(item, "model_dump", None)):
        row: Any = dump()
        return dict(row)
    hint = "Two plain lists are given as outputs=[...], targets=[...]." if kind in (str, list, tuple) else ""
    problem = f"{kind.__name__}, where a dict such as {{'output': ..., 'target': ...}} is expected"
    raise bad_row(where, problem, repr(item)[:200], hint)


def _cells(cells: Any) -> list[Any] | None:
    """The cells of a column as a list; None for what is no column."""
    if isinstance(cells, list):
        return cells  # pyright: ignore[reportUnknownVariableType]
    if isinstance(cells, str | bytes | Mapping):
        return None
    if callable(tolist := getattr(cells, "tolist", None) or getattr(cells, "to_list", None)):
        found = tolist()
        return found if isinstance(found, list) else None  # pyright: ignore[reportUnknownVariableType]
    return list(cells) if isinstance(cells, Sequence) else None  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _check_columns(data: Mapping[str, Any], columns: Mapping[str, list[Any] | None]) -> None:
    for name in data:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]  (users give anything)
            raise DataError(f"the names of columns are text, and one is {name!r} ({type(name).__name__})")
    if any(hasattr(cells, "column_names") for cells in data.values()):
        splits = ", ".join(map(repr, data))
        raise UsageError(
            f"this is a dict of whole data sets ({splits}): choose one, such as data[{next(iter(data))!r}]"
        )
    wrong = [name for name, cells in columns.items() if cells is None]
    if wrong:
        raise UsageError(
            f"a dict is a table of columns, each a list of cells, and {', '.join(map(repr, wrong))} is none. "
            "If it is one row, put it into a list: [row]."
        )


def _slices(columns: Mapping[str, list[Any]], reading: Reading) -> Iterator[Columns]:
    n = len(next(iter(columns.values()), ()))
    n = n if reading.limit is None else min(n, reading.limit)
    for start in range(0, n, reading.chunk_rows):
        end = min(start + reading.chunk_rows, n)
        yield Columns({name: cells[start:end] for name, cells in columns.items()}, end - start, start)
