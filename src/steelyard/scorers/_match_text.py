"""Does a text say what the target says: at its beginning, its end, anywhere, exactly; or merely include it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from steelyard.scorers._decoration import strip_decoration, strip_opening
from steelyard.scorers._normalize import MARKS, as_targets, fold, is_bounded, normalize, strip_marks, strip_target

__all__ = ["Location", "Matched", "includes_text", "includes_text_columns", "match_text", "match_text_columns"]

Location: TypeAlias = Literal["begin", "end", "any", "exact"]
Matched: TypeAlias = tuple[bool, str | None]
"""Whether a target was found, and the answer as the output wrote it (None: there is none)."""


_ODD_SPACE = re.compile(r"[\t\r\x0b\x0c\x1c-\x1f]")


_LONG = 256


class _Wanted(NamedTuple):
    """A target as it is compared."""

    text: str
    size: int
    is_fast: bool  # ASCII, with no marks of its own at its ends: the fast paths apply


@lru_cache(maxsize=8_192)
def _wanted(target: str, ignore_case: bool) -> _Wanted:
    if target.isalnum() and target.isascii():
        return _Wanted(target.lower() if ignore_case else target, len(target), is_fast=True)
    text = strip_target(normalize(target, ignore_case=ignore_case))
    return _Wanted(text, len(text), is_fast=text.isascii() and text.strip(MARKS) == text != "")


def match_text(
    output: str, target: str | Sequence[str], location: Location = "end", *, ignore_case: bool = True
) -> Matched:
    """Whether the output says the target (or one of several) at `location`.

    Both sides are compared in NFC, without zero-width characters, with single spaces, and without the punctuation at
    their ends; a sign or symbol of the target (`-5`, `C++`) must be there. Where the target begins or ends with a
    Latin letter or digit it must stand as a whole word. Decoration and a label (`ANSWER:`) before the answer do not
    count as its beginning. An empty target matches nothing, save an empty output where `location` is "exact". The
    answer is the matched text as the output has it.

    >>> match_text("So it is **Paris**.", "paris")
    (True, 'Paris')
    >>> match_text("about 15", "5"), match_text("Use C", "C++"), match_text("Use C++!", "C++")
    ((False, None), (False, None), (True, 'C++'))
    """
    find = _finder(location)
    for one in as_targets(target):
        answer = find(output, _wanted(one, ignore_case), ignore_case)
        if answer is not None:
            return True, answer
    return False, None


def match_text_columns(
    outputs: Sequence[str],
    targets: Sequence[str | Sequence[str]],
    location: Location = "end",
    *,
    ignore_case: bool = True,
) -> tuple[list[bool], list[str | None]]:
    """`match_text` of every row: whether it matched, and the answers.

    >>> match_text_columns(["it is 5", "it is 6"], ["5", "5"])
    ([True, False], ['5', None])
    """
    find = _finder(location)
    answers = [
        find(output, _wanted(target, ignore_case), ignore_case)
        if isinstance(target, str)
        else match_text(output, target, location, ignore_case=ignore_case)[1]
        for output, target in zip(outputs, targets, strict=True)
    ]
    return [answer is not None for answer in answers], answers


def _finder(location: Location) -> Callable[[str, _Wanted, bool], str | None]:
    try:
        return _FINDERS[location]
    except KeyError:
        raise ValueError(f"location must be one of {', '.join(map(repr, _FINDERS))}, not {location!r}") from None


def _at_end(output: str, wanted: _Wanted, ignore_case: bool) -> str | None:
    text, size, is_fast = wanted
    if is_fast:
        end = len(output.rstrip(MARKS))
        start = end - size
        answer = output[start:end] if start >= 0 else ""
        around = output[start - 1 : end + 1] if start else output[: end + 1]
        if around.isascii() and answer:
            same = (answer.lower() if ignore_case else answer) == text
            if same:
                return answer if is_bounded(output, start, end) else None
            if " " not in text or answer[-1].lower() != text[-1].lower():
                return None
    elif not size:
        return None
    reach = 8 * size + 64
    tail = _forms(output[-reach:], ignore_case)
    start = tail[0].rfind(text)
    if start < 4 and len(output) > reach and len(strip_marks(tail[0])) < size + 4:  # marks or white space fill it
        tail = _forms(output, ignore_case)
        start = tail[0].rfind(text)
    return _if_alone(tail, text, start, before=False)


def _at_begin(output: str, wanted: _Wanted, ignore_case: bool) -> str | None:
    text, size, is_fast = wanted
    if not size:
        return None
    if is_fast:
        start = len(output) - len(output.lstrip(MARKS))
        answer = output[start : start + size]
        if (answer.lower() if ignore_case else answer) == text and is_bounded(output, start, start + size):
            return answer
    reach = 8 * size + 64
    for whole in (output, strip_opening(output)):
        head = _forms(whole[:reach], ignore_case)
        start = head[0].find(text)
        if (start < 0 or start + size + 4 > len(head[0])) and len(whole) > reach and not strip_marks(head[0][:start]):
            head = _forms(whole, ignore_case)  # the cut may hide a neighbour, or marks fill the head
            start = head[0].find(text)
        found = _if_alone(head, text, start, after=False)
        if found is not None:
            return found
    return None


def _exactly(output: str, wanted: _Wanted, ignore_case: bool) -> str | None:
    text, size, is_fast = wanted
    if not size:
        return None if output and normalize(output) else ""
    if is_fast and output.isascii():
        start = len(output) - len(output.lstrip(MARKS))
        end = len(output.rstrip(MARKS))
        if end - start < size:
            return None
        answer = output[start:end]
        if end - start == size and (answer.lower() if ignore_case else answer) == text:
            return answer if is_bounded(output, start, end) else None
    for whole in (output, strip_decoration(output)):
        forms = _forms(whole, ignore_case)
        found = _if_alone(forms, text, forms[0].find(text))
        if found is not None:
            return found
    return None


def _forms(text: str, ignore_case: bool) -> tuple[str, str]:
    """A text as it is compared, and as it is shown, of the same length."""
    shown = normalize(text, ignore_case=False)
    compared = fold(shown) if ignore_case else shown
    return compared, shown if len(shown) == len(compared) else compared


def _if_alone(
    forms: tuple[str, str], wanted: str, start: int, *, before: bool = True, after: bool = True
) -> str | None:
    """The wanted text at `start`, if it is a whole word with nothing but marks before it and after it."""
    text, shown = forms
    end = start + len(wanted)
    if start < 0 or not is_bounded(text, start, end):
        return None
    if (before and strip_marks(text[:start])) or (after and strip_marks(text[end:])):
        return None
    return shown[start:end]


def _anywhere(output: str, wanted: _Wanted, ignore_case: bool) -> str | None:
    text, size, is_fast = wanted
    if not size:
        return None
    if is_fast and output.isascii():
        found = _whole_word(output.lower() if ignore_case else output, text, output)
        if found is not None or " " not in text:
            return found
    compared, shown = _forms(output, ignore_case)
    return _whole_word(compared, text, shown)


def _whole_word(text: str, wanted: str, shown: str) -> str | None:
    """The first place where the wanted text is a whole word, as shown."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if is_bounded(text, start, end):
            return shown[start:end]
        start = text.find(wanted, start + 1)
    return None


