"""Digests: what names a thing by its content."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

__all__ = ["canonical_json", "content_id", "content_sum", "digest", "question_columns"]

_ENCODER = msgspec.json.Encoder(order="deterministic", enc_hook=repr)

QUESTION = ("input", "target", "choices", "context")


def canonical_json(value: Any) -> bytes:
    """JSON with sorted keys and no white space: equal values give equal bytes."""
    return _ENCODER.encode(value)


def digest(value: Any, size: int = 16) -> str:
    """The BLAKE2b digest of a value's canonical JSON, as ``2 * size`` hex digits."""
    return hashlib.blake2b(canonical_json(value), digest_size=size).hexdigest()


def question_columns(names: Sequence[str], outputs: Sequence[str]) -> tuple[str, ...]:
    """The columns by which a sample without an id is named.

    The question's side (input, target, choices, context); failing those, every column that is no output.
    """
    side = tuple(name for name in QUESTION if name in names)
    return side or tuple(sorted(name for name in names if name not in outputs))


def content_id(cells: Sequence[Any]) -> str:
    """The id of a sample that has none: a digest of its question's side, 16 hex digits."""
    return hashlib.blake2b(_ENCODER.encode(cells), digest_size=8).hexdigest()


def content_sum(digests: Mapping[str, int] | Sequence[str]) -> int:
    """An order-independent sum of hex digests; sums of parts add up to the sum of the whole."""
    return sum(int(text, 16) for text in digests) % (1 << 128)
