"""The inspect_ai.scorer page: its examples with their imports changed, and what it says of every name."""
# The examples stand as they are written there.
# mypy: disable-error-code="return-value, no-redef, arg-type, call-arg, call-overload, index"

import asyncio
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    TaskState,
    Value,
    metric,
    score_reducer,
    scorer,
    value_to_float,
)
from steelyard.errors import UndefinedMetric
from steelyard.metrics import (
    accuracy,
    at_least,
    bootstrap_stderr,
    max_score,
    mean,
    mean_score,
    median_score,
    mode_score,
    pass_at,
    std,
    stderr,
)
from steelyard.scorers import answer, choice, exact, f1, includes, match, multi_scorer, pattern
from steelyard.testing import FakeModel

ROWS = [
    {"id": 1, "input": "1+1?", "target": "2", "output": "so it is 2.", "topic": "sums"},
    {"id": 2, "input": "capital?", "target": ["Paris", "paris, France"], "output": "Paris", "topic": "places"},
    {"id": 3, "input": "3+3?", "target": "6", "output": "so it is 7.", "topic": "sums"},
]

NAMES = {
    "steelyard": (
        "CORRECT INCORRECT PARTIAL NOANSWER Metric MetricDeprecated MetricProtocol SampleScore Score ScoreReducer "
        "Scorer Target TaskState Value ValueToFloat metric multiple_choice score_reducer scorer value_to_float "
        "Estimate Evaluation Model Run Sample Unscored UndefinedMetric load op run run_async score"
    ),
    "steelyard.scorers": (
        "match includes pattern answer choice f1 exact multi_scorer exact_match json_valid rouge_l token_f1 "
        "squad_em squad_f1 ValidJSONScorer"
    ),
    "steelyard.metrics": (
        "accuracy mean std stderr bootstrap_stderr var ci ci_wilson grouped at_least pass_at pass_k max_score "
        "mean_score median_score mode_score Metric MetricDeprecated MetricProtocol ScoreReducer metric score_reducer"
    ),
}


pytestmark = pytest.mark.usefixtures("own_registry")


@pytest.mark.parametrize(("home", "name"), [(home, name) for home, names in NAMES.items() for name in names.split()])
def test_a_name_of_the_page_is_there(home, name):
    module = importlib.import_module(home)
    assert name in module.__all__
    assert getattr(module, name) is getattr(module, name)


def score(scorers: Any, rows: Sequence[Any] = ROWS, **options: Any) -> Any:
    return steelyard.score(rows, scorers, store=False, **options)


def values(made: Any, name: str) -> dict[str, float | None]:
    return {metric: estimate.value for metric, estimate in made.metrics[name].items()}


