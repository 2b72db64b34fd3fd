"""From stored outcomes to scored columns: keys of dict scores exploded, epochs reduced."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from steelyard.core.estimate import Counts
from steelyard.core.ports import RunReader
from steelyard.core.record import UNSCORED_TYPE, ScoringRecord, decode_value
from steelyard.core.score import Score, UnscoredReason
from steelyard.core.scored import ScoredColumn
from steelyard.metrics import extremes
from steelyard.results.epochs import Epochs, Reducer, reduced
from steelyard.results.outcomes import Cell, Outcomes, explode, population, read_outcomes

__all__ = ["KeyScores", "Reducer", "higher_is_better", "scored_columns", "whole_column"]


class KeyScores(NamedTuple):
    """What metrics are computed from, what became of every outcome, and values before epochs are reduced."""

    column: ScoredColumn
    counts: Counts
    raw: Sequence[Any]


_JSON = 4


def scored_columns(reader: RunReader, scoring: ScoringRecord, reduce: Reducer | None) -> list[KeyScores]:
    """The scored columns of one scoring: one of its name, or one for each key of a dict or index of a list score.

    The counts in a column are those of its population: samples to which the scorer does not apply are left out, and
    where epochs are reduced, samples are counted. The counts beside it are of all outcomes.

    Args:
        reader: The run.
        scoring: The scoring.
        reduce: What makes one outcome of a sample's epochs; None where every sample has one.
    """
    if reduce is None:
        quick = _from_distinct(reader, scoring)
        if quick is not None:
            return [quick]
    outcomes = read_outcomes(reader, scoring)
    return [
        _key_scores(reader, scoring, reduce, outcomes, (name, members, counts))
        for name, (members, counts) in explode(scoring.name, outcomes).items()
    ]


def whole_column(reader: RunReader, scoring: ScoringRecord, reduce: Reducer | None) -> KeyScores:
    """The scores as they are, whatever their keys: what a custom metric over a dict score receives."""
    outcomes = read_outcomes(reader, scoring)
    return _key_scores(reader, scoring, reduce, outcomes, (scoring.name, outcomes.cells, outcomes.counts))


def _key_scores(
    reader: RunReader,
    scoring: ScoringRecord,
    reduce: Reducer | None,
    outcomes: Outcomes,
    part: tuple[str, list[Cell], Counts],
) -> KeyScores:
    name, members, counts = part
    ids = reader.sample_ids()
    seqs, values = [seq for seq, _ in members], [value for _, value in members]
    raw, absent, counted = values, outcomes.absent, population(counts)
    whole = _WholeScores(reader, scoring, members)
    scores: Callable[[], Sequence[Score]] = whole.read
    if reduce is not None:
        epochs = Epochs(ids, outcomes.absent, *_policy(reader, scoring, name, values))
        seqs, values, absent = reduced(members, epochs, reduce)
        unscored: dict[UnscoredReason, int] = {"no_output": len(absent)} if absent else {}
        counted = Counts(attempted=len(seqs) + len(absent), scored=len(seqs), unscored=unscored)
        scores = functools.partial(whole.reduced, epochs, reduce)
    column = ScoredColumn(
        name=name,
        values=values,
        ids=[ids[seq] for seq in seqs],
        labels=_labels(reader, seqs),
        counts=counted,
        range=scoring.range,
        cluster=reader.record.cluster,
        higher_is_better=higher_is_better(scoring, name),
        columns=reader.record.columns,
        unscored_labels=_labels(reader, absent),
        scores=scores,
    )
    return KeyScores(column, counts, raw)


def higher_is_better(scoring: ScoringRecord, name: str) -> bool:
    """The direction of a scorer, or of one key of it."""
    given = scoring.higher_is_better
    if isinstance(given, Mapping):
        return bool(given.get(name.removeprefix(f"{scoring.name}."), True))
    return bool(given)


def _policy(reader: RunReader, scoring: ScoringRecord, name: str, values: Sequence[Any]) -> tuple[bool, Any]:
    """Whether the unscored count as worst, and the worst value where it is known."""
    if reader.record.on_unscored != "worst" or not values:
        return False, None
    better = higher_is_better(scoring, name)
    ends = extremes(ScoredColumn(name, values, range=scoring.range, higher_is_better=better))
    return True, None if ends is None else ends[0]


def _labels(reader: RunReader, seqs: Sequence[int]) -> Callable[[str], Sequence[Any]]:
    def labels(column: str) -> Sequence[Any]:
        cells = reader.labels(column)
        return cells if len(cells) == len(seqs) else [cells[seq] for seq in seqs]

    return labels


def _from_distinct(reader: RunReader, scoring: ScoringRecord) -> KeyScores | None:
    """The column from counts of distinct values, where those are scalars and few, so that no row is read."""
    if reader.record.cluster is not None or reader.record.by:
        return None
    groups = reader.distinct(scoring)
    kinds = {kind for kind, *_ in groups}
    if not groups or _JSON in kinds or len(kinds - {UNSCORED_TYPE}) != 1:
        return None
    distinct: dict[Any, int] = {}
    reasons: dict[Any, int] = {}
    notes: dict[str, int] = {}
    for kind, cell, reason, n in groups:
        if kind == UNSCORED_TYPE:
            reasons[reason] = reasons.get(reason, 0) + n
            continue
        if reason is not None:
            notes[reason] = notes.get(reason, 0) + n
        value = decode_value(kind, cell)
        distinct[value] = distinct.get(value, 0) + n
    scored = sum(distinct.values())
    counts = Counts(attempted=scored + sum(reasons.values()), scored=scored, unscored=reasons, notes=notes)
    rows = _Rows(reader, scoring)
    column = ScoredColumn(
        name=scoring.name,
        values=_Lazy(scored, lambda: [value for _, value in rows.read().cells]),
        ids=_Lazy(scored, lambda: [rows.ids()[seq] for seq, _ in rows.read().cells]),
        labels=rows.labels,
        counts=population(counts),
        range=scoring.range,
        distinct=distinct,
        higher_is_better=higher_is_better(scoring, scoring.name),
        columns=reader.record.columns,
        unscored_labels=rows.unscored_labels,
        scores=rows.scores,
    )
    return KeyScores(column, counts, list(distinct))


class _WholeScores:
    """The scores of some outcomes with answer, explanation and metadata, read when a custom metric asks for them."""

    def __init__(self, reader: RunReader, scoring: ScoringRecord, members: Sequence[Cell]) -> None:
        self._reader = reader
        self._scoring = scoring
        self._members = members

    def read(self) -> list[Score]:
        """The score of each member, in order; of a key, with the key's value."""
        found = {
            row.seq: row.outcome for row in self._reader.outcomes(self._scoring, [seq for seq, _ in self._members])
        }
        return [msgspec.structs.replace(found[seq], value=value) for seq, value in self._members]

    def reduced(self, epochs: Epochs, reduce: Reducer) -> list[Score]:
        """The score of each sample, in the order of `reduced`."""
        places = [seq for seq, _ in self._members]
        groups = epochs.group(zip(places, self.read(), strict=True))
        made = (reduce(outcomes) for _, outcomes in groups.values())
        return [outcome for outcome in made if isinstance(outcome, Score)]


class _Rows:
    """The rows of a scoring, read when a metric asks for more than counts."""

    def __init__(self, reader: RunReader, scoring: ScoringRecord) -> None:
        self._reader = reader
        self._scoring = scoring
        self._outcomes: Outcomes | None = None

    def read(self) -> Outcomes:
        if self._outcomes is None:
            self._outcomes = read_outcomes(self._reader, self._scoring)
        return self._outcomes

    def ids(self) -> Sequence[str]:
        return self._reader.sample_ids()

    def scores(self) -> Sequence[Score]:
        return _WholeScores(self._reader, self._scoring, self.read().cells).read()

    def labels(self, column: str) -> Sequence[Any]:
        return _labels(self._reader, [seq for seq, _ in self.read().cells])(column)

    def unscored_labels(self, column: str) -> Sequence[Any]:
        return _labels(self._reader, self.read().absent)(column)


class _Lazy(Sequence[Any]):
    """A sequence that is read when first looked into."""

    def __init__(self, n: int, read: Callable[[], list[Any]]) -> None:
        self._n = n
        self._read = read
        self._items: list[Any] | None = None

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: Any) -> Any:
        if self._items is None:
            self._items = self._read()
        return self._items[index]
