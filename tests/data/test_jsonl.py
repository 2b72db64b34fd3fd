"""JSON lines: what is bad is named by file, line and column; what is unusual is read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.data import open_source
from steelyard.errors import BadRowError

REMEDY = r"--skip-bad-rows \(in Python: skip_bad_rows=True\)"


def write(tmp_path, raw, name="rows.jsonl"):
    path = tmp_path / name
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"a": 1', r"line 3, column \d+: not valid JSON \(Expecting ',' delimiter\)"),
        (b'{"a" 1}', r"line 3, column 6: not valid JSON \(Expecting ':' delimiter\)"),
        (b"{'a': 1}", r"line 3, column 2: not valid JSON"),
        (b"[1, 2]", r"line 3: an array, where an object"),
        (b'"text"', r"line 3: \"text\", where an object"),
        (b"null", r"line 3: null, where an object"),
        (b"{}{}", r"line 3, column 3: not valid JSON \(Extra data\)"),
        (b'{"a": "\xff"}', r"line 3: not UTF-8 at byte 7 of the line, byte 24 of the file \(invalid start byte\)"),
        (b'{"a": "\\ud83d"}', r"line 3, .*half of a surrogate pair"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, problem):
    path = write(tmp_path, b'{"a": 1}\n{"a":2}\n' + line + b'\n{"a": 4}\n')
    with pytest.raises(BadRowError, match=rf"rows\.jsonl, {problem}") as caught:
        open_source(path)
    assert line[:5].decode() in str(caught.value)
    source = open_source(path, skip_bad_rows=True)
    assert [(c.start, c["a"]) for c in source.chunks()] == [(0, [1, 2]), (3, [4])]
    assert source.skipped == 1
    assert "--skip-bad-rows (in Python: skip_bad_rows=True)" in str(caught.value)


@pytest.mark.parametrize(
    ("raw", "hint"),
    [(b'[{"a": 1}]\n', "one JSON array: name it .json"), (b'{\n "a": 1\n}\n', "several lines: name it .json")],
)
def test_json_by_the_wrong_name_is_recognised(tmp_path, raw, hint):
    with pytest.raises(BadRowError, match=hint):
        open_source(write(tmp_path, raw))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b"\n\n \n"])
def test_line_ends_blank_lines_and_byte_order_mark(tmp_path, mark, end):
    path = write(tmp_path, mark + b'{"a": 1}\r\n\n \t\n{"a": 2}\n\r\n{"a": 3}' + end)
    (chunk,) = open_source(path).chunks()
    assert chunk["a"] == [1, 2, 3]


def test_what_python_writes_beyond_the_standard_is_read(tmp_path):
    path = write(tmp_path, b'{"a": 1}\n{"a": Infinity}\n{"a": 1e999}\n{"a": 123456789012345678901234567890}\n')
    (chunk,) = open_source(path).chunks()
    assert chunk["a"] == [1, float("inf"), float("inf"), 123456789012345678901234567890]


def test_a_line_longer_than_a_block(tmp_path):
    long = "x" * (3 << 20)
    path = write(tmp_path, json.dumps({"a": long}).encode() + b'\n{"a": "short"}\n')
    (chunk,) = open_source(path).chunks()
    assert chunk["a"] == [long, "short"]


def test_a_bad_line_in_a_later_block_has_its_own_number(tmp_path):
    line = b'{"a": "' + b"x" * 993 + b'"}\n'
    path = write(tmp_path, line * 2500 + b"oops\n" + line)
    with pytest.raises(BadRowError, match="line 2501, column 1: not valid JSON"):
        list(open_source(path).chunks())


cells = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8"))
rows = st.lists(st.dictionaries(st.sampled_from("abc"), cells | st.lists(cells), min_size=1), min_size=1, max_size=30)


@given(rows=rows, chunk_rows=st.integers(1, 9), limit=st.none() | st.integers(1, 40))
def test_what_was_written_is_read(tmp_path_factory, rows, chunk_rows, limit):
    path = tmp_path_factory.mktemp("jsonl") / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    source = open_source(path, chunk_rows=chunk_rows, limit=limit)
    found = [chunk.row(i) for chunk in source.chunks() for i in range(chunk.n)]
    assert len(found) == min(len(rows), limit or len(rows))
    for got, row in zip(found, rows, strict=False):
        assert {name: cell for name, cell in got.items() if name in row} == row
        assert all(got[name] is None for name in got if name not in row)
