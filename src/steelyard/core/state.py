"""TaskState: a sample, its output and its conversation, as inspect_ai's scorers receive them."""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.core.columns import as_text
from steelyard.core.message import ChatMessage
from steelyard.core.sample import Output
from steelyard.core.target import Target

__all__ = ["TaskState"]


class TaskState:
    """What a scorer of the form ``async def score(state, target)`` receives.

    Constructible by hand, so that ``await scorer(TaskState(input, output, target), target)`` works in a test.

    Args:
        input: The question: text, or a list of messages.
        output: What the model gave: an `Output`, text, or a structured value.
        target: The reference or references.
        choices: The options of a multiple-choice question.
        metadata: Every other column of the sample.
        messages: The conversation; by default the question and the output.
        sample_id: The sample's id.
        epoch: Which repetition, counted from 1.
        model: The model's name.

    >>> state = TaskState("What is 6 times 7?", "so it is 42.", "42")
    >>> state.output.completion, state.input_text, state.target[0]
    ('so it is 42.', 'What is 6 times 7?', '42')
    """

    __slots__ = (
        "_messages",
        "choices",
        "epoch",
        "input",
        "metadata",
        "model",
        "output",
        "sample_id",
        "target",
    )

    def __init__(
        self,
        input: Any = None,
        output: Any = None,
        target: Any = (),
        *,
        choices: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        messages: Sequence[ChatMessage] | None = None,
        sample_id: str | int | None = None,
        epoch: int = 1,
        model: str | None = None,
    ) -> None:
        self.input = input
        self.output = output if isinstance(output, Output) else Output(output)
        self.target = target if isinstance(target, Target) else Target(() if target is None else target)
        self.choices = choices
        self.metadata: dict[str, Any] = dict(metadata or {})
        self.sample_id = sample_id
        self.epoch = epoch
        self.model = model
        self._messages = None if messages is None else list(messages)

    @property
    def input_text(self) -> str:
        """The question as text; of a conversation the last user turn."""
        if isinstance(self.input, str):
            return self.input
        turns = _messages(self.input)
        users = [turn.content for turn in turns if turn.role == "user"]
        if users:
            return users[-1]
        return "" if self.input is None else as_text(self.input)

    @property
    def messages(self) -> list[ChatMessage]:
        """The conversation, ending in the output."""
        if self._messages is None:
            turns = _messages(self.input) or [ChatMessage("user", self.input_text)]
            self._messages = [*turns, self.output.message]
        return self._messages

    def __repr__(self) -> str:
        return f"TaskState(input={self.input!r}, output={self.output.value!r}, target={self.target!r})"


def _messages(value: Any) -> list[ChatMessage]:
    """A list of messages or of ``{"role": ..., "content": ...}`` dicts as messages; anything else as none."""
    if not isinstance(value, list | tuple):
        return []
    turns: list[ChatMessage] = []
    for item in value:
        if isinstance(item, ChatMessage):
            turns.append(item)
        elif isinstance(item, Mapping) and "role" in item and "content" in item:
            turns.append(ChatMessage(item["role"], as_text(item["content"])))
        else:
            return []
    return turns
