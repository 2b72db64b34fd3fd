"""JSON arrays: read piece by piece, whatever the size of the pieces."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.data import _json, open_source
from steelyard.errors import BadRowError, DataError

cells = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(
    rows=st.lists(st.dictionaries(st.sampled_from("abc"), cells, min_size=1), min_size=1, max_size=8),
    block=st.integers(1, 40),
    indent=st.none() | st.integers(0, 2),
    plain=st.booleans(),
)
def test_blocks_of_any_size_give_the_same_rows(tmp_path_factory, rows, block, indent, plain):
    path = tmp_path_factory.mktemp("json") / "rows.json"
    path.write_text(json.dumps(rows, indent=indent, ensure_ascii=plain), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_json, "_BLOCK", block)
        (chunk,) = open_source(path).chunks()
    assert [{name: cell for name, cell in chunk.row(i).items() if name in rows[i]} for i in range(chunk.n)] == rows


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ('[{"a": 1},\n {"a" 2}]', r"line 2, column 7: not valid JSON \(Expecting ':' delimiter\), at '2\}"),
        ('[{"a": 1}\n {"a": 2}]', r"line 2, column 2: not valid JSON \(',' or '\]' is expected\)"),
        ('[{"a": 1},\n {"a": 2}', r"line 2, column 10: .*at the end of the file"),
        ('[{"a": 1}]\n\nx', r"line 3, column 1: .*there is something after the array"),
        ('[{"a": 1},]', r"line 1, column 11: not valid JSON \(Expecting value\)"),
    ],
)
def test_what_is_malformed_is_named_by_line_and_column(tmp_path, monkeypatch, block, raw, message):
    monkeypatch.setattr(_json, "_BLOCK", block)
    (tmp_path / "rows.json").write_text(raw)
    with pytest.raises(DataError, match=rf"rows\.json, {message}"):
        list(open_source(tmp_path / "rows.json", chunk_rows=1).chunks())


def test_an_item_that_is_no_object_can_be_left_out(tmp_path):
    (tmp_path / "rows.json").write_text('[{"a": 1}, 7, {"a": 3}, "\\ud83d", {"a": "\\ud83d"}]')
    with pytest.raises(BadRowError, match=r"item 2: int, where an object .*--skip-bad-rows"):
        open_source(tmp_path / "rows.json")
    source = open_source(tmp_path / "rows.json", skip_bad_rows=True)
    assert [(chunk.start, chunk["a"]) for chunk in source.chunks()] == [(0, [1]), (2, [3])]
    assert source.skipped == 3


def test_what_is_not_utf_8_is_told(tmp_path):
    (tmp_path / "rows.json").write_bytes(b'[{"a": "\xff"}]')
    with pytest.raises(DataError, match="not UTF-8 near byte 8"):
        open_source(tmp_path / "rows.json")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [{"x": 1}], "b": [{"x": 1}]}, "several arrays of rows .a, b.; write one"),
        ({"a": {"0": 1}}, r"no array of rows \(its keys: a\); a single row is written as \[row\]"),
        ({"rows": [1, 2]}, "no array of rows"),
    ],
)
def test_an_object_without_one_array_is_told(tmp_path, value, message):
    (tmp_path / "rows.json").write_text(json.dumps(value, indent=1))
    with pytest.raises(DataError, match=message):
        open_source(tmp_path / "rows.json")
