"""A model in any of its forms becomes a caller, bound before its first call."""

import asyncio
import functools
from typing import Any

import msgspec
import pytest

from steelyard.core.columns import Columns
from steelyard.core.message import ChatMessage
from steelyard.core.model_ref import ModelRef
from steelyard.core.ports import Services, use_services
from steelyard.core.sample import Output
from steelyard.errors import BindingError, ColumnNotFoundError, UsageError
from steelyard.prompting.choices import multiple_choice
from steelyard.running.caller import make_caller
from steelyard.running.threads import Threads
from steelyard.store.memory import MemoryStore
from steelyard.testing import FakeModel, RecordedModel

ROWS: dict[str, list[Any]] = {
    "question": ["2+2?", "3+3?"],
    "context": ["sums", None],
    "target": ["4", "6"],
    "n": [1, 2],
}
DATA: dict[str, list[Any]] = {**ROWS, "input": ROWS["question"]}


def call(model, i=0, draw=0, data=None, **options):
    """What the model gives for row ``i``, with what was asked."""
    columns = Columns(DATA if data is None else data, 2)
    caller = make_caller(model, list(columns.data), **options)
    ask = caller.ask(columns, i, draw)
    threads = Threads(1)
    try:
        return asyncio.run(_send(ask, draw, threads)), ask, caller
    finally:
        threads.close()


async def _send(ask, draw, threads):
    return await ask.send(draw, threads)


def value(model, i=0, **options):
    return call(model, i, **options)[0].value


async def async_model(question):
    await asyncio.sleep(0)
    return question.upper()


class Predictor:
    def predict(self, question, context="none"):
        return f"{question} {context}"


class AsyncCallable:
    async def __call__(self, text):
        return text


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (lambda question: question + "!", "2+2?!"),
        (lambda prompt: prompt, "2+2?"),  # as the functions of aieval take it: an alias of the input
        (lambda anything: anything, "2+2?"),  # an only argument that no column fills
        (lambda query, n: f"{query}{n}", "2+2?1"),
        (lambda n, text: f"{text}{n}", "2+2?1"),
        (lambda text, /, n: f"{text}{n}", "2+2?1"),
        (lambda: "nothing asked", "nothing asked"),
        (lambda *args: args, ["2+2?"]),  # such as a decorator leaves behind
        (lambda **row: sorted(row), ["context", "input", "n", "question", "target"]),
        (lambda text, **options: (text, options), ["2+2?", {}]),
        (lambda question, *, example: sorted(example), ["context", "input", "n", "question", "target"]),
        (lambda question, *, model: model, "<lambda>"),
        (lambda question, temperature=0: temperature, 0),
        (functools.partial(lambda a, question: a + question, "Q: "), "Q: 2+2?"),
        (async_model, "2+2?"),
        (functools.partial(async_model), "2+2?"),
        (lambda question: async_model(question), "2+2?"),  # noqa: PLW0108  a plain function that hands on a coroutine
        (Predictor(), "2+2? sums"),
        (AsyncCallable(), "2+2?"),
        (str.strip, "2+2?"),
        (FakeModel(str.swapcase), "2+2?"),
        (RecordedModel("target"), "4"),
    ],
)
def test_arguments_bind_to_columns(model, expected):
    assert value(model) == expected


@pytest.mark.parametrize("method", ["predict", "infer", "forward", "invoke"])
def test_an_object_answers_by_any_of_its_methods(method):
    model = type("Thing", (), {method: lambda self, question: f"{method} {question}"})()
    assert value(model) == f"{method} 2+2?"


def test_the_second_row_and_another_chunk_get_their_own_cells():
    caller = make_caller(lambda question, n: (question, n), list(DATA))
    one, other = Columns(DATA, 2), Columns({name: cells[::-1] for name, cells in DATA.items()}, 2)
    asked = [caller.ask(columns, i, 0) for columns in (one, other, one) for i in (0, 1)]
    threads = Threads(1)
    found = [asyncio.run(_send(ask, 0, threads)).value for ask in asked]
    assert found == [["2+2?", 1], ["3+3?", 2], ["3+3?", 2], ["2+2?", 1], ["2+2?", 1], ["3+3?", 2]]


@pytest.mark.parametrize(
    ("model", "columns", "said"),
    [
        (lambda qestion, other: "", ["question", "input"], r"'qestion'.*context|question.*Did you mean 'question'"),
        (lambda question, foo: "", ["question", "input"], "'foo'.*input, question"),
        (lambda text: "", ["colour"], "'text'.*colour"),
        (FakeModel(), ["colour"], r"'input'.*colour.*input=COLUMN"),
    ],
)
def test_an_argument_without_a_column_is_an_error_before_the_first_call(model, columns, said):
    with pytest.raises(BindingError, match=said):
        make_caller(model, columns)


@pytest.mark.parametrize("thing", [42, None, object(), Predictor, FakeModel])
def test_what_is_no_model_is_refused(thing):
    with pytest.raises(UsageError, match="is no model|is a class: give an instance"):
        make_caller(thing, ["input"])


