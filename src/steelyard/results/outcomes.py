"""Outcomes: what became of the samples of one scoring, read once."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.estimate import Counts
from steelyard.core.ports import RunReader
from steelyard.core.record import UNSCORED_TYPE, ScoringRecord, decode_value
from steelyard.core.score import UnscoredReason

__all__ = ["APART", "Cell", "Outcomes", "explode", "population", "read_outcomes"]

Cell = tuple[int, Any]
"""(seq, value) of one scored outcome."""

APART: UnscoredReason = "not_applicable"
"""A sample to which the scorer does not apply is counted, but is no part of what a figure is about: no bound moves."""


class Outcomes(msgspec.Struct, frozen=True):
    """The outcomes of one scoring.

    Args:
        cells: The scored ones.
        counts: What became of all.
        absent: The places of those that should have a score and have none.
    """

    cells: list[Cell]
    counts: Counts
    absent: list[int]


def read_outcomes(reader: RunReader, scoring: ScoringRecord) -> Outcomes:
    """Every outcome of a scoring."""
    cells: list[Cell] = []
    absent: list[int] = []
    reasons: dict[Any, int] = {}
    notes: dict[str, int] = {}
    for seq, _epoch, kind, cell, reason in reader.values(scoring):
        if kind == UNSCORED_TYPE:
            reasons[reason] = reasons.get(reason, 0) + 1
            if reason != APART:
                absent.append(seq)
            continue
        if reason is not None:
            notes[reason] = notes.get(reason, 0) + 1
        cells.append((seq, decode_value(kind, cell)))
    attempted = len(cells) + sum(reasons.values())
    return Outcomes(cells, Counts(attempted=attempted, scored=len(cells), unscored=reasons, notes=notes), absent)


def explode(name: str, outcomes: Outcomes) -> dict[str, tuple[list[Cell], Counts]]:
    """Dict scores by dotted key and list scores by index; scalars under the scorer's own name.

    A key that a row lacks, or whose value there is None, does not apply to that row: that key alone has no score.
    """
    keyed: dict[str, list[Cell]] = {}
    for seq, value in outcomes.cells:
        if isinstance(value, Mapping | list):
            for key, member in _leaves(value):
                keyed.setdefault(f"{name}.{key}", []).append((seq, member))
        else:
            keyed.setdefault(name, []).append((seq, value))
    if not keyed:
        return {name: ([], outcomes.counts)}
    return {key: (members, _counts_of(members, outcomes.counts)) for key, members in keyed.items()}


def population(counts: Counts) -> Counts:
    """The counts of the samples that a figure is about: all but those to which the scorer does not apply."""
    apart = counts.unscored.get(APART, 0)
    if not apart:
        return counts
    unscored = {reason: n for reason, n in counts.unscored.items() if reason != APART}
    return msgspec.structs.replace(counts, attempted=counts.attempted - apart, unscored=unscored)


def _counts_of(members: Sequence[Cell], counts: Counts) -> Counts:
    lacking = counts.scored - len(members)
    if not lacking:
        return counts
    unscored = {**counts.unscored, APART: counts.unscored.get(APART, 0) + lacking}
    return Counts(attempted=counts.attempted, scored=len(members), unscored=unscored, notes=counts.notes)


def _leaves(value: Any, prefix: str = "") -> list[tuple[str, Any]]:
    items = value.items() if isinstance(value, Mapping) else enumerate(value)
    found: list[tuple[str, Any]] = []
    for key, member in items:
        path = f"{prefix}{key}"
        if isinstance(member, Mapping | list):
            found.extend(_leaves(member, f"{path}."))
        elif member is not None:
            found.append((path, member))
    return found