class TestScorerDecorator:
    def test_the_page_s_example(self):
        @scorer
        def custom_scorer() -> Scorer:
            async def score(state: TaskState, target: Target) -> Score:
                # Compare state / model output with target
                # to yield a score
                return Score(value=state.output.completion in target)

            return score

        made = score(custom_scorer())
        assert values(made, "custom_scorer") == {"accuracy": pytest.approx(1 / 3)}

    @pytest.mark.parametrize("annotated", [True, False])
    def test_metrics_as_a_list(self, annotated):
        def contains():
            async def score(state, target):
                found = any(one in state.output.completion for one in target)
                return Score(value=CORRECT if found else INCORRECT, answer=state.output.completion)

            return score

        if annotated:
            contains.__annotations__["return"] = Scorer
        decorated = scorer(metrics=[accuracy(), stderr()])(contains)
        made = score(decorated())
        assert values(made, "contains") == {"accuracy": pytest.approx(2 / 3), "stderr": pytest.approx(1 / 3)}
        assert [row.outcome.answer for row in made.outcomes()] == [row["output"] for row in ROWS]

    def test_metrics_as_a_dict_by_key(self):
        @scorer(metrics={"a": [mean()], "*": [stderr()]})
        def keyed() -> Scorer:
            async def score(state, target):
                return Score(value={"a": len(target), "b": target.text in state.output.completion, "c": None})

            return score

        made = score(keyed())
        assert values(made, "keyed.a") == {"mean": pytest.approx(4 / 3)}
        assert list(values(made, "keyed.b")) == ["stderr"]
        assert "keyed.c" not in made.metrics

    def test_metrics_as_a_list_that_mixes_both(self):
        @scorer(metrics=[mean(), {"a": [std()]}])
        def mixed() -> Scorer:
            async def score(state, target):
                return Score(value={"a": 1, "b": 0})

            return score

        made = score(mixed())
        assert values(made, "mixed.a") == {"mean": 1.0, "std": 0.0}
        assert values(made, "mixed.b") == {"mean": 0.0}

    def test_list_values_have_figures_by_place(self):
        @scorer(metrics=[mean()])
        def several() -> Scorer:
            async def score(state, target):
                return Score(value=[1, 0.5, True])

            return score

        made = score(several())
        assert [values(made, f"several.{place}") for place in range(3)] == [{"mean": 1.0}, {"mean": 0.5}, {"mean": 1.0}]

    def test_a_name_and_metadata_are_stored_with_the_run(self):
        @scorer(metrics=[accuracy()], name="mine", team="qa", tags=["a", "b"], limits={"low": 0})
        def custom() -> Scorer:
            async def score(state, target):
                return Score(value=CORRECT)

            return score

        steelyard.score(ROWS, custom(), name="kept")
        (scoring,) = steelyard.load("kept").reader.scorings
        assert scoring.name == "mine"
        assert scoring.metadata == {"team": "qa", "tags": ["a", "b"], "limits": {"low": 0}}
        assert values(score("mine"), "mine") == {"accuracy": 1.0}

    def test_metrics_and_name_by_position(self):
        @scorer([accuracy()], "placed")
        def custom():
            async def score(state, target):
                return Score(value=CORRECT)

            return score

        assert values(score(custom()), "placed") == {"accuracy": 1.0}

    @pytest.mark.parametrize("decorate", [scorer, scorer(metrics=[accuracy()])])
    def test_a_class_as_a_factory(self, decorate):
        @decorate
        class Right:
            def __init__(self, word: str = "2"):
                self.word = word

            async def __call__(self, state, target):
                return Score(value=CORRECT if self.word in state.output.completion else INCORRECT)

        assert values(score(Right()), "Right")["accuracy"] == pytest.approx(1 / 3)
        assert values(score("Right:word=so"), "Right")["accuracy"] == pytest.approx(2 / 3)

    def test_a_scorer_inside_another(self):
        @scorer(metrics=[accuracy()])
        def outer() -> Scorer:
            inner = includes()

            async def score(state: TaskState, target: Target) -> Score:
                found = await inner(state, target)
                return Score(value=found.value, metadata={"inner": found.answer})

            return score

        made = score(outer())
        assert values(made, "outer") == {"accuracy": pytest.approx(2 / 3)}
        assert next(iter(made.outcomes())).outcome.metadata == {"inner": "2"}


class TestMetricDecorator:
    def test_the_page_s_example(self):
        @metric
        def mean() -> Metric:
            def metric(scores: list[SampleScore]) -> Value:
                return np.mean([score.score.as_float() for score in scores]).item()

            return metric

        @scorer(metrics=[mean(), accuracy()])
        def half() -> Scorer:
            async def score(state, target):
                return Score(value=0.5)

            return score

        assert mean()([SampleScore(score=Score(value="C")), SampleScore(score=Score(value=0))]) == 0.5
        assert values(score(half()), "half") == {"mean": 0.5, "accuracy": 0.5}

    def test_the_older_form_over_scores(self):
        @metric(name="total")
        def older() -> Metric:
            def metric(scores: list[Score]) -> float:
                return sum(score.as_float() for score in scores)

            return metric

        assert values(score(scorer(metrics=[older()])(lambda output: 1.0)), "<lambda>") == {"total": 3.0}

    def test_what_a_metric_is_given(self):
        seen: list[SampleScore] = []

        @metric("looked")
        def look() -> Metric:
            def metric(scores: list[SampleScore]) -> Value:
                seen.extend(scores)
                return {"n": len(scores), "all": [1, 2]}

            return metric

        made = score(scorer(metrics=[look()], name="s")(lambda output: 1.0 * len(output)))
        assert values(made, "s") == {"looked.n": 3.0, "looked.all.0": 1.0, "looked.all.1": 2.0}
        assert [str(one.sample_id) for one in seen] == ["1", "2", "3"]
        assert [one.sample_metadata["topic"] for one in seen] == ["sums", "places", "sums"]
        assert {one.scorer for one in seen} == {"s"}

    def test_a_class_as_a_metric(self):
        @metric
        class Count:
            def __init__(self, of: float = 1.0):
                self.of = of

            def __call__(self, scores: list[SampleScore]) -> Value:
                return sum(one.as_float() == self.of for one in scores)

        assert values(score(scorer(metrics=[Count(of=5.0)], name="s")(lambda output: 1.0 * len(output))), "s") == {
            "Count": 1.0
        }


