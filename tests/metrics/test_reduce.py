"""The reducers, the lift through dicts and lists, and their names."""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.core.score import SampleScore, Score, Unscored, value_to_float
from steelyard.errors import UndefinedMetric, UnknownNameError, UsageError
from steelyard.metrics import (
    at_least,
    builtin_reducer,
    find_reducer,
    max_score,
    mean_score,
    median_score,
    mode_score,
    pass_at,
    pass_k,
    reduce_outcomes,
    reducer_name,
    score_reducer,
)

ALL = [mean_score(), median_score(), mode_score(), max_score(), at_least(1), pass_at(1), pass_k(1)]


@pytest.mark.parametrize("n", range(1, 9))
def test_pass_at_is_the_unbiased_formula(n):
    """Chen et al. (2021), equation 1, on the whole grid up to 8."""
    for c in range(n + 1):
        for k in range(1, n + 1):
            epochs = [True] * c + [False] * (n - c)
            expected = 1 - math.comb(n - c, k) / math.comb(n, k)
            assert pass_at(k)(epochs).value == pytest.approx(expected, abs=1e-15)
            assert pass_k(k)(epochs).value == pytest.approx(math.comb(c, k) / math.comb(n, k), abs=1e-15)


def test_pass_at_one_is_the_share_of_right_epochs():
    assert pass_at(1)([False, False, False, True, True, True]).value == 0.5


@given(st.lists(st.booleans(), min_size=2, max_size=12), st.data())
def test_pass_at_k_by_drawing_every_set_of_k(epochs, data):
    from itertools import combinations

    k = data.draw(st.integers(1, len(epochs)))
    draws = list(combinations(epochs, k))
    assert pass_at(k)(epochs).value == pytest.approx(sum(any(draw) for draw in draws) / len(draws))
    assert pass_k(k)(epochs).value == pytest.approx(sum(all(draw) for draw in draws) / len(draws))


def test_thousands_of_epochs_neither_overflow_nor_round():
    assert pass_at(100)([True] + [False] * 9999).value == pytest.approx(0.01, rel=1e-12)


@pytest.mark.parametrize("reducer", [pass_at(3), pass_k(3)])
def test_fewer_epochs_than_k_is_undefined(reducer):
    with pytest.raises(UndefinedMetric, match=r"needs k = 3 scored epochs; there are 2"):
        reducer(["C", "C"])


@pytest.mark.parametrize("k", [0, -1, 1.5, True, "2"])
@pytest.mark.parametrize("reducer", [at_least, pass_at, pass_k])
def test_k_is_a_whole_number_of_at_least_1(reducer, k):
    with pytest.raises(UsageError, match="at least 1"):
        reducer(k)


def test_values_and_their_reading():
    assert mean_score()(["C", "P"]).value == 0.75
    assert mean_score(value_to_float(correct="A", incorrect="B"))(["A", "B"]).value == 0.5
    assert median_score()([1, 4, 2, 3]).value == 2.5
    assert max_score()([Score("I"), Score("P"), Score("P")]).value == "P"
    assert at_least(2)([1.0, 0.0, 1.0]).value == 1.0
    assert at_least(3, value=0.5)([0.4, 0.5, 0.9]).value == 0.0
    assert mode_score()([1, True, True]).value is True
    assert mode_score()(["b", "a", "a", "b"]).value == "b"
    assert pass_at(2)([Score("C"), SampleScore(Score("I"))]).value == 1.0


def test_a_label_that_is_no_number_is_undefined():
    with pytest.raises(UndefinedMetric, match="'red'"):
        mean_score()(["red", "C"])


@pytest.mark.parametrize("reducer", ALL)
def test_dicts_by_key_lists_by_place_to_any_depth(reducer):
    a, b, c = [1, 0, 1], [0.5, 1, 0], ["C", "I", "I"]
    alone = [reducer(leaf).value for leaf in (a, b, c)]
    nested = [{"a": a[i], "in": {"b": b[i], "list": [c[i]]}} for i in range(3)]
    assert reducer(nested).value == {"a": alone[0], "in": {"b": alone[1], "list": [alone[2]]}}


