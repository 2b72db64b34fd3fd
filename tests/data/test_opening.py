"""open_source: every way in gives the same columns; what cannot be read says why, and what to do."""

import dataclasses
import gzip
import io
import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from steelyard.core.ports import Source
from steelyard.core.sample import Sample
from steelyard.data import open_source, write_rows
from steelyard.errors import BadRowError, DataError, EmptyDataError, MissingExtraError, UsageError

ROWS = [{"id": f"q{i}", "output": f"höre {i}", "target": f"{i}, then\n«{i}»"} for i in range(25)]
SUFFIXES = ["jsonl", "ndjson", "json", "csv", "tsv", "jsonl.gz", "json.gz", "csv.gz", "tsv.gz", "parquet"]


def read(data=None, **options):
    """All columns of a source, as one dict, with the places of its rows checked."""
    source = open_source(data, **options)
    found: dict[str, list[Any]] = {}
    rows = 0
    for chunk in source.chunks():
        assert chunk.start >= rows
        assert all(len(cells) == chunk.n for cells in chunk.data.values())
        assert 0 < chunk.n <= options.get("chunk_rows", 2000)
        for name in {**found, **chunk.data}:
            found.setdefault(name, [None] * rows).extend(chunk.data.get(name, [None] * chunk.n))
        rows += chunk.n
    assert source.description["rows"] == rows
    return found


def columns_of(rows):
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def stdin(monkeypatch, raw):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("chunk_rows", [1, 7, 2000])
def test_every_file_of_equal_content_gives_equal_columns(tmp_path, suffix, chunk_rows):
    path = tmp_path / f"rows.{suffix}"
    if suffix == "ndjson":
        path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in ROWS))
    else:
        assert write_rows(path, iter(ROWS)) == len(ROWS)
    assert read(path, chunk_rows=chunk_rows) == columns_of(ROWS)
    assert read(str(path), limit=10, chunk_rows=chunk_rows) == columns_of(ROWS[:10])


def in_memory():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    @dataclasses.dataclass
    class Row:
        id: str
        output: str
        target: str

    class HubDataset:
        column_names = ("id", "output", "target")

        def __iter__(self):
            return iter(ROWS)

    class Indexed:
        def __len__(self):
            return len(ROWS)

        def __getitem__(self, i):
            return ROWS[i]

    return {
        "list": ROWS,
        "tuple": tuple(ROWS),
        "generator": (row for row in ROWS),
        "columns": columns_of(ROWS),
        "columns of arrays": {name: pd.Series(cells) for name, cells in columns_of(ROWS).items()},
        "dataclasses": [Row(**row) for row in ROWS],
        "models": [SimpleNamespace(model_dump=lambda row=row: row) for row in ROWS],
        "hub": HubDataset(),
        "indexed": Indexed(),
        "pandas": pd.DataFrame(ROWS),
        "polars": pl.DataFrame(ROWS),
        "lazy": pl.DataFrame(ROWS).lazy(),
        "arrow": pa.table(columns_of(ROWS)),
    }


@pytest.mark.parametrize("kind", list(in_memory()))
def test_everything_in_memory_gives_equal_columns(kind):
    assert read(in_memory()[kind], chunk_rows=7) == columns_of(ROWS)
    assert read(in_memory()[kind], chunk_rows=7, limit=20) == columns_of(ROWS[:20])


def test_a_source_fits_its_port():
    source: Source = open_source(ROWS)
    assert source.columns == ("id", "output", "target")
    assert source.parts() is None
    assert source.skipped == 0


def test_samples_are_rows():
    rows = [Sample(input="q", target="a", id=1, metadata={"output": "x"}), Sample(input="r", target="b")]
    assert read(rows) == {"output": ["x", None], "id": [1, None], "input": ["q", "r"], "target": ["a", "b"]}


def test_two_plain_lists():
    assert read(outputs=["a", "b"], targets=("c", "d")) == {"output": ["a", "b"], "target": ["c", "d"]}
    assert read(outputs=iter(["a", "b"])) == {"output": ["a", "b"]}
    with pytest.raises(DataError, match="outputs has 2 items, and targets has 3"):
        open_source(outputs=["a", "b"], targets=["c", "d", "e"])
    with pytest.raises(UsageError, match=r"outputs is a list .* str was given"):
        open_source(outputs="ab", targets=["c", "d"])
    with pytest.raises(UsageError, match="not both"):
        open_source(ROWS, outputs=["a"])
    with pytest.raises(EmptyDataError):
        open_source(outputs=[], targets=[])


