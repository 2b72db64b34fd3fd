"""Sample and Output: what is asked, and what a model said."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.core.columns import as_text
from steelyard.core.message import ChatMessage

__all__ = ["Choice", "Output", "Sample", "Usage"]


class Sample(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question with what is needed to judge an answer.

    Args:
        input: The question: text, or a list of messages.
        target: The reference, or several acceptable ones.
        id: What names it; without one it is named by its content.
        choices: The options of a multiple-choice question.
        context: What an answer may draw on.
        metadata: Every other column.
    """

    input: Any = None
    target: Any = None
    id: str | int | None = None
    choices: Sequence[str] | None = None
    context: Any = None
    metadata: dict[str, Any] = {}

    def as_row(self) -> dict[str, Any]:
        """The sample as a row of a data set."""
        row = dict(self.metadata)
        for name in ("id", "input", "target", "choices", "context"):
            value = getattr(self, name)
            if value is not None:
                row[name] = value
        return row


class Usage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tokens of one call; None where the provider did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    @property
    def total_tokens(self) -> int | None:
        """Input and output together; None where either is unknown."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One completion among those of a call."""

    message: ChatMessage
    stop_reason: str | None = None

    @property
    def text(self) -> str:
        """What is said."""
        return self.message.content


class Output(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model gave.

    Args:
        value: Text, or a structured value.
        usage: Tokens.
        latency: Seconds from sending the call to its last byte, without queueing.
        cost: US dollars; None when unknown.
        stop_reason: Why the model stopped, such as ``"stop"``, ``"length"`` or ``"content_filter"``.
        model: The model that answered, as it names itself.
        alternatives: Further completions of the same call.
        error: Why there is no value, where the call failed.

    >>> Output("42").completion
    '42'
    """

    value: Any
    usage: Usage | None = None
    latency: float | None = None
    cost: float | None = None
    stop_reason: str | None = None
    model: str | None = None
    alternatives: tuple[str, ...] = ()
    error: str | None = None

    @property
    def completion(self) -> str:
        """The output as text; a structured value as JSON."""
        return as_text(self.value)

    @property
    def text(self) -> str:
        """The output as text."""
        return self.completion

    @property
    def message(self) -> ChatMessage:
        """The output as the assistant's turn."""
        return ChatMessage("assistant", self.completion)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Every completion of the call, the first one first."""
        others = (Choice(ChatMessage("assistant", text)) for text in self.alternatives)
        return (Choice(self.message, self.stop_reason), *others)
