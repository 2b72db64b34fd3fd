"""Columns and ScoreColumns: a chunk of samples, and what a scorer says of it, column by column."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.score import Outcome, Score, Unscored, UnscoredReason, Value

__all__ = ["ALIASES", "CANONICAL", "Columns", "Detail", "ScoreColumns", "as_text", "canonical_of"]

CANONICAL = ("id", "input", "target", "output", "context", "choices")
"""The columns that have a meaning; every other one is metadata."""

ALIASES: dict[str, tuple[str, ...]] = {
    "input": ("prompt", "question", "query"),
    "target": ("expected", "reference", "answer", "label", "ground_truth"),
    "output": ("prediction", "response", "completion", "candidate"),
}
"""Other names by which a canonical column is recognised, in order of preference."""


def canonical_of(name: str) -> str | None:
    """The canonical column that a name means: itself, or the one that it is an alias of.

    >>> canonical_of("ground_truth"), canonical_of("output"), canonical_of("colour")
    ('target', 'output', None)
    """
    if name in CANONICAL:
        return name
    return next((canonical for canonical, others in ALIASES.items() if name in others), None)


class Columns:
    """A chunk of samples as columns of equal length.

    ``data`` maps a column's name to its cells. Canonical names (`CANONICAL`) are there beside the names that the
    columns have in the source, as the same list objects.

    Args:
        data: Name to list of cells.
        n: Number of rows.
        start: The number of rows of the source before this chunk.
        ids: The samples' ids, once they are known.
        epochs: The epoch of each row, counted from 1; None when every sample appears once.
        outputs: What a live model gave for each row, with usage and latency; None for recorded outputs.
    """

    __slots__ = ("_cache", "data", "epochs", "ids", "n", "outputs", "start")

    def __init__(  # noqa: PLR0917  a plain record of parallel columns
        self,
        data: Mapping[str, list[Any]],
        n: int,
        start: int = 0,
        ids: list[str] | None = None,
        epochs: list[int] | None = None,
        outputs: "list[Any] | None" = None,
    ) -> None:
        self.data = data
        self.n = n
        self.start = start
        self.ids = ids
        self.epochs = epochs
        self.outputs = outputs
        self._cache: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return self.n

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def __getitem__(self, name: str) -> list[Any]:
        return self.data[name]

    def texts(self, name: str) -> list[str]:
        """The cells of a column as text; what is no text is written as JSON. The same list when all are text."""
        cached = self._cache.get(name)
        if cached is None:
            cells = self.data[name]
            cached = cells if _all_text(cells) else [as_text(cell) for cell in cells]
            self._cache[name] = cached
        return cached

    def references(self, name: str = "target") -> list[str | tuple[str, ...]]:
        """The cells of the target column: a text each, or a tuple of texts where several are acceptable."""
        key = f"{name}[]"
        cached = self._cache.get(key)
        if cached is None:
            cells = self.data[name]
            cached = cells if _all_text(cells) else [_reference(cell) for cell in cells]
            self._cache[key] = cached
        return cached

    def row(self, i: int) -> dict[str, Any]:
        """Row ``i`` as a dict."""
        return {name: cells[i] for name, cells in self.data.items()}

    def take(self, rows: Sequence[int]) -> "Columns":
        """Only these rows, in this order."""
        return Columns(
            {name: [cells[i] for i in rows] for name, cells in self.data.items()},
            len(rows),
            self.start,
            None if self.ids is None else [self.ids[i] for i in rows],
            None if self.epochs is None else [self.epochs[i] for i in rows],
            None if self.outputs is None else [self.outputs[i] for i in rows],
        )


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one outcome beside its value, answer and reason."""

    explanation: str | None = None
    metadata: dict[str, Any] | None = None
    error: str | None = None


