"""FakeModel and RecordedModel: replies, faults, calls, and wherever a model may stand."""

import asyncio
import time

import pytest

from steelyard import ChatMessage, Output, run
from steelyard.core.ports import ChatModel
from steelyard.errors import ColumnNotFoundError, ModelCallError, UsageError
from steelyard.testing import FakeModel, RecordedModel


def chat(model, text, **options):
    return asyncio.run(model.chat([ChatMessage("system", "Be brief."), ChatMessage("user", text)], **options))


class TestReplies:
    def test_text(self):
        assert [FakeModel("x")(text) for text in "ab"] == ["x", "x"]

    def test_a_list_goes_round(self):
        model = FakeModel(["x", "y"])
        assert [model("q") for _ in range(5)] == ["x", "y", "x", "y", "x"]

    def test_a_dict_by_the_whole_text_then_by_a_part_then_any(self):
        model = FakeModel({"capital of France": "Paris", "What?": "exactly", "": "else"})
        assert [model(text) for text in ("The capital of France?", "What?", "Why?")] == ["Paris", "exactly", "else"]

    def test_no_reply_is_an_error_that_lists_those_there_are(self):
        with pytest.raises(UsageError, match="no reply for 'b'.*'a'"):
            FakeModel({"a": "x"})("b")

    def test_a_function_of_the_last_user_turn(self):
        assert FakeModel(str.upper)("abc") == "ABC"
        assert chat(FakeModel(str.upper), "abc").value == "ABC"

    def test_structured_replies_and_whole_outputs(self):
        assert chat(FakeModel([{"a": 1}]), "q").value == {"a": 1}
        output = chat(FakeModel(lambda text: Output(text, stop_reason="length")), "q")
        assert (output.value, output.stop_reason) == ("q", "length")

    def test_an_empty_list_is_refused(self):
        with pytest.raises(UsageError, match="empty list"):
            FakeModel([])

    def test_usage_and_name(self):
        output = chat(FakeModel("two words", name="acme/big"), "three short words")
        assert output.usage is not None
        assert (output.usage.input_tokens, output.usage.output_tokens, output.model) == (3, 2, "acme/big")


class TestFaults:
    def test_by_the_number_of_the_call(self):
        model = FakeModel("x", faults={2: TimeoutError("slow"), 3: ValueError})
        assert model("a") == "x"
        with pytest.raises(TimeoutError, match="slow"):
            model("a")
        with pytest.raises(ValueError):
            model("a")
        assert model("a") == "x"

    def test_by_rate_with_a_seed(self):
        def failed(seed, texts):
            model, found = FakeModel(faults=0.4, seed=seed), set()
            for text in texts:
                try:
                    model(text)
                except ModelCallError:
                    found.add(text)
            return found

        texts = [str(i) for i in range(100)]
        assert failed(1, texts) == failed(1, texts[::-1])
        assert failed(1, texts) != failed(2, texts)
        assert 20 < len(failed(1, texts)) < 60


def test_latency():
    begun = time.monotonic()
    chat(FakeModel(latency=0.02), "q")
    FakeModel(latency=0.02)("q")
    assert time.monotonic() - begun >= 0.04


def test_calls_are_recorded():
    model = FakeModel()
    chat(model, "one", draw=2)
    model("two")
    assert [(call.text, call.draw, len(call.messages)) for call in model.calls] == [("one", 2, 2), ("two", 0, 1)]
    assert repr(model) == "FakeModel('fake/model', 2 calls)"


def test_it_is_a_chat_model_and_can_be_asked_in_every_way():
    model = FakeModel("x")
    assert isinstance(model, ChatModel)
    assert model.predict("q") == model("q") == chat(model, "q").value == "x"


class TestRecorded:
    rows = ({"input": "a", "kept": "A", "target": "A"}, {"input": "b", "kept": None, "target": "B"})

    def test_it_plays_a_column_back(self):
        made = run(list(self.rows), lambda p, e: p == e, model=RecordedModel("kept"), store=False)
        assert [sample.output for sample in made.samples()] == ["A", None]
        assert made.counts["<lambda>"].unscored == {"no_output": 1}
        assert made.record.model == "kept"

    def test_a_column_that_is_not_there(self):
        with pytest.raises(ColumnNotFoundError, match="kpet.*Did you mean 'kept'"):
            asyncio.run(RecordedModel("kpet").predict(**self.rows[0]))

    def test_it_prints_as_the_call(self):
        assert repr(RecordedModel("kept")) == "RecordedModel('kept')"
