"""on_unscored="worst" counts an epoch without a score, also where the sample's other epochs have one."""

from typing import Any

import pytest

import steelyard


def scored(values: dict[str, list[Any]], **asked: Any) -> steelyard.Run:
    declared = asked.pop("declared", (0.0, 1.0))

    @steelyard.scorer(name="s", range=declared, higher_is_better=asked.pop("higher_is_better", True))
    def given(output: str, value: Any) -> Any:
        return steelyard.Unscored("malformed") if value is None else value

    rows = [
        {"id": name, "epoch": epoch, "output": "x", "value": value}
        for name, epochs in values.items()
        for epoch, value in enumerate(epochs, 1)
    ]
    run: steelyard.Run = steelyard.score(rows, given, store=False, **asked)
    return run


@pytest.mark.parametrize(
    ("reducer", "better", "expected"),
    [
        ("mean", True, (0.5 * (0.4 + 0.0) + 0.6 + 0.0) / 3),
        ("mean", False, (0.5 * (0.4 + 1.0) + 0.6 + 1.0) / 3),
        ("max", True, (0.4 + 0.6 + 0.0) / 3),
        ("max", False, (1.0 + 0.6 + 1.0) / 3),
    ],
)
def test_an_epoch_without_a_score_is_the_worst(reducer: str, better: bool, expected: float) -> None:
    values: dict[str, list[Any]] = {"half": [0.4, None], "whole": [0.6, 0.6], "none": [None, None]}
    run = scored(values, on_unscored="worst", higher_is_better=better, reducer=reducer)
    estimate = run.metrics["s"]["mean"]
    assert estimate.value == pytest.approx(expected)
    assert estimate.n == 3


def test_it_is_left_out_as_a_rule() -> None:
    run = scored({"half": [0.4, None], "whole": [0.6, 0.6]})
    assert run.metrics["s"]["mean"].value == pytest.approx(0.5)


def test_without_a_worst_value_the_figure_is_undefined() -> None:
    run = scored({"half": [4.0, None], "whole": [6.0, 6.5]}, on_unscored="worst", declared=None)
    estimate = run.metrics["s"]["mean"]
    assert estimate.value is None
    assert "no worst value is known" in (estimate.reason or "")
