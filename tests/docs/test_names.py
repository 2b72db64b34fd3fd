"""docs/names.md names what is there."""

import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "names.md"
ROW = re.compile(r"^\| (?P<there>.+?) \| (?P<here>.+?) \|.*\|$", re.MULTILINE)
HOMES = {"steelyard", "steelyard.metrics", "steelyard.scorers"}


def _claims() -> list[tuple[str, str]]:
    """(module, name) of every row that says where something is."""
    found = []
    for row in ROW.finditer(PAGE.read_text(encoding="utf-8")):
        for here in re.findall(r"`(steelyard[\w.]*)`", row["here"]):
            if here in HOMES:
                names = re.findall(r"`@?([A-Za-z_]\w*)`", row["there"])
                found += [(here, name) for name in names]
            else:
                found.append(tuple(here.rsplit(".", 1)))
    return found


def test_the_page_makes_claims():
    assert len(_claims()) > 40


@pytest.mark.parametrize(("module", "name"), sorted(set(_claims())))
def test_a_name_of_the_page_is_there(module, name):
    assert name in importlib.import_module(module).__all__
