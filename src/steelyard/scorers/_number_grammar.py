r"""The one grammar of numbers, shared by every scorer that compares them.

A number is found in running text by one pass of one regular expression, which takes the longest run of
digits and separators; the run is then read as a whole, so `1,234` is one number and `1,2,3` are three.
No number crosses the end of a line.

What counts, and what it is worth:

| written | read as | rule |
|---|---|---|
| `42`, `-42`, `−42`, `–42`, `+42` | 42, -42 | a sign stands directly before; after a digit or bracket it is none |
| `1,234.5`, `1 234,5`, `1_234`, `1{,}234` | 1234.5, 1234 | groups of three; else the marks part numbers |
| `1.234,56`, `1.234.567` | 1234.56, 1234567 | European, only where it can be nothing else |
| `.5`, `$5`, `-$5`, `60%`, `5 €` | 0.5, 5, -5, 60, 5 | currency and percent signs are dropped |
| `1/2`, `2 1/2`, `½`, `2½`, `\frac{1}{2}`, `\frac12` | 1/2, 5/2 | exact fractions; a zero below is no number |
| `1e3`, `1.5×10^3`, `10³`, `2^{10}` | 1000, 1500, 1024 | whole exponents |
| `42kg`, `42-year-old`, `x=42`, `ANSWER:42` | 42 | a unit may be glued on; `=` and `:` end a label |
| `٤٢`, `４２` | 42 | decimal digits of any script |

What does not: digits inside a name (`H2O`, `GPT-4`, `x_2`, `3f2a`), an ordinal (`42nd` is a place, not a
quantity), a time or ratio (`12:30`), a date (`2024-01-15`, `1/2/2024`), a version (`1.2.3`), an exponent or
index of something else (`x^2`, `a_{1}`), a multiple of pi or a root (`2\pi`, `\sqrt{2}`), words (`two`,
`million`), and anything of more than 1,000 digits or an exponent beyond 9,999.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from steelyard.scorers._numeral import Number, exact, exponent_of, negated, raised, read_run
from steelyard.scorers._plain_number import NO_DIGIT, PLAIN_ANYWHERE, PLAIN_BEGIN, plain_value

Found: TypeAlias = tuple[Number, int, int]
"""A value and where it stands in the text."""

TAKEN = "\x1f"
"""Stands in a text for a number taken out of it: white space between words, a digit to what follows."""

CURRENCY = "$£€¥₹₩₽₺₪₫฿¢"
VULGAR = {c: Fraction(unicodedata.numeric(c)).limit_denominator(10) for c in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"}
LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"

_VULGAR_CLASS = f"[{''.join(VULGAR)}]"
_PLAIN_SIGNS = {
    **dict.fromkeys("−–‒‐‑﹣－", "-"),
    **dict.fromkeys("\u00a0\u2007\u2009\u202f", " "),
    **dict.fromkeys("⁄∕／", "/"),
    "＋": "+",
    "，": ",",
    "．": ".",
    "：": ":",
    "٫": ".",
    "٬": ",",
    "％": "%",
    "＝": "=",
}


def _frac(name: str) -> str:
    """The LaTeX fraction, with its groups named after `name`."""
    whole = "-?[0-9]{1,400}"
    return (
        rf"(?P<{name}>\\[dt]?frac(?:\{{(?P<{name}_a>{whole})\}}\{{(?P<{name}_b>{whole})\}}"
        rf"|(?P<{name}_c>[0-9])(?P<{name}_d>[0-9])))"
    )


_CANDIDATE = re.compile(
    rf"""
    (?P<run> [0-9]++ (?: (?: [.,:/_\ ] | \{{,\}} | ,\\! | \\, ) [0-9]++ )*+ )
      (?: (?P<date> (?<=(?:1[5-9]|20)[0-9]{{2}}) -(?:0[1-9]|1[0-2]) -(?:0[1-9]|[12][0-9]|3[01]) (?![0-9]) )
        | [eE] (?P<e>[-+]?[0-9]++)
        | \ {{0,2}} (?: [×x*·⋅] | \\times | \\cdot ) \ {{0,2}} 10
          (?: \^\{{?(?P<ten>[-+]?[0-9]++)\}}? | (?P<ten_super>[⁻⁺]?[⁰¹²³⁴-⁹]++) )
        | \^\{{?(?P<power>[-+]?[0-9]++)\}}?
        | (?P<power_super>[⁻⁺]?[⁰¹²³⁴-⁹]++)
        | \ ?(?P<and_vulgar>{_VULGAR_CLASS})
        | {_frac("and_frac")}
      )?
    | (?P<vulgar>{_VULGAR_CLASS})
    | {_frac("frac")}
    """,
    re.VERBOSE,
)
# What makes a number part of a name, an ordinal, or a factor of something that is none.
_GLUED = re.compile(
    rf"""(?: [{LATIN}]*+[0-9] | _[{LATIN}0-9] | (?i:st|nd|rd|th)(?![{LATIN}])
      | [.,][0-9] | [⁰¹²³⁴-⁹^][0-9] | [ ]?(?:π|\\pi|\\sqrt|√) )""",
    re.VERBOSE,
)
_FOREIGN = re.compile(r"[^\x00-\x7f]++")
_HAS_VULGAR = re.compile(_VULGAR_CLASS)
_LATIN_LETTER = re.compile(f"[{LATIN}]")


class _Plain(dict[int, str]):
    """Turns signs, spaces and digits of any script into ASCII, one character for one, as they are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        plain = _PLAIN_SIGNS.get(char, char) if digit is None else str(digit)
        self[code] = plain
        return plain


