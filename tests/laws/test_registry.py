"""What holds for every registered scorer."""

import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from steelyard.scorers import BUILTIN
from steelyard.scoring.adapt import as_form, make_scorer
from steelyard.scoring.spec import Spec
from steelyard.testing import check_scorer

ROOT = Path(__file__).parents[2]

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "answer": [{"pattern": "letter"}, {"pattern": "word"}, {"pattern": "line"}],
    "exact_match": [{}, {"strip": False, "case_sensitive": False}],
    "f1": [{}, {"stop_words": ["of", "is"]}],
    "includes": [{}, {"ignore_case": False}],
    "json_valid": [{}, {"allow_nan": True, "fenced": True}],
    "match": [
        {},
        {"location": "any"},
        {"location": "begin", "ignore_case": False},
        {"location": "exact"},
        {"numeric": True},
        {"numeric": True, "location": "any", "tolerance": 0.5},
        {"numeric": True, "location": "exact", "rel_tolerance": 0.01},
        {"numeric": True, "location": "begin"},
    ],
    "multi_scorer": [{"scorers": ["includes", "match"], "reducer": "mean"}],
    "pattern": [{"pattern": r"(\d+)"}, {"pattern": r"(\w)(\w)?", "match_all": True, "ignore_case": False}],
    "token_f1": [{}, {"case_sensitive": True}],
}
"""Every scorer that needs options, and every option that changes what is done."""

CASES = [(name, options) for name in BUILTIN for options in OPTIONS.get(name, [{}])]


def ids(case: tuple[str, dict[str, Any]]) -> str:
    return repr(Spec(*case))


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_a_spec_makes_the_scorer_again(case: tuple[str, dict[str, Any]]) -> None:
    scorer = make_scorer({case[0]: case[1]})
    form = as_form(scorer)
    again = make_scorer(form.spec.as_json())
    assert as_form(again).spec == form.spec
    assert as_form(again).digest() == form.digest() is not None


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_a_built_in_scorer_travels(case: tuple[str, dict[str, Any]]) -> None:
    form = as_form(make_scorer({case[0]: case[1]}))
    assert form.portable
    again = as_form(pickle.loads(pickle.dumps(form.origin)))
    assert (again.name, again.spec, again.facts) == (form.name, form.spec, form.facts)


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_it_prints_as_the_call_that_makes_it(case: tuple[str, dict[str, Any]]) -> None:
    scorer = make_scorer({case[0]: case[1]})
    form = as_form(scorer)
    import steelyard.scorers as home

    if case[1]:
        assert repr(scorer) == repr(form.spec)
    remade = getattr(home, case[0])
    assert as_form(remade if not case[1] and hasattr(remade, "fn") else scorer).spec == form.spec


@pytest.mark.parametrize("case", CASES, ids=ids)
@pytest.mark.timeout(120)
def test_it_obeys_the_laws_of_scorers(case: tuple[str, dict[str, Any]]) -> None:
    check_scorer(make_scorer({case[0]: case[1]}))


@pytest.mark.parametrize("name", BUILTIN)
def test_it_is_documented(name: str) -> None:
    pages = "\n".join(page.read_text() for page in (ROOT / "docs" / "scorers").glob("*.md"))
    assert re.search(rf"<!-- reference:[^>]*\b{name}\b", pages), "no page of docs/scorers has its reference"
    assert re.search(rf"\b{name}\b", (ROOT / "docs" / "names.md").read_text()), "no row in the table of names"


@pytest.mark.parametrize("name", BUILTIN)
def test_it_has_a_golden_case(name: str) -> None:
    golden = "".join(file.read_text() for file in (ROOT / "tests" / "golden").glob("*.jsonl"))
    assert f'"scorer":"{name}"' in golden.replace('": "', '":"')