class TestMetrics:
    given = tuple(
        SampleScore(score=Score(value=value), sample_id=i, sample_metadata={"g": i % 2})
        for i, value in enumerate("CICPN")
    )

    def test_every_metric_with_every_parameter(self):
        to_float = value_to_float(partial="P", correct="I", incorrect="C")
        assert accuracy()(self.given) == mean()(self.given) == 0.5
        assert accuracy(to_float)(self.given) == accuracy(to_float=to_float)(self.given) == pytest.approx(0.3)
        assert std()(self.given) == std(to_float=value_to_float())(self.given) == 0.5
        assert stderr()(self.given) == pytest.approx(0.5 / 5**0.5)
        assert stderr(cluster="g")(self.given) == stderr(value_to_float(), "g")(self.given) == pytest.approx(0.2)
        assert bootstrap_stderr()(self.given) == bootstrap_stderr(1000)(self.given) == pytest.approx(0.2, abs=0.03)
        assert bootstrap_stderr(num_samples=200, to_float=value_to_float())(self.given) == pytest.approx(0.2, abs=0.05)

    def test_a_value_that_is_no_number_is_undefined_or_zero_with_a_warning(self):
        complex_value = [Score(value={"a": 1}), Score(value=1)]
        with pytest.raises(UndefinedMetric, match="cannot be read as a number"):
            accuracy()(complex_value)
        with pytest.warns(UserWarning, match="counts as 0"):
            assert accuracy(value_to_float(on_unknown="zero"))(complex_value) == 0.5

    @pytest.mark.parametrize("made", [std(), stderr(), bootstrap_stderr(), stderr(cluster="g")])
    def test_too_little_is_undefined_and_never_zero(self, made):
        with pytest.raises(UndefinedMetric):
            made(self.given[:1])

    def test_one_cluster_is_undefined(self):
        with pytest.raises(UndefinedMetric, match="one cluster"):
            stderr(cluster="g")([self.given[0], self.given[2]])

    def test_clusters_in_a_run(self):
        made = score(scorer(metrics=[stderr(cluster="topic"), "mean"], name="s")(lambda output: "2" in output))
        assert made.metrics["s"]["stderr"].method.startswith("clustered")
        lost = score(scorer(metrics=[stderr(cluster="tpoic")], name="s")(lambda output: 1.0)).metrics["s"]["stderr"]
        assert lost.value is None
        assert "topic" in lost.reason


class TestReducers:
    given = (Score(value="C"), Score(value="I"), Score(value="C"))

    def test_every_reducer_with_every_parameter(self):
        read = value_to_float()
        assert at_least(2)(self.given).value == at_least(k=2, value=0.5, value_to_float=read)(self.given).value == 1
        assert at_least(3)(self.given).value == 0
        assert pass_at(1)(self.given).value == pytest.approx(2 / 3)
        assert pass_at(k=2, value=1.0, value_to_float=read)(self.given).value == 1.0
        assert max_score()(self.given).value == max_score(value_to_float=read)(self.given).value == "C"
        assert mean_score()(self.given).value == mean_score(read)(self.given).value == pytest.approx(2 / 3)
        assert median_score()(self.given).value == median_score(value_to_float=read)(self.given).value == 1.0
        assert mode_score()(self.given).value == "C"
        with pytest.raises(TypeError, match="'k'"):
            at_least()

    @staticmethod
    def asked(reducer: Any) -> float | None:
        answers = iter(["2", "no", "2", "no"])
        made = steelyard.run(
            ROWS[:1],
            match(),
            model=lambda _: next(answers),
            epochs=4,
            reducer=reducer,
            concurrency=1,
            store=False,
        )
        return made.metrics["match"]["accuracy"].value

    @pytest.mark.parametrize(
        ("reducer", "expected"),
        [
            (None, 0.5),
            ("mean", 0.5),
            ("median", 0.5),
            ("mode", 1.0),
            ("max", 1.0),
            ("at_least_2", 1.0),
            ("at_least_3", 0.0),
            ("pass_at_2", 5 / 6),
            ("pass_at_3", 1.0),
            (mean_score(), 0.5),
            (at_least(2), 1.0),
            (pass_at(k=2), 5 / 6),
            (mode_score, 1.0),
        ],
    )
    def test_epochs_are_reduced_by_name_and_by_object(self, reducer, expected):
        assert self.asked(reducer) == pytest.approx(expected)

    def test_custom_reducers_with_and_without_a_name(self):
        @score_reducer
        def last() -> ScoreReducer:
            def reduce(scores: list[Score]) -> Score:
                return scores[-1]

            return reduce

        @score_reducer(name="first_one")
        def first() -> ScoreReducer:
            def reduce(scores: list[Score]) -> Score:
                return scores[0]

            return reduce

        assert [self.asked(one) for one in (last(), last, "last", first(), "first_one")] == [0.0, 0.0, 0.0, 1.0, 1.0]
        assert self.asked(lambda scores: scores[1]) == 0.0

    def test_several_reducers_stand_side_by_side(self):
        rows = [{"id": 1, "output": text, "target": "2"} for text in ("2", "no")]
        made = score(match(), rows, epochs="repeats", reducer=["mean", "max", "at_least_2"])
        assert [values(made, "match")[f"accuracy{of}"] for of in ("", "[max]", "[at_least_2]")] == [0.5, 1.0, 0.0]


