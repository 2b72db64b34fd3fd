r"""Numbers in text: golden cases, laws, and the fast tail against the full grammar."""

from __future__ import annotations

import re
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from steelyard.scorers import _number_grammar
from steelyard.scorers._number import (
    Number,
    find_numbers,
    first_number,
    last_number,
    numbers_equal,
    parse_number,
)

HALF = Fraction(1, 2)

# (text, value, source)
WHOLE: list[tuple[str, Number | None, str]] = [
    ("42", 42, "plain"),
    ("-42", -42, "plain"),
    ("+42", 42, "plain"),
    ("- 5", -5, "inspect_ai 0.3.285 misses it"),
    ("−42", -42, "U+2212"),
    ("–42", -42, "en dash"),
    ("18.0", 18, "GSM8K example_model_solutions"),
    ("1,000", 1000, "GSM8K example_model_solutions"),
    ("$5", 5, "GSM8K example_model_solutions"),
    ("-$5.00", -5, "currency after the sign"),
    ("$-5", -5, "currency before the sign"),
    ("1 234", 1234, "inspect_ai 0.3.285 reads 234"),
    ("1\u00a0234\u202f567", 1234567, "no-break spaces"),
    ("1.234,56", Decimal("1234.56"), "inspect_ai 0.3.285 reads 1.2346"),
    ("1 234,56", Decimal("1234.56"), "SI grouping, European point"),
    ("1,2,3", None, "inspect_ai 0.3.285 reads 123; three numbers here"),
    ("3,14", None, "ambiguous: a list of two"),
    ("60%", 60, "inspect_ai issue 838"),
    ("60 %", 60, "inspect_ai issue 838"),
    ("42\\%", 42, "LaTeX percent"),
    ("1/2", HALF, "inspect_ai 0.3.285 misses it"),
    ("½", HALF, "vulgar"),
    ("2½", Fraction(5, 2), "vulgar, mixed"),
    ("2 1/2", Fraction(5, 2), "mixed"),
    ("1/0", None, "no value"),
    ("\\frac{1}{2}", HALF, "MATH"),
    ("\\dfrac12", HALF, "MATH"),
    ("-\\frac{3}{4}", Fraction(-3, 4), "MATH"),
    ("1e3", 1000, "scientific"),
    ("1.5×10^3", 1500, "scientific"),
    ("1.5 \\times 10^{-3}", Decimal("0.0015"), "scientific, LaTeX"),
    ("10³", 1000, "superscript"),
    ("-2²", -4, "inspect_ai 0.3.285 reads 4; a power binds before the sign"),
    ("\\boxed{42}", 42, "MATH; inspect_ai 0.3.285 misses it"),
    ("\\boxed{\\text{42}}", 42, "MATH"),
    ("\\(42\\)", 42, "inline LaTeX"),
    ("$42$", 42, "inline LaTeX"),
    ("**42**", 42, "markdown"),
    ("`42`.", 42, "markdown and a stop"),
    ("x=42", 42, "label"),
    ("ANSWER:42", 42, "label"),
    ("**ANSWER:** 42", 42, "label in markdown"),
    ("42kg", 42, "unit glued on"),
    ("42m²", 42, "unit glued on"),
    ("42nd", None, "an ordinal is a place, not a quantity"),
    ("42 apples", None, "prose"),
    ("12:30", None, "a time"),
    ("2024-01-15", None, "a date"),
    ("1/2/2024", None, "a date"),
    ("1.2.3", None, "a version"),
    ("2\\pi", None, "a multiple of pi"),
    ("\\sqrt{2}", None, "a root"),
    ("1e999999999", None, "beyond the limits"),
    ("nan", None, "no number"),
    ("inf", None, "no number"),
    ("", None, "empty"),
    ("٤٢", 42, "Arabic-Indic digits"),
    ("４２", 42, "full-width digits"),
    ("-0", 0, "minus zero is zero"),
    ("1,234,567.89", Decimal("1234567.89"), "groups"),
    (".5", HALF, "leading point"),
]

IN_TEXT: list[tuple[str, list[Number], str]] = [
    ("H2O, GPT-4, COVID-19, x_2, 3f2a", [], "names"),
    ("5-3 is 2, 10–20", [5, 3, 2, 10, 20], "operators and ranges are no signs"),
    ("$5-$10", [5, 10], "a range of prices"),
    ("<<16-3=13>>13 eggs", [16, 3, 13, 13], "GSM8K calculator marks"),
    ("at 12:30 on 2024-01-15 with 5", [5], "times and dates"),
    ("the 2nd of 3", [3], "ordinals"),
    ("It is 42.", [42], "full stop"),
    ("1. First\n2. Second", [1, 2], "list numbers count"),
    ("x^2 + a_{1} = 7", [7], "exponents and indices"),
    ("答案是42。", [42], "glued to CJK text"),
    ("3\n100", [3, 100], "no number crosses a line"),
    ("Rs.500", [500], "a point after letters"),
    ("100 200 30", [100, 200, 30], "improper groups are separate numbers"),
]


@pytest.mark.parametrize(("text", "value", "source"), WHOLE)
def test_a_whole_answer(text: str, value: Number | None, source: str) -> None:
    assert parse_number(text) == value, source


@pytest.mark.parametrize(("text", "values", "source"), IN_TEXT)
def test_numbers_in_running_text(text: str, values: list[Number], source: str) -> None:
    assert [n.value for n in find_numbers(text)] == values, source
    assert first_number(text) == (find_numbers(text)[0] if values else None)


