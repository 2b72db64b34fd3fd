"""Which metrics apply to which key, and which to values of which kind."""

import pytest

from steelyard.core.scored import ScoredColumn
from steelyard.metrics import accuracy, default_metrics, mean, select_metrics, stderr

A, M, S = accuracy(), mean(), stderr()


@pytest.mark.parametrize(
    ("metrics", "key", "chosen"),
    [
        (None, "", []),
        (None, "a", []),
        ([A, S], "", [A, S]),
        ((A, S), "a", [A, S]),
        (A, "", [A]),
        ("accuracy", "", ["accuracy"]),
        ({"a": [M], "b": [S]}, "a", [M]),
        ({"a": [M], "b": [S]}, "c", []),
        ({"a": [M], "*": [S]}, "a", [M]),
        ({"a": [M], "*": [S]}, "c", [S]),
        ({"a": M, "*": "stderr"}, "c", ["stderr"]),
        ({"*": [A]}, "", [A]),
        ({"style_*": [M, S], "*_score": [A, M], "*": ["var"]}, "style_score", [M, S, A]),
        ({"style": [M], "style.tone": [S]}, "style.tone", [S]),
        ({"style": [M], "*": [S]}, "style.tone", [M]),
        ({"0": [M]}, "0", [M]),
        ([A, {"a": [M]}], "a", [A, M]),
        ([A, {"a": [M, A]}], "a", [A, M]),
        ([A, {"a": [M]}], "b", [A]),
        ([{"stderr": {"cluster": "topic"}}], "b", [{"stderr": {"cluster": "topic"}}]),
        ({"stderr": {"cluster": "topic"}}, "b", [{"stderr": {"cluster": "topic"}}]),
        ([{"stderr": None}], "", [{"stderr": None}]),
        ([{"a": ["mean", {"ci": {"level": 0.9}}]}], "a", ["mean", {"ci": {"level": 0.9}}]),
    ],
)
def test_select(metrics, key, chosen):
    assert select_metrics(metrics, key) == chosen


@pytest.mark.parametrize(
    ("values", "chosen"),
    [
        (["C", "I", "N", "P"], ["accuracy"]),
        ([True, False], ["accuracy"]),
        ([True, "C"], ["accuracy"]),
        ([0.5, 1], ["mean"]),
        ([0.5, "C", True], ["mean"]),
        ([], ["mean"]),
        (["refund", "delivery"], ["frequency"]),
        (["refund", 1], ["mean"]),
        (["C", "c"], ["frequency"]),
        (["A sentence of some length, which is a remark and no label at all, as anyone can see who reads it."], []),
        ([f"label {i}" for i in range(30)], []),
        ([["a"], ["b"]], ["frequency"]),
    ],
)
def test_default(values, chosen):
    assert [one.name for one in default_metrics(values)] == chosen
    assert default_metrics(ScoredColumn("s", values)) == default_metrics(values)


def test_default_from_counts():
    assert default_metrics(ScoredColumn("s", [], distinct={"C": 3})) == [accuracy()]
