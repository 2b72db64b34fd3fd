"""The aieval page: its examples with their imports changed, and what it says of them."""

import inspect
from typing import Any

import pytest

import steelyard
from steelyard import run, scorer
from steelyard.scorers import exact_match, json_valid, rouge_l, token_f1
from steelyard.testing import FakeModel

DATASET = [
    {"prompt": "Refund my order", "expected": "We refund it"},
    {"prompt": "What is the capital?", "expected": "paris is the capital"},
]
ANSWERS = ["We refund it.", "the capital is paris"]


@scorer
def mentions_refund(prediction: str, _expected: str) -> float:
    return 1.0 if "refund" in prediction.lower() else 0.0


@scorer(name="refund_mention")
def _refund(prediction: str, _expected: str) -> float:
    return 1.0 if "refund" in prediction.lower() else 0.0


@scorer
def grounded_in_prompt(prediction: str, _expected: str, *, prompt: str | None = None) -> float:
    return 1.0 if prompt and prompt.split()[0].lower() in prediction.lower() else 0.0


def qa(scorers: Any, **options: Any) -> Any:
    return run(name="qa", dataset=DATASET, scorers=scorers, provider="sarmalink", model=FakeModel(ANSWERS), **options)


def means(made: Any) -> dict[str, float]:
    return {name: float(figures["mean"]) for name, figures in made.metrics.items()}


def test_the_runner_applies_every_scorer_to_every_prediction_and_stores_the_result_under_its_name():
    made = qa([mentions_refund, _refund, grounded_in_prompt, exact_match, json_valid, rouge_l, token_f1])
    assert means(made) == {
        "mentions_refund": 0.5,
        "refund_mention": 0.5,
        "grounded_in_prompt": 0.5,
        "exact_match": 0.0,
        "json_valid": 0.0,
        "rouge_l": pytest.approx((2 / 3 + 0.5) / 2),
        "token_f1": pytest.approx((2 / 3 + 1) / 2),
    }
    again = steelyard.load("qa")
    assert means(again) == means(made)
    assert [row.outcome.value for row in again.outcomes("refund_mention")] == [1.0, 0.0]
    assert (again.record.name, again.record.provider, again.record.n_samples) == ("qa", "sarmalink", 2)


def test_a_scorer_is_any_callable():
    assert means(qa([lambda prediction, expected: 0.25])) == {"<lambda>": 0.25}


def test_a_decorated_scorer_is_called_as_it_was_written():
    assert mentions_refund("We refund", "") == 1.0
    assert _refund("no", "") == 0.0
    assert grounded_in_prompt("the cat", "", prompt="The dog") == 1.0
    assert grounded_in_prompt("the cat", "") == 0.0


def test_what_is_declared_keyword_only_is_filled_in_and_wins_over_columns_of_those_names():
    seen: list[dict[str, Any]] = []

    @scorer
    def told(
        prediction: str,
        expected: str,
        *,
        example: Any,
        model: str | None,
        provider: str | None,
        prompt: str,
        topic: str,
        unit: str = "none",
    ) -> float:
        seen.append({**locals()})
        return 1.0

    rows = [{**DATASET[0], "topic": "orders", "model": "a column", "provider": "a column"}]
    made = run(name="qa", dataset=rows, scorers=[told], provider="sarmalink", model=FakeModel("x"), store=False)
    (given,) = seen
    assert given["prediction"] == "x"
    assert given["expected"] == "We refund it"
    assert given["example"]["topic"] == "orders"
    assert given["example"]["expected"] == "We refund it"
    assert (given["model"], given["provider"]) == (made.record.model, "sarmalink")
    assert (given["prompt"], given["topic"], given["unit"]) == ("Refund my order", "orders", "none")
    assert any("'model' is filled in by the runner" in warning for warning in made.warnings)


def test_where_outputs_are_recorded_the_prompt_is_the_input():
    made = steelyard.score([{**DATASET[0], "output": "refund"}], grounded_in_prompt, store=False)
    assert means(made) == {"grounded_in_prompt": 1.0}


@pytest.mark.parametrize(
    ("score", "prediction", "expected", "value"),
    [
        (exact_match, " Paris\n", "Paris", 1.0),
        (exact_match, "paris", "Paris", 0.0),
        (json_valid, '{"a": [1, 2.5e3, null]}', "", 1.0),
        (json_valid, "{a: 1}", "", 0.0),
        (json_valid, "", "", 0.0),
        (rouge_l, "the cat sat", "the cat sat", 1.0),
        (rouge_l, "a b c d", "d c b a", 0.25),
        (token_f1, "the capital is paris", "paris is the capital", 1.0),
        (token_f1, "the cat extra", "the cat", 0.8),
        (token_f1, "cat cat cat", "cat", 0.5),
        (token_f1, "", "x", 0.0),
        (token_f1, "x", "", 0.0),
        (token_f1, "", "", 0.0),
        (token_f1, "Paris", "paris", 1.0),
    ],
)
def test_the_built_in_scorers(score, prediction, expected, value):
    assert score(prediction, expected) == pytest.approx(value)


def test_casing_is_significant_where_that_is_asked_for():
    assert token_f1("Paris", "paris", case_sensitive=True) == 0.0
    made = qa([token_f1.with_options(case_sensitive=True), "exact_match"])
    assert means(made)["token_f1"] == pytest.approx((2 / 3 + 1) / 2)


def test_a_value_outside_a_declared_range_is_kept_out_with_the_value_named():
    made = qa([scorer(name="double", range=(0, 1))(lambda prediction, expected: 1.5 if "paris" in prediction else 0.5)])
    assert means(made) == {"double": 0.5}
    assert made.counts["double"].unscored == {"malformed": 1}
    assert "1.5" in str([row.outcome for row in made.outcomes("double")])


def test_a_provider_without_a_model_of_ours_is_said_before_the_first_call():
    with pytest.raises(steelyard.SteelyardError, match="sarmalink/smart"):
        run(name="qa", dataset=DATASET, scorers=[exact_match], provider="sarmalink", model="smart")


def test_run_takes_what_the_page_shows_by_name():
    assert {"name", "dataset", "scorers", "provider", "model"} <= set(inspect.signature(run).parameters)
