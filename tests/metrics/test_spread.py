"""std, var, stderr, bootstrap_stderr and the intervals as metrics."""

import pytest

from steelyard.core.score import SampleScore, Score
from steelyard.core.scored import ScoredColumn
from steelyard.errors import ColumnNotFoundError, UndefinedMetric, UsageError
from steelyard.metrics import bootstrap_stderr, ci, ci_wilson, find_metric, std, stderr, var
from steelyard.stats import clustered_stderr

VALUES = [0.0, 1.0, 1.0, 0.5, 0.25, 1.0]
CLUSTERS = ["a", "a", "b", "b", "c", "c"]
SCORES = [SampleScore(Score(v), i, {"topic": c}) for i, (v, c) in enumerate(zip(VALUES, CLUSTERS, strict=True))]
COLUMN = ScoredColumn("s", VALUES, labels={"topic": CLUSTERS}.__getitem__)
IN_CLUSTERS = COLUMN.replace(cluster="topic")


@pytest.mark.parametrize("metric", [std(), var(), stderr(), bootstrap_stderr(), ci()])
@pytest.mark.parametrize("values", [[], [1.0]])
def test_too_little_data_is_undefined_and_never_0(metric, values):
    with pytest.raises(UndefinedMetric, match="no values|one value"):
        metric(values)


def test_a_cluster_is_read_from_the_samples():
    expected = clustered_stderr(VALUES, CLUSTERS).stderr
    assert stderr(cluster="topic")(SCORES) == pytest.approx(expected)
    assert stderr(cluster="topic").estimate(COLUMN).value == pytest.approx(expected)
    assert stderr().estimate(IN_CLUSTERS).value == pytest.approx(expected)
    assert stderr().estimate(IN_CLUSTERS).method == "clustered standard error"


def test_one_cluster_is_undefined():
    with pytest.raises(UndefinedMetric, match="one cluster"):
        stderr(cluster="g")([SampleScore(Score(v), sample_metadata={"g": 1}) for v in (0, 1)])


@pytest.mark.parametrize("scores", [[1.0, 0.0], [Score(1.0), Score(0.0)], [*SCORES, SampleScore(Score(1.0), 7, {})]])
def test_scores_without_the_cluster_are_an_error_that_says_so(scores):
    with pytest.raises(ColumnNotFoundError, match="give SampleScores whose sample_metadata has it"):
        stderr(cluster="topic")(scores)


def test_the_run_s_clusters_are_used_by_all():
    assert bootstrap_stderr(seed=2).estimate(IN_CLUSTERS).method == "clustered bootstrap (1000 resamples, seed 2)"
    assert ci().estimate(IN_CLUSTERS).method == "clustered t"
    assert ci(method="bootstrap").estimate(IN_CLUSTERS).method.startswith("clustered bootstrap")
    assert ci_wilson().estimate(IN_CLUSTERS).method == "clustered wilson"
    assert ci_wilson(cluster="topic").estimate(COLUMN) == ci_wilson().estimate(IN_CLUSTERS)


def test_an_interval_keeps_its_own_level():
    assert ci(0.5).estimate(COLUMN, level=0.95).level == 0.5


def test_a_bootstrap_repeats_itself():
    metric = bootstrap_stderr(200, seed=3)
    assert metric(VALUES) == metric(VALUES) != bootstrap_stderr(200, seed=4)(VALUES)
    assert metric(VALUES) == pytest.approx(stderr()(VALUES), rel=0.3)
    low, high = ci(method="bootstrap")(VALUES).values()
    assert 0 <= low < 0.625 < high <= 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: ci(95),
        lambda: find_metric({"ci": {"method": "normal"}}),
        lambda: ci(num_samples=1),
        lambda: ci_wilson(0),
        lambda: bootstrap_stderr(1),
    ],
)
def test_what_cannot_be(call):
    with pytest.raises(UsageError):
        call()


def test_wilson_is_for_shares():
    with pytest.raises(UndefinedMetric, match="17 is no share"):
        ci_wilson()([0.5, 17])
    assert ci_wilson()([0.5, 1.0])["upper"] <= 1


def test_to_float_must_be_a_function():
    with pytest.raises(UsageError, match="value_to_float"):
        find_metric({"std": {"to_float": "nothing"}})


def test_an_option_that_is_not_there_is_named():
    with pytest.raises(UsageError, match="Did you mean 'cluster'"):
        find_metric({"stderr": {"clusters": "topic"}})
