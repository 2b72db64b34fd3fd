"""Every scorer, metric and reducer that is built in is in the documentation, with a sentence of its own."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _load_hooks():
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "scripts" / "docs_hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_hooks"] = module
    spec.loader.exec_module(module)
    return module


hooks = _load_hooks()
SCORERS = sorted(hooks._builtin("scorers"))


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_has_a_page(name):
    assert hooks.page_of(name) is not None, f"no page of docs/scorers/ names {name} in a `reference` directive"


@pytest.mark.parametrize("kind", ["scorers", "metrics", "reducers"])
def test_a_table_has_a_sentence_for_each(kind):
    rows = hooks.table(kind).splitlines()[2:]
    assert len(rows) == len(hooks._builtin(kind))
    assert [row for row in rows if not row.split("|")[2].strip()] == []
