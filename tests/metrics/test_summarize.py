"""Summaries in Weave's shape: its documented examples, and where we differ on purpose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.metrics import summarize

# The comments of Weave's page on scorers, "Predefined scorers".
PAGE = [
    ([{"has_hallucination": True}] * 2, {"has_hallucination": {"true_count": 2, "true_fraction": 1.0}}),
    (
        [{"flagged": False, "categories": {}}, {"flagged": True, "categories": {"violence": True}}],
        {
            "flagged": {"true_count": 1, "true_fraction": 0.5},
            "categories": {"violence": {"true_count": 1, "true_fraction": 1.0}},
        },
    ),
    ([{"json_valid": True}, {"json_valid": True}], {"json_valid": {"true_count": 2, "true_fraction": 1.0}}),
    ([{"recall": 0.0}, {"recall": 1.0}, {"recall": 0.0}], {"recall": {"mean": 1 / 3}}),
]


@pytest.mark.parametrize(("rows", "summary"), PAGE)
def test_as_on_the_page(rows, summary):
    found = summarize(rows)
    assert str(found.keys()) == str(summary.keys())
    assert found == {key: pytest.approx(member) if "mean" in member else member for key, member in summary.items()}


@pytest.mark.parametrize(
    ("rows", "summary"),
    [
        ([], {}),
        ([None, None], {}),
        ([True, False, None], {"true_count": 1, "true_fraction": 0.5}),
        ([1, 2.5], {"mean": 1.75}),
        ([{"topic": "law"}, {"topic": "tax"}, {"topic": "law"}], {"topic": {"law": 2, "tax": 1}}),
        # text is counted (Weave leaves it out); prose only by how many there are
        ([{"why": "a " * 60}, {"why": "b " * 60}], {"why": {"distinct": 2}}),
        ([{"id": str(i)} for i in range(50)], {"id": {"distinct": 50}}),
        # a mixed column is reported (Weave coerces it or raises)
        ([{"v": True}, {"v": "x"}, {"v": 1}], {"v": {"mixed": {"bool": 1, "text": 1, "number": 1}}}),
        ([{"v": 1}, {"v": {"a": 1}}], {"v": {"mixed": {"number": 1, "dict": 1}}}),
        # keys called mean stay where they are (Weave flattens them)
        ([{"mean": 1}], {"mean": {"mean": 1.0}}),
        ([{"a": {"a": 1, "b": 2}}], {"a": {"a": {"mean": 1.0}, "b": {"mean": 2.0}}}),
        ([[1, True], [2, False]], {"0": {"mean": 1.5}, "1": {"true_count": 1, "true_fraction": 0.5}}),
        ([{"a": {}}, {"a": None}], {}),
    ],
)
def test_cases(rows, summary):
    assert summarize(rows) == summary


def test_how_many_rows_have_the_key_is_told_on_request():
    rows = [{"a": True, "b": {"c": 1}}, {"a": False}]
    assert summarize(rows, n=True) == {
        "a": {"true_count": 1, "true_fraction": 0.5, "n": 2},
        "b": {"c": {"mean": 1.0, "n": 1}},
    }


scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.floats(-1, 1), st.text(max_size=3))
rows = st.lists(
    st.recursive(scalars, lambda inner: st.dictionaries(st.text(max_size=2), inner, max_size=3)), max_size=8
)


@given(rows)
def test_any_rows_have_a_summary(given_rows):
    found = summarize(given_rows)
    assert isinstance(found, dict)
    assert summarize([*given_rows, None]) == found
