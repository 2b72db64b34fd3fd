"""Answers cut out by a regular expression or by the label ANSWER."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import PatternTimeout
from steelyard.scorers._answer import AnswerKind, find_answer, match_answer, match_answer_columns
from steelyard.scorers._pattern import match_pattern, match_pattern_columns


def test_groups() -> None:
    assert match_pattern("x=1, y=2", "2", r"x=(\d), y=(\d)") == (True, "2")
    assert match_pattern("x=1, y=2", "3", r"x=(\d), y=(\d)") == (False, "1")
    assert match_pattern("x=1, y=2", ["1", "2"], r"x=(\d), y=(\d)", match_all=True) == (True, "1, 2")
    assert match_pattern("x=1, y=2", "1", r"x=(\d), y=(\d)", match_all=True) == (False, "1, 2")
    assert match_pattern("a", "a", r"(a)|(b)") == (True, "a")
    assert match_pattern("is:", "", r"is:(\w*)") == (True, "")
    assert match_pattern("none", "1", r"\d") == (False, None)


def test_a_broken_pattern_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="is no regular expression"):
        match_pattern("a", "a", "(a")


def test_a_hostile_pattern_ends_in_time() -> None:
    with pytest.raises(PatternTimeout, match=r"took longer than 0\.1 s"):
        match_pattern("a" * 40 + "!", "a", r"(?:a|a|aa)+(?:a|a|aa)+(?:aa|a)+\1(b)$", timeout=0.1)


@pytest.mark.parametrize(
    ("output", "kind", "expected"),
    [
        ("ANSWER: B", "letter", "B"),
        ("ANSWER: A and B", "letter", None),
        ("ANSWER: A, B", "letter", None),
        ("ANSWER: AB", "letter", None),
        ("ANSWER: D because it is", "letter", "D"),
        ("ANSWER: A man", "letter", None),
        ("ANSWER: I think so", "letter", None),
        ("ANSWER: (B) Rome", "letter", "B"),
        ("ANSWER: 'B'", "letter", "B"),
        ("ANSWER: Paris", "letter", None),
        ("ANSWER: 7", "letter", None),
        ("ANSWER:\n\nC", "letter", "C"),
        ("ANSWER: \\boxed{C}", "letter", "C"),
        ("**ANSWER:** yes", "word", "yes"),
        ("ANSWER: yes. Really", "word", "yes"),
        ("ANSWER:", "word", None),
        ("ANSWER: `New York`.", "line", "New York"),
        ("ANSWER: a\nb", "line", "a"),
        ("no label", "line", None),
    ],
)
def test_find_answer(output: str, kind: AnswerKind, expected: str | None) -> None:
    assert find_answer(output, kind) == expected


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="'letter', a 'word' or a 'line'"):
        find_answer("ANSWER: a", "page")  # type: ignore[arg-type]


@given(st.text(), st.text(), st.sampled_from(["letter", "word", "line"]))
def test_any_answer_matches_or_not(output: str, target: str, kind: AnswerKind) -> None:
    one = match_answer("ANSWER: " + output, target, kind)
    assert match_answer_columns(["ANSWER: " + output], [target], kind) == ([one[0]], [one[1]])


@given(st.text(), st.text())
def test_any_text_is_searched(output: str, target: str) -> None:
    one = match_pattern(output, target, r"(\w+)\W+(\w+)")
    assert match_pattern_columns([output], [target], r"(\w+)\W+(\w+)") == ([one[0]], [one[1]])
