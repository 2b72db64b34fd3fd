r"""Numbers in text, exactly: reading a whole answer, finding numbers in prose, comparing them.

Values are `int`, `decimal.Decimal` or `fractions.Fraction`, never floats: 123456 is not 123457, 42.00001 is not
42, and 18.0 is 18. What counts as a number is written once, in `_number_grammar.py`.
"""

from __future__ import annotations

import re
from collections import deque
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from steelyard.scorers._number_grammar import CURRENCY, Found, scan
from steelyard.scorers._numeral import MAX_DIGITS, Number, negated
from steelyard.scorers._plain_number import PLAIN_LAST, plain_value

__all__ = [
    "Number",
    "NumberInText",
    "find_numbers",
    "first_number",
    "last_number",
    "numbers_equal",
    "parse_number",
    "parse_target",
]

_WINDOW = 64
_LONGEST_ANSWER = 4 * MAX_DIGITS

_WHOLE = re.compile(r"\s*+([-+]?[0-9]{1,15}+(?:\.[0-9]{1,15})?)\.?\s*+")

_BEFORE_WHOLE = re.compile(
    rf"""
    (?: [\s*_`"'“”‘’(\[{{<≈~{CURRENCY}] | \\[(\[] | \\(?:boxed|text|mathrm|mathbf)\{{ | \\?\$ | \\, )*+
    (?: (?: [A-Za-z]\w{{0,30}} \s{{0,3}} = | (?i: (?:final\s)? answer) (?:\s is)? [*_]{{0,3}} \s{{0,3}} [:=] )
        (?: [\s*_`"'“”‘’(\[{{<≈~{CURRENCY}] | \\[(\[] | \\(?:boxed|text|mathrm|mathbf)\{{ )*+ )?
    (?P<minus> [-−–] \s+ )?
    """,
    re.VERBOSE,
)
_AFTER_WHOLE = re.compile(
    rf"""
    (?: \s? \\?[%°] \s? )?
    (?: \\text\{{ \s? )? [^\W\d_]{{0,40}}+ (?: \^?[23²³] | /[^\W\d_]{{1,20}} )?
    (?: [\s*_`"'“”‘’)\]}}>.,;:!?$%{CURRENCY}] | \\[)\]%$,] )*+
    """,
    re.VERBOSE,
)


class NumberInText(NamedTuple):
    """A number found in a text: its exact value, its place, and how it was written."""

    value: Number
    start: int
    end: int
    written: str


def find_numbers(text: str) -> list[NumberInText]:
    """Every number in a text, in order.

    >>> [n.written for n in find_numbers("$1,250.50 for 3 of the 2nd kind")]
    ['$1,250.50', '3']
    """
    return [NumberInText(value, start, end, text[start:end]) for value, start, end in scan(text)]


def first_number(text: str) -> NumberInText | None:
    """The first number in a text, or None.

    >>> first_number("from 10 to 20").value
    10
    """
    for value, start, end in scan(text):
        return NumberInText(value, start, end, text[start:end])
    return None


def last_number(text: str) -> NumberInText | None:
    """The last number in a text, or None; equal to `find_numbers(text)[-1]`, and independent of length.

    >>> last_number("3 bags of 14, so 42 in all.").value
    42
    """
    found = locate_last(text)
    return None if found is None else NumberInText(*found, text[found[1] : found[2]])


def locate_last(text: str) -> Found | None:
    """The last number as (value, start, end): the plain tail first, then line by line from the end."""
    size = len(text)
    # Greedy `.*` within a window of fixed size makes the cost independent of the length of the text.
    plain = PLAIN_LAST.match(text, size - _WINDOW if size > _WINDOW else 0)
    if plain is not None:
        sign, numeral = plain.groups()
        value = plain_value(numeral)
        if value is not None:
            return (negated(value) if sign else value), plain.start(1), plain.end(2)
    end = size
    while end >= 0:
        begin = text.rfind("\n", 0, end) + 1
        found = deque(scan(text[begin:end]), maxlen=1)
        if found:
            value, first, last = found[0]
            return value, first + begin, last + begin
        end = begin - 1
    return None


def parse_number(text: str) -> Number | None:
    r"""The value of a text that is one number and its decoration, or None.

    Decoration is white space, quotes, brackets, markdown, inline LaTeX, `\boxed{}`, a currency or percent sign, a
    unit glued on, a label (`x =`, `ANSWER:`) and a closing stop.

    >>> parse_number("**ANSWER:** \\boxed{1,234}.")
    1234
    >>> parse_number("60%"), parse_number("2½"), parse_number("42 apples")
    (60, Fraction(5, 2), None)
    """
    plain = _WHOLE.fullmatch(text)
    if plain is not None:
        numeral = plain[1]
        return Decimal(numeral) if "." in numeral else int(numeral)
    text = text.strip()
    if len(text) > _LONGEST_ANSWER:
        return None
    numbers = scan(text)
    first = next(numbers, None)
    if first is None or next(numbers, None) is not None:
        return None
    value, start, end = first
    before = _BEFORE_WHOLE.fullmatch(text, 0, start)
    if before is None or _AFTER_WHOLE.fullmatch(text, end) is None:
        return None
    return value if before["minus"] is None else negated(value)


parse_target = lru_cache(maxsize=8_192)(parse_number)
"""`parse_number` with a bounded memo: the targets of a data set repeat, its outputs do not."""


def numbers_equal(a: Number, b: Number, *, tolerance: float = 0, rel_tolerance: float = 0) -> bool:
    """Whether two numbers are equal, exactly or within a tolerance of `b`.

    |a - b| <= max(tolerance, rel_tolerance * |b|), in exact arithmetic; a tolerance counts as it is written, so
    0.1 is one tenth.

    >>> numbers_equal(Decimal("18.0"), 18), numbers_equal(Decimal("42.00001"), 42)
    (True, False)
    >>> numbers_equal(Decimal("42.1"), 42, tolerance=0.1)
    True
    """
    if a == b:
        return True
    if not tolerance and not rel_tolerance:
        return False
    if not (tolerance >= 0 and rel_tolerance >= 0):
        raise ValueError(f"tolerances must be 0 or more, not {tolerance!r} and {rel_tolerance!r}")
    if tolerance == float("inf") or rel_tolerance == float("inf"):
        return True
    exact_a, exact_b = Fraction(a), Fraction(b)
    allowed = max(Fraction(str(tolerance)), Fraction(str(rel_tolerance)) * abs(exact_b))
    return abs(exact_a - exact_b) <= allowed
