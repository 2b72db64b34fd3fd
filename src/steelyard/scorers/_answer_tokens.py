"""The tokens by which `f1` and `exact` compare answers: exact numbers, and words without case or punctuation."""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import filterfalse
from typing import TypeAlias, cast

from steelyard.scorers._normalize import fold
from steelyard.scorers._number_grammar import VULGAR, has_digit, scan, take_numbers, to_plain
from steelyard.scorers._numeral import Number

__all__ = ["Token", "answer_tokens", "stop_tokens"]

Token: TypeAlias = str | Number

ARTICLES = frozenset({"a", "an", "the"})
_NONE: frozenset[Token] = frozenset()

_HAS_NUMBER = re.compile(rf"[\d{''.join(VULGAR)}]")
# C++ and C# are not C: their marks survive as private characters.
_NAME_MARKS = re.compile(r"(?<=[a-z])(?:\+\+|#)(?![a-z0-9])")
_KEPT = {"++": "\ue000", "#": "\ue001"}


class _Words(dict[int, int | str | None]):
    """Drops punctuation, and parts words at a hyphen, for the characters of any script as they are met."""

    def __missing__(self, code: int) -> int | str | None:
        category = unicodedata.category(chr(code))
        kept: int | str | None = " " if category == "Pd" else None if category[0] == "P" else code
        self[code] = kept
        return kept


_WORDS = _Words({ord(c): None for c in string.punctuation} | {ord("-"): " "})


def answer_tokens(text: str, stop_words: frozenset[Token] = _NONE, *, ordered: bool = True) -> list[Token]:
    r"""The tokens of an answer.

    Numbers are exact values, whatever their form (`1,000` and `1e3` are one token, `-5` keeps its sign, a glued unit
    is a token of its own). Words are case folded, parted at hyphens and rid of punctuation. The articles a, an, the
    are dropped unless nothing would be left, and stop words are dropped. Unless `ordered`, the numbers come last.

    >>> answer_tokens("The well-known 42kg of C++: 1/2!")
    ['well', 'known', 42, 'kg', 'of', 'c\ue000', Fraction(1, 2)]
    >>> answer_tokens("the")
    ['the']
    """
    if text.isdigit() and text.isascii() and len(text) < 16:
        number: Token = int(text)
        return [] if number in stop_words else [number]
    text = fold(text)
    if "++" in text or "#" in text:
        text = _NAME_MARKS.sub(lambda mark: _KEPT[mark[0]], text)
    tokens: list[Token]
    numbers: list[Number] = []
    if has_digit(text) if text.isascii() else _HAS_NUMBER.search(text):
        if ordered:
            tokens = _with_numbers(text)
        else:
            tokens, numbers = _apart_from_numbers(text)
    else:
        tokens = _words(text)
    if stop_words:
        tokens = [token for token in tokens if token not in stop_words]
        numbers = [number for number in numbers if number not in stop_words]
    kept = list(filterfalse(ARTICLES.__contains__, tokens))
    kept += numbers
    return kept or tokens


def _with_numbers(text: str) -> list[Token]:
    """The tokens of a text that has digits: numbers by the grammar, and the words between them."""
    text = to_plain(text)
    tokens: list[Token] = []
    at = 0
    for value, start, end in scan(text):
        tokens += _words(text[at:start])
        tokens.append(value)
        at = end
    tokens += _words(text[at:])
    return [_number_left_over(token) for token in tokens]


def _apart_from_numbers(text: str) -> tuple[list[Token], list[Number]]:
    """The same tokens, the numbers of the grammar apart."""
    numbers, rest = take_numbers(text)
    tokens = _words(rest)
    if not rest.isascii() or has_digit(rest):
        tokens = [_number_left_over(token) for token in tokens]
    return tokens, numbers


def _number_left_over(token: Token) -> Token:
    """Digits that a name left over (`GPT-4`) count as the number they show."""
    return int(token) if isinstance(token, str) and token.isdecimal() and len(token) < 16 else token


def _words(text: str) -> list[Token]:
    if not text.isascii():
        # Translating a text that is not ASCII costs a look-up per character: only words with marks are translated.
        text = " ".join([w if w.isalnum() else w.translate(_WORDS) for w in text.split()])
        return cast("list[Token]", text.split())
    return cast("list[Token]", text.translate(_WORDS).split())


@lru_cache(maxsize=256)
def _stop_tokens(stop_words: tuple[str, ...]) -> frozenset[Token]:
    return frozenset(token for word in stop_words for token in answer_tokens(word))


def stop_tokens(stop_words: Iterable[str] | None) -> frozenset[Token]:
    """Stop words as tokens, normalised as the texts are.

    >>> sorted(stop_tokens(["Very", "of"]))
    ['of', 'very']
    """
    return _stop_tokens(tuple(stop_words)) if stop_words else _NONE
