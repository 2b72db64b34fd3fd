"""The answer that an output announces with `ANSWER:`, as a letter, a word or a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from steelyard.scorers._decoration import after_label, strip_decoration
from steelyard.scorers._kernels import matching_pair
from steelyard.scorers._letters import read_labels
from steelyard.scorers._match_text import Matched, match_text
from steelyard.scoring.decorate import scorer
from steelyard.scoring.scorer import Scorer

__all__ = ["AnswerKind", "answer", "find_answer", "match_answer", "match_answer_columns"]

AnswerKind: TypeAlias = Literal["letter", "word", "line"]


def find_answer(output: str, kind: AnswerKind) -> str | None:
    r"""What follows the last `ANSWER:` of an output, without its decoration; None if there is no such answer.

    A letter may be followed by its text or a reason, but not by another letter. A word is the next run of characters
    without white space. A line is the rest of the line.

    >>> find_answer("ANSWER: A\n**ANSWER:** (B) Rome", "letter"), find_answer("ANSWER: A and B", "letter")
    ('B', None)
    >>> find_answer("ANSWER: `yes`, of course", "word"), find_answer("Answer: New York.  ", "line")
    ('yes', 'New York')
    """
    if kind not in ("letter", "word", "line"):
        raise ValueError(f"an answer is a 'letter', a 'word' or a 'line', not {kind!r}")
    line = after_label(output)
    if line is None:
        return None
    if kind == "letter":
        labels = read_labels(line)
        return labels[0] if labels and len(labels) == 1 and labels[0].isalpha() else None
    if kind == "word":
        words = line.split(None, 1)
        line = words[0] if words else ""
    return strip_decoration(line, label=False) or None


def match_answer(output: str, target: str | Sequence[str], kind: AnswerKind) -> Matched:
    """Whether the answer after `ANSWER:` is the target, or one of several; case and decoration do not count.

    >>> match_answer("so **ANSWER:** b", "B", "letter"), match_answer("no label", "B", "letter")
    ((True, 'b'), (False, None))
    """
    answer = find_answer(output, kind)
    if answer is None:
        return False, None
    return match_text(answer, target, "exact")[0], answer


def match_answer_columns(
    outputs: Sequence[str], targets: Sequence[str | Sequence[str]], kind: AnswerKind
) -> tuple[list[bool], list[str | None]]:
    """`match_answer` of every row: whether it matched, and the answers.

    >>> match_answer_columns(["ANSWER: yes", "yes"], ["Yes", "Yes"], "word")
    ([True, False], ['yes', None])
    """
    rows = [match_answer(output, target, kind) for output, target in zip(outputs, targets, strict=True)]
    return [hit for hit, _ in rows], [answer for _, answer in rows]


@scorer(metrics=["accuracy", "stderr"], kind="text", needs=("output", "target"))
def answer(pattern: AnswerKind) -> Scorer:
    """Is what stands after the last ``ANSWER:`` the target (or one of several)? C or I.

    Decoration does not count: ``**ANSWER:** (B)`` answers B.

    Args:
        pattern: ``"letter"`` reads one letter (``A and B`` is none), ``"word"`` the next word, ``"line"`` the rest of
            the line.

    Source: inspect_ai's scorer of this name.

    >>> answer("letter")("Let me think. ANSWER: **b**", "B")
    Score(value='C', answer='b', explanation=None, metadata=None, reason=None)
    """
    if pattern not in ("letter", "word", "line"):
        raise ValueError(f"answer reads a 'letter', a 'word' or a 'line', not {pattern!r}")
    return matching_pair(  # type: ignore[return-value]  # the decorator makes a Scorer of it
        lambda output, target: match_answer(output, target, pattern),
        lambda outputs, targets: match_answer_columns(outputs, targets, pattern),
    )
