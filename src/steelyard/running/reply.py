"""Replies: whatever a model gave back, as an Output."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import msgspec

from steelyard.core.message import ChatMessage
from steelyard.core.sample import Output

__all__ = ["as_output"]


def as_output(reply: Any, latency: float | None = None) -> Output:
    """What a model gave back, as an `Output`.

    Text, numbers, truth values, lists and dicts are values; an `Output` stays as it is; None is an output without a
    value; pydantic models, dataclasses and the like become dicts.

    Raises:
        TypeError: For anything else, such as a stream or bytes.

    >>> output = as_output({"answer": 42}, 0.5)
    >>> output.value, output.latency
    ({'answer': 42}, 0.5)
    """
    if isinstance(reply, Output):
        timed = reply.latency is not None or latency is None
        return reply if timed else msgspec.structs.replace(reply, latency=latency)
    return Output(_value(reply), latency=latency)


def _value(reply: Any) -> Any:
    if reply is None or isinstance(reply, str | bool | int | float | list | Mapping):
        return reply
    if isinstance(reply, tuple):
        return list(reply)
    if isinstance(reply, ChatMessage):
        return reply.content
    if callable(getattr(reply, "model_dump", None)) and not isinstance(reply, type):
        return reply.model_dump()
    if isinstance(reply, msgspec.Struct):
        return msgspec.to_builtins(reply)
    if getattr(reply, "ndim", None) == 0 and hasattr(reply, "item"):
        return reply.item()
    if dataclasses.is_dataclass(reply) and not isinstance(reply, type):
        return dataclasses.asdict(reply)
    raise TypeError(
        f"the model returned a {type(reply).__name__}, which is no output: "
        "return text, a number, a dict, None, or steelyard.Output with usage and stop reason"
    )