def test_missing_keys_are_none_and_later_keys_are_columns():
    rows = [{"a": 1}, {"b": 2}, {"a": 3, "c": 4}, {"b": 5}]
    assert read(rows, chunk_rows=2) == {"a": [1, None, 3, None], "b": [None, 2, None, 5], "c": [None, None, 4, None]}
    assert open_source(rows, chunk_rows=2).columns == ("a", "b")


@pytest.mark.parametrize("suffix", ["jsonl", "json", "csv", "tsv"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_standard_input_is_known_by_its_beginning(tmp_path, monkeypatch, suffix, packed, mark):
    path = tmp_path / f"rows.{suffix}"
    write_rows(path, ROWS)
    raw = mark + path.read_bytes()
    stdin(monkeypatch, gzip.compress(raw) if packed else raw)
    assert read("-") == columns_of(ROWS)
    unnamed = tmp_path / "rows.dat"
    unnamed.write_bytes(raw)
    assert read(unnamed) == columns_of(ROWS)


def test_standard_input_of_one_row(monkeypatch):
    stdin(monkeypatch, b'{"output": "a", "choices": ["x"]}')
    source = open_source("-")
    assert source.columns == ("output", "choices")
    assert source.description == {"kind": "stdin", "path": "-", "format": "jsonl"}


def test_a_json_file_may_hold_json_lines(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text('{"a": 1}\n{"a": 2}\n')
    assert read(path) == {"a": [1, 2]}


def test_an_object_that_holds_an_array_says_what_was_taken(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"version": 2, "data": [{"a": 1}, {"a": 2}]}, indent=2))
    assert open_source(path).description["taken"] == "data"
    assert read(path) == {"a": [1, 2]}


def test_the_description_names_the_path_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows("rows.csv", ROWS)
    source = open_source("rows.csv", limit=3)
    assert source.description == {
        "kind": "file",
        "path": "rows.csv",
        "format": "csv",
        "bytes": (tmp_path / "rows.csv").stat().st_size,
        "delimiter": ",",
    }
    list(source.chunks())
    assert source.description["rows"] == 3
    assert open_source(ROWS, limit=3).description == {"kind": "list", "rows": 3}
    assert repr(open_source("rows.csv")) == "<RowSource rows.csv: id, output, target>"


def test_a_source_is_read_once():
    source = open_source(iter(ROWS))
    assert source.peek is not None
    list(source.chunks())
    assert source.peek is None
    with pytest.raises(UsageError, match="at most once"):
        source.chunks()


def test_a_generator_is_read_no_further_than_it_has_to_be():
    asked = []

    def rows():
        for i in range(10_000):
            asked.append(i)
            yield {"output": i}

    source = open_source(rows(), chunk_rows=10, limit=15)
    assert len(asked) == 10
    assert sum(chunk.n for chunk in source.chunks()) == 15
    assert len(asked) <= 20


def test_a_bad_row_after_the_limit_is_never_met(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}\n{"a": 3}\nnot json\n')
    for limit in (1, 2, 3):
        assert read(path, limit=limit, chunk_rows=2) == {"a": [1, 2, 3][:limit]}
    with pytest.raises(BadRowError):
        read(path, limit=4, chunk_rows=2)


# -- mistakes ----------------------------------------------------------------------------------------------------------


def test_a_missing_file_names_one_of_a_near_name(tmp_path):
    write_rows(tmp_path / "answers.jsonl", ROWS)
    with pytest.raises(DataError, match=r"no file .*answer\.jsonl\. Did you mean .*answers\.jsonl\?") as caught:
        open_source(tmp_path / "answer.jsonl")
    assert "Files there: answers.jsonl" in str(caught.value)
    with pytest.raises(DataError, match=r"the folder .*nowhere does not exist"):
        open_source(tmp_path / "nowhere" / "a.jsonl")


def test_a_folder_lists_its_files(tmp_path):
    write_rows(tmp_path / "answers.jsonl", ROWS)
    with pytest.raises(DataError, match=r"is a folder; give one of its files: answers\.jsonl"):
        open_source(tmp_path)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("a.xlsx", "save the sheet as CSV"),
        ("a.feather", "give the frame"),
        ("a.pkl", "load it"),
        ("a.zip", "unpack it"),
    ],
)
def test_a_format_that_is_not_read_names_the_remedy(tmp_path, name, remedy):
    (tmp_path / name).write_bytes(b"whatever")
    with pytest.raises(DataError, match=remedy):
        open_source(tmp_path / name)