def test_names():
    assert make_caller(FakeModel(), ["input"]).name == "model"
    assert make_caller(FakeModel(), ["input"]).provider == "fake"
    assert make_caller(FakeModel(), ["input"], name="m", provider="p").name == "m"
    assert make_caller(Predictor(), ["question"]).name == "Predictor"
    assert make_caller(functools.partial(async_model), ["question"]).name == "async_model"


def test_a_reference_is_reached_through_the_services():
    fake = FakeModel("from the service", name="acme/big")
    with use_services(Services(lambda kind: {}, lambda ref: fake, MemoryStore)):
        output, _, caller = call("acme/big")
    assert (output.value, caller.name, caller.provider) == ("from the service", "big", "acme")
    assert value(ModelRef("p", "m", handle=lambda question: "from the handle")) == "from the handle"


class TestChat:
    def test_text_becomes_one_user_turn(self):
        model = FakeModel()
        call(model)
        assert model.calls[0].messages == (ChatMessage("user", "2+2?"),)

    def test_messages_stay(self):
        turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi", "name": "Ada"}]
        model = FakeModel()
        call(model, data={"input": [turns, turns]})
        system, user = model.calls[0].messages
        assert system == ChatMessage("system", "Be brief.")
        assert user == ChatMessage("user", "Hi", {"name": "Ada"})

    def test_the_draw_is_handed_on(self):
        model = FakeModel()
        call(model, draw=3)
        assert model.calls[0].draw == 3

    @pytest.mark.parametrize(
        ("cell", "said"), [(None, "holds nothing"), ([{"role": "robot", "content": "x"}], "no message")]
    )
    def test_a_row_that_makes_no_question_says_why(self, cell, said):
        with pytest.raises(ValueError, match=said):
            call(FakeModel(), data={"input": [cell, "ok"]})


class TestPrompt:
    def test_a_template_goes_to_a_chat_model(self):
        model = FakeModel()
        _, ask, _ = call(model, prompt="{question} ({context})")
        assert model.calls[0].text == "2+2? (sums)" == ask.prompt

    @pytest.mark.parametrize(
        "model",
        [
            lambda prompt: prompt,
            lambda question: question,  # means the input, which the prompt stands for
            lambda anything: anything,
            lambda *, prompt: prompt,
            lambda n, prompt: prompt,
            lambda prompt, n: prompt,
        ],
    )
    def test_a_template_goes_to_the_argument_that_takes_it(self, model):
        assert value(model, prompt="Q: {question}") == "Q: 2+2?"

    def test_a_function_makes_the_prompt(self):
        assert value(lambda prompt: prompt, prompt=lambda row: row["question"] * 2) == "2+2?2+2?"

    def test_no_argument_for_it(self):
        with pytest.raises(BindingError, match="no argument for the prompt"):
            make_caller(lambda n, context: "", list(DATA), prompt="{question}")

    def test_a_missing_column_is_an_error_at_once(self):
        with pytest.raises(ColumnNotFoundError, match=r"'qestion'.*Did you mean 'question'"):
            make_caller(FakeModel(), list(DATA), prompt="{qestion}")

    def test_an_empty_cell_is_the_trouble_of_its_row(self):
        with pytest.raises(ValueError, match=r"'context', which holds nothing"):
            call(FakeModel(), 1, prompt="{context}")

    def test_what_the_prompt_changed_is_told(self):
        data = {"input": ["Which?"] * 2, "choices": [["x", "y", "z"]] * 2, "target": ["A"] * 2}
        _, ask, _ = call(FakeModel(), data=data, prompt=multiple_choice(shuffle=1))
        assert set(ask.changes) == {"choices", "target", "choice_order"}


class TestPreprocess:
    def test_it_makes_the_arguments(self):
        found = value(
            lambda sentence, mark: sentence + mark, preprocess=lambda row: {"sentence": row["question"], "mark": "!"}
        )
        assert found == "2+2?!"

    def test_it_must_give_a_dict(self):
        with pytest.raises(TypeError, match="returned a str"):
            call(lambda x: x, preprocess=lambda row: "text")

    def test_it_excludes_a_prompt(self):
        with pytest.raises(UsageError, match="one of them"):
            make_caller(lambda x: x, ["input"], prompt="{input}", preprocess=dict)


class Reply(msgspec.Struct):
    answer: int


class Dumpable:
    def model_dump(self):
        return {"answer": 42}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (None, None), ("", ""), (42, 42), (True, True), ({"a": 1}, {"a": 1}), ([1], [1]), ((1, 2), [1, 2]),
        (Reply(42), {"answer": 42}), (Dumpable(), {"answer": 42}), (ChatMessage("assistant", "hi"), "hi"),
    ],
)  # fmt: skip
def test_replies(reply, expected):
    assert value(lambda question: reply) == expected


def test_an_output_is_kept_with_its_usage_and_gets_a_latency():
    given = Output("hi", stop_reason="length", cost=0.5)
    output, *_ = call(lambda question: given)
    assert (output.value, output.stop_reason, output.cost) == ("hi", "length", 0.5)
    assert output.latency is not None
    kept, *_ = call(lambda question: Output("hi", latency=7.0))
    assert kept.latency == 7.0


@pytest.mark.parametrize("reply", [b"bytes", object(), (x for x in "stream"), Reply])
def test_what_is_no_output_is_refused(reply):
    with pytest.raises(TypeError, match="which is no output"):
        call(lambda question: reply)
