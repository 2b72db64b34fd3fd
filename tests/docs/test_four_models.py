"""The page on GSM8K shows what the command prints."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from steelyard.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "four-models.md"


@pytest.mark.data
def test_the_page_shows_the_real_output(test_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    page = PAGE.read_text()
    command = shlex.split(_block(page, "sh").replace("\\\n", " "))
    command[2] = str(test_data / "gsm8k" / command[2])
    result = CliRunner().invoke(app, command[1:])
    assert result.exit_code == 0
    assert _nameless(result.stdout).strip() == _nameless(_block(page, "text")).strip()


def _block(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


def _nameless(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{12}\b", "RUN", text)
