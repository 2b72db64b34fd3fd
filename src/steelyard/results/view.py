"""RunView: all that a page about a run shows, as one frozen value."""

from collections.abc import Mapping

import msgspec

from steelyard.core.ports import RunReader
from steelyard.core.record import UNSCORED_TYPE, RunRecord, ScoringRecord
from steelyard.core.score import Unscored, UnscoredReason
from steelyard.results.figures import Figures, figures
from steelyard.results.outcomes import APART

__all__ = ["RunView", "view"]


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """A run, its scorings and its figures.

    Args:
        record: What is known of the run.
        scorings: What is known of each of its scorers.
        figures: Its figures.
        errors: (scorer, reason) to the message of the first sample that has no score for that reason.
    """

    record: RunRecord
    scorings: tuple[ScoringRecord, ...]
    figures: Figures
    errors: Mapping[tuple[str, str], str] = {}


def view(reader: RunReader, found: Figures | None = None) -> RunView:
    """The view of a run; figures are computed unless they are given."""
    known = found or figures(reader)
    return RunView(
        record=reader.record, scorings=tuple(reader.scorings), figures=known, errors=_first_errors(reader, known)
    )


def _first_errors(reader: RunReader, found: Figures) -> dict[tuple[str, str], str]:
    errors: dict[tuple[str, str], str] = {}
    for scoring in reader.scorings:
        names = [name for name in found.counts if name == scoring.name or name.startswith(f"{scoring.name}.")]
        wanted = {reason for name in names for reason in found.counts[name].unscored if reason != APART}
        for reason, seq in _first_places(reader, scoring, wanted).items():
            if error := _error(reader, scoring, seq):
                errors |= {(name, reason): error for name in names}
    return errors


def _first_places(reader: RunReader, scoring: ScoringRecord, wanted: set[UnscoredReason]) -> dict[str, int]:
    """Where each reason is met first; the outcomes are read no further than that."""
    places: dict[str, int] = {}
    if wanted:
        for seq, _, kind, _, reason in reader.values(scoring):
            if kind == UNSCORED_TYPE and reason in wanted and reason not in places:
                places[str(reason)] = seq
                if len(places) == len(wanted):
                    break
    return places


def _error(reader: RunReader, scoring: ScoringRecord, seq: int) -> str | None:
    """What the scorer said, or else the model."""
    for row in reader.outcomes(scoring, [seq]):
        if isinstance(row.outcome, Unscored) and row.outcome.error:
            return row.outcome.error
    for sample in reader.samples([seq]):
        if sample.output is None and sample.extra.get("error"):
            return str(sample.extra["error"])
    return None
