"""The demo data hold the rules of `scripts/check_demo_data.py`, and that script sees when they do not."""

import importlib.util
import json
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "src" / "steelyard" / "demo"
# The answers that were written to be wrong or are not there, by number. Decoration around an answer is forgiven here.
WRONG = {
    "step_by_step.jsonl": {
        "math": [6, 17, 23, 36, 42, 45, 51, 52, 55],
        "fact": [4, 6, 10, 15, 18, 23, 33],
        "choice": [11, 19, 21, 26, 30, 32],
        "extract": [5, 6, 9, 15, 17, 21, 24],
    },
    "at_once.jsonl": {
        "math": [2, 6, 15, 16, 17, 18, 21, 22, 28, 29, 32, 33, 35, 39, 40, 42, 43, 44, 49, 51, 53],
        "fact": [3, 6, 7, 18, 20, 24, 25],
        "choice": [4, 7, 11, 18, 19, 21, 24, 30, 32],
        "extract": [2, 5, 6, 8, 9, 12, 15, 18, 20],
    },
}
DATA_FILES = ["questions.jsonl", "step_by_step.jsonl", "at_once.jsonl"]


def _load_check():
    spec = importlib.util.spec_from_file_location("check_demo_data", ROOT / "scripts" / "check_demo_data.py")
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check = _load_check()


def test_the_demo_data_hold_all_rules():
    assert check.main(DEMO) == []


def test_the_files_are_the_three_that_are_described():
    assert sorted(path.name for path in DEMO.glob("*.jsonl")) == sorted(DATA_FILES)


@pytest.mark.parametrize("name", DATA_FILES)
def test_each_file_is_labelled_as_synthetic_with_its_licence(name):
    lines = (DEMO / "README.md").read_text(encoding="utf-8").splitlines()
    labels = [line for line in lines if f"`{name}`" in line and line.endswith("| synthetic, Apache-2.0 |")]
    assert len(labels) == 1


def test_the_readme_counts_the_right_answers():
    right = {kind: [_right(name, kind) for name in check.ANSWERS] for kind in check.KINDS}
    expected = [*right.values(), [_valid_json(name) for name in check.ANSWERS]]
    table = (DEMO / "README.md").read_text(encoding="utf-8").split("## What to expect")[1]
    assert re.findall(r"\| (\d+ of \d+) \| (\d+ of \d+) \|", table) == [tuple(row) for row in expected]


def _right(name, kind):
    return f"{check.KINDS[kind] - len(WRONG[name][kind])} of {check.KINDS[kind]}"


def _valid_json(name):
    outputs = [row["output"] for row in _rows(DEMO / name) if row["id"].startswith("extract")]
    return f"{sum(map(_is_json, outputs))} of {len(outputs)}"


def _is_json(text):
    try:
        json.loads(text, parse_constant=int)  # NaN is not JSON, and no int
    except ValueError:
        return False
    return True


def _rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("12*7-5", 79),
        ("0.1+0.2", Fraction(3, 10)),
        ("-(-16.1//2.5)", 7),
        ("2000*1.05**2", 2205),
        ("17 % 5", 2),
        ("1/(1/6+1/3)", 2),
    ],
)
def test_arithmetic_is_exact(expression, value):
    assert check.evaluate(expression) == value


@pytest.mark.parametrize(
    "expression", ["abs(1)", "x", "'1'", "True", "2**0.5", "2**65", "[1]", "1 if 1 else 2", "1 < 2"]
)
def test_nothing_but_arithmetic_is_evaluated(expression):
    with pytest.raises(ValueError, match="not"):
        check.evaluate(expression)


def _edit(path, number, **fields):
    """Changes fields of the row with that index."""
    rows = _rows(path)
    rows[number].update(fields)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "number", "fields", "message"),
    [
        ("questions.jsonl", 0, {"target": "112"}, r"math-001: check 12\*8\+15 gives 111, but the target is 112"),
        ("questions.jsonl", 0, {"check": "__import__('os')"}, "math-001: check .* cannot be computed"),
        ("questions.jsonl", 1, {"id": "math-001"}, "id 'math-001' occurs 2 times"),
        ("questions.jsonl", 1, {"topic": "alone"}, "topic 'alone' is not shared"),
        ("questions.jsonl", 1, {"kind": "riddle"}, "54 rows of kind 'math', not 55"),
        ("questions.jsonl", 55, {"target": []}, "fact-001: target .* is neither"),
        ("questions.jsonl", 90, {"target": "E"}, "choice-001: target 'E' is none of the letters A, B, C, D"),
        ("questions.jsonl", 90, {"choices": ["a", "a", "b"]}, "choice-001: choices .* different"),
        ("questions.jsonl", 125, {"target": "{'a': 1}"}, "extract-001: target .* is not JSON"),
        ("questions.jsonl", 125, {"target": '{"a": 1}'}, "extract-001: target is not compact"),
        ("questions.jsonl", 125, {"note": "x"}, "extract-001: fields"),
        ("at_once.jsonl", 3, {"id": "math-999"}, r"at_once.jsonl: .*missing \['math-004'\], unknown \['math-999'\]"),
        ("at_once.jsonl", 3, {"output": 148}, "at_once.jsonl, math-004: a row has"),
    ],
)
def test_a_broken_row_is_named(tmp_path, name, number, fields, message):
    folder = shutil.copytree(DEMO, tmp_path / "demo")
    _edit(folder / name, number, **fields)
    problems = "\n".join(check.main(folder))
    assert re.search(message, problems), problems


def test_missing_files_and_labels_are_named(tmp_path):
    problems = "\n".join(check.main(tmp_path))
    assert "at_once.jsonl: the file is missing" in problems
    assert "README.md: the label 'synthetic' is missing" in problems
    assert "README.md: no line labels `questions.jsonl`" in problems


def test_a_line_that_is_no_json_is_named(tmp_path):
    folder = shutil.copytree(DEMO, tmp_path / "demo")
    with (folder / "at_once.jsonl").open("a", encoding="utf-8") as file:
        file.write("{oops\n")
    assert any(problem.startswith("at_once.jsonl, line 151: not JSON") for problem in check.main(folder))
