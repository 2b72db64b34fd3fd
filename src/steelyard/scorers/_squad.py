"""Exact match and F1 exactly as the official script of SQuAD v1.1 computes them, but fast.

Source: Rajpurkar et al., SQuAD: 100,000+ questions for machine comprehension of text, EMNLP 2016, section 6.1, and
the evaluation script published with it.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from steelyard.scorers._kernels import value_kernel
from steelyard.scorers._normalize import as_targets
from steelyard.scorers._overlap import shared_count
from steelyard.scoring.decorate import scorer

__all__ = ["squad_em", "squad_em_columns", "squad_f1", "squad_f1_columns", "squad_tokens"]

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_ARTICLE_WORDS = frozenset({"a", "an", "the"})
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad_tokens(text: str) -> list[str]:
    """Lower-cased words without ASCII punctuation and without the articles.

    >>> squad_tokens("The U.S. Army's")
    ['us', 'armys']
    """
    plain = text.lower().translate(_NO_PUNCTUATION)
    words = plain.split()
    if "".join(words).isalnum():  # then the edges of words are the script's word boundaries
        return [word for word in words if word not in _ARTICLE_WORDS]
    return _ARTICLES.sub(" ", plain).split()


def squad_em_columns(outputs: Sequence[str], targets: Sequence[str | Sequence[str]]) -> list[float]:
    """`squad_em` of every row.

    >>> squad_em_columns(["a b", "b"], ["b", "c"])
    [1.0, 0.0]
    """
    return [_em(output, target) for output, target in zip(outputs, targets, strict=True)]


def squad_f1_columns(outputs: Sequence[str], targets: Sequence[str | Sequence[str]]) -> list[float]:
    """`squad_f1` of every row.

    >>> squad_f1_columns(["b c", "b"], ["b", "c"])
    [0.6666666666666666, 0.0]
    """
    return [_best_f1(output, target) for output, target in zip(outputs, targets, strict=True)]


@scorer(
    metrics=["mean", "stderr"],
    needs=("output", "target"),
    range=(0.0, 1.0),
    kind="text",
    columns=value_kernel(squad_em_columns),
)
def squad_em(output: str, target: str | Sequence[str]) -> float:
    """1.0 if output and target (or one of several) are the same `squad_tokens`, else 0.0.

    >>> squad_em("the Broncos!", ["Denver Broncos", "Broncos"])
    1.0
    """
    return _em(output, target)


@scorer(
    metrics=["mean", "stderr"],
    needs=("output", "target"),
    range=(0.0, 1.0),
    kind="text",
    columns=value_kernel(squad_f1_columns),
)
def squad_f1(output: str, target: str | Sequence[str]) -> float:
    """F1 of the bags of `squad_tokens`, the best over several targets; 0.0 to 1.0.

    As in the script, two texts that share no token score 0.0, even if both are empty.

    >>> squad_f1("in the city of Paris", "Paris")
    0.4
    """
    return _best_f1(output, target)


def _em(output: str, target: str | Sequence[str]) -> float:
    tokens = squad_tokens(output)
    return float(any(tokens == squad_tokens(one) for one in as_targets(target)))


def _best_f1(output: str, target: str | Sequence[str]) -> float:
    tokens = squad_tokens(output)
    return max((_f1(tokens, squad_tokens(one)) for one in as_targets(target)), default=0.0)


def _f1(output: list[str], target: list[str]) -> float:
    shared = shared_count(output, target)
    if not shared:
        return 0.0
    # In the script's order, so that the last bit agrees.
    precision = 1.0 * shared / len(output)
    recall = 1.0 * shared / len(target)
    return (2 * precision * recall) / (precision + recall)
