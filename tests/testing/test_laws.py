"""check_scorer: it passes what keeps the laws, and names the law and the text where one is broken."""

import asyncio
import itertools

import pytest

from steelyard import Score, ScoreColumns, Scorer, Target, scorer
from steelyard.scorers import exact_match
from steelyard.scoring.form import Pair
from steelyard.testing import HOSTILE_TEXTS, check_scorer


@scorer(
    needs=("output", "target"),
    range=(0, 1),
    columns=lambda c: ScoreColumns([float(o == "Paris") for o in c.texts("output")]),
)
def kernel_and_function(output, target):
    return float(output == "Paris")


@scorer(needs=("output", "target"), columns=lambda c: ScoreColumns([0.0] * c.n))
def kernel_differs(output, target):
    return float(output == "42")


@scorer(needs=("output", "target"), columns=lambda c: 1 / 0)
def kernel_raises(output, target):
    return 1.0


@scorer(needs=("output", "target"), columns=lambda c: ScoreColumns([1.0] * c.n))
def kernel_of_another_type(output, target):
    return 1


@scorer(range=(0, 1))
def out_of_range(prediction, expected):
    return len(prediction)


def no_value(prediction, expected):
    return None


def raises(prediction, expected):
    return float(prediction)


counter = itertools.count()


def changes(prediction, expected):
    return next(counter)


class Forgetful(Scorer):
    """What comes out of a pickle is not what went in."""

    limit: int = 3

    def score(self, output):
        return len(output) > self.limit

    def __reduce__(self):
        return Forgetful, ()


class OfRows:
    name = "of_rows"

    def run_batch(self, candidates, references, inputs, contexts):
        return [float(c == r) for c, r in zip(candidates, references, strict=True)]


@scorer
def of_states() -> Scorer:
    async def score(state, target):
        return Score("C" if state.output.completion in target else "I")

    return score  # type: ignore[return-value]


@scorer
def of_pairs() -> Scorer:
    async def score(output, target):
        await asyncio.sleep(0)
        return output == target

    return Pair(score)  # type: ignore[return-value]


@pytest.mark.parametrize(
    "good",
    [
        kernel_and_function,
        exact_match,
        "exact_match",
        lambda prediction, expected: prediction == expected,
        lambda output, target: len(output) + len(target),
        lambda text: text.count("a"),
        lambda output, *, example: len(example),
        of_states(),
        of_pairs(),
        OfRows(),
    ],
)
def test_what_keeps_the_laws_passes(good):
    check_scorer(good)


@pytest.mark.parametrize(
    ("bad", "law"),
    [
        (raises, "raises for output='', target='Paris': ValueError"),
        (out_of_range, "leaves its declared range for output='Paris'"),
        (no_value, "returns what is no value for output=''"),
        (changes, "gives another outcome when asked again"),
        (kernel_differs, "gives another outcome alone|column kernel that differs"),
        (kernel_raises, "its column kernel raises: ZeroDivisionError"),
        (kernel_of_another_type, "column kernel that differs"),
        (Forgetful(limit=0), "unpickled, it is .* and no longer"),
    ],
)
def test_a_broken_law_is_named(bad, law):
    with pytest.raises(AssertionError, match=law):
        check_scorer(bad)


def test_further_columns_are_filled_or_given():
    def needs(output, colour, column):
        assert column == "mine"
        return colour == "a word"

    check_scorer(needs, columns={"column": "mine"})
    with pytest.raises(AssertionError):
        check_scorer(needs)


def test_the_texts_are_what_they_say():
    assert len(HOSTILE_TEXTS) == len(set(HOSTILE_TEXTS)) > 200
    assert "" in HOSTILE_TEXTS
    assert max(map(len, HOSTILE_TEXTS)) == 100_000
    assert any("\x00" in text for text in HOSTILE_TEXTS)
    assert any("\ud800" in text for text in HOSTILE_TEXTS)
    assert Target(list(HOSTILE_TEXTS)).text
