"""What inspect_ai's metrics and reducers give, and where we differ on purpose."""

import json
from pathlib import Path

import pytest

from steelyard.core.score import SampleScore, Score
from steelyard.errors import UndefinedMetric
from steelyard.metrics import find_metric, find_reducer

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "golden" / "inspect_ai_metrics.jsonl").read_text("utf-8").splitlines()
]


def _ours(case):
    if case["kind"] == "reducer":
        return find_reducer(case["spec"])(case["values"]).value
    clusters = case["clusters"]
    scores = [
        SampleScore(Score(value), i, {"g": clusters[i]} if clusters else None) for i, value in enumerate(case["values"])
    ]
    return find_metric(case["spec"])(scores)


def _id(case):
    return f"{case['case']}-{json.dumps(case['spec'])}"


@pytest.mark.parametrize("case", [case for case in CASES if "departure" not in case], ids=_id)
def test_we_agree_with_the_peer(case):
    if "error" in case:
        with pytest.raises(UndefinedMetric):
            _ours(case)
    elif isinstance(case["expected"], str):
        assert _ours(case) == case["expected"]
    else:
        assert _ours(case) == pytest.approx(case["expected"], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("case", [case for case in CASES if "departure" in case], ids=_id)
def test_where_we_differ_we_differ_for_the_reason_given(case):
    try:
        ours = _ours(case)
    except UndefinedMetric:
        return
    theirs = case["expected"]
    same_number = not isinstance(theirs, str | bool | type(None)) and ours == pytest.approx(theirs, rel=1e-9)
    assert not (same_number and type(ours) is type(theirs))


def test_the_cases_say_where_they_come_from():
    assert {case["source"] for case in CASES} == {"inspect_ai 0.3.285"}
    assert len(CASES) > 200
