"""Pairs: two runs side by side, sample by sample."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.core.estimate import Estimate
from steelyard.core.ports import RunReader
from steelyard.core.record import ScoringRecord
from steelyard.core.score import Score, value_to_float
from steelyard.errors import UndefinedMetric, UnknownNameError
from steelyard.metrics import find_reducer
from steelyard.results.outcomes import explode, read_outcomes
from steelyard.results.scored import higher_is_better
from steelyard.stats import paired_t

__all__ = ["PairedDifference", "paired_difference", "paired_differences"]


class PairedDifference(msgspec.Struct, frozen=True, kw_only=True):
    """How much two runs differ by one scorer.

    Args:
        scorer: The scorer, or ``scorer.key``.
        estimate: Mean of (candidate - baseline) over the samples that both scored.
        pairs: Those samples.
        only_baseline: Samples that only the baseline scored.
        only_candidate: Samples that only the candidate scored.
        higher_is_better: Direction.
    """

    scorer: str
    estimate: Estimate
    pairs: int
    only_baseline: int
    only_candidate: int
    higher_is_better: bool = True


def paired_differences(baseline: RunReader, candidate: RunReader, *, level: float = 0.95) -> list[PairedDifference]:
    """The difference by every scorer that both runs have."""
    shared = {scoring.name for scoring in baseline.scorings} & {scoring.name for scoring in candidate.scorings}
    found: list[PairedDifference] = []
    for scoring in candidate.scorings:
        if scoring.name in shared:
            found += paired_difference(baseline, candidate, scoring.name, level=level)
    return found


def paired_difference(
    baseline: RunReader, candidate: RunReader, scorer: str, *, level: float = 0.95
) -> list[PairedDifference]:
    """The difference by one scorer: one result, or one for each key of a dict score.

    Samples pair by id, never by position; a sample's epochs are averaged first. Where the candidate has a cluster
    column, the interval is clustered by it. Keys whose values are no numbers are left out.

    Raises:
        UnknownNameError: When a run has no such scorer.
    """
    left, right = _numbers(baseline, scorer), _numbers(candidate, scorer)
    scoring = _scoring(candidate, scorer)
    clusters = _clusters(candidate)
    results: list[PairedDifference] = []
    for key in (name for name in right if name in left):
        both = [sample for sample in right[key] if sample in left[key]]
        if not both:
            estimate = Estimate.undefined("no sample is scored in both runs", method="paired t")
        else:
            estimate = paired_t(
                [right[key][sample] for sample in both],
                [left[key][sample] for sample in both],
                clusters=None if clusters is None else [clusters[sample] for sample in both],
                level=level,
            )
        results.append(
            PairedDifference(
                scorer=key,
                estimate=estimate,
                pairs=len(both),
                only_baseline=len(left[key]) - len(both),
                only_candidate=len(right[key]) - len(both),
                higher_is_better=higher_is_better(scoring, key),
            )
        )
    return results


def _numbers(reader: RunReader, scorer: str) -> dict[str, dict[str, float]]:
    """Key to sample id to number, epochs averaged; keys with a value that is no number are left out."""
    scoring = _scoring(reader, scorer)
    outcomes = read_outcomes(reader, scoring)
    ids = reader.sample_ids()
    to_float = value_to_float()
    average = find_reducer("mean")
    keyed: dict[str, dict[str, float]] = {}
    for key, (members, _) in explode(scorer, outcomes).items():
        by_sample: dict[str, list[Any]] = {}
        for seq, value in members:
            by_sample.setdefault(ids[seq], []).append(value)
        try:
            keyed[key] = {
                sample: to_float(values[0] if len(values) == 1 else average([Score(v) for v in values]).value)
                for sample, values in by_sample.items()
            }
        except (UndefinedMetric, ValueError, TypeError):
            continue
    return keyed


def _clusters(reader: RunReader) -> dict[str, Any] | None:
    column = reader.record.cluster
    if column is None:
        return None
    cells: Sequence[Any] = reader.labels(column)
    return dict(zip(reader.sample_ids(), cells, strict=True))


def _scoring(reader: RunReader, scorer: str) -> ScoringRecord:
    for scoring in reader.scorings:
        if scoring.name == scorer:
            return scoring
    raise UnknownNameError.naming("scorer", scorer, [scoring.name for scoring in reader.scorings])
