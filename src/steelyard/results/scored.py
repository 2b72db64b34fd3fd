"""From stored outcomes to scored columns: keys of dict scores exploded, epochs reduced, absences counted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.core.estimate import Counts
from steelyard.core.ports import RunReader
from steelyard.core.record import UNSCORED_TYPE, ScoringRecord, decode_value
from steelyard.core.score import Outcome, Score, UnscoredReason
from steelyard.core.scored import ScoredColumn

__all__ = ["Cell", "Reducer", "explode", "higher_is_better", "outcome_cells", "scored_columns"]

Cell = tuple[int, Any]
"""(seq, value) of one scored outcome."""

MISSING: UnscoredReason = "not_applicable"


Reducer = Callable[[Sequence[Outcome]], Outcome]
"""Makes one outcome of a sample's epochs."""


def scored_columns(reader: RunReader, scoring: ScoringRecord, reduce: Reducer | None) -> list[ScoredColumn]:
    """The scored columns of one scoring: one of its name, or one for each key of a dict or index of a list score.

    Args:
        reader: The run.
        scoring: The scoring.
        reduce: What makes one outcome of a sample's epochs; None where every sample has one. The counts of reduced
            columns are of samples.
    """
    if reduce is None:
        quick = _from_distinct(reader, scoring)
        if quick is not None:
            return [quick]
    cells, counts = outcome_cells(reader, scoring)
    keyed = explode(scoring.name, cells, counts)
    ids = reader.sample_ids()
    columns: list[ScoredColumn] = []
    for name, (members, found) in keyed.items():
        key_counts = found
        seqs, values = [seq for seq, _ in members], [value for _, value in members]
        everyone: Sequence[int] = range(len(ids))
        if reduce is not None:
            everyone = _first_seqs(ids)
            seqs, values, key_counts = _reduced(seqs, values, ids, reduce)
        kept = set(seqs)
        columns.append(
            ScoredColumn(
                name=name,
                values=values,
                ids=[ids[seq] for seq in seqs],
                labels=_labels(reader, seqs),
                counts=key_counts,
                range=scoring.range,
                cluster=reader.record.cluster,
                higher_is_better=higher_is_better(scoring, name),
                columns=reader.record.columns,
                unscored_labels=_labels(reader, [seq for seq in everyone if seq not in kept and ids[seq]]),
            )
        )
    return columns


def higher_is_better(scoring: ScoringRecord, name: str) -> bool:
    """The direction of a scorer, or of one key of it."""
    given = scoring.higher_is_better
    if isinstance(given, Mapping):
        return bool(given.get(name.removeprefix(f"{scoring.name}."), True))
    return bool(given)


def outcome_cells(reader: RunReader, scoring: ScoringRecord) -> tuple[list[Cell], Counts]:
    """The scored outcomes as (seq, value), and the counts of all."""
    cells: list[Cell] = []
    reasons: dict[Any, int] = {}
    notes: dict[str, int] = {}
    attempted = 0
    for seq, _epoch, kind, cell, reason in reader.values(scoring):
        attempted += 1
        if kind == UNSCORED_TYPE:
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        if reason is not None:
            notes[reason] = notes.get(reason, 0) + 1
        cells.append((seq, decode_value(kind, cell)))
    return cells, Counts(attempted=attempted, scored=len(cells), unscored=reasons, notes=notes)


def explode(name: str, cells: Sequence[Cell], counts: Counts) -> dict[str, tuple[list[Cell], Counts]]:
    """Dict scores by dotted key and list scores by index; scalars under the scorer's own name.

    A key that a row lacks, or whose value there is None, is unscored for that row and that key alone.
    """
    keyed: dict[str, list[Cell]] = {}
    for seq, value in cells:
        if isinstance(value, Mapping | list):
            for key, member in _leaves(value):
                keyed.setdefault(f"{name}.{key}", []).append((seq, member))
        else:
            keyed.setdefault(name, []).append((seq, value))
    if not keyed:
        return {name: ([], counts)}
    return {key: (members, _counts_of(members, counts)) for key, members in keyed.items()}


def _counts_of(members: Sequence[Cell], counts: Counts) -> Counts:
    lacking = counts.scored - len(members)
    if not lacking:
        return counts
    unscored = {**counts.unscored, MISSING: counts.unscored.get(MISSING, 0) + lacking}
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


