"""How a metric's option says by what function values are read as numbers."""

import ast
from typing import Any, cast

from steelyard.core.score import ValueToFloat, value_to_float
from steelyard.errors import UsageError
from steelyard.scoring.spec import resolve_import

__all__ = ["DEFAULT", "read_to_float"]

DEFAULT: ValueToFloat = value_to_float()
"""The letters C, I, P, N, numbers, truth values, yes/no/true/false and numeric text."""


def read_to_float(given: Any) -> ValueToFloat:
    """The function that is meant: itself; or, out of a spec, ``value_to_float(...)`` or ``module:function`` as text.

    Raises:
        UsageError: It is neither.

    >>> read_to_float("value_to_float(correct='A')")("A")
    1.0
    """
    if callable(given):
        return cast("ValueToFloat", given)
    made = _call(given) if isinstance(given, str) else None
    if made is None:
        raise UsageError(f"to_float must be a function such as value_to_float(), not {given!r}")
    return made


def _call(text: str) -> ValueToFloat | None:
    if ":" in text and "(" not in text:
        return cast("ValueToFloat", resolve_import(text))
    try:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "value_to_float":
            options = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg}
            return value_to_float(*(ast.literal_eval(word) for word in call.args), **options)
    except (SyntaxError, ValueError, TypeError):
        return None
    return None
