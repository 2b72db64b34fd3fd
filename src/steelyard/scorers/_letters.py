"""Reading the letters of a multiple-choice answer, and telling the letter A from the article."""

from __future__ import annotations

import re

__all__ = ["read_labels"]

_LABEL = r"(?:[A-Za-z]|[0-9]{1,4}+)(?!\w|['’]\w)"
_JOIN = r"(?:\s{0,3}(?:,|;|&|/|\+|\band\b|\bor\b|\n)\s{0,3}){1,2}|\s{1,3}"
_DRESS = r"[\s*_`\"'“”‘’(\[{<$]{0,8}+(?:\\(?:boxed|text|textbf|mathrm|mathbf)\{){0,2}+"
_UNDRESS = r"[*_`\"'“”‘’)\]}>$.:]{0,8}+"
_FIRST = re.compile(
    rf"{_DRESS}(?:(?i:options?|choices?|answers?|letters?)\s{{1,3}})?"
    rf"{_DRESS}({_LABEL}|[A-Z]{{2,26}}(?!\w)){_UNDRESS}"
)
_NEXT = re.compile(rf"(?:{_JOIN}){_DRESS}((?-i:[A-Z]|[a-z]|[0-9]{{1,4}}+)(?!\w|['’]\w)){_UNDRESS}")
_PRONOUN_OR_ARTICLE = frozenset("AIai")
_REASON = re.compile(r"[\s,;]*+(?:because|since|as|is|for|due|which|given|based|\W|\Z)", re.IGNORECASE)


def read_labels(text: str, *, alone: bool = False) -> list[str] | None:
    """The labels with which a text begins: `B`, `(B)`, `B, C`, `B and C`, `BC`, `2`; None if it begins otherwise.

    A list must be all of the text, and `BC` in the order of the alphabet. A single label may be followed by its text or
    a reason (`D because ...`, `B) Paris`) unless `alone`. `A` or `I` before a word is an article or a pronoun, unless
    that word gives a reason.

    >>> [read_labels(t) for t in ("(B)", "B, C", "B and C", "BC", "D because 2 > 1", "A man", "Paris", "B; C.")]
    [['B'], ['B', 'C'], ['B', 'C'], ['B', 'C'], ['D'], None, None, ['B', 'C']]
    """
    first = _FIRST.match(text)
    if first is None:
        return None
    label = first[1]
    labels = list(label) if label.isalpha() else [label]
    if labels != sorted(set(labels)):  # a word in capitals, such as BAD
        return None
    end = first.end()
    following = _NEXT.match(text, end)
    while following is not None and not _is_word(following[1], text, following.end()):
        labels.append(following[1])
        end = following.end()
        following = _NEXT.match(text, end)
    rest = text[end:].strip()
    if not rest:
        return labels
    if alone or (len(label) > 1 and label.isalpha()):
        return None
    if len(labels) > 1:
        return labels if not rest[0].isalnum() or _REASON.match(rest) else None
    dressed = text[first.end(1) : end].strip() != ""
    if label in _PRONOUN_OR_ARTICLE and not dressed and not _REASON.match(text[end : end + 40]):
        return None
    if not dressed and text[end : end + 1] not in ("\n", ",", ";") and label.islower():
        return None
    return labels


def _is_word(label: str, text: str, end: int) -> bool:
    """Whether a further label is rather the article or pronoun of what follows: `B, a city`."""
    after = text[end : end + 2]
    return (
        label.isalpha()
        and after[:1] == " "
        and after[1:].islower()
        and (label in _PRONOUN_OR_ARTICLE or label.islower())
    )
