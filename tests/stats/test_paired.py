"""The difference of two runs."""

# mypy: disable-error-code="operator"
# (an end of an interval may be None, and a comparison with None would fail the test as it should)

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.stats import paired_t

pairs = st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=2, max_size=25)


def test_as_published_by_student():
    """Student (1908): sleep gained by ten patients under two drugs; limits as R's paired t.test gives them."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = paired_t(second, first)
    assert found.value == pytest.approx(1.58)
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)
    assert (found.n, found.method) == (10, "paired t")


@given(pairs)
def test_agrees_with_scipy(rows):
    a, b = np.array(rows).T
    found = paired_t(a, b)
    if found.low is None:
        assert found.reason
        return
    reference = scipy.stats.ttest_rel(a, b).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), rel=1e-6, abs=1e-6)


@given(pairs)
def test_changing_sides_changes_the_sign(rows):
    a, b = np.array(rows).T
    there, back = paired_t(a, b), paired_t(b, a)
    assert there.value == pytest.approx(-back.value)
    if there.low is not None:
        assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


@given(pairs, st.data())
def test_what_both_runs_share_cancels(rows, data):
    a, b = np.array(rows).T
    shared = np.array(data.draw(st.lists(st.integers(-50, 50), min_size=len(a), max_size=len(a))))
    plain, moved = paired_t(a, b), paired_t(a + shared, b + shared)
    assert plain.value == pytest.approx(moved.value, abs=1e-9)


def test_differences_may_be_given_themselves():
    assert paired_t([0.4, -0.1, 0.2]) == paired_t([0.5, 0.0, 1.2], [0.1, 0.1, 1.0]) or paired_t(
        [0.4, -0.1, 0.2]
    ).value == pytest.approx(paired_t([0.5, 0.0, 1.2], [0.1, 0.1, 1.0]).value)


def test_clusters_widen_what_they_share():
    clusters = np.repeat(np.arange(8), 6)
    rng = np.random.default_rng(4)
    differences = rng.normal(size=8)[clusters] + 0.1 * rng.normal(size=48)
    found = paired_t(differences, clusters=clusters)
    assert (found.n, found.method) == (8, "clustered paired t")
    assert found.stderr > 2 * paired_t(differences).stderr


def test_runs_that_do_not_differ_have_no_interval():
    found = paired_t([1, 0, 1], [1, 0, 1])
    assert (found.value, found.low) == (0.0, None)
    assert found.reason == "all 3 differences are equal, so their spread does not tell the error"


def test_pairs_need_equal_lengths():
    with pytest.raises(UsageError, match="got 2 and 3"):
        paired_t([1, 2], [1, 2, 3])


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_covers():
    rng = np.random.default_rng(15)
    hits = []
    for _ in range(3000):
        hard = rng.normal(size=30)
        found = paired_t(hard + rng.normal(0.2, 0.5, 30), hard + rng.normal(0, 0.5, 30))
        hits.append(found.low <= 0.2 <= found.high)
    assert np.mean(hits) == pytest.approx(0.95, abs=0.013)
