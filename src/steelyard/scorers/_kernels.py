"""From pure text functions to what a scorer is made of: pairs and column kernels."""

from collections.abc import Callable, Sequence
from typing import Any

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.score import CORRECT, INCORRECT, Score
from steelyard.scoring.form import Pair

__all__ = ["letter_columns", "letter_score", "matching_pair", "value_kernel"]

Targets = str | Sequence[str]


def value_kernel(rows: Callable[..., list[Any]]) -> Callable[..., ScoreColumns]:
    """The kernel of a function scorer, from ``rows(outputs, targets, **options) -> values``."""

    def kernel(columns: Columns, **options: Any) -> ScoreColumns:
        return ScoreColumns(rows(columns.texts("output"), columns.references(), **options))

    return kernel


def matching_pair(
    match: Callable[[str, Targets], tuple[bool, str | None]],
    match_rows: Callable[[Sequence[str], Sequence[Targets]], tuple[list[bool], list[str | None]]],
) -> Pair:
    """The pair of a scorer that says whether an output matches its target, and what answer it read."""

    def score(output: str, target: Targets) -> Score:
        return letter_score(*match(output, target))

    def columns(columns: Columns) -> ScoreColumns:
        return letter_columns(*match_rows(columns.texts("output"), columns.references()))

    return Pair(score, columns)


def letter_score(matched: bool, answer: str | None) -> Score:
    """C or I, with the answer."""
    return Score(CORRECT if matched else INCORRECT, answer)


def letter_columns(matched: list[bool], answers: list[str | None]) -> ScoreColumns:
    """The same for a chunk."""
    return ScoreColumns([CORRECT if hit else INCORRECT for hit in matched], answers)
