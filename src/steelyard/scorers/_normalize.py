"""Text made comparable: NFC, no zero-width characters, single spaces, case folded, word boundaries.

Every function has a path for ASCII text, where Unicode normalisation and zero-width characters cannot occur.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable

__all__ = [
    "fold",
    "is_bounded",
    "normalize",
    "plain_text",
    "strip_marks",
    "strip_target",
]

ZERO_WIDTH = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
_DROP_ZERO_WIDTH = dict.fromkeys(map(ord, ZERO_WIDTH))
_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]")
_WHITE = (
    string.whitespace
    + "\x1c\x1d\x1e\x1f\x85\u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
_FOREIGN_MARKS = "“”‘’‚„‹›«»…–—―·•¡¿、。〃〈〉《》「」『』【】〔〕！（），．：；？［］｛｝～＂＇｀＊。｡｢｣､"

MARKS = string.punctuation + _WHITE + _FOREIGN_MARKS + "−±°"
"""What may stand around an answer without being part of it: punctuation and white space."""

# What may be part of an answer at its edge: the signs of -5, C++, C#, 60%, @home. The target decides.
_SYMBOLS = "+-#%&@/<>=^~|\\−±°"
_NOT_SYMBOLS = "".join(c for c in MARKS if c not in _SYMBOLS)
_LOOSE_SYMBOLS = re.compile(rf"^[{re.escape(_SYMBOLS)}]+\s+|\s+[{re.escape(_SYMBOLS)}]+$")


_LEADING_POINT = re.compile(r"(?<![.\w])\.\Z")


def plain_text(text: str) -> str:
    r"""NFC without zero-width characters; ASCII text is returned as it is.

    >>> plain_text("cafe\u0301\u200b")
    'café'
    """
    if text.isascii():
        return text
    if _ZERO_WIDTH.search(text):
        text = text.translate(_DROP_ZERO_WIDTH)
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """`plain_text`, case folded.

    >>> fold("Straße")
    'strasse'
    """
    if text.isascii():
        return text.lower()
    # Folding can take a character apart (İ), so compose again.
    return unicodedata.normalize("NFC", plain_text(text).casefold())


def normalize(text: str, *, ignore_case: bool = True) -> str:
    r"""A text as it is compared: `plain_text`, white space single and none at the ends, case folded.

    >>> normalize("  New\n York ")
    'new york'
    """
    return " ".join((fold(text) if ignore_case else plain_text(text)).split())


def strip_marks(text: str) -> str:
    """A text without the punctuation and white space at its ends.

    >>> strip_marks("**(Paris).** ")
    'Paris'
    """
    return text.strip(MARKS)


def strip_target(target: str) -> str:
    """A target without marks at its ends, but with the signs and symbols that are part of it.

    A symbol is part of it if nothing stands between; a target of marks alone stays as it is.

    >>> [strip_target(t) for t in ("(-5).", "C++", "`C#`", "- Paris", ".5", "?!")]
    ['-5', 'C++', 'C#', 'Paris', '.5', '?!']
    """
    stripped = _LOOSE_SYMBOLS.sub("", target.strip(_NOT_SYMBOLS)).strip(_NOT_SYMBOLS)
    if not stripped.strip(MARKS):
        return target.strip()
    if stripped[0].isdecimal() and _LEADING_POINT.search(target[: target.index(stripped)]):
        return "." + stripped
    return stripped


def is_latin(char: str) -> bool:
    """Whether a character is a Latin letter or a decimal digit.

    >>> is_latin("é"), is_latin("字"), is_latin("5")
    (True, False, True)
    """
    if char <= "\x7f":
        return char.isalnum()
    return ("\u00c0" <= char <= "\u024f" and char not in "×÷") or "\u1e00" <= char <= "\u1eff" or char.isdecimal()


def is_bounded(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` stands there as a whole word, number or name.

    A neighbour spoils it where it continues the text: a Latin letter or digit beside a Latin letter or digit, a
    decimal point or a comma of thousands beside a digit, a minus directly before a digit, `+`, `#` or a closing `-`
    directly after a letter or digit.

    >>> is_bounded("15", 1, 2), is_bounded("Parisian", 0, 5), is_bounded("0.5", 2, 3), is_bounded("C++", 0, 1)
    (False, False, False, False)
    >>> is_bounded("the 5.", 4, 5), is_bounded("10-5", 3, 4)
    (True, True)
    """
    return (start == 0 or _opens(text, start, end)) and (end == len(text) or _closes(text, start, end))


def _opens(text: str, start: int, end: int) -> bool:
    before, first = text[start - 1], text[start]
    if before in " \n":
        return True
    if not is_latin(first):
        return True
    if is_latin(before):
        return False
    if not first.isdecimal() or start < 2:
        return not (first.isdecimal() and before in "-−.")
    further = text[start - 2]
    if before in "-−":
        return is_latin(further) or further in ")]}%"
    if before == ".":
        return not (further.isdecimal() or further in " (-$")
    return not (before == "," and further.isdecimal() and _digits_ahead(text, start) == 3)


def _closes(text: str, start: int, end: int) -> bool:
    last, after = text[end - 1], text[end]
    if after in " \n" or not is_latin(last):
        return True
    if is_latin(after) or after == "#":
        return False
    further = text[end + 1 : end + 2]
    if after == "+":
        return bool(further) and is_latin(further)
    if after == "-":
        return bool(further) and not further.isspace()
    if after in ".," and last.isdecimal() and further.isdecimal():
        return after == "," and _digits_ahead(text, end + 1) != 3
    return True


def _digits_ahead(text: str, at: int) -> int:
    """How many digits stand at `at`, up to four."""
    count = 0
    for char in text[at : at + 4]:
        if not char.isdecimal():
            break
        count += 1
    return count


def as_targets(target: str | Iterable[str]) -> tuple[str, ...]:
    """One reference or several, as a tuple."""
    return (target,) if isinstance(target, str) else tuple(target)
