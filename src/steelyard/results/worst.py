"""The worst samples of a run: what to look at first."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.ports import RunReader
from steelyard.core.record import UNSCORED_TYPE, OutcomeRow, ScoringRecord, StoredSample, decode_value
from steelyard.core.score import value_to_float
from steelyard.errors import UndefinedMetric, UnknownNameError, UsageError

__all__ = ["JudgedSample", "Worst", "judged_sample", "worst_samples"]

_ABSENT = ("no_output", "scorer_error", "timeout", "judge_failed", "malformed")


class JudgedSample(msgspec.Struct, frozen=True, kw_only=True):
    """One stored row with what every scorer said of it."""

    sample: StoredSample
    outcomes: tuple[OutcomeRow, ...]


class Worst(msgspec.Struct, frozen=True, kw_only=True):
    """The worst samples by one scorer.

    Args:
        scorer: The scorer, or ``scorer.key``.
        samples: The worst first; those that should have a score and have none come before any score.
        wrong: How many samples did not get full marks.
        absent: How many samples should have a score and have none.
        scored: How many samples have a score.
        full_marks: The value that no sample can surpass, or that none did.
        seen: No value is known to be the best; ``full_marks`` is the best that any sample has.
    """

    scorer: str
    samples: tuple[JudgedSample, ...]
    wrong: int
    absent: int
    scored: int
    full_marks: float | None = None
    seen: bool = False


def worst_samples(reader: RunReader, scorer: str | None = None, *, limit: int = 5) -> Worst:
    """The samples that did worst by one scorer, those with full marks left out.

    Full marks are the better end of the declared range; 1 for verdicts (truth values and the letters C, I, P, N);
    otherwise the best value that any sample has. Outcomes are read as a stream, and ``limit`` of them are kept.

    Args:
        reader: The run.
        scorer: The scorer, or ``scorer.key`` for one key of a dict score; by default the run's first.
        limit: The most samples to give.

    Raises:
        UnknownNameError: When the run has no such scorer.
    """
    scoring, key = _find(reader, scorer)
    sign = 1.0 if _higher(scoring, key) else -1.0
    full, seen = _full_marks(reader, scoring, key, sign)
    worst: list[tuple[float, int]] = []
    wrong = absent = scored = 0
    for seq, number, reason in _numbers(reader, scoring, key):
        if number is None:
            if reason not in _ABSENT:
                continue
            absent += 1
        else:
            scored += 1
            if full is None or sign * number >= sign * full:
                continue
            wrong += 1
        # The heap's top is the best of those kept; of equals the earliest rows stay.
        entry = (float("inf") if number is None else -sign * number, -seq)
        if len(worst) < limit:
            heapq.heappush(worst, entry)
        elif limit and entry > worst[0]:
            heapq.heapreplace(worst, entry)
    seqs = [-seq for _, seq in sorted(worst, reverse=True)]
    return Worst(
        scorer=f"{scoring.name}.{key}" if key else scoring.name,
        samples=tuple(_judged(reader, seqs)),
        wrong=wrong,
        absent=absent,
        scored=scored,
        full_marks=full,
        seen=seen,
    )


def judged_sample(reader: RunReader, sample_id: str) -> list[JudgedSample]:
    """The rows of one sample, one for each epoch.

    Raises:
        UsageError: When the run has no such sample.
    """
    seqs = reader.find_sample(sample_id)
    if not seqs:
        examples = ", ".join(sample.id for sample in reader.samples(limit=3))
        raise UsageError(f"run {reader.record.id} has no sample {sample_id!r}; its ids are such as {examples}")
    return list(_judged(reader, seqs))


def _judged(reader: RunReader, seqs: Sequence[int]) -> Iterator[JudgedSample]:
    if not seqs:
        return
    outcomes = [{row.seq: row for row in reader.outcomes(scoring, seqs)} for scoring in reader.scorings]
    for sample in reader.samples(seqs):
        found = tuple(rows[sample.seq] for rows in outcomes if sample.seq in rows)
        yield JudgedSample(sample=sample, outcomes=found)


def _find(reader: RunReader, scorer: str | None) -> tuple[ScoringRecord, str]:
    scorings = list(reader.scorings)
    if not scorings:
        raise UsageError(f"run {reader.record.id} has no scores")
    if scorer is None:
        return scorings[0], ""
    for scoring in scorings:
        if scorer == scoring.name:
            return scoring, ""
        if scorer.startswith(f"{scoring.name}."):
            return scoring, scorer.removeprefix(f"{scoring.name}.")
    raise UnknownNameError.naming("scorer", scorer, [scoring.name for scoring in scorings], "These are in the run.")


def _higher(scoring: ScoringRecord, key: str) -> bool:
    given = scoring.higher_is_better
    return bool(given.get(key, True)) if isinstance(given, Mapping) else bool(given)


def _full_marks(reader: RunReader, scoring: ScoringRecord, key: str, sign: float) -> tuple[float | None, bool]:
    if scoring.range is not None:
        return scoring.range[1] if sign > 0 else scoring.range[0], False
    best: float | None = None
    verdicts = True
    for kind, cell, _ in _values(reader, scoring):
        value = _member(decode_value(kind, cell), key)
        number = _number(value)
        if number is not None:
            verdicts = verdicts and isinstance(value, bool | str)
            best = number if best is None or sign * number > sign * best else best
    if best is None or not verdicts:
        return best, True
    return 1.0 if sign > 0 else 0.0, False


def _values(reader: RunReader, scoring: ScoringRecord) -> Iterator[tuple[int, Any, str | None]]:
    """(type, cell, note) of the scored outcomes: each distinct one once where those are few, else all."""
    groups = reader.distinct(scoring)
    found = (group[:3] for group in groups) if groups else (row[2:5] for row in reader.values(scoring))
    return ((kind, cell, note) for kind, cell, note in found if kind != UNSCORED_TYPE)


def _numbers(reader: RunReader, scoring: ScoringRecord, key: str) -> Iterator[tuple[int, float | None, str | None]]:
    """(seq, number, reason) of every outcome that has a number or a reason for having none."""
    for seq, _, kind, cell, reason in reader.values(scoring):
        if kind == UNSCORED_TYPE:
            yield seq, None, reason
        else:
            number = _number(_member(decode_value(kind, cell), key))
            if number is not None:
                yield seq, number, None


def _member(value: Any, key: str) -> Any:
    """What a dotted key names in a dict or list score; without a key its first number."""
    if not isinstance(value, Mapping | list):
        return None if key else value
    members = dict(value) if isinstance(value, Mapping) else {str(i): item for i, item in enumerate(value)}
    if not key:
        return next((inner for inner in (_member(item, "") for item in members.values()) if inner is not None), None)
    if key in members:
        return members[key]
    head, _, rest = key.partition(".")
    return _member(members.get(head), rest) if rest else None


_TO_FLOAT = value_to_float()


def _number(value: Any) -> float | None:
    if value is None or isinstance(value, Mapping | list):
        return None
    try:
        return _TO_FLOAT(value)
    except UndefinedMetric:
        return None
