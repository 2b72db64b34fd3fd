"""Specs: names with options, as text, JSON and calls."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import UsageError
from steelyard.scoring.spec import Spec, parse_spec


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("match", "match", {}),
        ("match:numeric=true", "match", {"numeric": True}),
        ("match:numeric=True,location=any", "match", {"numeric": True, "location": "any"}),
        ('{"match": {"numeric": true}}', "match", {"numeric": True}),
        ("pattern:pattern=(a,b)", "pattern", {"pattern": "(a,b)"}),
        ("pattern:pattern='x=1, y'", "pattern", {"pattern": "x=1, y"}),
        ('f:stop_words=["a","b"],n=3', "f", {"stop_words": ["a", "b"], "n": 3}),
    ],
)
def test_text_forms(text: str, name: str, options: dict[str, Any]) -> None:
    assert parse_spec(text) == Spec(name, options)


@pytest.mark.parametrize("bad", ["", ":x=1", "match:numeric", '{"match": 1}', '{"a": {}, "b": {}}', "{bad", 7])
def test_what_cannot_be_read_says_how_to_write_it(bad: Any) -> None:
    with pytest.raises(UsageError):
        parse_spec(bad)


plain = st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=10)


@given(st.dictionaries(st.text("abc_", min_size=1, max_size=5), plain | st.lists(plain, max_size=3), max_size=3))
def test_json_round_trip(options: dict[str, Any]) -> None:
    spec = Spec("match", options)
    assert parse_spec(spec.as_json()) == spec
