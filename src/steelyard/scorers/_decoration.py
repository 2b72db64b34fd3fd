r"""What surrounds an answer and is not part of it: markdown, brackets, LaTeX, quotes, the label `ANSWER:`."""

from __future__ import annotations

import re

from steelyard.scorers._normalize import is_latin

__all__ = ["after_label", "last_boxed", "strip_decoration", "strip_opening"]

_MAX_LAYERS = 16
_PAIRS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "<": ">",
    "*": "*",
    "_": "_",
    "`": "`",
    '"': '"',
    "'": "'",
    "$": "$",
    "“": "”",
    "‘": "’",
    "„": "“",
    "«": "»",
    "「": "」",
    "『": "』",
    "【": "】",
    "（": "）",
    "《": "》",
}
_COMMANDS = re.compile(r"\\(?:boxed|fbox|text|textbf|textit|mathrm|mathbf|mathit|bf)\s?\{|\\\(|\\\[")
_OPENING = re.compile(rf"(?:[\s*_`\"'(\[{{$“‘«（【「]|{_COMMANDS.pattern})*+")
_CLOSING = {"{": "}", "(": "\\)", "[": "\\]"}
_QUALIFIERS = r"(?:(?:the|my|final|correct)\s){0,3}"
_LABEL = re.compile(rf"[#>\s]{{0,8}}(?P<marks>[*_`\"']{{0,3}}){_QUALIFIERS}(?=answer)", re.IGNORECASE)
_OPENED = re.compile(rf"(?P<marks>[*_`\"']{{1,3}}){_QUALIFIERS}\Z", re.IGNORECASE)
_COLON = re.compile(r"answer(?:\sis)?(?P<marks>[*_`\"']{0,3})\s{0,4}[:：]", re.IGNORECASE)
_STOPS = ".,;:!。，；：！ \t\r\n"


def strip_decoration(text: str, *, label: bool = True) -> str:
    r"""The answer inside its decoration: pairs of brackets, quotes and markdown, LaTeX, a closing stop, a label.

    At most 16 layers are taken off. With `label=False`, `ANSWER:` stays.

    >>> [strip_decoration(t) for t in ("**A**", "(A).", "$\\boxed{\\text{A}}$", "**ANSWER:** `A` ", '"A"')]
    ['A', 'A', 'A', 'A', 'A']
    >>> strip_decoration("f(x)"), strip_decoration("(a) or (b)")
    ('f(x)', '(a) or (b)')
    """
    text = text.strip()
    for _ in range(_MAX_LAYERS):
        peeled = _peel(text)
        if peeled is None and label:
            peeled = _without_label(text)
        if peeled is None:
            return text
        text = peeled
    return text


def strip_opening(text: str) -> str:
    r"""A text without the decoration and the label with which it opens, whether or not they are closed.

    >>> strip_opening("**ANSWER:** \\boxed{Paris} it is")
    'Paris} it is'
    """
    text = text[_OPENING.match(text).end() :]  # type: ignore[union-attr]  # it matches nothing, at least
    unlabelled = _without_label(text)
    return text if unlabelled is None else unlabelled[_OPENING.match(unlabelled).end() :]  # type: ignore[union-attr]


def _peel(text: str) -> str | None:
    """The text without its outermost layer, or None if it has none."""
    if len(text) < 2:
        return None
    if text[-1] in _STOPS and not text.endswith("..."):
        return text.rstrip(_STOPS)
    closing = _PAIRS.get(text[0])
    if closing is not None and text[-1] == closing and _encloses(text, text[0], closing, 1, 1):
        return text[1:-1].strip()
    command = _COMMANDS.match(text)
    if command is not None:
        closing = _CLOSING[text[command.end() - 1]]
        if text.endswith(closing) and _encloses(text, text[command.end() - 1], closing, command.end(), len(closing)):
            return text[command.end() : -len(closing)].strip()
    return None


def _encloses(text: str, opening: str, closing: str, start: int, width: int) -> bool:
    """Whether the first mark closes at the end and not before: `(a)`, not `(a) or (b)`."""
    end = len(text) - width
    if end < start or (end == start and opening != closing):
        return False
    if opening == closing:
        inner = text[start:end]
        doubled = inner[:1] == opening and inner[-1:] == opening
        return opening not in (inner[1:-1] if doubled else inner)
    if closing not in text[start:end]:
        return True
    depth = 1
    for char in text[start:end]:
        if char == opening:
            depth += 1
        elif char == closing:
            depth -= 1
            if depth == 0:
                return False
    return depth == 1


def _without_label(text: str) -> str | None:
    """The text after a label at its start, or None."""
    label = _LABEL.match(text)
    colon = None if label is None else _COLON.match(text, label.end())
    return None if label is None or colon is None else _unmarked(text[colon.end() :], label["marks"], colon["marks"])


def _unmarked(answer: str, opened: str, closed: str) -> str:
    """An answer without the other half of the marks that stand before its label."""
    answer = answer.strip()
    if not opened or closed == opened:
        return answer
    if answer.startswith(opened):
        return answer[len(opened) :].strip()
    return answer.removesuffix(opened).rstrip() if answer != opened else ""


def after_label(output: str) -> str | None:
    r"""What follows the last `ANSWER:` of an output on its line, or on the next one if its own is empty.

    >>> after_label("ANSWER: B\nno, **ANSWER:** C, surely\nbye")
    'C, surely'
    >>> after_label("the answer is unknown") is None
    True
    """
    lowered = _lower(output)
    at = lowered.rfind("answer")
    while at >= 0:
        colon = _COLON.match(output, at)
        if colon is not None and (at == 0 or not is_latin(output[at - 1])):
            opened = _OPENED.search(output[max(at - 24, 0) : at])
            line = _line_from(output, colon.end())
            return _unmarked(line, opened["marks"] if opened else "", colon["marks"])
        at = lowered.rfind("answer", 0, at)
    return None


def _lower(text: str) -> str:
    """Lower case, letter for letter, so that places stay true (İ would become two characters)."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.replace("İ", "I").lower()


def _line_from(text: str, start: int) -> str:
    """The rest of the line at `start`; the next line that is not empty, if there is nothing but marks."""
    rest = text[start:].lstrip() if text[start : start + 1].isspace() else text[start:]
    line, _, below = rest.partition("\n")
    if not line.strip("*_`\"' \t\r"):
        return line + below.lstrip().partition("\n")[0]
    return line


def last_boxed(output: str) -> str | None:
    r"""The content of the last `\\boxed{...}` of an output, or None.

    >>> last_boxed("so \\boxed{1} and \\boxed{\\frac{1}{2}}.")
    '\\frac{1}{2}'
    """
    at = output.rfind("\\boxed{")
    if at < 0:
        return None
    depth = 0
    for place in range(at + 6, len(output)):
        char = output[place]
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return output[at + 7 : place].strip()
    return None
