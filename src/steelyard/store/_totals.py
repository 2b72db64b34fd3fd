"""Tally: how often each distinct outcome occurs, as long as those are few, and how many there are of each sort."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

__all__ = ["DISTINCT_LIMIT", "Group", "Sort", "Tally", "sorts_of"]

DISTINCT_LIMIT = 1000
"""More distinct outcomes than this are not counted one by one."""

Group = tuple[int, Any, str | None, int]
"""(value type, cell, reason or note, count)."""

Sort = tuple[int, str | None, int]
"""(value type, reason or note, count)."""


class Tally:
    """Counts outcomes; beyond `DISTINCT_LIMIT` distinct ones it counts by type and reason alone."""

    __slots__ = ("_groups", "collapsed")

    def __init__(self) -> None:
        self.collapsed = False
        self._groups: Counter[tuple[int, Any, str | None]] = Counter()

    def add(self, outcomes: Iterable[tuple[int, Any, str | None]]) -> None:
        """Count outcomes, each as (value type, cell, reason or note)."""
        if self.collapsed:
            self._groups.update((kind, None, reason) for kind, _, reason in outcomes)
            return
        self._groups.update(outcomes)
        self._collapse()

    def add_column(self, kind: int, cells: Iterable[Any]) -> None:
        """Count outcomes of one value type, without reason or note: as `add`, without a tuple for each."""
        for cell, count in Counter(cells).items():
            self._groups[kind, None if self.collapsed else cell, None] += count
        self._collapse()

    def _collapse(self) -> None:
        """Forget the cells where there are too many."""
        if not self.collapsed and len(self._groups) > DISTINCT_LIMIT:
            self.collapsed = True
            fine, self._groups = self._groups, Counter()
            for (kind, _, reason), count in fine.items():
                self._groups[kind, None, reason] += count

    @property
    def groups(self) -> list[Group]:
        """The distinct outcomes with their counts; the cell is None where they were too many."""
        return [(kind, cell, reason, count) for (kind, cell, reason), count in self._groups.items()]

    @property
    def sorts(self) -> list[Sort]:
        """The counts by type and reason."""
        return sorts_of(self.groups)


def sorts_of(groups: Iterable[Group]) -> list[Sort]:
    """Counts of distinct outcomes, added up by type and reason."""
    sums: Counter[tuple[int, str | None]] = Counter()
    for kind, _, reason, count in groups:
        sums[kind, reason] += count
    return [(kind, reason, count) for (kind, reason), count in sums.items()]
