"""Golden cases from the pages that users come from, from papers and from standards; each names its source."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from steelyard.core.columns import Columns
from steelyard.scoring.adapt import make_scorer

CASES = [msgspec.json.decode(line) for line in (Path(__file__).parent / "pages.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['scorer']}-{case['output'][:20]!r}")
def test_a_page_says_so(case: dict[str, Any]) -> None:
    scorer = make_scorer({case["scorer"]: case["options"]})
    found = scorer(case["output"], case["target"]).value
    assert found == (pytest.approx(case["value"]) if isinstance(case["value"], float) else case["value"])
    assert case["source"]


def test_a_chunk_gives_what_a_pair_gives() -> None:
    from steelyard.scoring.adapt import as_form
    from steelyard.scoring.bound import bind

    for case in CASES:
        form = as_form({case["scorer"]: case["options"]})
        row: dict[str, list[Any]] = {"output": [case["output"]], "target": [case["target"]]}
        bound = bind(form, list(row))
        if not bound.is_async:
            assert bound.score(Columns(row, 1)).outcome(0) == make_scorer({case["scorer"]: case["options"]})(
                case["output"], case["target"]
            )
