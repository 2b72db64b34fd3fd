"""Examples in docstrings are shown as code on the reference pages."""

import runpy
from pathlib import Path

import pytest

pytest.importorskip("griffe")
SCRIPT = Path(__file__).parents[2] / "scripts" / "doctest_blocks.py"


def test_bare_doctests_get_a_fence():
    fenced = runpy.run_path(str(SCRIPT))["fenced"]
    assert fenced("One.\n\n>>> 1 + 1\n2\n\nTwo.") == "One.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nTwo."
    assert fenced("Ends.\n\n>>> 1\n1") == "Ends.\n\n```pycon\n>>> 1\n1\n```"
    assert fenced("No example.") == "No example."
