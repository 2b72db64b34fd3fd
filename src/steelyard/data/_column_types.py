"""ColumnTypes: the Parquet type of each column, settled by all of its cells."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["ColumnTypes"]

_SCALARS: dict[type, str] = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE"}
_NUMBERS = {"BIGINT", "DOUBLE"}
_LARGEST = 1 << 63


class ColumnTypes:
    """Notes the types of rows that pass by. What has no one type, and every object, is JSON text.

    >>> types = ColumnTypes()
    >>> list(types.noting([{"a": 1, "b": ["x"]}, {"a": 1.5, "c": {}}, {"a": None}]))[-1]
    {'a': None}
    >>> types.settled()
    {'a': 'DOUBLE', 'b': 'VARCHAR[]', 'c': 'JSON'}
    """

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def noting(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """The rows as they are."""
        found = self._found
        for row in rows:
            for name, value in row.items():
                if type(value) is str and found.get(name) == "VARCHAR":
                    continue  # by far the most cells
                found[name] = _joined(found.get(name, ""), _type_of(value))
            yield row

    def settled(self) -> dict[str, str]:
        """Column to type; a column of nulls is text."""
        return {name: kind if kind.strip("[]") else f"VARCHAR{kind}" for name, kind in self._found.items()}


def _type_of(value: Any) -> str:
    """The type of a cell; the empty text for null."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        inner = ""
        for item in value:  # pyright: ignore[reportUnknownVariableType]
            inner = _joined(inner, _type_of(item))
        return "JSON" if inner == "JSON" else f"{inner}[]"
    if isinstance(value, Mapping):
        return "JSON"
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        return "JSON"
    return next((kind for known, kind in _SCALARS.items() if isinstance(value, known)), "VARCHAR")


def _joined(one: str, other: str) -> str:
    """The type that holds both."""
    if one == other or not other:
        return one
    if not one:
        return other
    if {one, other} == _NUMBERS:
        return "DOUBLE"
    if one.endswith("[]") and other.endswith("[]"):
        inner = _joined(one[:-2], other[:-2])
        return "JSON" if inner == "JSON" else f"{inner}[]"
    return "JSON"
