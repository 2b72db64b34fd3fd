"""Epochs: the repetitions of each sample, reduced to one value."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from steelyard.core.score import Outcome, Score
from steelyard.results.outcomes import Cell

__all__ = ["Epochs", "Reducer", "reduced"]

Reducer = Callable[[Sequence[Outcome]], Outcome]
"""Makes one outcome of a sample's epochs."""


class Epochs(NamedTuple):
    """The epochs of each sample, and what those without a score count as.

    Left out, as a rule. Where the run counts the unscored as worst they are the worst value; where no worst value is
    known, their sample has none either, so that the figure is undefined instead of better than it should be.
    """

    ids: Sequence[str]
    absent: Sequence[int]
    as_worst: bool
    worst: Any

    def group(self, scores: Iterable[tuple[int, Score]]) -> dict[str, tuple[int, list[Outcome]]]:
        """Sample id to the place of its first scored epoch and the outcomes to reduce."""
        groups: dict[str, tuple[int, list[Outcome]]] = {}
        for seq, score in scores:
            groups.setdefault(self.ids[seq], (seq, []))[1].append(score)
        for seq in self.absent if self.as_worst else ():
            if self.ids[seq] in groups:
                if self.worst is None:
                    del groups[self.ids[seq]]
                else:
                    groups[self.ids[seq]][1].append(Score(self.worst))
        return groups


def reduced(members: Sequence[Cell], epochs: Epochs, reduce: Reducer) -> tuple[list[int], list[Any], list[int]]:
    """One value a sample: (first rows, values, first rows of the samples that should have one and have none)."""
    groups = epochs.group((seq, Score(value)) for seq, value in members)
    kept: list[int] = []
    values: list[Any] = []
    absent: dict[str, int] = {}
    for name, (first, outcomes) in groups.items():
        outcome = reduce(outcomes)
        if isinstance(outcome, Score):
            kept.append(first)
            values.append(outcome.value)
        else:
            absent[name] = first
    for seq in epochs.absent:
        if epochs.ids[seq] not in groups:
            absent.setdefault(epochs.ids[seq], seq)
    return kept, values, list(absent.values())