@pytest.mark.parametrize("reducer", ALL)
def test_a_key_that_an_epoch_lacks_is_reduced_over_the_others(reducer):
    found = reducer([{"a": 1, "b": 0}, {"a": 1}, {"a": 1, "b": None}]).value
    assert found == {"a": reducer([1, 1, 1]).value, "b": reducer([0]).value}
    assert reducer([{"a": None}, {"a": None}]).value == {"a": None}
    assert reducer([[1, 0], [1]]).value == [reducer([1, 1]).value, reducer([0]).value]


def test_a_key_with_too_few_epochs_is_unscored_and_the_others_stand():
    assert pass_at(2)([{"a": 1, "b": 1}, {"a": 0}]).value == {"a": 1.0, "b": None}


@pytest.mark.parametrize("values", [[1, {"a": 1}], [[1], {"a": 1}], ["C", ["C"]]])
def test_epochs_of_different_shapes_are_undefined(values):
    with pytest.raises(UndefinedMetric, match="different shapes"):
        mean_score()(values)


@pytest.mark.parametrize("reducer", ALL)
def test_one_epoch_reduces_to_its_number(reducer):
    assert find_reducer("mean")([reducer([0.0]).value]).value == 0.0
    assert find_reducer("mean")([reducer(["C"]).value]).value == 1.0


@pytest.mark.parametrize("reducer", ALL)
def test_what_all_epochs_agree_on_is_kept(reducer):
    first = Score("C", answer="42", explanation="same", metadata={"draw": 1})
    second = Score("C", answer="42", explanation="same", metadata={"draw": 2})
    found = reducer([first, second])
    assert (found.answer, found.explanation, found.metadata) == ("42", "same", None)


def test_unscored_epochs_are_left_out():
    assert mean_score()([Score("C"), Unscored("timeout")]).value == 1.0
    with pytest.raises(UndefinedMetric, match="no epoch is scored"):
        mean_score()([Unscored("timeout")])


def test_outcomes_reduce_to_an_outcome():
    timeout, right = Unscored("timeout", "30 s"), Score("C")
    assert reduce_outcomes(mean_score(), [timeout, right]) == Score(1.0)
    assert reduce_outcomes(mean_score(), [timeout, timeout]) == timeout
    found = reduce_outcomes(pass_at(2), [timeout, right])
    assert isinstance(found, Unscored)
    assert found.reason == "not_applicable"
    assert reduce_outcomes(mean_score(), []) == Unscored("no_output")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("mean", mean_score()),
        ("median", median_score()),
        ("mode", mode_score()),
        ("max", max_score()),
        ("at_least_2", at_least(2)),
        ("pass_at_12", pass_at(12)),
        ("pass_k_3", pass_k(3)),
        ("at_least:k=2,value=0.5", at_least(2, 0.5)),
    ],
)
def test_names(name, made):
    assert find_reducer(name) == made
    assert find_reducer(reducer_name(made)) == made
    assert builtin_reducer(reducer_name(made)) == made
    assert pickle.loads(pickle.dumps(made)) == made


def test_a_reducer_has_the_name_by_which_it_is_found():
    assert [reducer_name(one) for one in (at_least(2), pass_at(3), find_reducer(mode_score))] == [
        "at_least_2",
        "pass_at_3",
        "mode",
    ]
    assert builtin_reducer("mine") is None


@pytest.mark.parametrize("given", ["meen", "pass_at", "pass_at_0", "nothing_3", 7])
def test_what_is_no_reducer_is_an_error(given):
    with pytest.raises(UsageError):
        find_reducer(given)


def test_a_misspelt_name_is_guessed():
    with pytest.raises(UnknownNameError, match="Did you mean 'median'"):
        find_reducer("medain")


@score_reducer
def first_of(place: int = 0):
    def reduce(scores: list[Score]) -> Score:
        return scores[place]

    return reduce


@score_reducer(name="worst_of")
def least():
    return lambda scores: min(score.as_float() for score in scores)


def test_a_user_s_reducer():
    assert first_of(1)(["C", "I"]).value == "I"
    assert repr(first_of(1)) == "first_of(place=1)"
    assert find_reducer("first_of").name == "first_of"
    assert find_reducer("worst_of")(["C", 0.5]) == Score(0.5)
    assert find_reducer(lambda scores: scores[-1])([0.1, 0.2]).value == 0.2
    assert pickle.loads(pickle.dumps(first_of(1))) == first_of(1)