_FINDERS: dict[Location, Callable[[str, _Wanted, bool], str | None]] = {
    "begin": _at_begin,
    "end": _at_end,
    "any": _anywhere,
    "exact": _exactly,
}


def includes_text(output: str, target: str | Sequence[str], *, ignore_case: bool = True) -> Matched:
    """Whether the output includes the target (or one of several), as a part of any word if need be.

    White space counts as a single space where the texts differ otherwise. An empty target is included in nothing. The
    answer is the text found.

    >>> includes_text("The PARISIAN way", "paris")
    (True, 'PARIS')
    >>> includes_text("anything", "")
    (False, None)
    """
    for one in as_targets(target):
        answer = _included(output, one, ignore_case, _find(output, one))
        if answer is not None:
            return True, answer
    return False, None


def includes_text_columns(
    outputs: Sequence[str], targets: Sequence[str | Sequence[str]], *, ignore_case: bool = True
) -> tuple[list[bool], list[str | None]]:
    """`includes_text` of every row: whether it matched, and the answers.

    >>> includes_text_columns(["New  York", "Rome"], ["new york", ("Oslo", "Rome")])
    ([True, True], ['New York', 'Rome'])
    """
    answers: list[str | None] = []
    for output, target in zip(outputs, targets, strict=True):
        if not isinstance(target, str):
            answers.append(includes_text(output, target, ignore_case=ignore_case)[1])
            continue
        start = 0 if len(output) < _LONG else output.find(target[:1])  # as in `_find`, without the call
        start = output.find(target, start) if start >= 0 else -1
        if start >= 0 and output.isascii() and target.strip():  # as in `_included`, likewise
            answers.append(target)
        elif start < 0 and target.isdigit() and target.isascii() and output.isascii():
            answers.append(None)
        else:
            answers.append(_included(output, target, ignore_case, start))
    return [answer is not None for answer in answers], answers


def _find(output: str, target: str) -> int:
    """Where the target begins, or -1.

    One character is found many times faster than a text; for a number in prose that is nearly the whole way.
    """
    first = output.find(target[:1])
    return output.find(target, first) if first >= 0 else -1


def _is_even(text: str) -> bool:
    """Whether all white space in an ASCII text is single spaces, as far as it matters."""
    return "  " not in text and "\n" not in text and text.strip() == text and not _ODD_SPACE.search(text)


def _included(output: str, target: str, ignore_case: bool, start: int) -> str | None:
    """The target as the output has it; ``start`` is where the output has it as it is written, or -1."""
    if output.isascii() and target.isascii():
        if start < 0 and ignore_case and not target.isdigit() and target.lower() != target.upper():
            start = _find(output.lower(), target.lower())
        if start >= 0:
            return output[start : start + len(target)] if target.strip() else None
        if target.isalnum() or (_is_even(output) and _is_even(target)):
            return None
    elif target[:1].isalnum() and target[0].isascii():
        end = start + len(target)
        if start >= 0 and output[end : end + 1].isascii():  # so that nothing composes with its last letter
            return target
    text, shown = _forms(output, ignore_case)
    wanted = normalize(target, ignore_case=ignore_case)
    start = text.find(wanted)
    return shown[start : start + len(wanted)] if wanted and start >= 0 else None