_PLAIN = _Plain()


def scan(text: str) -> Iterator[Found]:
    r"""Yield every number of `text` in order, as (value, start, end), in time linear in the text.

    >>> list(scan("from 1,250 to 1/2"))
    [(1250, 5, 10), (Fraction(1, 2), 14, 17)]
    >>> list(scan("GPT-4 at 12:30"))
    []
    """
    plain = to_plain(text)
    begins = PLAIN_BEGIN.search(plain)
    while begins is not None:
        start, at = begins.span()
        kind = begins.lastindex
        if kind is not None and plain[start] not in NO_DIGIT:
            numeral = plain[start:at]
            yield (Decimal(numeral) if "." in numeral else int(numeral)), start - (kind == 1), at
        else:
            match = _CANDIDATE.match(plain, start)
            at = start + 1 if match is None else match.end()
            if match is not None:
                yield from _read_run(plain, match) if match["run"] is not None else _read_fraction(plain, match)
        begins = PLAIN_BEGIN.search(plain, at)


def take_numbers(text: str) -> tuple[list[Number], str]:
    r"""All numbers of a text, in no particular order, and the text with `\x1f` (white space) for each of them.

    >>> take_numbers("12 of 1e3 men")
    ([12, Decimal('1E+3')], '\x1f of \x1f men')
    """
    text = to_plain(text)
    parts = PLAIN_ANYWHERE.split(text)
    read = [int(part) if part.isdigit() else plain_value(part) for part in parts[1::2]]
    numbers = [value for value in read if value is not None]
    if len(numbers) < len(read):  # something like 1/0, which stays in the text
        numbers = []
    else:
        text = TAKEN.join(parts[::2])
    if not has_digit(text) and (text.isascii() or not _HAS_VULGAR.search(text)):
        return numbers, text
    between: list[str] = []
    at = 0
    for value, start, end in scan(text):
        between.append(text[at:start])
        numbers.append(value)
        at = end
    between.append(text[at:])
    return numbers, TAKEN.join(between)


def to_plain(text: str) -> str:
    """The text with ASCII signs, spaces and digits in place of those of any script, one character for one.

    >>> to_plain("−４２")
    '-42'
    """
    # Runs are translated, not the text: most characters of most texts are ASCII, and cost nothing so.
    return text if text.isascii() else _FOREIGN.sub(lambda run: run[0].translate(_PLAIN), text)


def has_digit(text: str) -> bool:
    """Whether an ASCII text has a digit."""
    # Ten searches for one byte are far faster than one search for a class of ten.
    return (
        "1" in text or "2" in text or "0" in text or "5" in text or "3" in text
        or "4" in text or "6" in text or "8" in text or "7" in text or "9" in text
    )  # fmt: skip


def _read_fraction(plain: str, match: re.Match[str]) -> Iterator[Found]:
    r"""A fraction that stands alone: `½` or `\frac{1}{2}`."""
    value = VULGAR[match["vulgar"]] if match["vulgar"] else _latex_fraction(match, "frac")
    start, negative, _ = _left_edge(plain, match.start(), can_lead=False)
    if value is not None and start >= 0 and not _GLUED.match(plain, match.end()):
        yield (-value if negative else value), start, match.end()


