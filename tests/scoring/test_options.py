"""Options of a scorer that its factory would misread are refused."""

from typing import Any

import pytest

from steelyard import scorer, scorers
from steelyard.scoring.adapt import make_scorer

match: Any = scorers.match
f1: Any = scorers.f1


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: match(numeric="maybe"), "match: numeric is true or false, and 'maybe' is not"),
        (lambda: make_scorer("match:numeric=maybe"), "numeric is true or false"),
        (lambda: match().with_options(ignore_case=1), "ignore_case is true or false"),
        (lambda: f1("a", "a"), r"answer_fn is a function, and 'a' is not. To score one output: f1\(...\)\(output"),
        (lambda: match("a", "a"), r"To score one output: match\(...\)\(output, target\)"),
    ],
)
def test_a_value_of_another_kind_is_refused(call, told):
    with pytest.raises(TypeError, match=told):
        call()


def test_annotations_of_every_spelling_are_read():
    def maker(*, loud: bool = False, note: str | None = None, clean: "bool | None" = None) -> Any:
        async def score(state, target):
            return loud

        return score

    annotated: Any = scorer(name="_annotated")(maker)

    assert repr(annotated(loud=True, note="x", clean=None)) == "_annotated(loud=True, note='x')"
    for wrong in ({"loud": "yes"}, {"clean": "yes"}):
        with pytest.raises(TypeError, match="true or false"):
            annotated(**wrong)
