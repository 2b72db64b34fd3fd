"""accuracy and mean: what they read, which interval they choose, what unscored samples do."""

# mypy: disable-error-code="operator"
# (a reason or an end of an interval may be None, and then the test fails as it should)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.core.estimate import Counts
from steelyard.core.score import SampleScore, Score, Unscored, value_to_float
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UndefinedMetric
from steelyard.metrics import accuracy, mean, stderr
from steelyard.stats import clustered_proportion, clustered_t, t_interval, wilson


def column(values, clusters=None, **options):
    labels = None if clusters is None else {"g": clusters}.__getitem__
    return ScoredColumn("s", values, labels=labels, cluster=None if clusters is None else "g", **options)


def ends(estimate):
    return [estimate.value, estimate.low, estimate.high, estimate.n, estimate.method]


def test_the_examples_of_the_page():
    assert accuracy()(["C", "I"]) == 0.5
    assert accuracy()([Score("C"), Score("P"), Score("N"), Score("I")]) == 0.375
    assert stderr()([Score(1.0), 0, True]) == pytest.approx(1 / 3)
    assert mean()([SampleScore(Score(0.25), 1), SampleScore(Score("C"), 2)]) == 0.625


def test_the_unscored_are_left_out_of_a_direct_call():
    assert accuracy()([Score("C"), Unscored("timeout"), Score("I")]) == 0.5


@pytest.mark.parametrize(
    "values", [["C", "I", "I"], [True, False, False], [1, 0, 0], [1.0, 0.0, 0.0], ["yes", "no", "0"]]
)
@pytest.mark.parametrize("metric", [accuracy(), mean()])
def test_zeros_and_ones_get_wilson(metric, values):
    assert ends(metric.estimate(column(values))) == pytest.approx(ends(wilson(1, 3)))


@pytest.mark.parametrize("values", [["C", "P", "I"], [0.0, 0.5, 1.0], [True, 0.5, "I"]])
def test_other_values_get_t(values):
    found = accuracy().estimate(column(values, range=(0.0, 1.0)))
    assert found.method == "t"
    assert (found.low, found.high) == (0.0, 1.0)  # the t interval reaches beyond what values can be


def test_grades_have_a_range_undeclared():
    found = accuracy().estimate(column(["C", "P", "I"]))
    assert (found.low, found.high) == (0.0, 1.0)


def test_a_declared_range_says_that_zeros_and_ones_are_counts():
    assert mean().estimate(column([0, 1, 1, 0], range=(0.0, 10.0))).method == "t"


def test_clusters():
    clusters = ["a", "a", "b", "b", "c", "c"]
    shares = [1, 1, 0, 1, 0, 0]
    values = [0.5, 0.75, 0.25, 0.0, 0.5, 2.0]
    assert ends(accuracy().estimate(column(shares, clusters))) == ends(clustered_proportion(shares, clusters))
    assert ends(mean().estimate(column(values, clusters))) == ends(clustered_t(values, clusters))
    letters = ["C" if one else "I" for one in shares]
    assert ends(mean().estimate(column(letters, clusters))) == ends(clustered_proportion(shares, clusters))


def test_a_missing_cluster_column_costs_the_interval_and_not_the_mean():
    found = mean().estimate(ScoredColumn("s", [0.0, 1.0, 0.5], cluster="topic"))
    assert (found.value, found.low) == (0.5, None)
    assert "no column 'topic'" in found.reason


def test_a_level_is_kept():
    assert accuracy().estimate(column(["C", "I"]), level=0.8).level == 0.8


@given(st.lists(st.sampled_from(["C", "I", "P", "N", True, False]), min_size=1))
def test_counts_of_distinct_values_say_the_same_as_rows(values):
    counted: dict[str | bool, int] = {}
    for value in values:
        counted[value] = counted.get(value, 0) + 1
    rows, distinct = column(values), ScoredColumn("s", [], distinct=counted, counts=column(values).counts)
    assert len(distinct) == len(values)
    assert accuracy().estimate(rows) == accuracy().estimate(distinct)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.permutations(range(30)))
def test_order_does_not_matter(values, order):
    shuffled = [values[i] for i in order if i < len(values)]
    assert mean()(values) == pytest.approx(mean()(shuffled))


def test_to_float_is_asked():
    assert accuracy(value_to_float(correct="A", incorrect="B"))(["A", "B", "A", "A"]) == 0.75
    assert accuracy(len)(["ab", "abcd"]) == 3
    assert accuracy(lambda value: 2.0 if value is True else 0.5)([True, 1, 1]) == 1.0


@pytest.mark.parametrize("values", [["C", "maybe"], [1.0, {"a": 1}], [[1]], [None, 1.0], [float("nan")], [10**400]])
def test_a_value_that_is_no_number_makes_the_figure_undefined(values):
    with pytest.raises(UndefinedMetric):
        mean()(values)
    found = mean().estimate(column(values))
    assert found.value is None
    assert found.reason
    assert not found.method.startswith("custom")


def test_no_values():
    with pytest.raises(UndefinedMetric, match="no values"):
        accuracy()([])


# Unscored samples


def test_bounds_stand_beside_the_mean_where_samples_are_unscored():
    counts = Counts(attempted=10, scored=4, unscored={"timeout": 6})
    found = accuracy().estimate(column(["C", "C", "C", "I"], counts=counts))
    assert found.value == 0.75
    assert (found.worst, found.best) == pytest.approx((0.3, 0.9))


@pytest.mark.parametrize(("higher", "worst", "best"), [(True, 1.25, 3.75), (False, 3.75, 1.25)])
def test_bounds_know_the_direction(higher, worst, best):
    counts = Counts(attempted=4, scored=2, unscored={"no_output": 2})
    found = mean().estimate(column([2.0, 3.0], counts=counts, range=(0.0, 5.0), higher_is_better=higher))
    assert (found.worst, found.best) == (worst, best)


def test_no_bounds_without_a_range_nor_once_epochs_are_reduced():
    unscored = Counts(attempted=3, scored=2, unscored={"timeout": 1})
    assert mean().estimate(column([17.0, 40.0], counts=unscored)).worst is None
    epochs = Counts(attempted=6, scored=5, unscored={"timeout": 1})
    assert accuracy().estimate(column([True, False], counts=epochs)).worst is None
    assert accuracy().estimate(column([True, False])).worst is None


def test_when_nothing_is_scored_the_bounds_are_the_range():
    found = mean().estimate(column([], counts=Counts(attempted=2, unscored={"timeout": 2}), range=(0.0, 1.0)))
    assert (found.value, found.worst, found.best) == (None, 0.0, 1.0)


def test_a_to_float_that_knows_no_more_than_the_values_costs_the_bounds_alone():
    table = {"C": 1.0}
    counts = Counts(attempted=3, scored=2, unscored={"timeout": 1})
    found = accuracy(table.__getitem__).estimate(column(["C", "C"], counts=counts))
    assert (found.value, found.worst) == (1.0, None)


def test_means_of_many_values_are_exact():
    values = list(np.random.default_rng(0).random(5000))
    assert ends(mean().estimate(column([float(v) for v in values]))) == ends(t_interval(values))
