"""The decorator, the objects it makes, and the forms that a metric may have."""

import pickle
from typing import Any

import numpy as np
import pytest

from steelyard.core.estimate import Estimate
from steelyard.core.score import SampleScore, Score, Value, value_to_float
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UnknownNameError, UsageError
from steelyard.metrics import (
    Metric,
    accuracy,
    bootstrap_stderr,
    ci,
    find_metric,
    grouped,
    mean,
    metric,
    stderr,
)
from steelyard.scoring.decorate import scorer
from steelyard.scoring.spec import Spec

COLUMN = ScoredColumn("s", ["C", "I", "C", "C"], ids=["a", "b", "c", "d"])


@metric
def page_mean() -> Metric:
    """As the inspect_ai page writes it."""

    def over(scores: list[SampleScore]) -> Value:
        return np.mean([score.score.as_float() for score in scores]).item()

    return over


@metric
def older_form() -> Metric:
    def over(scores: list[Score]) -> float:
        return sum(score.as_float() for score in scores)

    return over


@metric("text_named")
def named_by_text(scale: float = 1.0):
    def over(scores):
        return scale * len(scores)

    return over


@metric(name="named")
def named_by_keyword():
    return lambda scores: {"first": scores[0].score.value, "ids": [score.sample_id for score in scores]}


@metric
class Longest:
    def __init__(self, least: int = 0):
        self.least = least

    def __call__(self, scores: list[SampleScore]) -> Value:
        return max(self.least, *(score.score.as_int() for score in scores))


def test_a_metric_of_the_page_takes_every_form_of_scores():
    assert page_mean()([0.5, Score("C"), SampleScore(Score(0.0), "a")]) == 0.5


def test_the_older_form_is_told_by_its_annotation():
    assert older_form()([SampleScore(Score("C")), 1, True]) == 3
    assert find_metric(lambda scores: type(scores[0]).__name__)([1]) == "SampleScore"


def test_an_annotation_in_text_is_read_too():
    def over(scores: "list[Score]") -> float:
        return scores[0].as_float()

    def unknown(scores: "list[NotHere.Score]") -> Any:  # type: ignore[name-defined]  # noqa: F821
        return scores[0].as_float()

    assert find_metric(over)([0.5]) == find_metric(unknown)([0.5]) == 0.5


def test_names():
    assert page_mean().name == "page_mean"
    assert named_by_text(2.0).name == "text_named"
    assert named_by_keyword().name == "named"
    assert find_metric("text_named:scale=3")([1, 2]) == 6
    assert find_metric({"Longest": {"least": 5}})([1, 2]) == 5


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        (accuracy(), "accuracy()"),
        (stderr(cluster="topic"), "stderr(cluster='topic')"),
        (bootstrap_stderr(500, seed=3), "bootstrap_stderr(num_samples=500, seed=3)"),
        (accuracy(value_to_float(correct="A")), "accuracy(to_float=value_to_float(correct='A'))"),
        (named_by_text(2.0), "text_named(scale=2.0)"),
        (grouped(mean(), "topic", all=False), "grouped(metric=mean(), group_key='topic', all=False)"),
    ],
)
def test_they_print_as_the_call_that_makes_them_and_pickle(made, shown):
    assert repr(made) == shown
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    assert repr(again) == shown


def test_defaults_are_left_out():
    assert ci(0.95, "t") == ci()
    assert ci().spec == Spec("ci")
    assert ci(0.9) != ci()


def test_they_are_frozen():
    with pytest.raises(AttributeError, match="frozen"):
        accuracy().name = "other"
    with pytest.raises(AttributeError, match="frozen"):
        del accuracy().name


def test_a_metric_of_a_function_s_inside_says_why_it_cannot_be_pickled():
    @metric
    def inside():
        return len

    with pytest.raises(pickle.PicklingError, match="cannot be imported"):
        pickle.dumps(inside())


def test_a_plain_function_pickles_by_its_place():
    made = find_metric(plain_function)
    assert pickle.loads(pickle.dumps(made)) == made
    assert repr(made) == "plain_function()"


