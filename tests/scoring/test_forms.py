"""Any of the five forms of a scorer becomes one, and scores a chunk."""

import asyncio
import pickle
from typing import Any

import pytest

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.score import Score, Unscored
from steelyard.core.state import TaskState
from steelyard.core.target import Target
from steelyard.errors import UnknownNameError, UnscoredError, UsageError
from steelyard.scoring.adapt import as_form, as_forms
from steelyard.scoring.bound import bind
from steelyard.scoring.decorate import op, scorer
from steelyard.scoring.feeds import CallContext
from steelyard.scoring.form import Pair
from steelyard.scoring.scorer import Scorer


def score_rows(thing: Any, rows: dict[str, list[Any]], context: CallContext | None = None) -> list[Any]:
    """The outcomes of a scorer over rows given as columns."""
    columns = Columns(rows, len(next(iter(rows.values()))))
    bound = bind(as_form(thing), list(rows), context=context)
    scored = asyncio.run(bound.score_async(columns)) if bound.is_async else bound.score(columns)
    return list(scored)


def values(outcomes: list[Any]) -> list[Any]:
    return [outcome.value if isinstance(outcome, Score) else outcome.reason for outcome in outcomes]


ROWS: dict[str, list[Any]] = {"output": ["a refund", "no"], "target": ["x", "no"], "label": [1, 2]}


# -- form 1: (prediction, expected), with what the runner fills in


@scorer
def mentions_refund(prediction: str, _expected: str) -> float:
    return 1.0 if "refund" in prediction.lower() else 0.0


@scorer(name="refund_mention")
def _refund(prediction: str, _expected: str) -> float:
    return 1.0 if "refund" in prediction.lower() else 0.0


@scorer
def told(
    prediction: str, expected: str, *, example: Any, model: str | None, provider: str | None, prompt: str | None
) -> dict[str, Any]:
    return {"label": example["label"], "model": model or "-", "provider": provider or "-", "prompt": prompt or "-"}


def test_a_pair_function_is_called_as_it_is_and_named_by_the_decorator() -> None:
    assert mentions_refund("We refund", "") == 1.0
    assert as_form(mentions_refund).name == "mentions_refund"
    assert as_form(_refund).name == "refund_mention"
    assert values(score_rows(mentions_refund, ROWS)) == [1.0, 0.0]


def test_a_pair_function_needs_no_target_column_when_it_says_that_it_reads_none() -> None:
    assert values(score_rows(mentions_refund, {"output": ["refund"]})) == [1.0]


def test_the_runner_fills_in_what_is_declared_keyword_only() -> None:
    rows = {**ROWS, "input": ["q1", "q2"]}
    found = values(score_rows(told, rows, CallContext(model="m", provider="p")))
    assert found == [
        {"label": 1, "model": "m", "provider": "p", "prompt": "q1"},
        {"label": 2, "model": "m", "provider": "p", "prompt": "q2"},
    ]


def test_a_pair_function_gets_a_list_for_several_references() -> None:
    seen: list[Any] = []

    def look(prediction: str, expected: Any) -> bool:
        seen.append(expected)
        return True

    score_rows(look, {"output": ["x", "y"], "target": ["one", ["a", "b"]]})
    assert seen == ["one", ["a", "b"]]


# -- form 2: a factory of async (state, target)


@scorer(metrics=["accuracy"])
def starts_with(prefix: str = "a") -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        ok = state.output.completion.startswith(prefix)
        return Score("C" if ok else "I", answer=state.output.completion[:1], explanation=target.text)

    return score  # type: ignore[return-value]


def test_a_factory_makes_a_scorer_that_prints_compares_and_pickles_as_its_call() -> None:
    assert repr(starts_with("no")) == "starts_with(prefix='no')"
    assert repr(starts_with("a")) == "starts_with()"
    assert starts_with("no") == starts_with(prefix="no") != starts_with()
    assert hash(starts_with("no")) == hash(starts_with(prefix="no"))
    again = pickle.loads(pickle.dumps(starts_with("no")))
    assert again == starts_with("no")
    assert again("none", "x").value == "C"


