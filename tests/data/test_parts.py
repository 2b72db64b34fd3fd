"""Parts of a file of JSON lines: together they are the file, wherever it is cut."""

import json
import multiprocessing
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.data import open_source
from steelyard.data._parts import JsonlPart, cut_jsonl
from steelyard.data._reading import Reading
from steelyard.errors import BadRowError, DataError


def cut(path, reading, columns=(), *, part) -> list[JsonlPart]:
    """The parts of a file of any size."""
    return list(cut_jsonl(str(path), str(path), reading, columns, part=part, smallest=0) or ())


def places(chunks):
    """Every row with its place; a key without a value is as good as none."""
    return [
        (chunk.start + i, {name: cell for name, cell in chunk.row(i).items() if cell is not None})
        for chunk in chunks
        for i in range(chunk.n)
    ]


def through_parts(path, part, limit=None, chunk_rows=3):
    columns = open_source(path).columns
    parts = cut(path, Reading(chunk_rows, limit), columns, part=part)
    assert [p.at.byte for p in parts] == sorted({p.at.byte for p in parts})
    return [chunk for p in pickle.loads(pickle.dumps(parts)) for chunk in p.read()]


lines = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.text(st.characters(codec="utf-8"), max_size=20), min_size=1).map(
        lambda row: json.dumps(row, ensure_ascii=False).encode()
    )
    | st.sampled_from([b"", b" ", b"\t", b"\r"]),
    max_size=40,
)


@given(
    lines=lines, part=st.integers(1, 200), limit=st.none() | st.integers(1, 30), ends=st.booleans(), crlf=st.booleans()
)
def test_parts_are_the_file_at_any_cut(tmp_path_factory, lines, part, limit, ends, crlf):
    path = tmp_path_factory.mktemp("parts") / "rows.jsonl"
    end = b"\r\n" if crlf else b"\n"
    path.write_bytes(b'{"a": "1"}' + b"".join(end + line for line in lines) + (end if ends else b""))
    chunks = through_parts(path, part, limit)
    assert places(chunks) == places(open_source(path, limit=limit).chunks())
    first = open_source(path, limit=limit).columns
    assert all(tuple(chunk.data)[: len(first)] == first for chunk in chunks) or limit is not None


@given(bad=st.integers(0, 49), part=st.integers(1, 300))
def test_a_bad_line_has_the_same_number_in_a_part(tmp_path_factory, bad, part):
    path = tmp_path_factory.mktemp("parts") / "rows.jsonl"
    path.write_text("".join("\n" * (i % 3) + ("oops" if i == bad else f'{{"a": {i}}}') + "\n" for i in range(50)))
    told = []
    for read in (
        lambda: list(open_source(path).chunks()),
        lambda: [c for p in cut(path, Reading(), part=part) for c in p.read()],
    ):
        with pytest.raises(BadRowError) as caught:
            read()
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_only_the_parts_that_the_limit_needs(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f'{{"a": {i}}}\n' for i in range(1000)))
    assert len(cut(path, Reading(), part=100)) > 90
    parts = cut(path, Reading(limit=15), part=100)
    assert sum(part.rows for part in parts) == 15
    assert len(parts) == 2


def large(tmp_path):
    path = tmp_path / "rows.jsonl"
    line = json.dumps({"output": "x" * 1000}).encode()
    path.write_bytes(b"\xef\xbb\xbf" + b"".join(b'{"id": %d, ' % i + line[1:] + b"\n" for i in range(9000)))
    return path


def read_part(part):
    return [(chunk.start, chunk["id"]) for chunk in part.read()]


def test_a_large_file_comes_in_parts_for_other_processes(tmp_path, monkeypatch):
    path = large(tmp_path)
    monkeypatch.chdir(tmp_path)
    source = open_source("rows.jsonl")
    parts = source.parts() or ()
    assert len(parts) == pytest.approx(path.stat().st_size / 2**20, abs=1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = [item for part in pool.map(read_part, parts) for item in part]
    assert [i for start, ids in found for i in ids] == list(range(9000))
    assert all(ids[0] == start for start, ids in found)
    assert source.description["path"] == "rows.jsonl"


def test_everything_else_has_no_parts(tmp_path):
    path = large(tmp_path)
    assert open_source(path, skip_bad_rows=True).parts() is None
    assert open_source([{"a": 1}]).parts() is None
    small = tmp_path / "small.jsonl"
    small.write_text('{"a": 1}\n')
    assert open_source(small).parts() is None


def test_a_file_that_changes_while_it_is_read_is_told(tmp_path):
    path = large(tmp_path)
    part = (open_source(path).parts() or ())[-1]
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))
    with pytest.raises(DataError, match="changed while it was read"):
        list(part.read())
    path.unlink()
    with pytest.raises(DataError, match="cannot be read"):
        list(part.read())
