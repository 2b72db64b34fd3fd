"""Any value goes into a cell and comes back; what JSON has no form for becomes something that it has."""

import datetime as dt
import decimal
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.store._body import WORTH_COMPRESSING, pack, text_cell, text_cells, text_of, unpack

ANY_TEXT = st.text(st.characters(codec=None, categories=None, exclude_categories=()))
JSON_ABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(ANY_TEXT, inner, max_size=5),
    max_leaves=10,
)


def typed(value):
    """The value with the type of every part of it, so that True, 1 and 1.0 differ."""
    if isinstance(value, dict):
        return {key: typed(member) for key, member in value.items()}
    return [typed(item) for item in value] if isinstance(value, list) else (type(value).__name__, value)


@given(JSON_ABLE)
def test_what_json_can_hold_comes_back(value):
    assert typed(unpack(pack(value))) == typed(value)


@given(ANY_TEXT)
def test_any_text_fits_a_cell(text):
    assert text_of(text_cell(text)) == text


def test_texts_stay_the_same_list_where_all_are_proper():
    texts = ["a", "π"]
    assert text_cells(texts) is texts
    assert text_cells(["a", "\ud800"]) == ["a", b"\xed\xa0\x80"]


def test_long_bodies_are_compressed_where_that_pays():
    assert len(pack("a" * 10_000)) < 200
    short = "x" * (WORTH_COMPRESSING - 10)
    assert pack(short) == json.dumps(short).encode()


class Sly:
    """Fails at whatever is asked of it."""

    def __getattribute__(self, name):
        if name in ("__class__", "__dict__"):
            return object.__getattribute__(self, name)
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("no")

    __str__ = __repr__


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC), "2026-01-02T03:04:05Z"),
        (dt.date(2026, 1, 2), "2026-01-02"),
        (decimal.Decimal("1.50"), "1.50"),
        (np.float64(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.arange(3), [0, 1, 2]),
        ({3}, [3]),
        ((1, 2), [1, 2]),
        (b"hi", "aGk="),
        (range(3), [0, 1, 2]),
        (float("nan"), None),
        ({1: "a"}, {"1": "a"}),
        ({(1, 2): "a"}, {"(1, 2)": "a"}),
        ({"a": {"\ud800": {1, 2}}}, {"a": {"\ud800": [1, 2]}}),
        (Sly(), "<Sly>"),
        ([Sly(), "\udfff"], ["<Sly>", "\udfff"]),
        (complex(1, 2), "(1+2j)"),
    ],
    ids=[str(i) for i in range(18)],
)
def test_the_rest_is_kept_as_well_as_can_be(value, kept):
    assert typed(unpack(pack(value))) == typed(kept)


def test_endless_nesting_does_not_raise():
    value: list[object] = []
    value.append(value)
    assert unpack(pack(value)) == "[[...]]"
