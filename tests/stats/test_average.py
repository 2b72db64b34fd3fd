"""The mean of several estimates."""

# mypy: disable-error-code="operator"
# (an end of an interval may be None, and a comparison with None would fail the test as it should)

import numpy as np
import pytest
import scipy.stats

from steelyard.core.estimate import Estimate
from steelyard.stats import average, t_interval, wilson


def test_of_two_groups_it_is_welch():
    """The half sum has Welch's error, degrees of freedom included, as the difference has."""
    rng = np.random.default_rng(6)
    a, b = rng.normal(1, 1, 12), rng.normal(2, 3, 30)
    found = average([t_interval(a), t_interval(b)])
    welch = scipy.stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    assert found.high - found.low == pytest.approx((welch.high - welch.low) / 2)
    assert found.value == pytest.approx((a.mean() + b.mean()) / 2)
    assert found.n == 42


def test_one_group_is_itself():
    one = t_interval([1.0, 2.0, 4.0])
    assert (average([one]).low, average([one]).high) == pytest.approx((one.low, one.high))


@pytest.mark.parametrize(
    ("estimates", "value"),
    [
        ([], None),
        ([wilson(1, 2), Estimate.undefined("no data")], None),
        ([wilson(3, 4), wilson(4, 4)], 0.875),
        ([wilson(1, 1), wilson(1, 2)], 0.75),
    ],
)
def test_what_is_not_known_of_a_group_is_not_known_of_the_mean(estimates, value):
    found = average(estimates)
    assert found.value == value
    assert found.low is None
    assert found.reason