def _latex_fraction(match: re.Match[str], name: str) -> Fraction | None:
    above = int(match[f"{name}_a"] or match[f"{name}_c"])
    below = int(match[f"{name}_b"] or match[f"{name}_d"])
    return Fraction(above, below) if below else None


def _read_run(plain: str, match: re.Match[str]) -> Iterator[Found]:
    """The numbers of one run of digits and separators, with what stands before and after it."""
    run_start, run_end = match.span("run")
    run = match["run"]
    start, negative, leading = _left_edge(plain, run_start, can_lead=True)
    if start < 0 or leading:  # the first digits belong to a name, or follow a bare point: read them apart
        first = run.find(" ")
        head, rest = (run, "") if first < 0 else (run[:first], run[first + 1 :])
        pieces = read_run(rest, run_start + first + 1) if rest else []
        if start >= 0 and head.isdigit():
            pieces.insert(0, ("0." + head, run_start, run_start + len(head)))
    else:
        pieces = read_run(run, run_start)
    for piece, begin, end in pieces:
        opens = begin == run_start
        closes = end == run_end
        if closes and _GLUED.match(plain, match.end()):
            return
        value = _value(piece, match) if closes else _unadorned(piece)
        if value is not None:
            yield (
                negated(value) if opens and negative else value,
                start if opens else begin,
                match.end() if closes else end,
            )


def _unadorned(piece: str | Fraction) -> Number | None:
    """The value of a piece to which nothing is attached."""
    return exact(piece) if isinstance(piece, str) else piece


def _value(piece: str | Fraction, match: re.Match[str]) -> Number | None:
    """The value of the last piece of a run, with the exponent or fraction that follows it."""
    kind = match.lastgroup
    if kind == "run" or kind is None:
        return _unadorned(piece)
    if isinstance(piece, Fraction) or kind == "date":
        return None
    if kind in ("e", "ten", "ten_super"):
        return exact(piece, exponent_of(match[kind]))
    if kind in ("power", "power_super"):
        return raised(piece, exponent_of(match[kind]))
    part = VULGAR[match["and_vulgar"]] if kind == "and_vulgar" else _latex_fraction(match, "and_frac")
    whole = exact(piece)
    return whole + part if isinstance(whole, int) and part is not None and 0 <= part < 1 else None


def _left_edge(plain: str, start: int, *, can_lead: bool) -> tuple[int, bool, bool]:
    """Where the number begins with its sign (-1: inside a name), whether it is negative, and led by a point."""
    at = start - 1
    if at < 0 or plain[at] in " \n(:=*>":
        return start, False, False
    leading = False
    if plain[at] == ".":
        if can_lead and (at == 0 or not _is_word_end(plain[at - 1])):
            leading = True
            start, at = at, at - 1
        elif at and ("0" <= plain[at - 1] <= "9" or plain[at - 1] == TAKEN):
            return -1, False, False
    priced = at >= 0 and plain[at] in CURRENCY
    if priced:
        start, at = at, at - 1
        if at >= 0 and plain[at] == "\\":
            start, at = at, at - 1
    if at < 0:
        return start, False, leading
    if plain[at] in "-+":
        return _signed(plain, start, at, leading)
    return (start if priced or not _is_name(plain, at) else -1), False, leading


def _signed(plain: str, start: int, at: int, leading: bool) -> tuple[int, bool, bool]:
    """The left edge of a number with `-` or `+` before it: a sign, an operator, or a hyphen in a name."""
    before = plain[at - 1] if at else " "
    if _LATIN_LETTER.match(before) or before in "^_" or (before == "{" and plain[at - 2 : at - 1] in ("^", "_")):
        return -1, False, leading
    if _is_word_end(before) or before in "%°-+,":
        return start, False, leading
    return at, plain[at] == "-", leading


def _is_word_end(char: str) -> bool:
    """Whether a minus after `char` would be an operator or a range, and a point a full stop."""
    return char in ")]}._" or char == TAKEN or char.isalnum()


def _is_name(plain: str, at: int) -> bool:
    """Whether the character at `at` makes the digits after it part of a name, an index or an exponent."""
    char = plain[at]
    if char == "{":
        return plain[max(at - 1, 0) : at] in ("^", "_") or plain.startswith("sqrt", at - 4)
    if char == "_":
        return at > 0 and plain[at - 1].isalnum()
    return char in "^√" or _LATIN_LETTER.match(char) is not None
