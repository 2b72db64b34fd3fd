"""What the tests of the command line share: a runner, and small files."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steelyard.cli.app import app

ROWS = [
    {"id": "a", "kind": "sum", "question": "6 times 7?", "target": "42", "first": "It is 42.", "second": "It is 41."},
    {"id": "b", "kind": "sum", "question": "5 and 3?", "target": "8", "first": "That makes 7.", "second": "8"},
    {"id": "c", "kind": "fact", "question": "Capital?", "target": "Paris", "first": "Paris", "second": None},
    {"id": "d", "kind": "fact", "question": "Colour?", "target": "red", "first": "Blue, I think", "second": "red"},
]


@pytest.fixture
def steelyard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command, run in an empty folder: ``steelyard("list", "--json")``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str, input: str | None = None) -> Result:
        result = CliRunner().invoke(app, list(words), input=input, prog_name="steelyard")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def answers(tmp_path: Path) -> str:
    """The name of a file of four rows with two sets of answers."""
    lines = [json.dumps(row) for row in ROWS]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "answers.jsonl"


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    """Writes a file into the folder of the test, and gives its name."""

    def make(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return make


@pytest.fixture
def environment(store_home: Path) -> dict[str, str]:
    """The environment of a true process."""
    source = str(Path(__file__).resolve().parents[2] / "src")
    return {**os.environ, "PYTHONPATH": source, "STEELYARD_HOME": str(store_home), "COLUMNS": "100"}
