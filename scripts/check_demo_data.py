"""Check the demo data: recompute every word problem, and hold the rules on ids, kinds, targets and labels.

Usage: python scripts/check_demo_data.py [folder]

Prints one line per violation and exits with 1 if there is any. `main(folder)` returns the same lines.
"""

from __future__ import annotations

import ast
import json
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

DEMO = Path(__file__).resolve().parent.parent / "src" / "steelyard" / "demo"
QUESTIONS = "questions.jsonl"
ANSWERS = ("step_by_step.jsonl", "at_once.jsonl")
KINDS = {"math": 55, "fact": 35, "choice": 35, "extract": 25}
FIELDS = {
    "math": {"id", "kind", "topic", "input", "target", "check"},
    "fact": {"id", "kind", "topic", "input", "target"},
    "choice": {"id", "kind", "topic", "input", "target", "choices"},
    "extract": {"id", "kind", "topic", "input", "target"},
}
LABEL = ("synthetic", "written for steelyard", "no model produced", "Apache-2.0")
LARGEST = 150_000  # bytes, all data files together
FAILED_CALLS = range(1, 3)  # how many outputs of a set are null

Row = dict[str, Any]

OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


def evaluate(expression: str) -> Fraction:
    """The exact value of an expression of numbers, + - * / // % ** and parentheses.

    Raises:
        ValueError: for anything else in the expression, and for powers that are no small whole number.
        SyntaxError, ZeroDivisionError: as Python itself.
    """
    return _value(ast.parse(expression, mode="eval").body)


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        # By way of text, so that 0.1 is a tenth.
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and (right.denominator != 1 or abs(right) > 64):
            raise ValueError(f"the power {right} is not a whole number up to 64")
        return Fraction(OPERATORS[type(node.op)](left, right))
    raise ValueError(f"{ast.unparse(node)!r} is not allowed in a check")


def main(folder: str | Path = DEMO) -> list[str]:
    """All violations in `folder`, as readable lines; empty when there are none."""
    folder = Path(folder)
    problems: list[str] = []
    questions = read_rows(folder / QUESTIONS, problems)
    check_questions(questions, problems)
    ids = [row.get("id") for row in questions]
    for name in ANSWERS:
        check_answers(name, read_rows(folder / name, problems), ids, problems)
    check_labels(folder, problems)
    size = sum(path.stat().st_size for path in folder.glob("*.jsonl"))
    if size > LARGEST:
        problems.append(f"the data files have {size} bytes together, more than {LARGEST}")
    return problems


def read_rows(path: Path, problems: list[str]) -> list[Row]:
    """The JSON objects of a file, one a line; lines that are none become problems."""
    if not path.is_file():
        problems.append(f"{path.name}: the file is missing")
        return []
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            problems.append(f"{path.name}, line {number}: not JSON ({error})")
            continue
        if isinstance(row, dict):
            rows.append(row)
        else:
            problems.append(f"{path.name}, line {number}: not a JSON object")
    return rows


def check_questions(rows: list[Row], problems: list[str]) -> None:
    """Ids, kinds and topics of all questions, and the target of each."""
    counts = Counter(row.get("kind") for row in rows)
    for kind, wanted in KINDS.items():
        if counts[kind] != wanted:
            problems.append(f"{QUESTIONS}: {counts[kind]} rows of kind {kind!r}, not {wanted}")
    for field in ("id", "input"):
        for value, times in Counter(str(row.get(field)) for row in rows).items():
            if times > 1:
                problems.append(f"{QUESTIONS}: {field} {value!r} occurs {times} times")
    for topic, kinds in _kinds_by_topic(rows).items():
        if len(kinds) < 2 or len(set(kinds)) > 1:
            problems.append(f"{QUESTIONS}: topic {topic!r} is not shared by several questions of one kind: {kinds}")
    for row in rows:
        problems.extend(f"{row.get('id')}: {message}" for message in question_problems(row))


