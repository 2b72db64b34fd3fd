"""CSV: cells are text as they stand; what is uneven, unclosed or doubled is told."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.data import open_source
from steelyard.errors import BadRowError, DataError


def read(tmp_path, raw, name="rows.csv", **options):
    path = tmp_path / name
    path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    source = open_source(path, **options)
    data: dict[str, list[str]] = {name: [] for name in source.columns}
    for chunk in source.chunks():
        for column, cells in chunk.data.items():
            data[column].extend(cells)
    return data


def test_cells_are_text_and_an_empty_cell_is_the_empty_text(tmp_path):
    raw = 'output,target\n,1\n" a ",NA\nnull,"x\ny"\n'
    assert read(tmp_path, raw) == {"output": ["", " a ", "null"], "target": ["1", "NA", "x\ny"]}


@pytest.mark.parametrize(("raw", "kind"), [("a;b\n1;2,5\n", ";"), ("a\tb\n1\t2,5\n", "\t"), ('"a,b";c\n1;2\n', ";")])
def test_another_delimiter_is_found(tmp_path, raw, kind):
    (tmp_path / "rows.csv").write_text(raw)
    assert open_source(tmp_path / "rows.csv").description["delimiter"] == kind


def test_blank_lines_and_unnamed_columns(tmp_path):
    assert read(tmp_path, "\n,output\r\n0,a\r\n\r\n  \n1,b\r\n") == {"unnamed_1": ["0", "1"], "output": ["a", "b"]}


def test_one_column(tmp_path):
    assert read(tmp_path, 'output\na\n""\nb\n') == {"output": ["a", "", "b"]}


def test_a_large_field(tmp_path):
    long = "x" * 1_000_000
    assert read(tmp_path, f"output,target\n{long},1\n") == {"output": [long], "target": ["1"]}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,2,3", r"line 5: 3 cells, where the header has 2\. It begins: 1,2,3\. A cell that holds the delimiter"),
        ("1", r"line 5: 1 cells, where the header has 2\. It begins: 1\."),
        ('"1"2,3', r"line 5: not valid CSV .*Write a quote inside a quoted cell twice"),
        ("a\rb,3", r"line 5: not valid CSV \(a lone carriage return\)"),
    ],
)
def test_a_bad_row_is_named_by_the_line_on_which_it_begins(tmp_path, row, message):
    raw = f'output,target\n"two\nlines",2\n3,4\n{row}\n5,6\n'
    with pytest.raises(BadRowError, match=message) as caught:
        read(tmp_path, raw)
    assert "--skip-bad-rows" in str(caught.value)
    source = open_source(tmp_path / "rows.csv", skip_bad_rows=True)
    assert [(chunk.start, chunk["target"]) for chunk in source.chunks()] == [(0, ["2", "4"]), (3, ["6"])]
    assert source.skipped == 1


def test_an_unclosed_quote_is_an_error_even_where_bad_rows_are_left_out(tmp_path):
    raw = 'output,target\n1,2\n"3,4\n5,6\n'
    with pytest.raises(DataError, match="line 3: a quote is opened in this row and never closed .*goes on to line 4"):
        read(tmp_path, raw, skip_bad_rows=True)


def test_a_header_that_names_a_column_twice(tmp_path):
    with pytest.raises(DataError, match="line 1: the header names 'output' more than once"):
        read(tmp_path, "output,target,output\n1,2,3\n")


def test_what_is_not_utf_8_is_named(tmp_path):
    raw = b"output,target\n1,2\nl\xe4uft,3\n"
    with pytest.raises(DataError, match=r"rows\.csv, line 3: not UTF-8 at byte 1 of the line, byte 19 of the file"):
        read(tmp_path, raw)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=20), st.integers(1, 7), st.booleans())
def test_what_was_written_is_read(tmp_path_factory, rows, chunk_rows, mark):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([("output", "target"), *rows])
    path = tmp_path_factory.mktemp("csv") / "rows.csv"
    path.write_bytes((b"\xef\xbb\xbf" if mark else b"") + text.getvalue().encode())
    found = [
        (chunk["output"][i], chunk["target"][i])
        for chunk in open_source(path, chunk_rows=chunk_rows).chunks()
        for i in range(chunk.n)
    ]
    assert found == rows


def test_a_first_line_of_noise_is_told_and_breaks_nothing(tmp_path):
    file = tmp_path / "noise.csv"
    file.write_bytes(b'a\rb,c"d\n1,2\n')
    with pytest.raises(DataError, match="noise.csv"):
        list(open_source(file).chunks())