def test_an_unknown_extension_is_decided_by_what_the_file_holds(tmp_path):
    (tmp_path / "a.txt").write_text("just one line of prose")
    with pytest.raises(DataError, match=r"cannot be told from its name or its beginning\. Read are: JSON lines"):
        open_source(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"output": "a", "target": "b"}, r"'output', 'target' is none.*\[row\]"),
        ({"output": ["a"], "target": ["b", "c"]}, "output has 1, target has 2"),
        (
            {"train": SimpleNamespace(column_names=["a"]), "test": SimpleNamespace(column_names=["a"])},
            r"data\['train'\]",
        ),
        ('{"output": "a"}', "the text given is no path"),
        ("an output\nof two lines", "the text given is no path"),
        ("https://example.org/a.jsonl", "addresses are not fetched"),
        (3, "type int is no data set"),
        (b"{}", "type bytes is no data set"),
        (None, "no data were given: give a path"),
        (["a", "b"], r"row 1: str, where a dict .*outputs=\[\.\.\.\], targets"),
        ([("a", "b")], "row 1: tuple, where a dict"),
        ([{"a": 1}, None], "row 2: NoneType"),
        ([{1: 2}], "names of columns are text, and one key is 1"),
        ({1: [2]}, "names of columns are text"),
    ],
)
def test_a_mistake_is_told_helpfully(given, message):
    with pytest.raises(UsageError, match=message):
        open_source(given)


@pytest.mark.parametrize("options", [{"limit": 0}, {"limit": -1}, {"chunk_rows": 0}])
def test_numbers_of_rows_are_positive(options):
    with pytest.raises(UsageError, match="at least 1"):
        open_source(ROWS, **options)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.jsonl", b""),
        ("a.jsonl", b"\n \n"),
        ("a.json", b"[]"),
        ("a.csv", b""),
        ("a.csv", b"output,target\n"),
        ("a", b""),
    ],
)
def test_an_empty_file_has_nothing_to_score(tmp_path, name, raw):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(EmptyDataError, match="nothing to score, since it has no rows"):
        open_source(tmp_path / name)


@pytest.mark.parametrize("data", [[], iter([]), {"output": []}, {}])
def test_nothing_in_memory_has_nothing_to_score(data):
    with pytest.raises(EmptyDataError, match="nothing to score"):
        open_source(data)


def test_a_file_of_bad_rows_alone_says_so(tmp_path):
    (tmp_path / "a.jsonl").write_text("x\ny\n")
    with pytest.raises(EmptyDataError, match="all 2 rows are bad"):
        open_source(tmp_path / "a.jsonl", skip_bad_rows=True)


def test_rows_that_are_left_out_keep_their_places():
    source = open_source([{"a": 0}, None, {"a": 2}, {"a": 3}, "x"], skip_bad_rows=True)
    assert [(chunk.start, chunk["a"]) for chunk in source.chunks()] == [(0, [0]), (2, [2, 3])]
    assert source.skipped == 2


def test_utf_16_is_named(tmp_path):
    (tmp_path / "a.csv").write_text("output,target\na,b\n", encoding="utf-16")
    with pytest.raises(DataError, match="is UTF-16"):
        open_source(tmp_path / "a.csv")


def test_a_broken_gzip_file_is_told(tmp_path):
    write_rows(tmp_path / "a.jsonl.gz", ROWS)
    raw = (tmp_path / "a.jsonl.gz").read_bytes()
    (tmp_path / "a.jsonl.gz").write_bytes(raw[:-30])
    with pytest.raises(DataError, match=r"a\.jsonl\.gz cannot be read: Compressed file ended"):
        open_source(tmp_path / "a.jsonl.gz")


def test_parquet_needs_its_extra(tmp_path, monkeypatch):
    write_rows(tmp_path / "a.parquet", ROWS)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r'pip install "steelyard\[parquet\]"'):
        open_source(tmp_path / "a.parquet")


def test_what_is_no_parquet_is_told(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 or so")
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        open_source(tmp_path / "a.parquet")


def test_parquet_of_a_name_with_a_pattern_is_one_file(tmp_path):
    write_rows(tmp_path / "a[1]*.parquet", ROWS)
    write_rows(tmp_path / "a1b.parquet", [{"other": 1}])
    assert read(tmp_path / "a[1]*.parquet") == columns_of(ROWS)
