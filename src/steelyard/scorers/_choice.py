"""Which of the offered options an output chooses: by letter, by number, or by the option's own text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from steelyard.core.columns import Columns, ScoreColumns, as_text
from steelyard.core.score import Outcome, Unscored
from steelyard.scorers._decoration import after_label, last_boxed, strip_decoration
from steelyard.scorers._kernels import letter_score
from steelyard.scorers._letters import read_labels
from steelyard.scorers._match_text import Matched
from steelyard.scorers._normalize import normalize, strip_target
from steelyard.scorers._number import parse_number
from steelyard.scoring.decorate import scorer
from steelyard.scoring.form import Pair
from steelyard.scoring.scorer import Scorer

__all__ = ["choice", "choice_label", "match_choice", "match_choice_columns", "read_choices", "read_target"]

_ANSWER_IS = re.compile(r"\banswer\s{1,3}is:?(?=[\s*_`\"'(\[$])", re.IGNORECASE)
_LABELLED_LINE = re.compile(r"^[ \t*_`(\[]{0,6}+([A-Z])[*_`]{0,3}+[).:\]](?=\s|[*_`]|$)", re.MULTILINE)


_TAIL = 60
_LAST_LETTER = re.compile(
    r"""
    (?: (?:\*\*|__|[`"'(\[*_$]) ([A-Z]) (?:\*\*|__|[`"')\]*_$])    # set off: **B**, (B)
      | (?: :                                                       # led up to: ": B", "so B", "option B"
          | \b(?i:is|be|so|thus|hence|therefore|option|choice|answer|letter|choose|pick|select)
        ) \s{1,3} ([A-Z])
    ) [.!]? \Z
    """,
    re.VERBOSE,
)


def choice_label(index: int) -> str:
    """The label of an option: A to Z, then 1, 2, 3 and so on.

    >>> choice_label(0), choice_label(25), choice_label(26)
    ('A', 'Z', '1')
    """
    return chr(ord("A") + index) if index < 26 else str(index - 25)


def read_choices(output: str, n_choices: int, option_texts: Sequence[str] = ()) -> frozenset[int] | None:
    r"""The options that an output chooses, as indices from 0; None if it makes no choice that can be read.

    Read are, in this order and nothing further: what follows the last `ANSWER:`; the last `\\boxed{}`; the whole
    output; what follows the last "answer is"; a last line that is an answer; a letter at the very end, if it is set off
    (`**B**`, `(B)`) or led up to (`: B`, `so B.`, `option B`); the only line that begins like an option (`B) Paris`).
    There, an option is named by its letter, its full text, or its number (from 1; where there are more than 26
    options, numbers are labels, and 1 is the 27th). Several are joined by commas, semicolons, `&`, "and", or as `BC`
    in the order of the alphabet. A label that was not offered voids the answer. Prose is not searched for letters.

    >>> read_choices("**ANSWER:** B and C", 4), read_choices("(B)", 4), read_choices("ANSWER: E", 4)
    (frozenset({1, 2}), frozenset({1}), None)
    >>> read_choices("A fine day in Paris", 3), read_choices("Paris.", 3, ["Rome", "Paris", "Oslo"])
    (None, frozenset({1}))
    >>> read_choices("Tension raises the pitch: **A**", 3), read_choices("That makes it option C.", 3)
    (frozenset({0}), frozenset({2}))
    """
    announced = after_label(output)
    if announced is not None:
        return _read(announced, n_choices, option_texts)
    boxed = last_boxed(output)
    if boxed is not None:
        return _read(boxed, n_choices, option_texts)
    whole = _read(strip_decoration(output), n_choices, option_texts, alone=True)
    if whole is not None:
        return whole
    stated = [match.end() for match in _ANSWER_IS.finditer(output)]
    if stated:
        return _read(output[stated[-1] :].strip().partition("\n")[0], n_choices, option_texts)
    closing = _closing(output.rstrip(), n_choices, option_texts)
    if closing is not None:
        return closing
    lines = {match[1] for match in _LABELLED_LINE.finditer(output)}
    return _indices(list(lines), n_choices) if len(lines) == 1 else None


def read_target(target: str | Sequence[str], n_choices: int, option_texts: Sequence[str] = ()) -> frozenset[int]:
    """The options that a target names, as indices from 0: letters, numbers or texts of options, one or several.

    Raises:
        ValueError: the target names no option, or one beyond those offered.

    >>> read_target("B,C", 4), read_target(["A", "D"], 4), read_target("Rome", 2, ["Oslo", "Rome"])
    (frozenset({1, 2}), frozenset({0, 3}), frozenset({1}))
    """
    named: set[int] = set()
    for one in (target,) if isinstance(target, str) else target:
        indices = _by_text(one, option_texts)
        if indices is None:
            labels = read_labels(one.strip(), alone=True)
            indices = _indices(labels, n_choices) if labels else None
        if indices is None:
            offered = f"{choice_label(0)} to {choice_label(n_choices - 1)}" if n_choices else "none"
            raise ValueError(f"the target {one!r} is none of the {n_choices} choices offered ({offered})")
        named |= indices
    return frozenset(named)


def match_choice(output: str, target: str | Sequence[str], n_choices: int, option_texts: Sequence[str] = ()) -> Matched:
    """Whether the options that the output chooses are exactly those of the target; the answer is their labels.

    >>> match_choice("ANSWER: C, B", "BC", 4), match_choice("no idea", "B", 4)
    ((True, 'B, C'), (False, None))
    """
    wanted = read_target(target, n_choices, option_texts)
    chosen = read_choices(output, n_choices, option_texts)
    if chosen is None:
        return False, None
    return chosen == wanted, ", ".join(choice_label(index) for index in sorted(chosen))


def match_choice_columns(
    outputs: Sequence[str], targets: Sequence[str | Sequence[str]], choices: Sequence[Sequence[str]]
) -> tuple[list[bool], list[str | None]]:
    """`match_choice` of every row, with the texts of its options: whether it matched, and the answers.

    >>> match_choice_columns(["B", "Oslo"], ["A", "A"], [["Oslo", "Rome"]] * 2)
    ([False, True], ['B', 'A'])
    """
    rows = [
        match_choice(output, target, len(options), options)
        for output, target, options in zip(outputs, targets, choices, strict=True)
    ]
    return [hit for hit, _ in rows], [answer for _, answer in rows]


@scorer(metrics=["accuracy", "stderr"], kind="choice", needs=("output", "target", "choices"))
def choice() -> Scorer:
    """Does the output choose exactly the right options of a multiple-choice question? C or I.

    It reads letters (``ANSWER: B``, ``**B**``, ``(B) because ...``, ``B, C``), the full text of an option, or the
    numbers of options, from the output itself. With a column ``choices`` an answer outside the options is none.

    Source: inspect_ai's scorer of this name, which reads what its solver marked; here the text is read.

    >>> choice()("The answer is **B**.", "B", choices=["Oslo", "Rome"])
    Score(value='C', answer='B', explanation=None, metadata=None, reason=None)
    """

    def score(output: str, target: str | Sequence[str], choices: Sequence[str] | None = None) -> Outcome:
        options = _options(choices)
        try:
            return letter_score(*match_choice(output, target, len(options) or LETTERS, options))
        except ValueError as error:  # the target is none of the options: there is nothing to compare with
            return Unscored("not_applicable", str(error))

    def columns(columns: Columns) -> ScoreColumns:
        cells = columns["choices"] if "choices" in columns else [None] * columns.n
        rows = zip(columns.texts("output"), columns.references(), cells, strict=True)
        return ScoreColumns.of([score(output, target, options) for output, target, options in rows])

    return Pair(score, columns)  # type: ignore[return-value]  # the decorator makes a Scorer of it


LETTERS = 26
"""The options of a question whose options are not told: A to Z."""


def _options(cell: Any) -> tuple[str, ...]:
    if cell is None or isinstance(cell, str):
        return ()
    return tuple(as_text(option) for option in cell)


def _closing(output: str, n_choices: int, option_texts: Sequence[str]) -> frozenset[int] | None:
    """The option named by the last line, or by the letter with which the output ends."""
    _, newline, last = output.rpartition("\n")
    if newline:
        alone = _read(strip_decoration(last), n_choices, option_texts, alone=True)
        if alone is not None:
            return alone
    found = _LAST_LETTER.search(output[-_TAIL:])
    return _indices([found[1] or found[2]], n_choices) if found is not None else None


def _read(text: str, n_choices: int, option_texts: Sequence[str], *, alone: bool = False) -> frozenset[int] | None:
    """The options named by a text that is an answer."""
    by_text = _by_text(text, option_texts)
    if by_text is not None:
        return by_text
    labels = read_labels(text, alone=alone)
    return _indices(labels, n_choices) if labels else None


def _by_text(text: str, option_texts: Sequence[str]) -> frozenset[int] | None:
    """The one option whose text this is, as text or as a number; a single letter is a label instead."""
    if not option_texts:
        return None
    plain = _plain(text)
    if not plain or (len(plain) == 1 and plain.isascii() and plain.isalpha()):
        return None
    same = [index for index, option in enumerate(option_texts) if _plain(option) == plain]
    if not same:
        number = parse_number(text)
        if number is not None:
            same = [index for index, option in enumerate(option_texts) if parse_number(option) == number]
    return frozenset(same) if len(same) == 1 else None


def _plain(text: str) -> str:
    return strip_target(strip_decoration(normalize(text)))


def _indices(labels: Sequence[str], n_choices: int) -> frozenset[int] | None:
    """The indices of labels, or None if one of them was not offered."""
    indices: set[int] = set()
    for label in labels:
        if label.isalpha():
            index = ord(label.upper()) - ord("A")
        else:
            index = int(label) + 25 if n_choices > 26 else int(label) - 1
            if label.startswith("0"):
                return None
        if not 0 <= index < n_choices:
            return None
        indices.add(index)
    return frozenset(indices)