def test_a_factory_scorer_scores_rows_pairs_and_states() -> None:
    assert values(score_rows(starts_with(), ROWS)) == ["C", "I"]
    assert starts_with()("abc", "t") == Score("C", answer="a", explanation="t")
    state = TaskState("q", "abc", "t")
    assert asyncio.run(starts_with()(state, Target("t"))).value == "C"
    assert asyncio.run(starts_with().score_async("abc", "t")).value == "C"


def test_an_unknown_option_names_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match=r"no option 'prefx'.*Did you mean 'prefix'"):
        starts_with(prefx="b")  # type: ignore[call-arg]


# -- form 3: parameters named after columns


@op
def evaluate_uppercase(text: str) -> dict[str, bool]:
    return {"text_is_uppercase": text.isupper()}


def test_a_function_without_output_binds_by_name() -> None:
    assert values(score_rows(evaluate_uppercase, {"text": ["HELLO WORLD", "no"]})) == [
        {"text_is_uppercase": True},
        {"text_is_uppercase": False},
    ]


def test_nested_dicts_and_texts_are_values() -> None:
    found = score_rows(lambda output, label: {"a": {"b": label}, "why": output, "none": None}, ROWS)
    assert found[0].value == {"a": {"b": 1}, "why": "a refund", "none": None}


# -- form 4: classes


class Within(Scorer):
    limit: int
    strict: bool = False

    @op
    def score(output, label):
        return {"match": output == label}

    def summarize(self, score_rows: Any) -> Any:
        return {"all": all(row["match"] for row in score_rows)}


class Batch:
    name = "lengths"

    def run_batch(self, candidates: Any, references: Any = None, inputs: Any = None, contexts: Any = None) -> Any:
        assert inputs is None
        return [float(len(c) - len(r)) for c, r in zip(candidates, references, strict=True)]


def test_class_fields_are_keyword_arguments_and_frozen() -> None:
    made = Within(limit=3, column_map={"label": "gold"})
    assert repr(made) == "Within(limit=3, column_map={'label': 'gold'})"
    assert pickle.loads(pickle.dumps(made)) == made
    assert values(score_rows(made, {"output": ["a"], "gold": ["a"]})) == [{"match": True}]
    with pytest.raises(AttributeError, match="frozen"):
        made.limit = 4
    with pytest.raises(TypeError, match="needs: limit"):
        Within()
    with pytest.raises(TypeError, match=r"no field 'limt'.*Did you mean 'limit'"):
        Within(limt=3)


def test_a_class_instead_of_an_instance_is_said() -> None:
    with pytest.raises(UsageError, match=r"Within is a class: give an instance"):
        as_form(Within)


def test_run_batch_gets_columns_and_a_wrong_length_is_counted() -> None:
    assert values(score_rows(Batch(), ROWS)) == [7.0, 0.0]

    class Short(Batch):
        def run_batch(self, candidates: Any, references: Any = None, inputs: Any = None, contexts: Any = None) -> Any:
            return [1.0]

    found = score_rows(Short(), ROWS)
    assert values(found) == ["scorer_error"] * 2
    assert "given 2 rows and returned 1" in found[0].error


# -- form 5: names


def test_registered_names_with_options() -> None:
    assert as_form("starts_with").spec == starts_with().spec
    assert as_form({"starts_with": {"prefix": "n"}}).spec.options == {"prefix": "n"}
    assert values(score_rows("starts_with:prefix=n", ROWS)) == ["I", "C"]
    with pytest.raises(UnknownNameError, match="Did you mean 'starts_with'"):
        as_form("start_with")


def test_two_scorers_of_one_name_are_an_error() -> None:
    with pytest.raises(UsageError, match="two scorers are called 'starts_with'"):
        as_forms([starts_with(), starts_with("b")])


