"""Cluster keys as codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.stats import factorize


@given(st.lists(st.one_of(st.text(max_size=3), st.integers(-5, 5)), max_size=40))
def test_equal_keys_and_only_they_share_a_code(keys):
    codes = factorize(keys)
    assert len(codes) == len(keys)
    for i, a in enumerate(keys):
        for j, b in enumerate(keys):
            assert (codes[i] == codes[j]) == (a == b)
    if keys:
        assert sorted(set(codes.tolist())) == list(range(len(set(keys))))


@given(st.lists(st.integers(-(2**62), 2**62), max_size=40))
def test_integer_arrays_too(keys):
    codes = factorize(np.array(keys, dtype=np.int64))
    assert len(set(zip(codes.tolist(), keys, strict=True))) == len(set(keys)) == len(set(codes.tolist()))
    assert all(0 <= code < 4 * len(keys) + 1024 for code in codes.tolist())


def test_text_and_numbers_are_told_apart():
    assert factorize(["1", 1]).tolist() == [0, 1]


def test_lists_and_dicts_can_be_keys():
    assert factorize([["a", "b"], ["a", "b"], {"x": [1]}, {"x": [1]}, ["a"]]).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("key", [None, float("nan")])
def test_a_row_without_a_cluster_is_an_error_that_counts_them(key):
    with pytest.raises(UsageError, match="2 of 3 rows have no cluster"):
        factorize(["a", key, key])


def test_what_cannot_be_compared_is_an_error():
    with pytest.raises(UsageError, match="none"):
        factorize([{1, 2}])
