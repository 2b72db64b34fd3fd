"""compute: every figure of a column, whatever a metric does."""

# mypy: disable-error-code="operator"
# (a reason or an end of an interval may be None, and then the test fails as it should)

import pytest

from steelyard.core.estimate import Counts
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UnscoredError, UsageError
from steelyard.metrics import accuracy, compute, grouped, mean, metric, stderr
from steelyard.stats import clustered_proportion, wilson

PARTLY = Counts(attempted=6, scored=4, unscored={"timeout": 1, "no_output": 1})
LETTERS = ["C", "I", "C", "C"]


def column(values=LETTERS, **options):
    return ScoredColumn("match", values, **options)


def test_names_specs_objects_and_functions_side_by_side():
    def share_of_c(scores):
        return sum(score.score.value == "C" for score in scores) / len(scores)

    found = compute(["accuracy", accuracy, mean(), {"stderr": {}}, {"ci": {"level": 0.8}}, share_of_c], column())
    assert list(found) == ["accuracy", "accuracy()", "mean", "stderr", "ci", "share_of_c"]
    assert found["accuracy"] == wilson(3, 4)
    assert found["ci"].level == 0.8
    assert (found["share_of_c"].value, found["share_of_c"].method, found["share_of_c"].low) == (0.75, "custom", None)


def test_two_metrics_of_one_name_are_told_apart():
    labels = {"topic": ["a", "a", "b", "b"]}.__getitem__
    found = compute([stderr(), stderr(cluster="topic")], column(labels=labels))
    assert list(found) == ["stderr", "stderr(cluster='topic')"]


def test_one_metric_s_failure_touches_no_other():
    def broken(scores):
        raise RuntimeError("no luck")

    found = compute([broken, "nothing", stderr(cluster="topic"), mean()], column())
    assert found["broken"].reason == "RuntimeError: no luck"
    assert found["broken"].method == "custom"
    assert "no metric 'nothing'" in found["nothing"].reason
    assert found["nothing"].method == "custom"
    assert "no column 'topic'" in found["stderr"].reason
    assert found["mean"].value == 0.75


def test_a_to_float_that_fails_fails_alone():
    found = compute([accuracy({"C": 1.0}.__getitem__), "mean"], column())
    assert "KeyError" in found["accuracy"].reason
    assert found["mean"].value == 0.75


# Unscored samples


def test_excluded_they_stand_beside_as_bounds():
    found = compute(["accuracy", "stderr"], column(counts=PARTLY))
    assert (found["accuracy"].value, found["accuracy"].worst) == (0.75, 0.5)
    assert found["accuracy"].best == pytest.approx(5 / 6)
    assert found["stderr"].worst is None


@pytest.mark.parametrize(
    "values", [LETTERS, [True, False, True, True], {"C": 3, "I": 1}, {True: 3, False: 1}], ids=repr
)
def test_counted_as_the_worst(values):
    distinct = values if isinstance(values, dict) else None
    given = column([] if distinct else values, counts=PARTLY, distinct=distinct)
    assert compute(["accuracy"], given, on_unscored="worst")["accuracy"] == wilson(3, 6)


def test_the_worst_of_a_declared_range_and_direction():
    low = column([3.0, 4.0], counts=Counts(attempted=3, scored=2, unscored={"timeout": 1}), range=(1.0, 5.0))
    assert compute(["mean"], low, on_unscored="worst")["mean"].value == pytest.approx(8 / 3)
    assert compute(["mean"], low.replace(higher_is_better=False), on_unscored="worst")["mean"].value == 4.0


def test_custom_metrics_see_the_worst_too():
    def how_many(scores):
        return len(scores)

    assert compute([how_many], column(counts=PARTLY), on_unscored="worst")["how_many"].value == 6


def test_without_a_range_the_worst_is_undefined():
    counts = Counts(attempted=3, scored=2, unscored={"timeout": 1})
    found = compute(["mean", "stderr"], column([17.0, 3.0], counts=counts), on_unscored="worst")
    assert found["mean"].value is None
    assert "give the scorer a range" in found["stderr"].reason


def test_once_epochs_are_reduced_the_worst_is_undefined():
    counts = Counts(attempted=8, scored=7, unscored={"timeout": 1})
    assert "epochs" in compute(["mean"], column(counts=counts), on_unscored="worst")["mean"].reason


def test_clusters_of_unscored_samples():
    clusters = {"g": ["a", "a", "b", "b"]}.__getitem__
    given = column(counts=PARTLY, labels=clusters, cluster="g")
    found = compute(["accuracy"], given, on_unscored="worst")["accuracy"]
    assert (found.value, found.low) == (0.5, None)
    assert "was not read" in found.reason
    known = given.replace(unscored_labels={"g": ["c", "c"]}.__getitem__)
    expected = clustered_proportion([1, 0, 1, 1, 0, 0], list("aabbcc"))
    assert compute(["accuracy"], known, on_unscored="worst")["accuracy"] == expected


def test_raised():
    with pytest.raises(UnscoredError, match=r"match: 2 of 6 outcomes are unscored \(1 timeout, 1 no_output\)"):
        compute(["accuracy"], column(counts=PARTLY), on_unscored="raise")
    assert compute(["accuracy"], column(), on_unscored="raise")["accuracy"].value == 0.75


# Intervals of custom metrics


@metric
def top(share: float = 0.5):
    def over(scores):
        values = sorted((score.as_float() for score in scores), reverse=True)
        return {"value": values[int(share * len(values))], "n": len(values)}

    return over


def test_custom_metrics_get_an_interval_on_request():
    values = [i / 50 for i in range(50)]
    found = compute([top(), "mean"], column(values), ci="bootstrap", resamples=200, seed=4)
    assert found["top.value"].low < found["top.value"].value < found["top.value"].high
    assert found["top.value"].method == "custom bootstrap (200 resamples, seed 4)"
    assert found["mean"].method == "t"
    assert found["top.n"].reason == "every resample gives the same figure"
    again = compute([top()], column(values), ci="bootstrap", resamples=200, seed=4)
    assert again["top.value"] == found["top.value"]


def test_a_metric_that_fails_on_a_resample_keeps_its_value():
    def picky(scores):
        if len({score.sample_id for score in scores}) < len(scores):
            raise ValueError("repeated")
        return 1.0

    found = compute([picky], column(ids=["a", "b", "c", "d"]), ci="bootstrap", resamples=10)["picky"]
    assert (found.value, found.low) == (1.0, None)
    assert "no interval by resampling" in found.reason


@pytest.mark.parametrize("options", [{"level": 95}, {"on_unscored": "drop"}, {"ci": "t"}])
def test_what_cannot_be(options):
    with pytest.raises(UsageError):
        compute(["mean"], column(), **options)


def test_groups_after_filling_need_the_labels_of_the_unscored():
    given = column(counts=PARTLY, labels={"g": list("abab")}.__getitem__)
    assert "was not read" in compute([grouped("mean", "g")], given, on_unscored="worst")["grouped"].reason
