"""From what a scorer returned to an outcome: the one place where a value is accepted or refused."""

import inspect
import math
import sys
from collections.abc import Mapping
from typing import Any

from steelyard.core.columns import Detail, ScoreColumns, as_text
from steelyard.core.score import UNSCORED_REASONS, Outcome, Score, Unscored
from steelyard.errors import error_text
from steelyard.scoring.form import Facts

__all__ = ["check_columns", "failure", "to_outcome"]

_PLAIN = (str, int, float, bool)
_SHOWN = 500
"""Characters of a value or error that is named in an outcome."""

_LARGEST = int(sys.float_info.max)


def to_outcome(raw: Any, facts: Facts) -> Outcome:
    """What a scorer returned, as an outcome.

    A bool, number, text, list or dict becomes the value of a `Score`; a `Score` or `Unscored` stays; None, NaN, an
    infinity, a value outside the declared range and any other type are `Unscored("malformed")` with the value named.
    In a dict each of those is None, which is that key unscored; where no key has a value, the row has no score.
    """
    try:
        return _unscored(raw) if isinstance(raw, Unscored) else _scored(raw, facts)
    except Exception as error:  # noqa: BLE001  a user's object may fail at any touch, or hold itself
        return Unscored("malformed", f"the scorer returned a {type(raw).__name__} that cannot be read: {_why(error)}")


def _scored(raw: Any, facts: Facts) -> Outcome:
    score = raw if isinstance(raw, Score) else Score(raw)
    value, fault = _accepted(score.value, facts)
    if fault:
        return Unscored("malformed", fault)
    if isinstance(value, dict | list):
        unusable = _unusable(score.value, value)
        if unusable is not None:
            return unusable
    if value is score.value and _is_proper(score):
        return score
    return Score(
        value,
        None if score.answer is None else as_text(score.answer),
        None if score.explanation is None else as_text(score.explanation),
        _metadata(score.metadata),
        None if score.reason is None else as_text(score.reason),
    )


def _is_proper(score: Score) -> bool:
    """Whether what is beside the value has the types that it is declared with."""
    texts = (score.answer, score.explanation, score.reason)
    return score.metadata is None and all(text is None or type(text) is str for text in texts)


def _metadata(given: Any) -> dict[str, Any] | None:
    """Metadata as a dict of its own, whatever a scorer gave; endless nesting is left as its text."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        return {"metadata": given}
    return {str(key): _bounded(member) for key, member in given.items()}


def _bounded(member: Any) -> Any:
    try:
        as_text(member)
    except Exception as error:  # noqa: BLE001  a user's object may fail to print, or hold itself
        return f"<{type(member).__name__}: {_why(error)}>"
    return member


def _unscored(given: Unscored) -> Unscored:
    """The same, with a reason that there is and an error that is text."""
    error = given.error if given.error is None or type(given.error) is str else as_text(given.error)
    if given.reason in UNSCORED_REASONS:
        return given if error is given.error else Unscored(given.reason, error)
    known = ", ".join(UNSCORED_REASONS)
    said = f"the scorer gave the reason {given.reason!r}, which is none of: {known}"
    return Unscored("malformed", _shorten(said if error is None else f"{said}; it said: {error}"))


def _unusable(given: Any, value: dict[str, Any] | list[Any]) -> Unscored | None:
    """Why a dict or list is no score: two of its keys have one name, or none of them has a value."""
    names = _names(value)
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        return Unscored("malformed", _shorten(f"two keys of the score are called {twice!r}: their values would mix"))
    if names:
        return None
    if _is_blank(given):
        return Unscored("not_applicable", "every key of the score is None")
    return Unscored("malformed", _shorten(f"the score holds no value: {given!r}"))


def _names(value: Any, prefix: str = "") -> list[str]:
    """The dotted names of all members that have a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    names: list[str] = []
    for key, member in members:
        if isinstance(member, dict | list):
            names += _names(member, f"{prefix}{key}.")
        elif member is not None:
            names.append(f"{prefix}{key}")
    return names


def _is_blank(given: Any) -> bool:
    """Whether a dict has keys, and all of them are None."""
    members = given.values() if isinstance(given, Mapping) else ()
    return bool(members) and all(member is None or _is_blank(member) for member in members)


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
    return Unscored(reason, _why(error))  # type: ignore[arg-type]


def _why(error: BaseException) -> str:
    return _shorten(error_text(error))


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
    try:
        if not math.isfinite(sum(present)):  # min and max do not see a NaN
            return False
    except OverflowError:  # an integer beyond all floats
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
        if type(value) is int and abs(value) > _LARGEST:
            return None, f"the scorer returned an integer of {value.bit_length()} bits, which no float can hold"
        return value, None
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value), None
        return None, f"the scorer returned {value!r}, which is no score"
    if isinstance(value, Score):
        return _clean(value.value)
    if isinstance(value, Unscored):
        return None, value.error or value.reason
    if isinstance(value, Mapping):
        return _clean_dict(value)
    if isinstance(value, list | tuple):
        return _clean_list(value)
    return _clean_foreign(value)


_NONE = 'the scorer returned None; return Unscored("not_applicable") where it does not apply'


def _clean_dict(value: Mapping[Any, Any]) -> tuple[dict[str, Any] | None, str | None]:
    """Keys as text; a member that is no value is None, which is that key unscored."""
    cleaned: dict[str, Any] = {}
    for key, member in value.items():
        inner, fault = (None, None) if member is None else _clean(member)
        if str(key) in cleaned:
            return None, _shorten(f"two keys of the score are called {str(key)!r}: their values would mix")
        cleaned[str(key)] = None if fault else inner
    return cleaned, None


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
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
