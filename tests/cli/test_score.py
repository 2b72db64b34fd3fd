"""`steelyard score`: columns, scorers, tables, warnings, exit codes."""

import json

import pytest

from steelyard.cli.progress import expected_rows

SCORERS = ("--scorer", "match:numeric=true,location=any", "--scorer", "token_f1")


def test_one_run_says_what_was_chosen_then_shows_the_table(steelyard, answers):
    result = steelyard("score", answers, *SCORERS, "--output-column", "first", "--name", "mine", "--model", "m1")
    assert result.exit_code == 0
    heading, columns, *_ = result.stdout.splitlines()
    assert " · mine · m1 · 4 rows" in heading
    assert columns == "columns: id, input = question, target, output = first"
    assert "95% interval" in result.stdout
    assert "4/4" in result.stdout
    run = heading.split()[1]
    assert f"next: steelyard show {run} --wrong" in result.stderr
    assert f"steelyard export {run} -o scores.csv" in result.stderr


def test_json_is_one_document_and_nothing_else(steelyard, answers):
    result = steelyard("score", answers, *SCORERS, "--output-column", "first", "--json")
    document = json.loads(result.stdout)
    run = document["runs"][0]
    assert run["metrics"]["match"]["accuracy"]["value"] == 0.5
    assert run["counts"]["match"]["scored"] == 4
    assert run["scorers"]["match"] == {"match": {"numeric": True, "location": "any"}}
    assert document["differences"] == []
    assert result.stderr == ""


def test_two_outputs_stand_side_by_side_with_their_difference(steelyard, answers):
    result = steelyard("score", answers, *SCORERS, "--output-column", "first", "--output-column", "second")
    assert "columns: id, input = question, target, output = first | second" in result.stdout
    assert "second against first, paired by sample" in result.stdout
    assert "second - first" in result.stdout
    assert "1 without an output: match, token_f1" in result.stdout
    shown = json.loads(
        steelyard("score", answers, *SCORERS, "--output-column", "first", "--output-column", "second", "--json").stdout
    )
    assert [each["run"]["name"] for each in shown["runs"]] == ["first", "second"]
    assert {each["scorer"]: each["pairs"] for each in shown["differences"]} == {"match": 3, "token_f1": 3}


def test_figures_for_each_value_of_a_column(steelyard, answers):
    result = steelyard("score", answers, *SCORERS, "--output-column", "first", "--by", "kind")
    lines = result.stdout.splitlines()
    assert any(line.startswith("sum ") and "0.500" in line and "2/2" in line for line in lines)


def test_patterns_limit_cluster_reducer_and_map(steelyard, write):
    rows = [{"id": i % 2, "group": i % 3, "said": f"thus: {i}", "gold": f"A: {i}"} for i in range(6)]
    write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    result = steelyard(
        "score", "rows.jsonl", "--scorer", "exact_match", "--output-column", "said", "--map", "target=gold",
        "--output-pattern", r"thus: (\d)", "--limit", "4", "--epochs", "repeats", "--cluster", "group",
        "--reducer", "max", "--json",
    )  # fmt: skip
    run = json.loads(result.stdout)["runs"][0]["run"]
    assert (run["n_samples"], run["n_epochs"], run["cluster"]) == (4, 2, "group")
    assert run["reducers"] == ["max"]
    assert run["settings"] == {"column_map": {"target": "gold"}}


def test_from_standard_input(steelyard, answers, tmp_path):
    text = (tmp_path / answers).read_text(encoding="utf-8")
    result = steelyard("score", "-", "--scorer", "exact_match", "--output-column", "first", input=text)
    assert " · stdin · 4 rows" in result.stdout


def test_skipped_rows_are_told(steelyard, write):
    write("bad.jsonl", '{"output": "a", "target": "a"}\n{"output": oops}\n')
    result = steelyard("score", "bad.jsonl", "--scorer", "exact_match", "--skip-bad-rows")
    assert "warning: 1 row that could not be read was skipped" in result.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "which scorer?"),
        (["--scorer", "mach"], "Did you mean 'match'?"),
        (["--scorer", "match:numerc=true"], "Did you mean 'numeric'?"),
        (["--scorer", "match:location=middle"], "location must be one of"),
        (["--scorer", "pattern"], "steelyard scorers pattern"),
        (["--scorer", '{"match": {'], "as JSON"),
        (["--scorer", "match", "--output-column", "frist"], "Did you mean 'first'?"),
        (["--scorer", "match"], "--output-column"),
        (["--scorer", "match", "--output-column", "first", "--by", "knd"], "Did you mean 'kind'?"),
        (["--scorer", "match", "--output-column", "first", "--map", "target"], "ARGUMENT=COLUMN"),
        (["--scorer", "match", "--output-column", "first", "--fail-on-error", "x"], "such as 5%"),
        (["--scorer", "match", "--output-column", "first", "--limit", "0"], "--limit"),
    ],
)
def test_a_mistake_is_told_with_what_would_mend_it(steelyard, answers, words, told):
    result = steelyard("score", answers, *words)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("empty.jsonl", "", "no rows"),
        ("bad.jsonl", '{"output": "a", "target": "a"}\n{"output": oops}\n', "line 2"),
        ("twice.jsonl", '{"id": 1, "output": "a", "target": "a"}\n' * 2, "--epochs repeats"),
    ],
)
def test_data_that_cannot_be_scored(steelyard, write, name, text, told):
    result = steelyard("score", write(name, text), "--scorer", "exact_match")
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_missing_file_and_a_folder(steelyard, answers, tmp_path):
    assert "answers.jsonl" in steelyard("score", "answer.jsonl", "--scorer", "match").stderr
    assert "folder" in steelyard("score", str(tmp_path), "--scorer", "match").stderr


def test_exit_code_3_when_too_many_failed(steelyard, write):
    write(
        "failing.py",
        "from steelyard import score, scorer\n\n\n@scorer\ndef fragile(output: str) -> float:\n    return 1 / len(output)\n\n\n"
        "score([{'output': ''}, {'output': 'a'}, {'output': 'b'}], [fragile])\n",
    )
    assert steelyard("run", "failing.py", "--fail-on-error", "50%").exit_code == 0
    result = steelyard("run", "failing.py", "--fail-on-error", "30")
    assert result.exit_code == 3
    assert "failed: 33.3% of the outcomes of fragile (1 of 3), and --fail-on-error allows 30%" in result.stderr


def test_the_rows_of_a_file_are_estimated_from_its_beginning(write, tmp_path):
    write("rows.jsonl", '{"a": 1}\n' * 500)
    assert expected_rows(str(tmp_path / "rows.jsonl"), None) == 500
    assert expected_rows(str(tmp_path / "rows.jsonl"), 20) == 20
    assert expected_rows("-", None) is None


def test_scoring_never_loads_scipy_stats(environment, answers, tmp_path):
    import subprocess
    import sys

    program = (
        "import sys; from steelyard.cli.app import app\n"
        f"try: app.main(['score', {answers!r}, '--output-column', 'first', '--output-column', 'second', *{SCORERS!r}])\n"
        "except SystemExit: print('LOADED', *[m for m in sys.modules if m.startswith('scipy.stats')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, cwd=tmp_path, check=True
    )
    assert done.stdout.splitlines()[-1].strip() == "LOADED"
