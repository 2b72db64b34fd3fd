"""Whatever a cell holds and whatever a scorer returns: every row has an outcome, and both stores give the same."""

import datetime as dt
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard import Score, Unscored
from steelyard.core.score import Outcome


class Unprintable:
    """An object of a user's that fails at any look."""

    def __str__(self) -> str:
        raise ValueError("no text")

    __repr__ = __str__


class Unspeakable(Exception):
    """An exception whose message fails."""

    def __str__(self) -> str:
        raise ValueError("no message")


def endless() -> dict[str, Any]:
    held: dict[str, Any] = {}
    held["self"] = held
    return held


def deep() -> Any:
    nested: Any = 1.0
    for _ in range(3000):
        nested = {"in": nested}
    return nested


CELLS: dict[str, Any] = {
    "array": np.array([1, 2]),
    "endless": endless(),
    "bytes": b"\xff",
    "date": dt.date(2020, 1, 1),
    "decimal": decimal.Decimal("1.5"),
    "surrogate": "\ud800",
    "nul": "a\0b",
    "huge integer": 10**400,
    "set": {1, 2},
    "unprintable": Unprintable(),
    "long": "x" * 1_000_000,
}

MISSING: dict[str, Any] = {
    "none": None,
    "nan": float("nan"),
    "numpy nan": np.float64("nan"),
    "nat": np.datetime64("NaT"),
}

MALFORMED: dict[str, Any] = {
    "endless": endless(),
    "deep": deep(),
    "huge integer": 10**400,
    "unprintable": Unprintable(),
    "one name for two keys": {"a.b": 1.0, "a": {"b": 0.0}},
    "one text for two keys": {1: 1.0, "1": 0.0},
    "no keys": {},
    "no items": [],
    "only NaN": {"a": float("nan")},
    "no such reason": Unscored("weird"),  # type: ignore[arg-type]
    "a list as reason": Unscored(["a"]),  # type: ignore[arg-type]
}


def both(tmp_path: Path, rows: list[dict[str, Any]], scorer: Any) -> list[Outcome]:
    """The outcomes, which are the same from memory, from the store, and from the store read again."""
    kept = steelyard.score(rows, scorer, store=tmp_path)
    again = steelyard.load(kept.id, store=tmp_path)
    inside = steelyard.score(rows, scorer, store=False)
    outcomes = [[row.outcome for row in run.outcomes()] for run in (inside, kept, again)]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert len(outcomes[0]) == len(rows)
    assert inside.counts == kept.counts == again.counts
    for run in (inside, again):
        assert repr(run)
    for counts in inside.counts.values():
        assert counts.attempted == counts.scored + sum(counts.unscored.values()) == len(rows)
    return outcomes[0]


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_any_cell_is_scored(tmp_path: Path, cell: Any) -> None:
    rows = [{"output": cell, "target": "a", "more": cell}, {"output": "a", "target": "a", "more": 1}]
    first, second = both(tmp_path, rows, "exact_match")
    assert isinstance(first, Score)
    assert second == Score(1.0)


@pytest.mark.parametrize("cell", MISSING.values(), ids=MISSING)
def test_a_missing_cell_is_missing_however_it_is_written(tmp_path: Path, cell: Any) -> None:
    rows = [{"output": cell, "target": "a"}, {"output": "a", "target": cell}]
    assert both(tmp_path, rows, "exact_match") == [Unscored("no_output"), Unscored("not_applicable")]


def test_cells_of_pandas_that_are_missing(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [{"output": cell, "target": "a"} for cell in (pandas.NA, pandas.NaT, "a")]
    assert both(tmp_path, rows, "exact_match")[:2] == [Unscored("no_output")] * 2


@pytest.mark.parametrize("value", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_score_is_counted(tmp_path: Path, value: Any) -> None:
    def odd(prediction: str, expected: str) -> Any:
        return value if prediction == "odd" else 1.0

    rows = [{"output": "odd", "target": "a"}, {"output": "a", "target": "a"}]
    first, second = both(tmp_path, rows, odd)
    assert isinstance(first, Unscored)
    assert first.reason == "malformed"
    assert first.error
    assert second == Score(1.0)


def test_scores_inside_a_dict_are_read_as_scores(tmp_path: Path) -> None:
    def parts(prediction: str, expected: str) -> Any:
        return {"good": Score(1.0, explanation="why"), "none": Unscored("not_applicable"), "plain": 0.5}

    (outcome,) = both(tmp_path, [{"output": "a", "target": "a"}], parts)
    assert outcome == Score({"good": 1.0, "none": None, "plain": 0.5})


def test_keys_that_are_all_none_are_no_score(tmp_path: Path) -> None:
    def nothing(prediction: str, expected: str) -> Any:
        return {"a": None, "b": {"c": None}}

    (outcome,) = both(tmp_path, [{"output": "a", "target": "a"}], nothing)
    assert outcome == Unscored("not_applicable", "every key of the score is None")


def test_what_stands_beside_a_value_is_text(tmp_path: Path) -> None:
    beside: Any = {"answer": [1, 2], "explanation": 42, "metadata": {1: "\ud800", "self": endless()}, "reason": 7}

    def odd(prediction: str, expected: str) -> Any:
        return Score(1.0, **beside)

    (outcome,) = both(tmp_path, [{"output": "a", "target": "a"}], odd)
    assert isinstance(outcome, Score)
    assert (outcome.answer, outcome.explanation, outcome.reason) == ("[1,2]", "42", "7")
    assert outcome.metadata is not None
    assert outcome.metadata["1"] == "\ud800"


@pytest.mark.parametrize(
    "error", [Unspeakable(), RecursionError(), MemoryError(), ValueError("\ud800"), StopIteration()]
)
def test_any_exception_is_an_outcome(tmp_path: Path, error: Exception) -> None:
    def fails(prediction: str, expected: str) -> float:
        raise error

    (outcome,) = both(tmp_path, [{"output": "a", "target": "a"}], fails)
    assert isinstance(outcome, Unscored)
    assert outcome.reason == "scorer_error"
    assert (outcome.error or "").startswith(type(error).__name__)
