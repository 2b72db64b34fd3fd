"""RunView: all that a page about a run shows, as one frozen value."""

import msgspec

from steelyard.core.ports import RunReader
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.results.figures import Figures, figures

__all__ = ["RunView", "view"]


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run, its scorings and its figures."""

    record: RunRecord
    scorings: tuple[ScoringRecord, ...]
    figures: Figures


def view(reader: RunReader, found: Figures | None = None) -> RunView:
    """The view of a run; figures are computed unless they are given."""
    return RunView(record=reader.record, scorings=tuple(reader.scorings), figures=found or figures(reader))
