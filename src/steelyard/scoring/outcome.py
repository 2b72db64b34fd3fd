"""From what a scorer returned to an outcome: the one place where a value is accepted or refused."""

import inspect
import math
from collections.abc import Mapping
from typing import Any

from steelyard.core.columns import Detail, ScoreColumns
from steelyard.core.score import Outcome, Score, Unscored
from steelyard.scoring.form import Facts

__all__ = ["check_columns", "failure", "to_outcome"]

_PLAIN = (str, int, float, bool)
_TEXT_LIMIT = 500


def to_outcome(raw: Any, facts: Facts) -> Outcome:
    """What a scorer returned, as an outcome.

    A bool, number, text, list or dict becomes the value of a `Score`; a `Score` or `Unscored` stays; None, NaN, an
    infinity, a value outside the declared range and any other type are `Unscored("malformed")` with the value named.
    In a dict each of those is None, which is that key unscored.
    """
    if isinstance(raw, Unscored):
        return raw
    score = raw if isinstance(raw, Score) else Score(raw)
    value, fault = _accepted(score.value, facts)
    if fault:
        return Unscored("malformed", fault)
    if value is score.value:
        return score
    return Score(value, score.answer, score.explanation, score.metadata, score.reason)


def check_columns(columns: ScoreColumns, facts: Facts) -> ScoreColumns:
    """The same check for a whole column: quick where all values are of one plain type, row by row otherwise."""
    values = columns.values
    kinds = set(map(type, values))
    kinds.discard(type(None))
    if kinds <= {str} or (kinds <= {bool} and facts.range is None):
        return _note_missing(columns)
    if kinds <= {float, int} and _all_within(values, facts):
        return _note_missing(columns)
    for i, value in enumerate(values):
        if value is None:
            continue
        clean, fault = _accepted(value, facts)
        if fault:
            columns.put(i, Unscored("malformed", fault))
        else:
            values[i] = clean
    return _note_missing(columns)


def failure(error: BaseException) -> Unscored:
    """The outcome of a scorer that raised."""
    reason = "timeout" if isinstance(error, TimeoutError) else "scorer_error"
    return Unscored(reason, _shorten(f"{type(error).__name__}: {error}"))  # type: ignore[arg-type]


def _note_missing(columns: ScoreColumns) -> ScoreColumns:
    if None in columns.values:
        for i, value in enumerate(columns.values):
            if value is None and i not in columns.reasons:
                columns.reasons[i] = "malformed"
                columns.details[i] = Detail(error=_NONE)
    return columns


def _all_within(values: list[Any], facts: Facts) -> bool:
    present = values if None not in values else [v for v in values if v is not None]
    if not present:
        return True
    low, high = min(present), max(present)
    if not math.isfinite(sum(present)):  # min and max do not see a NaN
        return False
    return facts.range is None or (facts.range[0] <= low and high <= facts.range[1])


def _accepted(value: Any, facts: Facts) -> tuple[Any, str | None]:
    """The value in plain Python types and within the declared range, or why it is none."""
    clean, fault = _clean(value)
    if fault or facts.range is None:
        return clean, fault
    if isinstance(clean, dict):
        return _within(clean, facts)
    members = clean if isinstance(clean, list) else [clean]
    return clean, next((fault for fault in (_out_of_range(member, facts) for member in members) if fault), None)


def _within(value: dict[str, Any], facts: Facts) -> tuple[dict[str, Any], str | None]:
    """A dict with None, which is that key unscored, for members outside the range; why it is no value, if all are."""
    kept: dict[str, Any] = {}
    faults: list[str] = []
    for key, member in value.items():
        kept[key], fault = (None, None) if member is None else _accepted(member, facts)
        if fault:
            kept[key] = None
            faults.append(f"{key}: {fault}")
    return kept, faults[0] if faults and len(faults) == len(kept) else None


def _clean(value: Any) -> tuple[Any, str | None]:
    """The value in plain Python types, or why it is none."""
    if value is None:
        return None, _NONE
    if isinstance(value, bool | str | int) and type(value) in _PLAIN:
        return value, None
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value), None
        return None, f"the scorer returned {value!r}, which is no score"
    if isinstance(value, Mapping):
        return _clean_dict(value), None
    if isinstance(value, list | tuple):
        return _clean_list(value)
    return _clean_foreign(value)


_NONE = 'the scorer returned None; return Unscored("not_applicable") where it does not apply'


def _clean_dict(value: Mapping[Any, Any]) -> dict[str, Any]:
    """Keys as text; a member that is no value is None, which is that key unscored."""
    cleaned: dict[str, Any] = {}
    for key, member in value.items():
        inner, fault = (None, None) if member is None else _clean(member)
        cleaned[str(key)] = None if fault else inner
    return cleaned


def _clean_list(value: list[Any] | tuple[Any, ...]) -> tuple[Any, str | None]:
    items: list[Any] = []
    for i, item in enumerate(value):
        inner, fault = _clean(item)
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
        return _clean(value.item())
    if hasattr(value, "model_dump"):
        return _clean(value.model_dump())
    if hasattr(value, "__dataclass_fields__"):
        return _clean({name: getattr(value, name) for name in value.__dataclass_fields__})
    if hasattr(value, "__struct_fields__"):
        return _clean({name: getattr(value, name) for name in value.__struct_fields__})
    hint = ""
    if callable(value):
        hint = "; a function that makes scorers is annotated -> Scorer, and a scorer inside another is called"
    return None, _shorten(f"the scorer returned a {type(value).__name__}, which is no score: {value!r}{hint}")


def _out_of_range(value: Any, facts: Facts) -> str | None:
    if facts.range is None or isinstance(value, str) or not isinstance(value, bool | int | float):
        return None
    low, high = facts.range
    return None if low <= value <= high else f"the value {value!r} is outside the declared range [{low}, {high}]"


def _shorten(text: str) -> str:
    return text if len(text) <= _TEXT_LIMIT else text[: _TEXT_LIMIT - 3] + "..."