# -- what a scorer may return


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (
            None,
            Unscored(
                "malformed", error='the scorer returned None; return Unscored("not_applicable") where it does not apply'
            ),
        ),
        (float("nan"), Unscored("malformed", error="the scorer returned nan, which is no score")),
        (float("inf"), Unscored("malformed", error="the scorer returned inf, which is no score")),
        ({"a": float("nan"), "b": 1}, Score({"a": None, "b": 1})),
        ("banana", Score("banana")),
        ([1, True, "x"], Score([1, True, "x"])),
        (Unscored("not_applicable"), Unscored("not_applicable")),
    ],
)
def test_a_result_is_a_value_or_a_counted_outcome(returned: Any, expected: Any) -> None:
    assert score_rows(lambda output, target: returned, {"output": ["x"], "target": ["y"]}) == [expected]


def test_an_object_that_is_no_value_is_malformed() -> None:
    found = score_rows(lambda output, target: object(), ROWS)[0]
    assert found.reason == "malformed"
    assert "returned a object, which is no score" in found.error


def test_a_failing_row_fails_alone() -> None:
    def picky(prediction: str, expected: str) -> float:
        if prediction == "no":
            raise RuntimeError("boom")
        return 1.0

    assert score_rows(picky, ROWS) == [Score(1.0), Unscored("scorer_error", error="RuntimeError: boom")]


def test_a_declared_range_is_enforced() -> None:
    @scorer(range=(0.0, 1.0))
    def double(output: str, label: int) -> float:
        return label / 1.5

    found = score_rows(double, ROWS)
    assert values(found) == [pytest.approx(2 / 3), "malformed"]
    assert "outside the declared range [0.0, 1.0]" in found[1].error


def test_no_output_is_unscored_only_for_scorers_that_read_it() -> None:
    rows: dict[str, list[Any]] = {"output": [None, ""], "text": ["A", "B"]}
    assert values(score_rows(lambda output: output == "", rows)) == ["no_output", True]
    assert values(score_rows(evaluate_uppercase, rows)) == [{"text_is_uppercase": True}] * 2


# -- kernels


def test_a_kernel_that_raises_is_replaced_row_by_row() -> None:
    @scorer(needs=("output", "target"))
    def longer() -> Scorer:
        def score(output: str, target: Any) -> Score:
            return Score(100 / len(output) > 1)

        def kernel(columns: Columns) -> ScoreColumns:
            return ScoreColumns([100 / len(text) > 1 for text in columns.texts("output")])

        return Pair(score, kernel)  # type: ignore[return-value]

    found = score_rows(longer(), {"output": ["ab", ""], "target": ["x", "y"]})
    assert values(found) == [True, "scorer_error"]


def test_a_direct_call_raises_what_the_scorer_raises() -> None:
    @scorer
    def broken() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            raise RuntimeError("boom")

        return score  # type: ignore[return-value]

    with pytest.raises(RuntimeError, match="boom"):
        broken()("a", "b")
    with pytest.raises(UnscoredError, match="no_output"):
        starts_with()(None, "b")


def test_a_scorer_that_gives_up_a_call_fails_its_row_alone() -> None:
    @scorer
    def gives_up() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            if state.output.completion == "no":
                raise asyncio.CancelledError("gave up")
            return Score(1.0)

        return score  # type: ignore[return-value]

    assert values(score_rows(gives_up(), {"output": ["a", "no", "b"]})) == [1.0, "scorer_error", 1.0]

    def gives_up_at_once(output: str) -> float:
        raise asyncio.CancelledError("gave up")

    assert values(score_rows(gives_up_at_once, {"output": ["a"]})) == ["scorer_error"]


def test_a_scorer_that_changes_its_cells_changes_nobody_elses() -> None:
    rows: dict[str, list[Any]] = {"output": [{"a": [1]}], "tags": [["x"]]}

    def spoils(output: Any, tags: Any) -> int:
        output["a"].append(2)
        tags.clear()
        return 1

    assert values(score_rows(spoils, rows)) == [1]
    assert rows == {"output": [{"a": [1]}], "tags": [["x"]]}
