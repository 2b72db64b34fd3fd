"""From what a scorer returned to an outcome: the one place where a value is accepted or refused."""

import math
from collections.abc import Mapping
from typing import Any

from steelyard.core.columns import Detail, ScoreColumns, as_text
from steelyard.core.score import UNSCORED_REASONS, Outcome, Score, Unscored
from steelyard.errors import error_text
from steelyard.scoring.form import Facts
from steelyard.scoring.values import NO_VALUE, clean, names_of, shortened

__all__ = ["check_columns", "failure", "to_outcome"]


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
    return Unscored("malformed", shortened(said if error is None else f"{said}; it said: {error}"))


def _unusable(given: Any, value: dict[str, Any] | list[Any]) -> Unscored | None:
    """Why a dict or list is no score: two of its keys have one name, or none of them has a value."""
    names = names_of(value)
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        return Unscored("malformed", shortened(f"two keys of the score are called {twice!r}: their values would mix"))
    if names:
        return None
    if _is_blank(given):
        return Unscored("not_applicable", "every key of the score is None")
    return Unscored("malformed", shortened(f"the score holds no value: {given!r}"))


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
        plain, fault = _accepted(value, facts)
        if fault:
            columns.put(i, Unscored("malformed", fault))
        else:
            values[i] = plain
    return _note_missing(columns)


def failure(error: BaseException) -> Unscored:
    """The outcome of a scorer that raised."""
    reason = "timeout" if isinstance(error, TimeoutError) else "scorer_error"
    return Unscored(reason, _why(error))  # type: ignore[arg-type]


def _why(error: BaseException) -> str:
    return shortened(error_text(error))


def _note_missing(columns: ScoreColumns) -> ScoreColumns:
    if None in columns.values:
        for i, value in enumerate(columns.values):
            if value is None and i not in columns.reasons:
                columns.reasons[i] = "malformed"
                columns.details[i] = Detail(error=NO_VALUE)
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
    plain, fault = clean(value)
    if fault or facts.range is None:
        return plain, fault
    if isinstance(plain, dict):
        return _within(plain, facts)
    members = plain if isinstance(plain, list) else [plain]
    return plain, next((fault for fault in (_out_of_range(member, facts) for member in members) if fault), None)


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


def _out_of_range(value: Any, facts: Facts) -> str | None:
    if facts.range is None or isinstance(value, str) or not isinstance(value, bool | int | float):
        return None
    low, high = facts.range
    return None if low <= value <= high else f"the value {value!r} is outside the declared range [{low}, {high}]"
