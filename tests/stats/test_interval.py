"""Intervals: published numbers, an independent reference, laws, and coverage by simulation."""

# mypy: disable-error-code="operator"
# (an end of an interval may be None, and a comparison with None would fail the test as it should)

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.stats import (
    clustered_proportion,
    clustered_stderr,
    clustered_t,
    clustered_wilson,
    mean_stderr,
    normal_quantile,
    t_interval,
    t_quantile,
    variance,
    wilson,
    within,
)

numbers = st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=30)
levels = st.floats(0.5, 0.999)


# Published numbers


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published_by_newcombe(successes, n, low, high):
    """R. G. Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3."""
    found = wilson(successes, n)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_t_as_published_by_student():
    """Student (1908), Biometrika 6, section IX: hours of sleep gained; limits as R's t.test gives them."""
    gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    found = t_interval(gained)
    assert found.value == pytest.approx(1.58)
    assert found.value / found.stderr == pytest.approx(4.0621, abs=5e-5)
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)


@pytest.mark.parametrize(("df", "t"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (29, 2.045), (120, 1.980)])
def test_t_quantiles_as_in_the_tables(df, t):
    """Fisher and Yates, Statistical Tables, table III, two-sided 5%."""
    assert t_quantile(0.95, df) == pytest.approx(t, abs=5e-4)


# A reference


@given(numbers, levels)
def test_t_agrees_with_scipy(values, level):
    found = t_interval(values, level=level)
    if found.low is None:
        assert len(set(values)) == 1
        return
    low, high = scipy.stats.t.interval(level, len(values) - 1, np.mean(values), scipy.stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-9 * max(map(abs, values)))


@given(st.integers(1, 500), st.data(), levels)
def test_wilson_agrees_with_scipy(n, data, level):
    successes = data.draw(st.integers(0, n))
    found = wilson(successes, n, level=level)
    reference = scipy.stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    assert (found.low, found.high) == pytest.approx((reference.low, reference.high), abs=1e-9)


@given(levels)
def test_normal_quantiles_agree_with_scipy(level):
    assert normal_quantile(level) == pytest.approx(scipy.stats.norm.ppf((1 + level) / 2), rel=1e-9)


def test_clustered_error_is_the_sandwich_of_a_regression_on_a_constant():
    """(X'X)^-1 (sum_g X_g' u_g u_g' X_g) (X'X)^-1 with the correction G/(G-1) (n-1)/(n-k), k = 1, as statsmodels has it."""
    rng = np.random.default_rng(3)
    groups = rng.integers(0, 17, 200)
    x = rng.normal(size=200) + rng.normal(size=17)[groups]
    design = np.ones((200, 1))
    residuals = x - x.mean()
    meat = sum(
        design[groups == g].T @ np.outer(residuals[groups == g], residuals[groups == g]) @ design[groups == g]
        for g in range(17)
    )
    bread = np.linalg.inv(design.T @ design)
    sandwich = (bread @ meat @ bread)[0, 0] * 17 / 16 * 199 / 199
    assert clustered_stderr(x, groups).stderr == pytest.approx(math.sqrt(sandwich), rel=1e-12)


@given(numbers)
def test_variance_agrees_with_numpy(values):
    assert variance(values).value == pytest.approx(np.var(values, ddof=1), rel=1e-9, abs=1e-6)


# Laws


@given(st.integers(1, 300), st.data(), levels)
def test_wilson_is_symmetric_and_inverts_the_score_test(n, data, level):
    k = data.draw(st.integers(0, n))
    found, mirrored = wilson(k, n, level=level), wilson(n - k, n, level=level)
    assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-12)
    z = normal_quantile(level)
    for end in (found.low, found.high):
        assert (found.value - end) ** 2 == pytest.approx(z * z * end * (1 - end) / n, abs=1e-9)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.high > found.low


@given(numbers, st.floats(-100, 100), st.floats(0.01, 100))
def test_t_moves_and_scales_with_the_values(values, shift, scale):
    before, after = t_interval(values), t_interval([shift + scale * v for v in values])
    if before.low is None or after.low is None:
        return
    size = 1e-9 * (abs(shift) + scale * max(map(abs, values)) + 1)
    assert (after.low, after.high) == pytest.approx((shift + scale * before.low, shift + scale * before.high), abs=size)


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 6)), min_size=1, max_size=12))
def test_counts_say_the_same_as_the_values_written_out(pairs):
    distinct = [value for value, _ in pairs]
    counts = [count for _, count in pairs]
    written = [value for value, count in pairs for _ in range(count)]
    a, b = t_interval(distinct, counts), t_interval(written)
    assert (a.n, a.reason) == (b.n, b.reason)
    assert [a.value, a.stderr, a.low, a.high] == pytest.approx([b.value, b.stderr, b.low, b.high], abs=1e-9)


@given(numbers, st.data())
def test_names_and_order_of_clusters_do_not_matter(values, data):
    codes = data.draw(st.lists(st.integers(0, 4), min_size=len(values), max_size=len(values)))
    order = data.draw(st.permutations(range(len(values))))
    plain = clustered_t(values, codes)
    renamed = clustered_t([values[i] for i in order], [f"cluster {9 - codes[i]}" for i in order])
    assert plain.n == renamed.n == len(set(codes))
    assert (plain.stderr is None) == (renamed.stderr is None)
    if plain.low is not None and renamed.low is not None:
        assert plain.stderr == pytest.approx(renamed.stderr, rel=1e-6, abs=1e-6)


