"""Scores in any form that a metric or reducer may be called with, in one form."""

from collections.abc import Callable, Sequence
from typing import Any

from steelyard.core.score import SampleScore, Score, Unscored
from steelyard.core.scored import ScoredColumn
from steelyard.errors import ColumnNotFoundError

__all__ = ["column_of", "sample_scores_of", "scores_of"]

Labels = Callable[[str], Sequence[Any]]


def sample_scores_of(scores: Sequence[Any]) -> list[SampleScore]:
    """SampleScores, Scores or plain values as SampleScores, without the unscored."""
    return [one if isinstance(one, SampleScore) else SampleScore(_score(one)) for one in scores if _scored(one)]


def scores_of(scores: Sequence[Any]) -> list[Score]:
    """SampleScores, Scores or plain values as Scores, without the unscored."""
    return [_score(one) for one in scores if _scored(one)]


def column_of(scores: Sequence[Any]) -> ScoredColumn:
    """SampleScores, Scores or plain values as a column, without the unscored."""
    kinds = set(map(type, scores))
    if not kinds & {SampleScore, Score, Unscored}:
        return ScoredColumn("scores", scores if isinstance(scores, list) else list(scores), labels=_labels_of(scores))
    if kinds == {SampleScore}:  # the usual case, without a call for each
        values, ids = [one.score.value for one in scores], [one.sample_id for one in scores]
        return ScoredColumn("scores", values, ids=ids, labels=_labels_of(scores))
    kept = [one for one in scores if _scored(one)]
    ids = [one.sample_id if isinstance(one, SampleScore) else None for one in kept]
    return ScoredColumn("scores", [_score(one).value for one in kept], ids=ids, labels=_labels_of(kept))


def _labels_of(scores: Sequence[Any]) -> Labels:
    """Columns out of the samples' metadata."""

    def labels(column: str) -> list[Any]:
        rows = [one.sample_metadata or {} if isinstance(one, SampleScore) else {} for one in scores]
        try:
            return [row[column] for row in rows]
        except KeyError:
            lacking = sum(column not in row for row in rows)
            known = sorted({name for row in rows for name in row})
            remedy = f"{lacking} of {len(rows)} scores lack it; give SampleScores whose sample_metadata has it."
            raise ColumnNotFoundError.naming(column, known, remedy) from None

    return labels


def _scored(one: Any) -> bool:
    return not isinstance(one, Unscored)


def _score(one: Any) -> Score:
    if isinstance(one, Score):
        return one
    return one.score if isinstance(one, SampleScore) else Score(one)
