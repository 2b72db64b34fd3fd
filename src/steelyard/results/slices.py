"""Slices: the headline figure of every scorer for each value of a column."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.core.columns import as_text
from steelyard.core.estimate import Counts, Estimate
from steelyard.core.scored import ScoredColumn
from steelyard.metrics import compute

__all__ = ["NOTHING", "Slice", "slice_column"]

NOTHING = "(none)"
"""The slice of the samples whose cell is null."""


class Slice(msgspec.Struct, frozen=True, kw_only=True):
    """One scorer's headline figure for the samples that share a value.

    Args:
        column: The column that was split by.
        value: The shared value, as text.
        scorer: The scorer, or ``scorer.key``.
        metric: The headline metric.
        estimate: The figure.
        counts: What became of these samples.
    """

    column: str
    value: str
    scorer: str
    metric: str
    estimate: Estimate
    counts: Counts


def slice_column(
    scored: ScoredColumn, by: str, metrics: Sequence[Any], *, level: float = 0.95, on_unscored: Any = "exclude"
) -> list[Slice]:
    """The headline figure of one scored column for each value of ``by``, in the order of first appearance.

    Args:
        scored: The scores.
        by: The column to split by.
        metrics: The scorer's metrics, of which the first is the headline.
        level: The confidence level.
        on_unscored: What a mean does with unscored samples.
    """
    if not metrics:
        return []
    groups: dict[str, list[int]] = {}
    for place, cell in enumerate(scored.labels(by)):
        groups.setdefault(_label(cell), []).append(place)
    missing: dict[str, int] = {}
    for cell in scored.unscored_labels(by) if scored.unscored_labels is not None else ():
        missing[_label(cell)] = missing.get(_label(cell), 0) + 1
    slices: list[Slice] = []
    for value in dict.fromkeys([*groups, *missing]):
        part = _part(scored, groups.get(value, []), missing.get(value, 0))
        found = compute(metrics[:1], part, level=level, on_unscored=on_unscored)
        slices += [
            Slice(column=by, value=value, scorer=scored.name, metric=metric, estimate=estimate, counts=part.counts)
            for metric, estimate in list(found.items())[:1]
        ]
    return slices


def _part(scored: ScoredColumn, places: Sequence[int], missing: int) -> ScoredColumn:
    counts = Counts(
        attempted=len(places) + missing, scored=len(places), unscored={"not_applicable": missing} if missing else {}
    )
    return ScoredColumn(
        scored.name,
        [scored.values[place] for place in places],
        ids=[scored.ids[place] for place in places] if scored.ids else (),
        labels=lambda column: [cells[place] for cells in [scored.labels(column)] for place in places],
        counts=counts,
        range=scored.range,
        cluster=scored.cluster,
        higher_is_better=scored.higher_is_better,
        columns=scored.columns,
    )


def _label(cell: Any) -> str:
    return NOTHING if cell is None else as_text(cell)
