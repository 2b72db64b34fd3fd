"""Texts made safe and short."""

from hypothesis import given
from hypothesis import strategies as st

from steelyard.report.plain import one_line, printable, shorten, wrapped


@given(st.text())
def test_no_terminal_would_obey_what_is_printable(text):
    shown = printable(text)
    assert not any(ord(char) < 32 and char not in "\n\t" for char in shown)
    assert not any(127 <= ord(char) < 160 or 0x202A <= ord(char) <= 0x202E for char in shown)
    shown.encode("utf-8")


@given(st.text(), st.integers(min_value=12, max_value=80))
def test_a_short_text_is_no_longer_than_asked(text, length):
    assert len(shorten(text, length)) <= length


def test_the_end_of_a_text_stays():
    assert shorten("the reasoning goes on and on, so the answer is 42", 28) == "the reasoning ... wer is 42"
    assert shorten("a" * 50 + " 42", 20).endswith("42")


@given(st.text())
def test_one_line_is_one_line(text):
    assert len(one_line(text).splitlines()) <= 1


def test_long_lines_are_broken_and_indented():
    assert wrapped(["one two three", "", "x"], 9) == ["one two", "  three", "", "x"]
