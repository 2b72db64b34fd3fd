"""Plain: texts of models and of users made safe and short enough to stand in a terminal."""

import re
import textwrap
from collections.abc import Iterable

__all__ = ["one_line", "printable", "shorten", "wrapped"]

# What moves the cursor, rings, recolours or reorders text: control characters but newline and tab, bidirectional
# overrides, and halves of surrogate pairs, which no encoding can write.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""The text with every character written out that a terminal would obey instead of show.

    >>> print(printable("red: \x1b[31m, newline kept:\n."))
    red: \x1b[31m, newline kept:
    .
    """
    return _UNSAFE.sub(_written, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    r"""The text on one line, white space collapsed.

    >>> one_line("so\n\n  it is\t42")
    'so it is 42'
    """
    return printable(" ".join(text.split()))


def shorten(text: str, length: int) -> str:
    """The text in at most ``length`` characters: its beginning and, since answers stand there, its end.

    >>> shorten("first this and then that, so it is 42", 24)
    'first this ... it is 42'
    """
    if len(text) <= length:
        return text
    tail = length // 3
    return f"{text[: length - tail - 5].rstrip()} ... {text[len(text) - tail :].lstrip()}"


def wrapped(lines: Iterable[str], width: int) -> list[str]:
    """The lines broken between words where they are longer than ``width``; what follows is indented."""
    broken: list[str] = []
    for line in lines:
        broken += textwrap.wrap(line, width, subsequent_indent="  ", break_on_hyphens=False) or [""]
    return broken


def _written(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"
