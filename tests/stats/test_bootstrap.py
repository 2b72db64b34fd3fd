"""The bootstrap: published numbers, closed forms, laws, and coverage by simulation."""

# mypy: disable-error-code="operator"
# (an end of an interval may be None, and a comparison with None would fail the test as it should)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.stats import bootstrap_mean, bootstrap_rows, clustered_stderr, mean_stderr

TREATED = [94, 197, 16, 38, 99, 141, 23]
CONTROL = [52, 104, 146, 10, 51, 30, 40, 27, 46]


@pytest.mark.parametrize(("values", "ideal"), [(TREATED, 23.36), (CONTROL, 13.33)])
def test_as_published_by_efron_and_tibshirani(values, ideal):
    """Efron and Tibshirani (1993), chapter 2, the mouse data: the plug-in standard error, B = infinity (table 2.2)."""
    found = bootstrap_mean(values, resamples=40_000, seed=5)
    assert found.stderr == pytest.approx(ideal, rel=0.02)
    assert found.value == pytest.approx(np.mean(values))


def test_both_ways_of_drawing_estimate_the_same_error():
    rng = np.random.default_rng(8)
    steps = np.round(rng.random(5000) * 10) / 10
    by_counts = bootstrap_mean(steps, resamples=4000, seed=1)
    # A little noise makes every value distinct, so each resample is drawn row by row.
    by_rows = bootstrap_mean(steps + rng.random(5000) * 1e-9, resamples=4000, seed=1)
    assert by_counts.stderr == pytest.approx(by_rows.stderr, rel=0.06)
    assert by_counts.low == pytest.approx(by_rows.low, abs=4e-4)
    assert by_counts.high == pytest.approx(by_rows.high, abs=4e-4)


@pytest.mark.parametrize("n", [50, 3000, 60_000])
def test_the_error_of_a_mean_is_its_closed_form(n):
    x = np.random.default_rng(n).normal(size=n)
    assert bootstrap_mean(x, resamples=1500).stderr == pytest.approx(mean_stderr(x).stderr, rel=0.08)


@pytest.mark.parametrize("binary", [True, False])
def test_clusters_are_drawn_whole(binary):
    rng = np.random.default_rng(9)
    clusters = np.repeat(np.arange(150), 8)
    x = rng.normal(size=150)[clusters] + rng.normal(size=1200)
    x = (x > 0).astype(float) if binary else x
    found = bootstrap_mean(x, clusters=clusters, resamples=3000)
    assert found.stderr == pytest.approx(clustered_stderr(x, clusters).stderr, rel=0.08)
    assert found.n == 150
    assert found.method == "clustered bootstrap (3000 resamples, seed 0)"


@given(st.lists(st.integers(0, 5), min_size=2, max_size=40), st.integers(0, 99))
def test_counts_say_the_same_as_the_values_written_out(values, seed):
    distinct, counts = np.unique(values, return_counts=True)
    assert bootstrap_mean(values, resamples=50, seed=seed) == bootstrap_mean(distinct, counts, resamples=50, seed=seed)


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=20), st.integers(0, 9))
def test_the_interval_lies_among_the_values(values, seed):
    found = bootstrap_mean(values, resamples=40, seed=seed)
    if found.low is None:
        assert found.reason
        return
    slack = 1e-9
    assert min(values) - slack <= found.low <= found.high <= max(values) + slack


def test_a_seed_gives_the_same_figure_and_is_recorded():
    x = np.random.default_rng(1).random(3000)
    first, again, other = (bootstrap_mean(x, resamples=100, seed=seed) for seed in (7, 7, 8))
    assert first == again
    assert first.stderr != other.stderr
    assert first.method == "bootstrap (100 resamples, seed 7)"


def test_a_continuous_column_is_not_taken_for_a_few_values():
    rng = np.random.default_rng(2)
    many = np.concatenate([np.zeros(70_000), rng.random(5000)])
    assert bootstrap_mean(many, resamples=300).stderr == pytest.approx(mean_stderr(many).stderr, rel=0.15)


def test_any_figure_can_be_resampled():
    x = np.random.default_rng(3).normal(size=80)
    by_rows = bootstrap_rows(lambda rows: float(x[rows].mean()), 80, resamples=2000)
    assert by_rows.value == pytest.approx(x.mean())
    assert by_rows.stderr == pytest.approx(mean_stderr(x).stderr, rel=0.1)


@pytest.mark.parametrize(
    "found",
    [
        bootstrap_mean([0.5]),
        bootstrap_mean([0.5, 0.5, 0.5]),
        bootstrap_mean([]),
        bootstrap_mean([1.0, 0.0], clusters=["a", "a"]),
        bootstrap_rows(lambda rows: 1.0, 1),
        bootstrap_rows(lambda rows: 1.0, 5, resamples=10),
    ],
)
def test_too_little_data_says_so(found):
    assert found.low is None
    assert found.reason


def test_what_cannot_be():
    with pytest.raises(UsageError, match="at least 2"):
        bootstrap_mean([1.0, 2.0], resamples=1)
    with pytest.raises(UsageError, match="between 0 and 1"):
        bootstrap_mean([1.0, 2.0], level=95)


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_the_percentile_interval_covers():
    rng = np.random.default_rng(14)
    hits = []
    for seed in range(800):
        found = bootstrap_mean(rng.exponential(size=80), resamples=400, seed=seed)
        hits.append(found.low <= 1 <= found.high)
    # Percentiles of a skewed mean fall a little short; a wrong resampling falls far short.
    assert 0.90 <= np.mean(hits) <= 0.97
