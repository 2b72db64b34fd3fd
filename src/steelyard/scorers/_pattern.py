"""Answers cut out of an output by a regular expression, under a time limit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from steelyard.errors import PatternTimeout
from steelyard.scorers._kernels import matching_pair
from steelyard.scorers._match_text import Matched
from steelyard.scorers._normalize import as_targets, fold, plain_text
from steelyard.scoring.decorate import scorer
from steelyard.scoring.scorer import Scorer

__all__ = ["compile_pattern", "match_pattern", "match_pattern_columns", "pattern"]

TIMEOUT = 1.0


@lru_cache(maxsize=256)
def compile_pattern(pattern: str, ignore_case: bool) -> Any:
    """The compiled pattern of the `regex` package, which knows time limits.

    Raises:
        ValueError: the pattern is no regular expression; the message says where it breaks.

    >>> compile_pattern("(a|b", True).pattern
    Traceback (most recent call last):
    ...
    ValueError: '(a|b' is no regular expression: missing ) at position 4
    """
    import regex  # 60 ms to load, and only this scorer needs it

    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except regex.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from None


def match_pattern(
    output: str,
    target: str | Sequence[str],
    pattern: str,
    *,
    ignore_case: bool = True,
    match_all: bool = False,
    timeout: float = TIMEOUT,
) -> Matched:
    r"""Whether what the pattern captures in the output equals the target, or one of several.

    Without a group the whole match is compared; with groups, any group that equals a target matches, or with
    `match_all` every group that took part must equal one. Texts are compared in NFC, case folded if `ignore_case`. The
    first match counts. The answer is the capture that matched, else the first capture (with `match_all`, all of them,
    joined by a comma); None means that the pattern was not found.

    Raises:
        PatternTimeout: the search took longer than `timeout` seconds.

    >>> match_pattern("It is 42 kg.", "42", r"(\d+) kg"), match_pattern("It is 42 kg.", "kg", r"\d+")
    ((True, '42'), (False, '42'))
    """
    captures = _captures(output, pattern, ignore_case, timeout)
    if not captures:
        return False, None
    wanted = _folded_targets(as_targets(target), ignore_case)
    hits = [_folded(capture, ignore_case) in wanted for capture in captures]
    if match_all:
        return all(hits), ", ".join(captures)
    return (True, captures[hits.index(True)]) if any(hits) else (False, captures[0])


def match_pattern_columns(
    outputs: Sequence[str],
    targets: Sequence[str | Sequence[str]],
    pattern: str,
    *,
    ignore_case: bool = True,
    match_all: bool = False,
    timeout: float = TIMEOUT,
) -> tuple[list[bool], list[str | None]]:
    r"""`match_pattern` of every row: whether it matched, and the answers.

    >>> match_pattern_columns(["is 4", "none"], ["4", "4"], r"\d+")
    ([True, False], ['4', None])
    """
    rows = [
        match_pattern(output, target, pattern, ignore_case=ignore_case, match_all=match_all, timeout=timeout)
        for output, target in zip(outputs, targets, strict=True)
    ]
    return [hit for hit, _ in rows], [answer for _, answer in rows]


@scorer(metrics=["accuracy", "stderr"], kind="text", needs=("output", "target"))
def pattern(pattern: str, ignore_case: bool = True, match_all: bool = False, *, timeout: float = TIMEOUT) -> Scorer:
    r"""Does what a regular expression finds in the output equal the target (or one of several)? C or I.

    Args:
        pattern: The expression. Without a group the whole match is compared; with several, any one may equal.
        ignore_case: Case does not count, in the search and in the comparison.
        match_all: Every group has to equal a target.
        timeout: Seconds that one search may take; a longer one is counted as ``timeout``.

    Source: inspect_ai's scorer of this name; the time limit is ours.

    >>> pattern(r"total: (\d+)")("Total: 42 euros", "42")
    Score(value='C', answer='42', explanation=None, metadata=None, reason=None)
    """
    compile_pattern(pattern, ignore_case)
    return matching_pair(  # type: ignore[return-value]  # the decorator makes a Scorer of it
        lambda output, target: match_pattern(
            output, target, pattern, ignore_case=ignore_case, match_all=match_all, timeout=timeout
        ),
        lambda outputs, targets: match_pattern_columns(
            outputs, targets, pattern, ignore_case=ignore_case, match_all=match_all, timeout=timeout
        ),
    )


def _captures(output: str, pattern: str, ignore_case: bool, timeout: float) -> list[str]:
    """The groups that took part in the first match, or the whole match if the pattern has none."""
    compiled = compile_pattern(pattern, ignore_case)
    try:
        match = compiled.search(output, timeout=timeout)
    except TimeoutError:
        raise PatternTimeout(
            f"the pattern {pattern!r} took longer than {timeout:g} s on a text of {len(output):,} characters; "
            "make it simpler, or raise timeout"
        ) from None
    if match is None:
        return []
    groups: tuple[str | None, ...] = match.groups()
    return [group for group in groups if group is not None] if groups else [match[0]]


@lru_cache(maxsize=4_096)
def _folded_targets(targets: tuple[str, ...], ignore_case: bool) -> frozenset[str]:
    return frozenset(_folded(target, ignore_case) for target in targets)


def _folded(text: str, ignore_case: bool) -> str:
    return fold(text) if ignore_case else plain_text(text)
