"""Rows written to files: whole or not at all, and read back as they were."""

import datetime as dt
import io
import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.data import open_source, write_rows
from steelyard.errors import DataError, MissingExtraError, UsageError

ROWS: list[dict[str, Any]] = [
    {"a": 'x, "y"\n', "b": 1},
    {"a": None, "c": [1, {"d": "é"}]},
    {"b": 2.5, "c": {"k": True}, "e": False},
]


def rows_of(source):
    return [chunk.row(i) for chunk in source.chunks() for i in range(chunk.n)]


def test_json_lines_and_json_hold_the_rows_as_they_are(tmp_path):
    assert write_rows(tmp_path / "a.jsonl", iter(ROWS)) == 3
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()] == ROWS
    write_rows(str(tmp_path / "a.json"), ROWS)
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == ROWS
    write_rows(tmp_path / "b.json", [])
    assert json.loads((tmp_path / "b.json").read_text()) == []


def test_csv_names_every_column_and_writes_nested_values_as_json(tmp_path):
    write_rows(tmp_path / "a.csv", iter(ROWS))
    assert rows_of(open_source(tmp_path / "a.csv")) == [
        {"a": 'x, "y"\n', "b": "1", "c": "", "e": ""},
        {"a": "", "b": "", "c": '[1,{"d":"é"}]', "e": ""},
        {"a": "", "b": "2.5", "c": '{"k":true}', "e": "false"},
    ]


def test_parquet_keeps_what_has_one_type_and_json_for_the_rest(tmp_path):
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = [
        {
            "text": "2024-01-01",
            "n": 1,
            "x": 1,
            "l": ["a"],
            "mixed": 1,
            "big": 1 << 70,
            "none": None,
            'it\'s "x"': True,
            "ll": [],
        },
        {
            "text": None,
            "n": 2,
            "x": 0.5,
            "l": [],
            "mixed": "1",
            "big": 2,
            "none": None,
            'it\'s "x"': None,
            "ll": [[1], [0.5]],
        },
        {"d": {"k": [None]}, "m": [1, "a"]},
    ]
    write_rows(tmp_path / "a.parquet", rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    assert rows_of(open_source(tmp_path / "a.parquet")) == [{name: row.get(name) for name in names} for row in rows]
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 3
    with pytest.raises(DataError, match="at least one column"):
        write_rows(tmp_path / "b.parquet", [])
    with pytest.raises(DataError, match="cannot be written as Parquet"):
        write_rows(tmp_path / "b.parquet", [{"a": 1, "A": 2}])
    assert [path.name for path in tmp_path.iterdir()] == ["a.parquet"]


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "tsv", "jsonl.gz", "parquet"])
def test_an_error_leaves_what_was_there(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    write_rows(path, [{"a": 1}])
    before = path.read_bytes()

    def rows():
        yield {"a": 2}
        raise RuntimeError("broke")

    with pytest.raises(RuntimeError, match="broke"):
        write_rows(path, rows())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_keeps_pointing_to_its_file(tmp_path):
    write_rows(tmp_path / "a.jsonl", [{"a": 1}])
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    write_rows(tmp_path / "link.jsonl", [{"a": 2}])
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "a.jsonl").read_text() == '{"a":2}\n'


def test_standard_output_and_open_files(monkeypatch):
    file = io.BytesIO()
    write_rows(file, ROWS[:1], format="csv")
    assert file.getvalue() == b'a,b\r\n"x, ""y""\n",1\r\n'
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    write_rows("-", [{"a": 1}])
    write_rows("-", [{"a": 1}], format="tsv")
    assert out.buffer.getvalue() == b'{"a":1}\na\r\n1\r\n'


def test_packed_files_of_equal_rows_are_equal(tmp_path):
    write_rows(tmp_path / "a.csv.gz", ROWS)
    write_rows(tmp_path / "b.csv.gz", ROWS)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_what_json_has_no_form_for_is_text(tmp_path):
    write_rows(tmp_path / "a.jsonl", [{"a": dt.date(2024, 1, 2), "b": 1 + 2j, "c": float("nan")}])
    assert json.loads((tmp_path / "a.jsonl").read_text()) == {"a": "2024-01-02", "b": "(1+2j)", "c": None}


def test_mistakes(tmp_path, monkeypatch):
    with pytest.raises(UsageError, match=r"a\.txt: the ending names no format that is written; it may be \.jsonl"):
        write_rows(tmp_path / "a.txt", [])
    with pytest.raises(UsageError, match=r"a\.xlsx: the ending names no format that is written"):
        write_rows(tmp_path / "a.xlsx", [])
    with pytest.raises(UsageError, match="no format 'xml'; known: jsonl, json, csv, tsv, parquet"):
        write_rows(tmp_path / "a.txt", [], format="xml")
    with pytest.raises(DataError, match="cannot be written: there is no folder"):
        write_rows(tmp_path / "nowhere" / "a.jsonl", [{"a": 1}])
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match="parquet"):
        write_rows(tmp_path / "a.parquet", [{"a": 1}])


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
cells = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
nested = st.recursive(
    cells, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=2), max_leaves=4
)
rows = st.lists(st.dictionaries(st.sampled_from("abc"), nested, min_size=1), min_size=1, max_size=6)


@given(rows, st.sampled_from(["jsonl", "json", "jsonl.gz", "json.gz"]))
def test_what_was_written_as_json_is_read(tmp_path_factory, rows, suffix):
    path = tmp_path_factory.mktemp("writing") / f"a.{suffix}"
    write_rows(path, rows)
    found = rows_of(open_source(path))
    assert [
        {name: cell for name, cell in got.items() if name in row} for got, row in zip(found, rows, strict=True)
    ] == rows


@settings(max_examples=25)
@given(rows)
def test_what_was_written_as_parquet_is_read(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("writing") / "a.parquet"
    write_rows(path, rows)
    names = dict.fromkeys(name for row in rows for name in row)
    assert rows_of(open_source(path)) == [{name: row.get(name) for name in names} for row in rows]