@given(numbers)
def test_clusters_of_one_change_nothing(values):
    plain, clustered = mean_stderr(values), clustered_stderr(values, range(len(values)))
    assert clustered.stderr == pytest.approx(plain.stderr, rel=1e-9, abs=1e-9)
    assert clustered.value == pytest.approx(plain.value)


@given(numbers, st.integers(2, 5))
def test_copies_within_a_cluster_tell_nothing_new(values, times):
    once = clustered_stderr(values, range(len(values)))
    again = clustered_stderr(np.repeat(values, times), np.repeat(np.arange(len(values)), times))
    assert again.stderr == pytest.approx(once.stderr, rel=1e-9, abs=1e-9)
    assert again.n == once.n


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_clustered_shares_stay_between_0_and_1(rows):
    values, clusters = [float(v) for v, _ in rows], [c for _, c in rows]
    for found in (clustered_proportion(values, clusters), clustered_wilson(values, clusters)):
        if found.low is not None:
            assert 0 <= found.low <= found.value <= found.high <= 1
        else:
            assert found.reason


# Too little data says so


@pytest.mark.parametrize(
    ("found", "value", "stderr"),
    [
        (t_interval([]), None, None),
        (t_interval([0.5]), 0.5, None),
        (t_interval([0.5, 0.5]), 0.5, 0.0),
        (t_interval([0.1] * 7), 0.1, 0.0),
        (t_interval([1.0], [1]), 1.0, None),
        (clustered_t([], []), None, None),
        (clustered_t([1, 0], ["a", "a"]), 0.5, None),
        (clustered_t([1, 0, 1, 0], [0, 0, 1, 1]), 0.5, 0.0),
        (clustered_wilson([1, 0], ["a", "a"]), 0.5, None),
        (wilson(0, 0), None, None),
    ],
)
def test_no_interval_without_a_reason(found, value, stderr):
    assert (found.value, found.stderr) == (value, stderr)
    assert found.low is None
    assert found.high is None
    assert found.reason


def test_one_trial_has_a_wilson_interval_but_no_standard_error():
    found = wilson(1, 1)
    assert found.stderr is None
    assert (found.low, found.high) == pytest.approx((0.2065, 1.0), abs=1e-4)


def test_all_right_in_clusters_counts_each_cluster_once():
    assert clustered_proportion([1] * 12, [0, 1, 2] * 4).low == pytest.approx(wilson(3, 3).low)


def test_within_leaves_what_has_no_interval():
    assert within(t_interval([0.5]), 0, 1) == t_interval([0.5])


@pytest.mark.parametrize("level", [0, 1, -0.1, 95])
def test_a_level_that_is_none(level):
    for call in (lambda: wilson(1, 2, level=level), lambda: t_interval([1.0], level=level)):
        with pytest.raises(UsageError, match=r"between 0 and 1"):
            call()


def test_what_cannot_be():
    with pytest.raises(UsageError, match="between 0 and n"):
        wilson(3, 2)
    with pytest.raises(UsageError, match="one for each"):
        clustered_t([1.0, 2.0], [0])
    with pytest.raises(UsageError, match="above 0"):
        t_quantile(0.95, 0)


# Coverage: a 95% interval holds the truth in 95% of samples


@pytest.mark.slow
@pytest.mark.parametrize(("p", "n", "least"), [(0.5, 20, 0.93), (0.1, 30, 0.93), (0.9, 200, 0.93), (0.02, 50, 0.90)])
def test_wilson_covers(p, n, least):
    """Exactly, by summing over all outcomes."""
    covered = 0.0
    for k in range(n + 1):
        found = wilson(k, n)
        covered += (found.low <= p <= found.high) * scipy.stats.binom.pmf(k, n, p)
    assert least <= covered <= 0.99


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_t_covers_normal_values():
    rng = np.random.default_rng(11)
    hits = [found.low <= 3 <= found.high for found in (t_interval(rng.normal(3, 2, 8)) for _ in range(4000))]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.012)


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_clustered_t_covers_where_the_plain_one_does_not():
    rng = np.random.default_rng(12)
    clusters = np.repeat(np.arange(40), 10)
    plain: list[bool] = []
    clustered: list[bool] = []
    for _ in range(2000):
        x = rng.normal(0, 1, 40)[clusters] + rng.normal(0, 1, 400)
        for found, hits in ((t_interval(x), plain), (clustered_t(x, clusters), clustered)):
            hits.append(found.low <= 0 <= found.high)
    assert np.mean(clustered) == pytest.approx(0.95, abs=0.02)
    assert np.mean(plain) < 0.7


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_clustered_wilson_covers():
    rng = np.random.default_rng(13)
    clusters = np.repeat(np.arange(30), 8)
    hits = []
    for _ in range(2000):
        p = rng.beta(8, 2, 30)[clusters]
        found = clustered_wilson((rng.random(240) < p).astype(float), clusters)
        hits.append(found.low <= 0.8 <= found.high)
    assert np.mean(hits) >= 0.93