def plain_function(scores: list[SampleScore]) -> float:
    return float(len(scores))


@pytest.mark.parametrize("given", [accuracy(), accuracy, page_mean(), page_mean])
def test_a_scorer_does_not_take_a_metric_for_its_function(given):
    @scorer(given)
    def half():
        async def score(state, target):
            return Score(0.5)

        return score

    assert half().name == "half"


@pytest.mark.parametrize(
    ("result", "figures"),
    [
        (0.5, {"": 0.5}),
        (True, {"": 1.0}),
        ("C", {"": 1.0}),
        (np.float64(0.25), {"": 0.25}),
        ({"low": 1, "high": {"mid": 2}}, {"low": 1.0, "high.mid": 2.0}),
        ([3, 4], {"0": 3.0, "1": 4.0}),
        (np.array([3.0, 4.0]), {"0": 3.0, "1": 4.0}),
        (float("nan"), {"": None}),
        ("unsure", {"": None}),
        (None, {"": None}),
        ({"a": 1, "b": None}, {"a": 1.0, "b": None}),
        ({}, {}),
    ],
)
def test_results_become_figures(result, figures):
    found = find_metric(lambda scores: result).estimates(COLUMN)
    assert {name: figure.value for name, figure in found.items()} == figures
    assert {figure.method for figure in found.values()} <= {"custom"}
    assert all(figure.reason for figure in found.values() if figure.value is None)


def test_a_metric_may_bring_its_own_interval():
    found = find_metric(lambda scores: Estimate(value=0.5, low=0.1, high=0.9, n=4, method="jackknife")).estimate(COLUMN)
    assert (found.low, found.method) == (0.1, "custom jackknife")


def test_estimate_is_for_one_figure():
    with pytest.raises(TypeError, match="several figures"):
        find_metric(lambda scores: {"a": 1}).estimate(COLUMN)


def test_metadata_are_looked_up_when_asked_for():
    asked = []

    def labels(name):
        asked.append(name)
        if name != "topic":
            raise KeyError(name)
        return ["law", "tax", "law", "tax"]

    column = ScoredColumn("s", [1, 2, 3, 4], ids=["a", "b", "c", "d"], labels=labels, columns=("topic",))

    def law(scores):
        assert "topic" in scores[0].sample_metadata
        assert scores[0].sample_metadata.get("colour", "none") == "none"
        assert dict(scores[1].sample_metadata) == {"topic": "tax"}
        return sum(s.as_float() for s in scores if s.sample_metadata["topic"] == "law")

    assert find_metric(law).estimate(column).value == 4
    assert asked.count("topic") == 1
    assert [s.sample_id for s in column.sample_scores()] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("given", ["acuracy", "page_mean:scale=2", {"stderr": {"clusters": "g"}}, 7, {"a": 1, "b": 2}])
def test_what_is_no_metric_is_an_error(given):
    with pytest.raises(UsageError):
        find_metric(given)


def test_a_misspelt_name_is_guessed():
    with pytest.raises(UnknownNameError, match="Did you mean 'accuracy'"):
        find_metric("acuracy")


def test_a_factory_that_returns_no_function_is_an_error():
    @metric
    def wrong():
        return 0.5

    with pytest.raises(TypeError, match="return a function of scores"):
        wrong()


def test_a_user_s_name_comes_before_a_built_in_s():
    shadowing = metric("frequency")(lambda: lambda scores: 42.0)
    try:
        assert find_metric("frequency")([1]) == 42.0
        assert shadowing().name == "frequency"
    finally:
        from steelyard.scoring import registry

        del registry._registered["metrics"]["frequency"]
    assert find_metric("frequency")(["a"]) == {"a": 1.0}


def test_a_metric_s_to_float_survives_json():
    for to_float in (value_to_float(correct="A", incorrect="B"), reads_length):
        made = accuracy(to_float)
        assert find_metric(made.spec.as_json())(["A", "B"]) == made(["A", "B"])
    with pytest.raises(UsageError, match="must be a function"):
        find_metric({"accuracy": {"to_float": "__import__('os')"}})


def reads_length(value: str) -> float:
    return float(len(value))
