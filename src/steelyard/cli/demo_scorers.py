"""The scorers of the demonstration: built-in ones, each for the questions of its kind, and one of five lines."""

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.scorers import choice, json_valid, match, rouge_l, token_f1
from steelyard.scoring.adapt import as_form
from steelyard.scoring.decorate import scorer
from steelyard.scoring.form import ScorerForm

__all__ = ["brief", "demo_scorers", "only"]


@scorer(range=(0, 1))
def brief(output: str) -> float:
    """1.0 up to ten words, and less the longer it gets."""
    return min(1.0, 10 / max(1, len(output.split())))


def demo_scorers() -> list[Any]:
    """The scorers, in the order of the table."""
    return [
        only("math", match(numeric=True)),
        only("choice", choice()),
        only("fact", token_f1),
        only("fact", rouge_l),
        only("extract", json_valid),
        brief,
    ]


def only(kind: str, built_in: Any) -> ScorerForm:
    """A built-in scorer that applies to the questions of one kind alone."""
    form = as_form(built_in)
    kernel: Any = form.body.kernel
    body = msgspec.structs.replace(form.body, kernel=partial(_of_kind, kind, kernel))
    # Another process could not rebuild it from its spec, which says nothing of the kind.
    return msgspec.structs.replace(form, body=body, metadata={**form.metadata, "kind": kind}, portable=False)


def _of_kind(kind: str, kernel: Callable[[Columns], ScoreColumns], columns: Columns) -> ScoreColumns:
    rows = [i for i, each in enumerate(columns["kind"]) if each == kind]
    return kernel(columns.take(rows)).spread(rows, columns.n, "not_applicable")
