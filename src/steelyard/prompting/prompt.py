"""Prompt: what turns a row into the text or the conversation that a model is sent."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from steelyard.core.message import ChatMessage

__all__ = ["Prompt", "Prompted"]


class Prompted(msgspec.Struct, frozen=True):
    """What a row became.

    Args:
        content: The text to send, or a conversation.
        changes: Cells of the row that presenting it changed or added, such as shuffled choices: scorers and the
            store see the row with these, so that what the model said fits what is kept.
    """

    content: str | Sequence[ChatMessage]
    changes: Mapping[str, Any] = {}


@runtime_checkable
class Prompt(Protocol):
    """Something that presents rows to a model. Given to a run as ``prompt=``."""

    def check(self, columns: Sequence[str]) -> None:
        """Raise `ColumnNotFoundError` when a column that is needed does not exist."""
        ...

    def render(self, row: Mapping[str, Any], draw: int = 0) -> Prompted:
        """Present one row; ``draw`` numbers repeated presentations of it. Raises `ValueError` when it cannot."""
        ...
