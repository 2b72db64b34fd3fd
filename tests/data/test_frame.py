"""Frames: a missing cell is None, and no cell is an array."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from steelyard.data import open_source
from steelyard.errors import DataError


def cells(frame):
    (chunk,) = open_source(frame).chunks()
    return chunk.data


def test_missing_cells_of_pandas_are_none():
    frame = pd.DataFrame(
        {
            "text": ["a", None, np.nan],
            "number": [1.5, np.nan, 2.0],
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "object": pd.Series([{"k": 1}, None, "x"], dtype=object),
        }
    )
    assert cells(frame) == {
        "text": ["a", None, None],
        "number": [1.5, None, 2.0],
        "whole": [1, None, 3],
        "object": [{"k": 1}, None, "x"],
    }


def test_not_a_number_stays_where_the_library_tells_it_from_missing():
    (first, second) = cells(pl.DataFrame({"x": [float("nan"), None]}))["x"]
    assert math.isnan(first)
    assert second is None


def test_arrays_within_cells_become_lists():
    frame = pd.DataFrame(
        {"choices": [np.array(["a", "b"], dtype=object), None], "n": [{"k": np.int64(1)}, [np.arange(2)]]}
    )
    assert cells(frame) == {"choices": [["a", "b"], None], "n": [{"k": 1}, [[0, 1]]]}


def test_columns_that_are_no_text_or_double():
    assert list(cells(pd.DataFrame([[1, 2]]))) == ["0", "1"]
    with pytest.raises(DataError, match="more than once|unique|duplicate"):
        open_source(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_series_is_no_frame():
    with pytest.raises(DataError, match=r"a pandas\..*Series cannot be read as a frame"):
        open_source(pd.Series([1, 2]))


def test_polars_parts():
    frame = pl.DataFrame({"a": range(10), "l": [["x"]] * 10})
    assert [(c.start, c["a"]) for c in open_source(frame, chunk_rows=4, limit=6).chunks()] == [
        (0, [0, 1, 2, 3]),
        (4, [4, 5]),
    ]
    assert cells(frame)["l"] == [["x"]] * 10
    assert open_source(frame).description == {"kind": "frame", "type": "polars", "rows": 10}