def test_equality_is_exact_on_decimals() -> None:
    assert not numbers_equal(123456, 123457)
    assert not numbers_equal(Decimal("42.00001"), 42)
    assert numbers_equal(Decimal("18.0"), 18)
    assert numbers_equal(Decimal("-0.0"), 0)
    assert numbers_equal(Decimal("0.5"), HALF)
    assert hash(Decimal("0.5")) == hash(HALF)


def test_tolerances_count_as_written() -> None:
    assert numbers_equal(Decimal("42.1"), 42, tolerance=0.1)
    assert not numbers_equal(Decimal("42.1000000001"), 42, tolerance=0.1)
    assert numbers_equal(101, 100, rel_tolerance=0.01)
    assert not numbers_equal(102, 100, rel_tolerance=0.01)
    with pytest.raises(ValueError, match="0 or more"):
        numbers_equal(1, 2, tolerance=-1)


def test_long_decimals_are_not_rounded() -> None:
    digits = "1." + "3" * 60
    assert parse_number("-" + digits) == Decimal("-" + digits)
    assert parse_number("$" + digits + "1") != parse_number("$" + digits + "2")


_MARKS = r"""0 1 2 12 100 234 567 1234 007 2024 01 15 , . - + − – / : = ( ) { } [ ] $ € \ % * ** _ ^ x e E ½ ² ³ ⁻ × π √ k kg
nd st th ٤ ４ ’ " ' # > < ! ? ; answer ANSWER \frac \frac{1}{2} \boxed{ \text{ \pi \sqrt{ {,} \, ,\! 10^ ×10^ é ß 字 ... a A"""
_SPACES = [" ", " ", "  ", "\n", "\t", "\r", "\x0b", "\u2028", "\u00a0", "\u202f", "\u200b"]
PIECES = st.sampled_from([*_MARKS.split(), *_SPACES])
NUMBERISH = st.one_of(
    st.lists(PIECES, max_size=14).map("".join),
    st.lists(PIECES.filter(str.isascii), max_size=14).map("".join),
    st.text("0123 ,.:-+*x$/=()e^", max_size=12),
)


@settings(max_examples=800, deadline=None)
@given(NUMBERISH)
def test_the_fast_tail_equals_the_full_grammar(text: str) -> None:
    everything = find_numbers(text)
    assert last_number(text) == (everything[-1] if everything else None)


@settings(max_examples=200, deadline=None)
@given(NUMBERISH, st.integers(0, 80))
def test_the_fast_tail_equals_the_full_grammar_beyond_its_window(text: str, padding: int) -> None:
    test_the_fast_tail_equals_the_full_grammar.hypothesis.inner_test(text + "word " * padding)  # type: ignore[attr-defined]
    test_the_fast_tail_equals_the_full_grammar.hypothesis.inner_test("7 " * padding + text)  # type: ignore[attr-defined]


@settings(max_examples=800, deadline=None)
@example("0.½")
@given(NUMBERISH)
def test_plain_numbers_are_read_as_the_full_grammar_reads_them(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_number_grammar, "PLAIN_BEGIN", re.compile(r"[0-9\\¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉]"))
        slowly = find_numbers(text)
    assert find_numbers(text) == slowly
    taken, rest = _number_grammar.take_numbers(text)
    assert Counter(taken) == Counter(n.value for n in slowly)
    assert rest.count("\x1f") >= len(taken)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), NUMBERISH))
def test_no_text_raises_and_places_are_true(text: str) -> None:
    parse_number(text)
    end = 0
    for number in find_numbers(text):
        assert end <= number.start < number.end <= len(text)
        assert number.written == text[number.start : number.end]
        end = number.end


@given(st.integers(-(10**12), 10**12))
def test_an_integer_reads_back_however_it_is_written(value: int) -> None:
    for written in (str(value), f"{value:,}", f"{value:_}", f"**{value}**", f"\\boxed{{{value}}}", f"{value}.0"):
        assert parse_number(written) == value
        assert last_number(f"so it is {written}.").value == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9))
def test_a_decimal_reads_back(value: Decimal) -> None:
    assert parse_number(f"{value:f}") == value
    assert parse_number(f"{value:e}") == value


@pytest.mark.parametrize(
    "hostile",
    [
        "1" * 100_000,
        "1," * 50_000,
        "111," * 25_000 + "1",
        "1 " * 50_000,
        "111 " * 25_000 + "1111",
        "1." * 50_000,
        "1/" * 50_000,
        "-" * 100_000,
        "$" * 100_000,
        "\\frac{1" * 14_000,
        "\\frac{" * 16_000,
        "1e" * 50_000,
        "1a" * 50_000,
        "1" + "a" * 100_000,
        "1^" * 50_000,
        "1e" + "9" * 100_000,
        "2^" + "9" * 100_000,
        " " * 100_000,
        "(" * 100_000 + "1",
        "1" + ")" * 100_000,
        "answer:" * 14_000 + "1",
        "\n" * 100_000,
        "½" * 100_000,
        "1 " + "x" * 100_000 + "=",
    ],
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    start = time.process_time()
    parse_number(hostile)
    find_numbers(hostile)
    last_number(hostile)
    first_number(hostile)
    assert time.process_time() - start < 3
