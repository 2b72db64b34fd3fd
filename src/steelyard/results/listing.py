"""Listing: stored runs, each with its headline figure."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.core.estimate import Estimate
from steelyard.core.ports import RunReader, RunStore
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.errors import SteelyardError
from steelyard.results.figures import figures

__all__ = ["Headline", "RunLine", "headline", "listing"]


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """The first figure of a run."""

    scorer: str
    metric: str
    estimate: Estimate
    higher_is_better: bool = True


class RunLine(msgspec.Struct, frozen=True, kw_only=True):
    """A run as one line of a list: what is known of it, its scorers, and its headline figure.

    Args:
        record: The run.
        scorers: The names of its scorers.
        headline: The first metric of its first scorer; None where there is none.
        problem: Why the run could not be read, where it could not.
    """

    record: RunRecord
    scorers: tuple[str, ...] = ()
    headline: Headline | None = None
    problem: str | None = None


def listing(store: RunStore, *, limit: int | None = None, name: str | None = None) -> list[RunLine]:
    """The stored runs, the newest first.

    Args:
        store: Where they are.
        limit: No more than these.
        name: Only those of that name.
    """
    return [_line(store, record) for record in store.runs(limit=limit, name=name)]


def headline(reader: RunReader) -> Headline | None:
    """The first figure of a run's first scorer."""
    found = figures(_FirstScorer(reader))
    for scorer, metrics in found.metrics.items():
        for metric, estimate in metrics.items():
            higher = found.higher_is_better.get(scorer, True)
            return Headline(scorer=scorer, metric=metric, estimate=estimate, higher_is_better=higher)
    return None


def _line(store: RunStore, record: RunRecord) -> RunLine:
    """One run that cannot be read must not hide the others."""
    try:
        reader = store.open(record.id)
        scorers = tuple(scoring.name for scoring in reader.scorings)
        return RunLine(record=record, scorers=scorers, headline=headline(reader))
    except SteelyardError as error:
        return RunLine(record=record, problem=str(error))


class _FirstScorer:
    """A run with its first scorer alone, so that no other is computed."""

    def __init__(self, reader: RunReader) -> None:
        self._reader = reader

    @property
    def scorings(self) -> Sequence[ScoringRecord]:
        return self._reader.scorings[:1]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)
