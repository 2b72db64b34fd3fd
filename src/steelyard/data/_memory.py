"""Rows that are in memory already, or come out of an iterator."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from steelyard.core.columns import Columns
from steelyard.core.sample import Sample
from steelyard.data._bad_row import Skips, bad_row
from steelyard.data._rows import Transposer, gather
from steelyard.errors import BadRowError, DataError, UsageError

__all__ = ["read_columns", "read_pairs", "read_rows"]


def read_rows(rows: Iterable[Any], skips: Skips, chunk_rows: int) -> Iterator[Columns]:
    """Rows that are dicts, `Sample` objects, dataclasses or pydantic models, in chunks.

    Raises:
        BadRowError: When a row is something else.
    """
    return gather(_batches(rows, skips, chunk_rows), Transposer(), chunk_rows)


def read_columns(data: Mapping[str, Any], chunk_rows: int) -> Iterator[Columns]:
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
    return _slices({name: cells for name, cells in columns.items() if cells is not None}, chunk_rows)


def read_pairs(outputs: Any, targets: Any, chunk_rows: int) -> Iterator[Columns]:
    """Two plain lists, in chunks.

    Raises:
        DataError: When they differ in length.
    """
    columns: dict[str, list[Any]] = {}
    for name, cells in (("output", outputs), ("target", targets)):
        if cells is None:
            continue
        if isinstance(cells, str | bytes | Mapping):
            raise UsageError(f"{name}s is a list with an item for each sample, and a {type(cells).__name__} was given: {name}s=[...]")
        columns[name] = _cells(cells) or list(cells)
    if len(columns) == 2 and len(columns["output"]) != len(columns["target"]):
        raise DataError(
            f"outputs has {len(columns['output'])} items, and targets has {len(columns['target'])}: they must be as many, "
            "in the same order"
        )
    return _slices(columns, chunk_rows)


def _batches(rows: Iterable[Any], skips: Skips, size: int) -> Iterator[list[dict[str, Any]] | None]:
    if isinstance(rows, list):
        number = 0
        whole: list[Any] = rows
        while batch := whole[number : number + size]:
            yield from _as_rows(batch, number, skips)
            number += len(batch)
        return
    number, iterator = 0, iter(rows)
    while batch := list(islice(iterator, size)):
        yield from _as_rows(batch, number, skips)
        number += len(batch)


def _as_rows(batch: list[Any], number: int, skips: Skips) -> Iterator[list[dict[str, Any]] | None]:
    if set(map(type, batch)) == {dict}:
        yield batch
        return
    rows: list[dict[str, Any]] = []
    for item in batch:
        number += 1
        try:
            rows.append(_as_row(item, number))
        except BadRowError as problem:
            skips.add(problem)
            yield rows
            yield None
            rows = []
    yield rows


def _as_row(item: Any, number: int) -> dict[str, Any]:
    if isinstance(item, Sample):
        return item.as_row()
    if isinstance(item, Mapping):
        return dict(item)  # pyright: ignore[reportUnknownArgumentType]  (the names are checked later)
    if is_dataclass(item) and not isinstance(item, type):
        return {field.name: getattr(item, field.name) for field in fields(item)}
    if callable(dump := getattr(item, "model_dump", None)):
        return dict(dump())
    hint = "Two plain lists are given as outputs=[...], targets=[...]." if isinstance(item, str | list | tuple) else ""
    problem = f"a {type(item).__name__}, where a dict such as {{'output': ..., 'target': ...}} is expected"
    raise bad_row(f"row {number}", problem, repr(item)[:200], hint)


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
        raise UsageError(f"this is a dict of whole data sets ({splits}): choose one, such as data[{next(iter(data))!r}]")
    wrong = [name for name, cells in columns.items() if cells is None]
    if wrong:
        raise UsageError(
            f"a dict is a table of columns, each a list of cells, and {', '.join(map(repr, wrong))} is none. "
            "If it is one row, put it into a list: [row]."
        )


def _slices(columns: Mapping[str, list[Any]], chunk_rows: int) -> Iterator[Columns]:
    n = len(next(iter(columns.values()), ()))
    for start in range(0, n, chunk_rows):
        data = {name: cells[start : start + chunk_rows] for name, cells in columns.items()}
        yield Columns(data, min(chunk_rows, n - start), start)
