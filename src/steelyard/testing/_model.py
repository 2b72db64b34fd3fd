"""FakeModel and RecordedModel: models that need no network."""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.columns import as_text
from steelyard.core.message import ChatMessage
from steelyard.core.sample import Output, Usage
from steelyard.errors import ColumnNotFoundError, ModelCallError, UsageError

__all__ = ["FakeCall", "FakeModel", "RecordedModel"]

Replies = str | Sequence[Any] | Mapping[str, Any] | Callable[[str], Any]
Faults = Mapping[int, Exception | type[Exception]] | float


class FakeCall(msgspec.Struct, frozen=True):
    """One call that a `FakeModel` received.

    Args:
        text: The last user turn.
        messages: The conversation.
        draw: Which draw was asked for.
    """

    text: str
    messages: tuple[ChatMessage, ...]
    draw: int = 0


class FakeModel:
    """A model that answers without a network: wherever a model is wanted, this one may stand.

    It is a chat model, has ``predict``, and can be called with a prompt.

    Args:
        replies: What it says: text; a list, taken in order of the calls and round again; a dict from the last user
            turn, or from a part of it, to the reply (``""`` is for any other); or a function of the last user turn.
            A reply may be text, a structured value or an `Output`.
        latency: Seconds that each call takes.
        faults: Which calls fail: call number, counted from 1, to an exception; or the share of calls that fail with
            `ModelCallError`, drawn with ``seed`` by text, so that the order of calls does not matter.
        name: The name by which it goes.
        seed: Seed of the faults.

    >>> model = FakeModel({"2+2": "4", "": "I do not know."})
    >>> model("What is 2+2?"), model("Why?"), [call.text for call in model.calls]
    ('4', 'I do not know.', ['What is 2+2?', 'Why?'])
    """

    def __init__(
        self,
        replies: Replies = "a reply",
        *,
        latency: float = 0.0,
        faults: Faults | None = None,
        name: str = "fake/model",
        seed: int = 0,
    ) -> None:
        if isinstance(replies, Sequence) and not isinstance(replies, str) and not replies:
            raise UsageError("FakeModel was given an empty list of replies")
        self.name = name
        self.calls: list[FakeCall] = []
        self._replies = replies
        self._latency = latency
        self._faults = faults
        self._seed = seed
        self._lock = threading.Lock()
        self._asked: dict[str, int] = {}

    async def chat(self, messages: Sequence[ChatMessage], *, draw: int = 0) -> Output:
        """Answer a conversation."""
        turn = self._begin(messages, draw)
        if self._latency:
            await asyncio.sleep(self._latency)
        return self._finish(*turn)

    def predict(self, prompt: Any) -> Any:
        """Answer a prompt; blocks while it thinks."""
        messages = prompt if isinstance(prompt, list | tuple) else [ChatMessage("user", as_text(prompt))]
        turn = self._begin(messages, 0)
        if self._latency:
            time.sleep(self._latency)
        return self._finish(*turn).value

    __call__ = predict

    def _begin(self, messages: Sequence[ChatMessage], draw: int) -> tuple[int, str, int]:
        """(number of the call, last user turn, how often that was asked before)."""
        text = next((turn.content for turn in reversed(messages) if turn.role == "user"), "")
        with self._lock:
            self.calls.append(FakeCall(text, tuple(messages), draw))
            before = self._asked.get(text, 0)
            self._asked[text] = before + 1
            return len(self.calls), text, before

    def _finish(self, number: int, text: str, before: int) -> Output:
        fault = self._fault(number, text, before)
        if fault is not None:
            raise fault
        reply = self._reply(number, text)
        if isinstance(reply, Output):
            return reply
        usage = Usage(len(text.split()), len(as_text(reply).split()))
        return Output(reply, usage=usage, stop_reason="stop", model=self.name)

    def _fault(self, number: int, text: str, before: int) -> Exception | type[Exception] | None:
        if self._faults is None:
            return None
        if isinstance(self._faults, Mapping):
            return self._faults.get(number)
        drawn = random.Random(f"{self._seed} {before} {text!r}").random()
        return ModelCallError(f"a fault of {self.name} that the test asked for") if drawn < self._faults else None

    def _reply(self, number: int, text: str) -> Any:
        replies = self._replies
        if isinstance(replies, str):
            return replies
        if callable(replies):
            return replies(text)
        if not isinstance(replies, Mapping):
            return replies[(number - 1) % len(replies)]
        if text in replies:
            return replies[text]
        for part, reply in replies.items():
            if part and part in text:
                return reply
        if "" in replies:
            return replies[""]
        raise UsageError(f"FakeModel has no reply for {text!r}; it has replies for: {', '.join(map(repr, replies))}")

    def __repr__(self) -> str:
        return f"FakeModel({self.name!r}, {len(self.calls)} calls)"


class RecordedModel:
    """A model that gives back what a column of the data recorded, so that a recording can be run as if it were live.

    Args:
        column: The column that holds the outputs.
        name: The name by which it goes; by default the column's.

    >>> asyncio.run(RecordedModel("reply").predict(input="Why?", reply="Because."))
    'Because.'
    """

    def __init__(self, column: str, *, name: str | None = None) -> None:
        self.column = column
        self.name = name or column

    async def predict(self, **row: Any) -> Any:
        """The recorded output of a row. Raises `ColumnNotFoundError` without the column."""
        if self.column not in row:
            raise ColumnNotFoundError.naming(self.column, row, "RecordedModel gives it back.")
        return row[self.column]

    def __repr__(self) -> str:
        return f"RecordedModel({self.column!r})"
