"""Text made comparable: cases, and laws that hold for any text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.scorers._decoration import after_label, last_boxed, strip_decoration, strip_opening
from steelyard.scorers._normalize import fold, is_bounded, normalize, plain_text, strip_marks, strip_target


@pytest.mark.parametrize(
    ("text", "expected", "source"),
    [
        ("  New\t\n York ", "new york", "white space"),
        ("cafe\u0301", "café", "NFC"),
        ("Par\u200bis", "paris", "zero-width space"),
        ("Straße", "strasse", "case folding"),
        ("ΣΊΣΥΦΟΣ", "σίσυφοσ", "case folding"),
        ("A\u00a0B\u3000C", "a b c", "foreign spaces"),
        ("", "", "empty"),
    ],
)
def test_normalize(text: str, expected: str, source: str) -> None:
    assert normalize(text) == expected, source


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("(-5).", "-5"),
        ("C++.", "C++"),
        ("`C#`", "C#"),
        ("60%", "60%"),
        ("- Paris", "Paris"),
        ("«Paris»", "Paris"),
        ("?!", "?!"),
        ("  ", ""),
    ],
)
def test_a_target_keeps_what_is_part_of_it(target: str, expected: str) -> None:
    assert strip_target(target) == expected


@pytest.mark.parametrize(
    ("text", "word", "bounded"),
    [
        ("15", "5", False),
        ("Parisian", "Paris", False),
        ("0.5", "5", False),
        ("5.25", "5", False),
        ("1,500", "500", False),
        ("1,500", "1", False),
        ("3,5", "5", True),
        ("-5", "5", False),
        ("10-5", "5", True),
        ("C++", "C", False),
        ("C#", "C", False),
        ("A- then", "A", False),
        ("Paris-based", "Paris", True),
        ("naïveté", "naïve", False),
        ("答案5是", "5", True),
        ("it's", "it", True),
    ],
)
def test_word_boundaries(text: str, word: str, bounded: bool) -> None:
    start = text.rfind(word)
    assert is_bounded(text, start, start + len(word)) is bounded


@pytest.mark.parametrize(
    "decorated",
    ["**A**", "(A)", "$A$", '"A"', "`A`", "A.", "A ", "**ANSWER:** A", "**ANSWER: A**", "\\boxed{A}", "\\text{A}",
     "$\\boxed{\\text{A}}$", "\\(A\\)", "“A”", "__A__", "The final answer is: A.", "> **Answer**: `A`"],
)  # fmt: skip
def test_decoration_is_removed(decorated: str) -> None:
    assert strip_decoration(decorated) == "A"


@pytest.mark.parametrize("plain", ["f(x)", "(a) or (b)", "C++", "-5", "don't", "*a* and *b*", "a [b]", "..."])
def test_what_is_no_decoration_stays(plain: str) -> None:
    assert strip_decoration(plain) == plain


def test_the_last_label_counts() -> None:
    assert after_label("ANSWER: B\nthen\n**Answer:** C") == "C"
    assert after_label("ANSWER:\n\nParis\n") == "Paris"
    assert after_label("MYANSWER: B") is None
    assert after_label("İ ANSWER: B") == "B"
    assert last_boxed("\\boxed{1} \\boxed{\\frac{1}{2}}") == "\\frac{1}{2}"
    assert last_boxed("\\boxed{1") is None


@given(st.text())
def test_laws(text: str) -> None:
    once = normalize(text)
    assert normalize(once) == once
    assert normalize(unicodedata.normalize("NFD", text)) == normalize(unicodedata.normalize("NFC", text))
    assert fold(text) == fold(plain_text(text))
    assert strip_marks(strip_marks(text)) == strip_marks(text)
    assert strip_target(strip_target(text)) == strip_target(text)
    strip_opening(text)
    after_label(text)
    last_boxed(text)
    assert strip_decoration(text) in text


@given(st.text(st.characters(codec="ascii")))
def test_the_fast_path_of_ascii_is_the_general_one(text: str) -> None:
    assert fold(text) == unicodedata.normalize("NFC", text).casefold()
