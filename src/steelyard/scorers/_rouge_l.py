"""ROUGE-L: the longest common subsequence of words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rapidfuzz.distance import LCSseq

from steelyard.scorers._kernels import value_kernel
from steelyard.scorers._normalize import as_targets
from steelyard.scoring.decorate import scorer

__all__ = ["lcs_length", "rouge_l", "rouge_l_columns"]


def lcs_length(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence of two lists.

    >>> lcs_length("the cat sat".split(), "the sat cat sat".split())
    3
    """
    return LCSseq.similarity(a, b)


def rouge_l_columns(outputs: Sequence[str], targets: Sequence[str | Sequence[str]]) -> list[float]:
    """`rouge_l` of every row.

    >>> rouge_l_columns(["a b", "c"], ["a b", ""])
    [1.0, 0.0]
    """
    return [_rouge_l(output, target) for output, target in zip(outputs, targets, strict=True)]


@scorer(
    metrics=["mean", "stderr"],
    needs=("output", "target"),
    range=(0.0, 1.0),
    kind="text",
    columns=value_kernel(rouge_l_columns),
)
def rouge_l(output: str, target: str | Sequence[str]) -> float:
    """F1 of the longest common subsequence of lower-cased words; the best over several targets; 0.0 to 1.0.

    P = LCS / words of the output, R = LCS / words of the target, F1 = 2PR / (P + R); 0.0 when either is empty.

    Source: C.-Y. Lin, ROUGE: a package for automatic evaluation of summaries, 2004, section 3.1, with beta = 1.

    >>> rouge_l("the cat sat on the mat", "the cat is on the mat")
    0.8333333333333334
    """
    return _rouge_l(output, target)


def _rouge_l(output: str, target: str | Sequence[str]) -> float:
    words = output.lower().split()
    return max((_f1(words, one.lower().split()) for one in as_targets(target)), default=0.0)


def _f1(a: list[str], b: list[str]) -> float:
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    return 2 * lcs_length(a, b) / (len(a) + len(b))
