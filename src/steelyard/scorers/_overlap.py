"""How far two texts share their tokens: F1 of bags of tokens, and equality of token lists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.score import CORRECT, INCORRECT, Score
from steelyard.scorers._answer_tokens import Token, answer_tokens, stop_tokens
from steelyard.scorers._kernels import letter_score, value_kernel
from steelyard.scorers._normalize import as_targets
from steelyard.scoring.decorate import scorer
from steelyard.scoring.form import Pair
from steelyard.scoring.scorer import Scorer

__all__ = [
    "bag_f1",
    "exact",
    "exact_tokens",
    "exact_tokens_columns",
    "f1",
    "f1_score",
    "f1_score_columns",
    "token_f1",
    "token_f1_columns",
]

_SHORT = 64
_LONG = 1_024


def bag_f1(output: Sequence[Hashable], target: Sequence[Hashable]) -> float:
    """F1 of two bags of tokens: 2 * shared / (len(output) + len(target)), repeats counted; 0.0 if one is empty.

    >>> bag_f1("a b b".split(), "b b c d".split())
    0.5714285714285714
    """
    shared = shared_count(output, target)
    return 2 * shared / (len(output) + len(target)) if shared else 0.0


def shared_count(output: Sequence[Hashable], target: Sequence[Hashable]) -> int:
    """The size of the intersection of two bags.

    >>> shared_count("a b b".split(), "b b c".split())
    2
    """
    if len(output) < len(target):
        output, target = target, output
    if len(target) == 1:
        return int(target[0] in output)
    counts: dict[Hashable, int] = {}
    for token in target:
        counts[token] = counts.get(token, 0) + 1
    shared = 0
    for token in output:
        if token in counts:
            left = counts[token]
            if left:
                counts[token] = left - 1
                shared += 1
    return shared


def f1_score(output: str, target: str | Sequence[str], *, stop_words: Iterable[str] | None = None) -> float:
    """F1 of the output's and the target's tokens, the best over several targets; 0.0 to 1.0.

    F1 = 2 * shared / (tokens of the output + tokens of the target), over `answer_tokens`. Two texts without any token
    score 1.0, one of them alone 0.0. Unlike inspect_ai's, it is not rounded.

    >>> f1_score("The answer is $1,000.", "1e3 dollars")
    0.4
    >>> f1_score("-5", "5"), f1_score("the", "The")
    (0.0, 1.0)
    """
    stop = stop_tokens(stop_words)
    tokens = answer_tokens(output, stop, ordered=False)
    return max((_f1(tokens, _target_tokens(one, stop)) for one in as_targets(target)), default=0.0)


def f1_score_columns(
    outputs: Sequence[str], targets: Sequence[str | Sequence[str]], *, stop_words: Iterable[str] | None = None
) -> list[float]:
    """`f1_score` of every row.

    >>> f1_score_columns(["a cat", "a dog"], ["the cat", ["cat", "hot dog"]])
    [1.0, 0.6666666666666666]
    """
    stop = stop_tokens(stop_words)
    scores: list[float] = []
    for output, target in zip(outputs, targets, strict=True):
        if not isinstance(target, str):
            scores.append(f1_score(output, target, stop_words=stop_words))
            continue
        wanted = _target_tokens(target, stop)
        tokens = answer_tokens(output, stop, ordered=False)
        if len(wanted) == 1 and tokens:  # as `_f1`, without the calls
            scores.append(2.0 / (len(tokens) + 1) if wanted[0] in tokens else 0.0)
        else:
            scores.append(_f1(tokens, wanted))
    return scores


def _f1(output: Sequence[Token], target: Sequence[Token]) -> float:
    return bag_f1(output, target) if output and target else float(not output and not target)


def _target_tokens(target: str, stop: frozenset[Token], *, ordered: bool = False) -> tuple[Token, ...]:
    """The tokens of a target; those of short ones, which repeat in a data set, come from a bounded memo."""
    if not stop and len(target) < 16 and target.isdigit() and target.isascii():
        return (int(target),)
    if len(target) <= _SHORT:
        return _short_tokens(target, stop, ordered)
    if len(target) <= _LONG:
        return _long_tokens(target, stop, ordered)
    return tuple(answer_tokens(target, stop, ordered=ordered))


@lru_cache(maxsize=8_192)
def _short_tokens(target: str, stop: frozenset[Token], ordered: bool) -> tuple[Token, ...]:
    return tuple(answer_tokens(target, stop, ordered=ordered))


@lru_cache(maxsize=1_024)
def _long_tokens(target: str, stop: frozenset[Token], ordered: bool) -> tuple[Token, ...]:
    return tuple(answer_tokens(target, stop, ordered=ordered))


def exact_tokens(output: str, target: str | Sequence[str]) -> bool:
    """Whether the output has the same tokens in the same order as the target, or one of several.

    >>> exact_tokens("The $1,000.00!", "1000"), exact_tokens("C++", "C"), exact_tokens("", "")
    (True, False, True)
    """
    wanted = [_target_tokens(one, frozenset(), ordered=True) for one in as_targets(target)]
    if len(answer_tokens(output, ordered=False)) not in map(len, wanted):  # far the cheaper question
        return False
    return tuple(answer_tokens(output)) in wanted


def exact_tokens_columns(outputs: Sequence[str], targets: Sequence[str | Sequence[str]]) -> list[bool]:
    """`exact_tokens` of every row.

    >>> exact_tokens_columns(["a cat", "dog"], ["cat", "cat"])
    [True, False]
    """
    return [exact_tokens(output, target) for output, target in zip(outputs, targets, strict=True)]


def token_f1_columns(
    outputs: Sequence[str], targets: Sequence[str | Sequence[str]], *, case_sensitive: bool = False
) -> list[float]:
    """`token_f1` of every row.

    >>> token_f1_columns(["a b"], ["a b c d"])
    [0.6666666666666666]
    """
    return [_word_f1(output, target, case_sensitive) for output, target in zip(outputs, targets, strict=True)]


@scorer(
    metrics=["mean", "stderr"],
    needs=("output", "target"),
    range=(0.0, 1.0),
    kind="text",
    columns=value_kernel(token_f1_columns),
)
def token_f1(output: str, target: str | Sequence[str], *, case_sensitive: bool = False) -> float:
    """F1 of the words between white space, repeats counted; the best over several targets; 0.0 to 1.0.

    F1 = 2 * shared / (words of the output + words of the target); 0.0 when either or both are empty.

    >>> token_f1("A b", "b a"), token_f1("A b", "b a", case_sensitive=True), token_f1("", "")
    (1.0, 0.5, 0.0)
    """
    return _word_f1(output, target, case_sensitive)


def _word_f1(output: str, target: str | Sequence[str], case_sensitive: bool) -> float:
    words = (output if case_sensitive else output.lower()).split()
    return max(
        (bag_f1(words, (one if case_sensitive else one.lower()).split()) for one in as_targets(target)), default=0.0
    )


@scorer(metrics=["mean", "stderr"], range=(0.0, 1.0), kind="text", needs=("output", "target"))
def f1(answer_fn: Callable[[str], str] | None = None, stop_words: list[str] | None = None) -> Scorer:
    """How much do the tokens of the answer and the target overlap: F1, repeats counted, the best over targets.

    Numbers that are equal are one token (``1,000`` is ``1e3``), the articles a, an and the are left out unless nothing
    would be left, signs are kept, and nothing is rounded.

    Args:
        answer_fn: Takes the answer out of the output; by default all of it is the answer.
        stop_words: Words that do not count, on either side.

    Source: inspect_ai's scorer of this name; F1 of bags of tokens as in Rajpurkar et al. (2016), arXiv:1606.05250.

    >>> f1()("the cat sat down", "a cat sat").value
    0.8
    """

    def answer(output: str) -> str:
        return output if answer_fn is None else answer_fn(output)

    def score(output: str, target: str | Sequence[str]) -> Score:
        text = answer(output)
        return Score(f1_score(text, target, stop_words=stop_words), None if answer_fn is None else text)

    def columns(columns: Columns) -> ScoreColumns:
        texts = [answer(output) for output in columns.texts("output")] if answer_fn else columns.texts("output")
        answers: list[str | None] | None = list(texts) if answer_fn else None
        return ScoreColumns(f1_score_columns(texts, columns.references(), stop_words=stop_words), answers)

    return Pair(score, columns)  # type: ignore[return-value]  # the decorator makes a Scorer of it


@scorer(metrics=["mean", "stderr"], kind="text", needs=("output", "target"))
def exact() -> Scorer:
    """Is the answer the same as the target (or one of several), token by token?

    By the tokens of `f1`: case, punctuation and articles do not count, equal numbers are equal, order and repeats
    count. C or I.

    Source: inspect_ai's scorer of this name.

    >>> exact()("The Eiffel Tower.", "eiffel tower").value
    'C'
    """

    def score(output: str, target: str | Sequence[str]) -> Score:
        return letter_score(exact_tokens(output, target), None)

    def columns(columns: Columns) -> ScoreColumns:
        matched = exact_tokens_columns(columns.texts("output"), columns.references())
        return ScoreColumns([CORRECT if hit else INCORRECT for hit in matched])

    return Pair(score, columns)  # type: ignore[return-value]  # the decorator makes a Scorer of it
