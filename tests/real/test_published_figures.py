"""Real outputs with published verdicts: our figures are theirs, to the row."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import steelyard
from steelyard.metrics import pass_at
from steelyard.scorers import match, squad_em, squad_f1

pytestmark = pytest.mark.data

GSM8K = {"6b_finetuning": 146, "6b_verification": 266, "175b_finetuning": 225, "175b_verification": 371}


def test_gsm8k_flags_agree_on_every_row(test_data: Path) -> None:
    file = test_data / "gsm8k" / "example_model_solutions_first660.jsonl"
    runs = steelyard.score(
        file,
        match(numeric=True),
        output=[f"{model}.solution" for model in GSM8K],
        target="ground_truth",
        target_pattern="A: (.*)",
    )
    rows = msgspec.json.decode(b"[" + b",".join(file.read_bytes().splitlines()) + b"]")
    for model, correct in GSM8K.items():
        run = runs[model]
        flags = [row[model]["is_correct"] for row in rows]
        assert [outcome.outcome.value == "C" for outcome in run.outcomes("match")] == flags
        assert run.metrics["match"]["accuracy"].value == pytest.approx(correct / 660)
        assert run.counts["match"].scored == 660


@pytest.mark.parametrize(
    ("system", "em", "f1"), [("bert_ensemble", 74.8739, 86.3247), ("logistic_regression", 34.5378, 45.8523)]
)
def test_squad_gives_the_official_figures(test_data: Path, system: str, em: float, f1: float) -> None:
    run = steelyard.score(
        test_data / "squad_xquad" / "squad_dev_subset.jsonl",
        [squad_em, squad_f1],
        output=f"predictions.{system}",
        target="answers",
        on_unscored="worst",
    )
    assert 100 * float(run.metrics["squad_em"]["mean"]) == pytest.approx(em, abs=5e-5)
    assert 100 * float(run.metrics["squad_f1"]["mean"]) == pytest.approx(f1, abs=5e-5)
    missing = 2 if system == "logistic_regression" else 0
    assert run.counts["squad_em"].missing == missing


def test_humaneval_example_samples_give_one_half() -> None:
    verdicts: list[Any] = [False, False, False, True, True, True]
    assert pass_at(1)(verdicts).value == pytest.approx(0.5)


def test_the_store_gives_the_same_figures_again(test_data: Path) -> None:
    run = steelyard.score(
        test_data / "gsm8k" / "example_model_solutions_first660.jsonl",
        [match(numeric=True), "includes", "rouge_l"],
        output="175b_verification.solution",
        target="ground_truth",
        target_pattern="A: (.*)",
        name="again",
    )
    again = steelyard.load("again")
    assert again.id == run.id
    assert again.metrics == run.metrics
    assert repr(again) == repr(run)
    assert steelyard.load(run.id[:6]).record.dataset_version == run.record.dataset_version