class TestScore:
    @pytest.mark.parametrize(
        ("value", "text", "integer", "number", "truth"),
        [
            ("C", "C", 1, 1.0, True),
            ("I", "I", 0, 0.0, False),
            ("P", "P", 0, 0.5, True),
            ("N", "N", 0, 0.0, False),
            ("0.5", "0.5", 0, 0.5, True),
            (3, "3", 3, 3.0, True),
            (0.7, "0.7", 0, 0.7, True),
            (True, "True", 1, 1.0, True),
            (False, "False", 0, 0.0, False),
        ],
    )
    def test_a_scalar_reads_as_every_type(self, value, text, integer, number, truth):
        one = Score(value=value)
        assert (one.text, one.as_str(), one.as_int(), one.as_float(), one.as_bool()) == (
            text,
            text,
            integer,
            number,
            truth,
        )
        for read in (one.as_list, one.as_dict):
            with pytest.raises(TypeError, match=r"no (list|dict)"):
                read()

    def test_lists_and_dicts(self):
        assert Score(value=[1, "a", True]).as_list() == [1, "a", True]
        assert Score(value={"a": 1, "b": None}).as_dict() == {"a": 1, "b": None}
        for one in (Score(value=[1]), Score(value={"a": 1})):
            for read in (one.as_str, one.as_int, one.as_float, one.as_bool):
                with pytest.raises(TypeError):
                    read()

    def test_what_else_it_bears(self):
        one = Score(value=1, answer="a", explanation="b", metadata={"c": 1})
        assert (one.value, one.answer, one.explanation, one.metadata) == (1, "a", "b", {"c": 1})


def test_a_target_is_a_sequence():
    target = Target(["a", "b"])
    assert isinstance(target, Sequence)
    assert (len(target), target[0], list(target), "b" in target, target.text) == (2, "a", ["a", "b"], True, "a\nb")
    assert list(Target("abc")) == ["abc"]


def test_a_state_has_what_scorers_read():
    state = TaskState("q", "out", ["a", "b"], choices=["x"], metadata={"k": 1}, sample_id=7, epoch=2, model="p/m")
    assert (state.input, state.input_text, state.sample_id, state.epoch, state.model) == ("q", "q", 7, 2, "p/m")
    assert (state.output.completion, state.output.stop_reason, state.output.usage) == ("out", None, None)
    assert [one.text for one in state.output.choices] == ["out"]
    assert [(turn.role, turn.content) for turn in state.messages] == [("user", "q"), ("assistant", "out")]
    assert (state.choices, state.metadata, list(state.target)) == (["x"], {"k": 1}, ["a", "b"])
    seen: list[TaskState] = []

    @scorer(metrics=[accuracy()])
    def look() -> Scorer:
        async def score(state, target):
            seen.append(state)
            return Score(value=list(target) == list(state.target))

        return score

    made = steelyard.run(ROWS[:1], look(), model=FakeModel("2"), epochs=2, concurrency=1, store=False)
    assert values(made, "look") == {"accuracy": 1.0}
    assert [(str(one.sample_id), one.epoch, one.input, one.metadata["topic"]) for one in seen] == [
        ("1", 1, "1+1?", "sums"),
        ("1", 2, "1+1?", "sums"),
    ]
    assert seen[0].output.completion == "2"
    assert seen[0].output.usage is not None


