"""Bodies: any value as the content of one database cell, and back."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

__all__ = ["pack", "text_cell", "text_cells", "text_of", "unpack"]

WORTH_COMPRESSING = 512
"""Bytes. Below, zlib costs more time than the disk that it saves."""

_ZLIB = b"x"  # every zlib stream begins with it, and no JSON text does


def _plain(value: Any) -> Any:
    """What JSON has no form for, as something that it has."""
    if type(value) in (list, tuple, dict):  # asked about only as the key of a dict
        raise TypeError
    try:
        if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a numpy scalar
            return value.item()
        if hasattr(value, "tolist"):
            return value.tolist()
        if hasattr(value, "model_dump"):
            return value.model_dump()
        if isinstance(value, Mapping):
            return dict(value)
        if isinstance(value, Iterable):
            return list(value)
    except Exception:  # noqa: BLE001  (a user's object may fail in any way; its text is then all that is kept)
        return _repr(value)
    return str(value)


def _repr(value: Any) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001
        return f"<{type(value).__name__}>"


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)
_DECODER = msgspec.json.Decoder()


def pack(value: Any) -> bytes:
    """A value as JSON, compressed where that pays.

    >>> pack({"a": 1})
    b'{"a":1}'
    """
    try:
        body = _ENCODER.encode(value)
    except Exception:  # noqa: BLE001  (halves of surrogate pairs, keys that are tuples, endless nesting, ...)
        body = _pack_slowly(value)
    if len(body) > WORTH_COMPRESSING:
        small = zlib.compress(body, 1)
        if len(small) < len(body):
            return small
    return body


def unpack(body: bytes) -> Any:
    """The value that `pack` was given."""
    text = zlib.decompress(body) if body[:1] == _ZLIB else body
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError:
        return json.loads(text)


def text_cell(text: str) -> str | bytes:
    """A text that SQLite can hold: itself, or its bytes where it holds half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def text_cells(texts: list[str]) -> list[Any]:
    """`text_cell` of many: the same list where all are proper text."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return [text_cell(text) for text in texts]
    return texts


def text_of(cell: str | bytes) -> str:
    """The text that `text_cell` was given."""
    return cell if isinstance(cell, str) else cell.decode("utf-8", "surrogatepass")


def _pack_slowly(value: Any) -> bytes:
    try:
        return json.dumps(_jsonable(value), ensure_ascii=True, separators=(",", ":")).encode()
    except Exception:  # noqa: BLE001
        return json.dumps(_repr(value), ensure_ascii=True).encode()


def _jsonable(value: Any) -> Any:
    """The value in the types of JSON alone, with keys as text."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): _jsonable(member) for key, member in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_jsonable(item) for item in value]
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, msgspec.Struct):  # as its fields: its reader looks for them
        return _jsonable(msgspec.to_builtins(value, enc_hook=_plain))
    try:
        return _DECODER.decode(_ENCODER.encode(value))
    except Exception:  # noqa: BLE001
        return _repr(value)