def _reduced(
    seqs: Sequence[int], values: Sequence[Any], ids: Sequence[str], reduce: Reducer
) -> tuple[list[int], list[Any], Counts]:
    """One value a sample, from the values of its epochs: (seqs, values, counts of samples)."""
    groups: dict[str, tuple[int, list[Outcome]]] = {}
    for seq, value in zip(seqs, values, strict=True):
        groups.setdefault(ids[seq], (seq, []))[1].append(Score(value))
    kept: list[int] = []
    reduced: list[Any] = []
    for first, scores in groups.values():
        outcome = reduce(scores)
        if isinstance(outcome, Score):
            kept.append(first)
            reduced.append(outcome.value)
    samples = len({name for name in ids if name})
    missing = samples - len(kept)
    unscored = {MISSING: missing} if missing else {}
    return kept, reduced, Counts(attempted=samples, scored=len(kept), unscored=unscored)


def _first_seqs(ids: Sequence[str]) -> list[int]:
    """The first row of every sample."""
    first: dict[str, int] = {}
    for seq, name in enumerate(ids):
        first.setdefault(name, seq)
    return list(first.values())


def _labels(reader: RunReader, seqs: Sequence[int]) -> Callable[[str], Sequence[Any]]:
    def labels(column: str) -> Sequence[Any]:
        cells = reader.labels(column)
        return cells if len(cells) == len(seqs) else [cells[seq] for seq in seqs]

    return labels


def _from_distinct(reader: RunReader, scoring: ScoringRecord) -> ScoredColumn | None:
    """The column from counts of distinct values, where those are scalars and few, so that no row is read."""
    if reader.record.cluster is not None or reader.record.by:
        return None
    distinct: dict[Any, int] = {}
    reasons: dict[Any, int] = {}
    notes: dict[str, int] = {}
    attempted = 0
    groups = reader.distinct(scoring)
    kinds = {kind for kind, *_ in groups}
    if not groups or 4 in kinds or len(groups) > 1000 or len(kinds - {UNSCORED_TYPE}) != 1:
        return None
    for kind, cell, reason, n in groups:
        attempted += n
        if kind == UNSCORED_TYPE:
            reasons[reason] = reasons.get(reason, 0) + n
            continue
        if reason is not None:
            notes[reason] = notes.get(reason, 0) + n
        value = decode_value(kind, cell)
        distinct[value] = distinct.get(value, 0) + n
    scored = sum(distinct.values())

    def cells() -> list[Cell]:
        return outcome_cells(reader, scoring)[0]

    return ScoredColumn(
        name=scoring.name,
        values=_LazyCells(cells, scored),
        ids=_LazyIds(reader, cells, scored),
        labels=_LazyLabels(reader, cells),
        counts=Counts(attempted=attempted, scored=scored, unscored=reasons, notes=notes),
        range=scoring.range,
        distinct=distinct,
        higher_is_better=higher_is_better(scoring, scoring.name),
        columns=reader.record.columns,
    )


class _LazyLabels:
    """The cells of a column for the scored rows, read when they are asked for."""

    def __init__(self, reader: RunReader, cells: Callable[[], list[Cell]]) -> None:
        self._reader = reader
        self._cells = cells

    def __call__(self, column: str) -> Sequence[Any]:
        return _labels(self._reader, [seq for seq, _ in self._cells()])(column)


class _Lazy(Sequence[Any]):
    """A sequence that is read when first looked into."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._items: list[Any] | None = None

    def _read(self) -> list[Any]:
        raise NotImplementedError

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: Any) -> Any:
        if self._items is None:
            self._items = self._read()
        return self._items[index]


class _LazyCells(_Lazy):
    def __init__(self, cells: Callable[[], list[Cell]], n: int) -> None:
        super().__init__(n)
        self._cells = cells

    def _read(self) -> list[Any]:
        return [value for _, value in self._cells()]


class _LazyIds(_Lazy):
    def __init__(self, reader: RunReader, cells: Callable[[], list[Cell]], n: int) -> None:
        super().__init__(n)
        self._reader = reader
        self._cells = cells

    def _read(self) -> list[Any]:
        ids = self._reader.sample_ids()
        return [ids[seq] for seq, _ in self._cells()]