class TestScorers:
    @pytest.mark.parametrize(
        ("made", "output", "target", "value"),
        [
            (match(), "The capital is Paris.", "paris", "C"),
            (match("begin"), "Paris it is", "Paris", "C"),
            (match(location="any"), "is Paris a city?", "Paris", "C"),
            (match("exact"), "Paris it is", "Paris", "I"),
            (match("exact"), "  Paris ", "Paris", "C"),
            (match(ignore_case=False), "PARIS", "Paris", "I"),
            (match(numeric=True), "so it is $1,234.00.", "1234", "C"),
            (includes(), "the capital is PARIS today", "Paris", "C"),
            (includes(False), "the capital is PARIS today", "Paris", "I"),
            (includes(ignore_case=False), "Paris", ["x", "Paris"], "C"),
            (pattern(r"A: (\w+)"), "A: Yes", "yes", "C"),
            (pattern(r"A: (\w+)", ignore_case=False), "A: Yes", "yes", "I"),
            (pattern(r"(\w+) and (\w+)"), "one and two", "two", "C"),
            (pattern(r"(\w+) and (\w+)", match_all=True), "one and two", "two", "I"),
            (pattern(r"(\w+) and (\w+)", True, True), "two and two", "two", "C"),
            (answer("letter"), "Hm. ANSWER: B", "B", "C"),
            (answer("word"), "ANSWER: yes, surely", "yes", "C"),
            (answer(pattern="line"), "ANSWER: New York\nThat is all.", "New York", "C"),
            (exact(), "The Paris!", "paris", "C"),
            (exact(), "Paris, France", ["Paris", "France Paris"], "I"),
            (f1(), "the capital is Paris", "Paris", 0.5),
            (f1(lambda text: text.split()[-1]), "the capital is Paris", "Paris", 1.0),
            (f1(answer_fn=str.upper, stop_words=["capital", "is"]), "the capital is Paris", "Paris", 1.0),
        ],
        ids=str,
    )
    def test_every_scorer_with_every_parameter(self, made, output, target, value):
        assert made(output, target).value == value

        async def within() -> Any:
            return await made(TaskState("q", output, target), Target(target))

        assert asyncio.run(within()).value == value

    def test_choice_reads_the_letter_of_the_option(self):
        options = ["Paris", "Berlin", "London"]
        assert choice()("ANSWER: A", "A", choices=options).value == "C"
        assert choice()("ANSWER: B", "A", choices=options).value == "I"
        assert choice()("ANSWER: A, C", ["A", "C"], choices=options).value == "C"
        assert choice()("ANSWER: A", ["A", "C"], choices=options).value == "I"
        state = TaskState("q", "ANSWER: A", "A", choices=options)
        assert asyncio.run(choice().score_async("ANSWER: A", "A", choices=options)).value == "C"

        async def within() -> Any:
            return await choice()(state, state.target)

        assert asyncio.run(within()).value == "C"

    def test_metrics_of_the_scorers_are_those_of_the_page(self):
        rows = [{**row, "choices": ["2", "Paris"], "target": "A"} for row in ROWS]
        made = score([match(), includes(), pattern("(.*)"), answer("word"), choice(), f1(), exact()], rows)
        letters = {"accuracy", "stderr"}
        assert {name: set(found) for name, found in made.metrics.items()} == {
            **dict.fromkeys(("match", "includes", "pattern", "answer", "choice"), letters),
            "f1": {"mean", "stderr"},
            "exact": {"mean", "stderr"},
        }

    @pytest.mark.parametrize("reducer", ["mode", mode_score(), "at_least_2", lambda scores: scores[0]])
    def test_multi_scorer(self, reducer):
        made = score(multi_scorer(scorers=[match(), includes(), exact()], reducer=reducer))
        (figures,) = made.metrics.values()
        assert figures["accuracy"].value == pytest.approx(2 / 3)

    def test_a_multi_scorer_of_custom_scorers(self):
        @scorer(metrics=[mean()])
        def half() -> Scorer:
            async def score(state, target):
                return Score(value=0.5)

            return score

        assert multi_scorer([match(), half()], "mean")("2", "2").value == 0.75
        assert multi_scorer([match(), half()], "max")("no", "2").value == 0.5
