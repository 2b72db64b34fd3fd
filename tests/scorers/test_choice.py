"""Choices read from an output."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.scorers._choice import match_choice, match_choice_columns, read_choices, read_target
from steelyard.scorers._letters import read_labels

CITIES = ["Paris", "Berlin", "London", "New York"]


@pytest.mark.parametrize(
    ("output", "chosen", "source"),
    [
        ("More tension, a higher pitch: **A**", {0}, "set off at the end"),
        ("None of these is at sea level. (A)", {0}, "set off at the end"),
        ("So (B).", {1}, "set off at the end"),
        ("It drops what it carries: B", {1}, "led up to by a colon"),
        ("Therefore C.", {2}, "led up to by a word"),
        ("(255 is the largest value, but 0 counts.) That is D.", {3}, "led up to by a word"),
        ("The opposite is plentiful, option D.", {3}, "led up to by a word"),
        ("It is almost pure starch.\n\n**D**", {3}, "a last line that is an answer"),
        ("B) looks right at first.\n\nBerlin", {1}, "a last line that is an option's text"),
        ("I should take vitamin A", None, "a letter that nothing leads up to"),
        ("It is option Z.", None, "not offered"),
        ("A", {0}, "bare letter; inspect_ai 0.3.285 misses it"),
        ("b", {1}, "bare letter"),
        ("(B)", {1}, "decoration"),
        ("$B$", {1}, "inspect_ai issue 5145"),
        ("ANSWER: 'B'", {1}, "quoted"),
        ("ANSWER: B's plan", None, "a word"),
        ("ANSWER: $B$", {1}, "inspect_ai issue 5145"),
        ("**ANSWER:** A", {0}, "inspect_ai 0.3.285 misses it"),
        ("**ANSWER: A**", {0}, "markdown"),
        ("so \\boxed{A}.", {0}, "inspect_ai 0.3.285 misses it"),
        ("ANSWER: D because B is wrong", {3}, "inspect_ai 0.3.285 misses it"),
        ("ANSWER: B, C", {1, 2}, "several"),
        ("ANSWER: B and C", {1, 2}, "several"),
        ("ANSWER: B; C", {1, 2}, "inspect_ai 0.3.285 reads B"),
        ("ANSWER: B & C", {1, 2}, "inspect_ai 0.3.285 reads B"),
        ("ANSWER: BC", {1, 2}, "several, run together"),
        ("ANSWER: A, B, and C", {0, 1, 2}, "several"),
        ("ANSWER: Berlin", {1}, "text of an option"),
        ("new york.", {3}, "text of an option"),
        ("ANSWER: B) Berlin", {1}, "letter and text"),
        ("ANSWER: 2", {1}, "number of an option"),
        ("The answer is (C).", {2}, "stated"),
        ("The correct answer is B, because C is not", {1}, "stated"),
        ("I first thought of A.\nB) Berlin", {1}, "the only line like an option"),
        ("ANSWER: A\nNo, wait.\nANSWER: B", {1}, "the last counts"),
        ("A fine day in Paris", None, "an article"),
        ("ANSWER: A man", None, "an article"),
        ("The answer is a city", None, "an article"),
        ("I think B", None, "a pronoun, and prose"),
        ("A) Paris\nB) Berlin", None, "the options repeated"),
        ("ANSWER: E", None, "not offered"),
        ("ANSWER: A, E", None, "one of them not offered"),
        ("ANSWER: BAD", None, "a word in capitals"),
        ("ANSWER: None of the above", None, "no choice"),
        ("", None, "empty"),
        ("ANSWER:", None, "empty"),
    ],
)
def test_read_choices(output: str, chosen: set[int] | None, source: str) -> None:
    assert read_choices(output, 4, CITIES) == chosen, source


def test_texts_come_before_numbers_of_options() -> None:
    assert read_choices("ANSWER: 3", 4, ["4", "3", "2", "1"]) == frozenset({1})
    assert read_choices("1,000", 2, ["10", "1000"]) == frozenset({1})


def test_beyond_z_labels_are_numbers() -> None:
    assert read_choices("ANSWER: 2", 30) == frozenset({27})
    assert read_choices("ANSWER: Z, 1", 30) == frozenset({25, 26})
    assert match_choice("ANSWER: 2", "2", 30) == (True, "2")


def test_targets() -> None:
    assert read_target("BC", 4) == read_target("C,B", 4) == read_target(["B", "C"], 4) == {1, 2}
    assert read_target("Berlin", 4, CITIES) == {1}
    for target in ("E", "0", "?", "", "Rome"):
        with pytest.raises(ValueError, match="none of the 4 choices offered"):
            read_target(target, 4, CITIES)


def test_the_chosen_set_must_be_the_target() -> None:
    assert match_choice("ANSWER: B, C", "BC", 4) == (True, "B, C")
    assert match_choice("ANSWER: B", "BC", 4) == (False, "B")
    assert match_choice("ANSWER: B, C", "B", 4) == (False, "B, C")


@given(st.text(), st.integers(1, 30))
def test_any_text_chooses_or_not(output: str, n_choices: int) -> None:
    options = [f"option {index}" for index in range(n_choices)]
    for text in (output, "ANSWER: " + output):
        chosen = read_choices(text, n_choices, options)
        assert chosen is None or chosen <= set(range(n_choices))
        one = match_choice(text, "A", n_choices, options)
        assert match_choice_columns([text], ["A"], [options]) == ([one[0]], [one[1]])


@pytest.mark.parametrize(
    "hostile",
    [
        "ANSWER:" * 14_000,
        "A, " * 30_000,
        "A) " * 30_000,
        "answer is " * 10_000,
        " " * 100_000,
        "*" * 100_000,
        "\\boxed{" * 14_000,
    ],
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    start = time.process_time()
    read_choices(hostile, 4, CITIES)
    read_choices("ANSWER: " + hostile, 4, CITIES)
    read_labels(hostile)
    assert time.process_time() - start < 3