class ScoreColumns:
    """What one scorer says of a chunk: columns, from which outcomes are made on demand.

    Args:
        values: The value of each row; None where the row is unscored.
        answers: The extracted answer of each row, or None when the scorer extracts nothing.
        reasons: Row to reason: of a row without a value why it is unscored, of one with a value a note beside it.
        details: Row to explanation, metadata or error, where there is any.

    >>> columns = ScoreColumns(["C", None], ["42", None], {1: "no_output"})
    >>> list(columns)
    [Score(value='C', answer='42', explanation=None, metadata=None, reason=None), Unscored('no_output')]
    """

    __slots__ = ("answers", "details", "reasons", "values")

    def __init__(
        self,
        values: list[Any],
        answers: list[str | None] | None = None,
        reasons: dict[int, str] | None = None,
        details: dict[int, Detail] | None = None,
    ) -> None:
        self.values = values
        self.answers = answers
        self.reasons = {} if reasons is None else reasons
        self.details = {} if details is None else details

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Outcome]:
        return (self.outcome(i) for i in range(len(self.values)))

    def outcome(self, i: int) -> Outcome:
        """The outcome of row ``i``."""
        value: Value | None = self.values[i]
        detail = self.details.get(i)
        if value is None:
            reason = self.reasons.get(i, "malformed")
            return Unscored(_unscored(reason), detail.error if detail else None)
        return Score(
            value,
            self.answers[i] if self.answers is not None else None,
            detail.explanation if detail else None,
            detail.metadata if detail else None,
            self.reasons.get(i),
        )

    @classmethod
    def of(cls, outcomes: Sequence[Outcome]) -> "ScoreColumns":
        """Columns from outcomes."""
        columns = cls([None] * len(outcomes), [None] * len(outcomes))
        for i, outcome in enumerate(outcomes):
            columns.put(i, outcome)
        return columns

    def put(self, i: int, outcome: Outcome) -> None:
        """Write one outcome into row ``i``."""
        if isinstance(outcome, Unscored):
            self.values[i] = None
            self.reasons[i] = outcome.reason
            if outcome.error is not None:
                self.details[i] = Detail(error=outcome.error)
            return
        self.values[i] = outcome.value
        if outcome.answer is not None:
            if self.answers is None:
                self.answers = [None] * len(self.values)
            self.answers[i] = outcome.answer
        if outcome.reason is not None:
            self.reasons[i] = outcome.reason
        if outcome.explanation is not None or outcome.metadata is not None:
            self.details[i] = Detail(outcome.explanation, outcome.metadata)

    def spread(
        self, rows: Sequence[int], n: int, reason: UnscoredReason | Mapping[int, UnscoredReason]
    ) -> "ScoreColumns":
        """These columns' rows at ``rows`` among ``n``; every other row is unscored for ``reason``."""
        wide = ScoreColumns([None] * n, None if self.answers is None else [None] * n)
        kept = set(rows)
        for i in range(n):
            if i not in kept:
                wide.reasons[i] = reason if isinstance(reason, str) else reason[i]
        for here, there in enumerate(rows):
            wide.values[there] = self.values[here]
            if self.answers is not None and wide.answers is not None:
                wide.answers[there] = self.answers[here]
            if here in self.reasons:
                wide.reasons[there] = self.reasons[here]
            if here in self.details:
                wide.details[there] = self.details[here]
        return wide


def as_text(cell: Any) -> str:
    """A cell as text: text as it is, whole numbers and the like by their JSON."""
    if isinstance(cell, str):
        return cell
    try:
        return msgspec.json.encode(cell).decode()
    except (TypeError, ValueError):
        return str(cell)


def _reference(cell: Any) -> str | tuple[str, ...]:
    if isinstance(cell, list | tuple):
        return tuple(as_text(item) for item in cell)
    return as_text(cell)


def _all_text(cells: list[Any]) -> bool:
    return set(map(type, cells)) <= {str}


def _unscored(reason: str) -> UnscoredReason:
    return reason  # type: ignore[return-value]  # written by us alone: the union of the literals
