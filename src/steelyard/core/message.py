"""ChatMessage: one turn of a conversation."""

from typing import Any, Literal

import msgspec

__all__ = ["ChatMessage", "Role"]

Role = Literal["system", "user", "assistant", "tool"]


class ChatMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One turn of a conversation.

    Args:
        role: Who speaks: system, user, assistant or tool.
        content: What is said.
        metadata: Anything else, such as tool calls.
    """

    role: Role
    content: str
    metadata: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """What is said."""
        return self.content
