"""Values: what a scorer returned in plain Python types, or why it is no value."""

import inspect
import math
import sys
from collections.abc import Mapping
from typing import Any

from steelyard.core.score import Score, Unscored

__all__ = ["NO_VALUE", "clean", "names_of", "shortened"]

NO_VALUE = 'the scorer returned None; return Unscored("not_applicable") where it does not apply'
"""What is said of a scorer that returned None."""

_PLAIN = (str, int, float, bool)
_SHOWN = 500
"""Characters of a value or error that is named in an outcome."""

_LARGEST = int(sys.float_info.max)


def clean(value: Any) -> tuple[Any, str | None]:
    """The value in plain Python types, or why it is none."""
    if value is None:
        return None, NO_VALUE
    if isinstance(value, bool | str | int) and type(value) in _PLAIN:
        if type(value) is int and abs(value) > _LARGEST:
            return None, f"the scorer returned an integer of {value.bit_length()} bits, which no float can hold"
        return value, None
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value), None
        return None, f"the scorer returned {value!r}, which is no score"
    if isinstance(value, Score):
        return clean(value.value)
    if isinstance(value, Unscored):
        return None, value.error or value.reason
    if isinstance(value, Mapping):
        return _clean_dict(value)
    if isinstance(value, list | tuple):
        return _clean_list(value)
    return _clean_foreign(value)


def _clean_dict(value: Mapping[Any, Any]) -> tuple[dict[str, Any] | None, str | None]:
    """Keys as text; a member that is no value is None, which is that key unscored."""
    cleaned: dict[str, Any] = {}
    for key, member in value.items():
        inner, fault = (None, None) if member is None else clean(member)
        if str(key) in cleaned:
            return None, shortened(f"two keys of the score are called {str(key)!r}: their values would mix")
        cleaned[str(key)] = None if fault else inner
    return cleaned, None


def _clean_list(value: list[Any] | tuple[Any, ...]) -> tuple[Any, str | None]:
    items: list[Any] = []
    for i, item in enumerate(value):
        inner, fault = clean(item)
        if fault:
            return None, f"item {i} of the list: {fault}"
        items.append(inner)
    return items, None


def _clean_foreign(value: Any) -> tuple[Any, str | None]:
    """Numpy scalars, pydantic models, dataclasses and subclasses of plain types."""
    if inspect.isawaitable(value):
        if inspect.iscoroutine(value):
            value.close()  # or Python warns, later and elsewhere, that it was never awaited
        return None, "the scorer returned what has to be awaited: make it an async function that awaits it"
    for plain in (bool, int, str):
        if isinstance(value, plain):
            return plain(value), None
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return clean(value.item())
    if hasattr(value, "model_dump"):
        return clean(value.model_dump())
    if hasattr(value, "__dataclass_fields__"):
        return clean({name: getattr(value, name) for name in value.__dataclass_fields__})
    if hasattr(value, "__struct_fields__"):
        return clean({name: getattr(value, name) for name in value.__struct_fields__})
    hint = ""
    if callable(value):
        hint = "; a function that makes scorers is annotated -> Scorer, and a scorer inside another is called"
    return None, shortened(f"the scorer returned a {type(value).__name__}, which is no score: {value!r}{hint}")


def names_of(value: Any, prefix: str = "") -> list[str]:
    """The dotted names of all members that have a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    names: list[str] = []
    for key, member in members:
        if isinstance(member, dict | list):
            names += names_of(member, f"{prefix}{key}.")
        elif member is not None:
            names.append(f"{prefix}{key}")
    return names


def shortened(text: str) -> str:
    """A text that is named in an outcome, cut where it is long."""
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