def _kinds_by_topic(rows: list[Row]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for row in rows:
        kinds.setdefault(str(row.get("topic")), []).append(str(row.get("kind")))
    return kinds


def question_problems(row: Row) -> list[str]:
    """What is wrong with one question."""
    kind = row.get("kind")
    if kind not in KINDS:
        return [f"kind {kind!r} is none of {', '.join(KINDS)}"]
    if set(row) != FIELDS[kind]:
        return [f"fields {sorted(row)} where a {kind} row has {sorted(FIELDS[kind])}"]
    problems = []
    if not re.fullmatch(rf"{kind}-\d{{3}}", str(row["id"])):
        problems.append(f"the id of a {kind} row looks like {kind}-012")
    for field in ("topic", "input"):
        if not _is_text(row[field]):
            problems.append(f"{field} is not a text, or is empty")
    message = TARGET_PROBLEMS[kind](row)
    return [*problems, message] if message else problems


def math_problem(row: Row) -> str | None:
    """Why the target is not the value of `check`, if it is not."""
    if not re.fullmatch(r"-?\d+(\.\d*[1-9])?", str(row["target"])):
        return f"target {row['target']!r} is not a plain number as text"
    try:
        value = evaluate(str(row["check"]))
    except (ValueError, SyntaxError, ZeroDivisionError) as error:
        return f"check {row['check']!r} cannot be computed: {error}"
    if value != Fraction(row["target"]):
        return f"check {row['check']} gives {value}, but the target is {row['target']}"
    return None


def fact_problem(row: Row) -> str | None:
    """Why the target is neither a text nor a list of different texts, if so."""
    target = row["target"]
    if _is_text(target) or _are_different_texts(target):
        return None
    return f"target {target!r} is neither a text nor a list of different texts"


def choice_problem(row: Row) -> str | None:
    """Why the choices or the letter that points into them will not do."""
    choices, target = row["choices"], row["target"]
    if not _are_different_texts(choices) or not 3 <= len(choices) <= 5:
        return f"choices {choices!r} are not three to five different texts"
    letters = "ABCDE"[: len(choices)]
    if target not in list(letters):
        return f"target {target!r} is none of the letters {', '.join(letters)}"
    return None


def extract_problem(row: Row) -> str | None:
    """Why the target is not a compact JSON object as text, if it is not."""
    try:
        value = json.loads(row["target"])
    except (TypeError, ValueError) as error:
        return f"target {row['target']!r} is not JSON as text ({error})"
    if not isinstance(value, dict) or not value:
        return f"target {row['target']!r} is not a JSON object with fields"
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return None if compact == row["target"] else f"target is not compact: write {compact}"


TARGET_PROBLEMS: dict[str, Callable[[Row], str | None]] = {
    "math": math_problem,
    "fact": fact_problem,
    "choice": choice_problem,
    "extract": extract_problem,
}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.strip() == value != ""


def _are_different_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value)) and len(set(value)) == len(value)


def check_answers(name: str, rows: list[Row], ids: list[Any], problems: list[str]) -> None:
    """The ids of an answer file, which are those of the questions in their order, and its outputs."""
    answered = [row.get("id") for row in rows]
    if answered != ids:
        absent, extra = (sorted(map(str, set(a) - set(b))) for a, b in ((ids, answered), (answered, ids)))
        problems.append(f"{name}: the ids are not those of {QUESTIONS} in order; missing {absent}, unknown {extra}")
    for row in rows:
        if set(row) != {"id", "output"} or not isinstance(row["output"], str | None):
            problems.append(f"{name}, {row.get('id')}: a row has an id and an output, which is text or null")
    failed = sum(row.get("output") is None for row in rows)
    if failed not in FAILED_CALLS:
        problems.append(f"{name}: {failed} outputs are null, not {FAILED_CALLS[0]} to {FAILED_CALLS[-1]}")


def check_labels(folder: Path, problems: list[str]) -> None:
    """The package's docstring and the README say what the data are, and the README labels each file."""
    texts = {name: _text(folder / name) for name in ("__init__.py", "README.md")}
    for name, text in texts.items():
        for words in LABEL:
            if words.casefold() not in " ".join(text.split()).casefold():
                problems.append(f"{name}: the label {words!r} is missing")
    lines = texts["README.md"].splitlines()
    for data in sorted({QUESTIONS, *ANSWERS} | {path.name for path in folder.glob("*.jsonl")}):
        if not any(f"`{data}`" in line and "synthetic" in line and "Apache-2.0" in line for line in lines):
            problems.append(f"README.md: no line labels `{data}` as synthetic, Apache-2.0")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    found = main(*sys.argv[1:2])
    print("\n".join(found) if found else "The demo data hold all rules.")
    sys.exit(1 if found else 0)
