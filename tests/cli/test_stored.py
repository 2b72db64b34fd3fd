"""`steelyard list`, `show` and `export`: what is stored, looked at again."""

import csv
import json

import pytest


@pytest.fixture
def run(steelyard, answers):
    """The id of a stored run."""
    words = ("--scorer", "match:numeric=true", "--scorer", "token_f1", "--output-column", "first", "--json")
    return json.loads(steelyard("score", answers, *words).stdout)["runs"][0]["run"]["id"]


def test_list(steelyard, run):
    result = steelyard("list")
    assert run in result.stdout
    assert "match accuracy" in result.stdout
    assert f"next: steelyard show {run}" in result.stderr
    (line,) = json.loads(steelyard("list", "--json").stdout)
    assert (line["id"], line["name"], line["rows"], line["status"]) == (run, "answers", 4, "success")
    assert line["scorers"] == ["match", "token_f1"]
    assert line["headline"]["scorer"] == "match"


def test_list_by_name_and_length(steelyard, run, answers):
    steelyard("score", answers, "--scorer", "exact_match", "--output-column", "second", "--name", "other")
    assert run not in steelyard("list", "--name", "other").stdout
    assert "and more: --limit 2" in steelyard("list", "--limit", "1").stdout
    assert "no runs called 'none'" in steelyard("list", "--name", "none").stdout


def test_nothing_stored_yet(steelyard):
    result = steelyard("list")
    assert result.exit_code == 0
    assert "no runs yet" in result.stdout
    assert "next: steelyard demo" in result.stderr


@pytest.mark.parametrize("key", ["latest", "answers", "prefix"])
def test_show_finds_a_run(steelyard, run, key):
    result = steelyard("show", run[:6] if key == "prefix" else key)
    assert run in result.stdout
    assert "match: 2 of 4 scored samples below full marks" in result.stdout


def test_show_wrong_leaves_the_figures_out(steelyard, run):
    shown = steelyard("show", run, "--wrong").stdout
    assert "95% interval" not in shown
    assert "That makes 7." in shown
    assert "answer 7" in shown.replace("'", "")
    assert "It is 42." not in shown


def test_show_another_scorer_and_page(steelyard, run):
    result = steelyard("show", run, "--wrong", "--scorer", "token_f1", "--limit", "1")
    assert "token_f1: 3 of 4 scored samples below full marks; the worst 1" in result.stdout
    assert "--scorer token_f1 --limit 2" in result.stderr


def test_show_a_sample_in_full(steelyard, run):
    shown = steelyard("show", run, "--sample", "b").stdout
    for part in ("5 and 3?", "That makes 7.", "second", "match", "I · answer"):
        assert part in shown
    (document,) = json.loads(steelyard("show", run, "--sample", "b", "--json").stdout)
    assert document["outcomes"]["match"]["answer"] == "7"


def test_show_as_a_document(steelyard, run):
    document = json.loads(steelyard("show", run, "--json").stdout)
    assert document["run"]["id"] == run
    assert [sample["id"] for sample in document["worst"]["samples"]] == ["b", "d"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "nothing"], "no run 'nothing'"),
        (["show", "latest", "--scorer", "macth"], "Did you mean 'match'?"),
        (["show", "latest", "--sample", "z"], "no sample 'z'"),
        (["export", "latest", "-o", "x.foo"], ".jsonl"),
        (["export", "latest", "-o", "none/x.csv"], "cannot be written"),
    ],
)
def test_mistakes(steelyard, run, words, told):
    result = steelyard(*words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_what_is_no_store(steelyard, answers):
    result = steelyard("list", "--store", answers)
    assert result.exit_code == 1
    assert "no SQLite database" in result.stderr


def test_export_to_files(steelyard, run, tmp_path):
    result = steelyard("export", run, "-o", "x.csv")
    assert f"4 rows of run {run} in x.csv" in result.stdout
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["match"] for row in rows] == ["C", "I", "C", "I"]
    steelyard("export", run, "-o", "x.jsonl")
    assert len((tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()) == 4
    assert json.loads(steelyard("export", run, "-o", "x.json", "--json").stdout) == {
        "run": run,
        "path": "x.json",
        "rows": 4,
    }


def test_export_to_standard_output(steelyard, run):
    lines = steelyard("export", run).stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b", "c", "d"]
    assert len(json.loads(steelyard("export", run, "--json").stdout)) == 4


def test_a_hostile_output_cannot_steer_the_terminal(steelyard, write):
    write("evil.jsonl", json.dumps({"id": "\x1b]0;x\x07", "output": "\x1b[31mred\x07 \u202e", "target": "a"}) + "\n")
    steelyard("score", "evil.jsonl", "--scorer", "exact_match")
    for words in (["show"], ["show", "--sample", "\x1b]0;x\x07"], ["list"]):
        shown = steelyard(*words).stdout
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_a_sample_in_full_says_nothing_twice(steelyard, write):
    answers = write("a.jsonl", '{"id": "a", "question": "1+1?", "answer": "2", "response": "2", "note": "2"}\n')
    assert steelyard("score", answers, "--scorer", "match").exit_code == 0
    page = steelyard("show", "latest", "--sample", "a").stdout
    assert [line.split()[0] for line in page.splitlines() if line.startswith("  ")] == [
        "input", "output", "target", "note", "match",
    ]  # fmt: skip
