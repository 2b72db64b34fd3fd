"""grouped and frequency: metrics that give several figures."""

# mypy: disable-error-code="operator"
# (a reason or an end of an interval may be None, and then the test fails as it should)

import pytest

from steelyard.core.score import SampleScore, Score
from steelyard.core.scored import ScoredColumn
from steelyard.errors import ColumnNotFoundError, UndefinedMetric, UsageError
from steelyard.metrics import accuracy, compute, find_metric, frequency, grouped, mean, metric, stderr
from steelyard.stats import average, wilson

TOPICS = ["law", "law", "tax", "tax", "tax"]
COLUMN = ScoredColumn("s", ["C", "I", "C", "C", "I"], labels={"topic": TOPICS, "one": ["all"] * 5}.__getitem__)
SCORES = [SampleScore(Score(v), i, {"topic": TOPICS[i]}) for i, v in enumerate(COLUMN.values)]


def test_every_group_has_its_interval():
    found = grouped(accuracy(), "topic").estimates(COLUMN)
    assert found == {"law": wilson(1, 2), "tax": wilson(2, 3), "all": wilson(3, 5)}
    assert list(compute([grouped("accuracy", "topic")], COLUMN)) == ["grouped.law", "grouped.tax", "grouped.all"]


def test_the_mean_over_groups_takes_the_groups_as_given():
    found = grouped(accuracy, "topic", all="groups").estimates(COLUMN)["all"]
    assert found == average([wilson(1, 2), wilson(2, 3)])


def test_no_figure_over_all():
    assert grouped(mean(), "topic", all=False)(SCORES) == {"law": 0.5, "tax": pytest.approx(2 / 3)}


def test_names_of_groups():
    found = grouped(mean(), "topic", name_template="topic {group_name}", all_label="every")(SCORES)
    assert list(found) == ["topic law", "topic tax", "every"]


def test_a_custom_metric_in_groups_and_several_figures():
    @metric
    def extremes():
        return lambda scores: {"n": len(scores), "ids": len({score.sample_id for score in scores})}

    assert grouped(extremes(), "topic", all=False)(SCORES) == {"law.n": 2, "law.ids": 2, "tax.n": 3, "tax.ids": 3}


def test_a_group_without_spread_has_no_value_of_its_own_and_costs_no_other():
    found = grouped(stderr(), "topic").estimates(COLUMN.take([0, 2, 3]))
    assert found["law"].value is None
    assert found["tax"].value == 0
    assert found["all"].reason


def test_what_goes_wrong():
    with pytest.raises(UndefinedMetric, match="called 'all'"):
        grouped(mean(), "one")([SampleScore(Score(1.0), 1, {"one": "all"})])
    with pytest.raises(ColumnNotFoundError, match="topic"):
        grouped(mean(), "topic")([1.0])
    with pytest.raises(UsageError, match="'samples', 'groups' or False"):
        find_metric({"grouped": {"metric": "mean", "group_key": "topic", "all": "every"}})
    assert "colour" in compute([grouped(mean(), "colour")], ScoredColumn("s", [1.0]))["grouped"].reason


def test_frequencies_tell_types_apart():
    assert frequency()(["1", 1, True, "1"]) == {"1": 0.5, "1 (int)": 0.25, "true": 0.25}


def test_frequencies_from_counts():
    counted = ScoredColumn("s", [], distinct={"a": 3, "b": 1})
    assert frequency().estimates(counted) == {"a": wilson(3, 4), "b": wilson(1, 4)}


def test_too_many_labels_are_none():
    with pytest.raises(UndefinedMetric, match="21 different values"):
        frequency()([str(i) for i in range(21)])
    with pytest.raises(UndefinedMetric, match="no values"):
        frequency()([])
