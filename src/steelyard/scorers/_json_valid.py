"""json_valid: is a text JSON."""

import json
import re
from typing import Any, NoReturn

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.scoring.decorate import scorer
from steelyard.scoring.form import Pair
from steelyard.scoring.scorer import Scorer

__all__ = ["ValidJSONScorer", "is_json", "json_valid", "json_valid_columns"]

_FENCE = re.compile(r"\A\s*```[A-Za-z0-9_+-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```\s*\Z", re.DOTALL)
_DEEP = 900
"""Nesting beyond this is checked without recursion."""


def json_valid_columns(columns: Columns, *, allow_nan: bool = False, fenced: bool = False) -> ScoreColumns:
    """`json_valid` of every row."""
    return ScoreColumns([float(is_json(text, allow_nan, fenced)) for text in columns.texts("output")])


@scorer(metrics=["mean", "stderr"], needs=("output",), range=(0.0, 1.0), kind="structured", columns=json_valid_columns)
def json_valid(output: str, target: Any = None, *, allow_nan: bool = False, fenced: bool = False) -> float:
    """1.0 when the output is JSON (RFC 8259), else 0.0. Never raises.

    Args:
        output: The output.
        target: Not read.
        allow_nan: NaN and Infinity count as JSON, as Python's ``json`` has it.
        fenced: A single fenced block (three backticks) counts by what is inside.

    Source: RFC 8259; aieval's scorer of this name, which takes NaN for JSON.

    >>> json_valid('{"a": [1, 2]}'), json_valid("NaN"), json_valid("{'a': 1}")
    (1.0, 0.0, 0.0)
    """
    return float(is_json(output, allow_nan, fenced))


@scorer(kind="structured", higher_is_better={"json_valid": True})
def ValidJSONScorer() -> Scorer:  # noqa: N802  the page's name
    """Is the output JSON? The result has the key ``json_valid``, True or False.

    Source: Weave's scorer of this name, over the core of `json_valid`.

    >>> ValidJSONScorer()('{"key": "value"}').value
    {'json_valid': True}
    """

    def score(output: str) -> dict[str, bool]:
        return {"json_valid": is_json(output, False, False)}

    def columns(columns: Columns) -> ScoreColumns:
        return ScoreColumns([{"json_valid": is_json(text, False, False)} for text in columns.texts("output")])

    return Pair(score, columns)  # type: ignore[return-value]  # the decorator makes a Scorer of it


def is_json(text: Any, allow_nan: bool = False, fenced: bool = False) -> bool:
    """Whether a text is JSON; what is no text is not.

    >>> is_json("[" * 100_000 + "]" * 100_000), is_json(None)
    (True, False)
    """
    if not isinstance(text, str):
        return False
    if fenced:
        inside = _FENCE.match(text)
        text = inside[1] if inside else text
    try:
        json.loads(text, parse_constant=None if allow_nan else _refuse, parse_int=_number, parse_float=_number)
    except RecursionError:
        return _is_deep_json(text, allow_nan)
    except ValueError:
        return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _number(text: str) -> int:
    """Numbers are valid as they are written; a value is not needed, and a very long one is slow to make."""
    return 0


_TOKEN = re.compile(
    r'[ \t\n\r]*(?:([\[\]{},:])|("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")'
    r"|(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)|(NaN|-?Infinity))"
)


def _is_deep_json(text: str, allow_nan: bool) -> bool:
    """The same question for nesting of any depth: a stack in place of recursion."""
    stack: list[str] = []
    expect = "value"
    place = 0
    while match := _TOKEN.match(text, place):
        place = match.end()
        mark, string, scalar, constant = match.groups()
        expect = _next(stack, expect, mark, string, scalar or (constant if allow_nan else None))
        if not expect:
            return False
    return expect == "end" and not text[place:].strip(" \t\n\r")


def _next(stack: list[str], expect: str, mark: str | None, string: str | None, scalar: str | None) -> str:
    """What may follow a token; empty when the token itself may not stand there."""
    after = "end" if not stack else "comma"
    if expect in ("value", "first item") and (string or scalar):
        return after
    if expect in ("value", "first item") and mark in ("[", "{"):
        stack.append(mark)
        return "first item" if mark == "[" else "first key"
    if expect in ("key", "first key") and string:
        return "colon"
    if expect == "colon" and mark == ":":
        return "value"
    if expect == "comma" and mark == ",":
        return "value" if stack[-1] == "[" else "key"
    closes = (mark == "]" and expect in ("comma", "first item")) or (mark == "}" and expect in ("comma", "first key"))
    if closes and stack and stack[-1] == {"]": "[", "}": "{"}[mark or ""]:
        stack.pop()
        return "end" if not stack else "comma"
    return ""
