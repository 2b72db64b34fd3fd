"""F1 of tokens: cases, laws, references, real predictions."""

from __future__ import annotations

import json
import re
import string
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.scorers._answer_tokens import answer_tokens, stop_tokens
from steelyard.scorers._overlap import exact_tokens, exact_tokens_columns, f1_score, f1_score_columns, token_f1
from steelyard.scorers._rouge_l import lcs_length, rouge_l, rouge_l_columns
from steelyard.scorers._squad import squad_em, squad_f1, squad_f1_columns, squad_tokens

WORDY = st.text(st.sampled_from(list("abthe aA 15.,-'+#$/½é’–字\n\x00")), max_size=30)


@pytest.mark.parametrize(
    ("text", "tokens", "source"),
    [
        ("The cat's hat", ["cats", "hat"], "articles and punctuation"),
        ("the", ["the"], "an article alone stays"),
        ("-5 and 1,000", [-5, "and", 1000], "sign and groups"),
        ("42kg", [42, "kg"], "a glued unit is a token"),
        ("42 kg", [42, "kg"], "a glued unit is a token"),
        ("well-known", ["well", "known"], "hyphens part words"),
        ("GPT-4", ["gpt", 4], "digits of a name count as they show"),
        ("60% of ½", [60, "of", Fraction(1, 2)], "percent, fractions"),
        ("don’t", ["dont"], "foreign punctuation"),
        ("18.50!", [Decimal("18.50")], "decimals"),
    ],
)
def test_answer_tokens(text: str, tokens: list[object], source: str) -> None:
    assert answer_tokens(text) == tokens, source


def test_symbols_of_names_count() -> None:
    assert f1_score("C++", "C") == f1_score("C#", "C") == f1_score("C#", "C++") == 0.0
    assert f1_score("c++", "C++") == 1.0


def test_stop_words_are_normalised_and_removed_from_both_sides() -> None:
    assert f1_score("a very good day", "Very good", stop_words=["VERY!"]) == pytest.approx(2 / 3)
    assert stop_tokens(None) == frozenset()


def test_empties() -> None:
    assert (f1_score("", ""), f1_score("a b", ""), f1_score("", "a b")) == (1.0, 0.0, 0.0)
    assert (token_f1("", ""), token_f1("a", ""), token_f1("", "a")) == (0.0, 0.0, 0.0)
    assert (rouge_l("", ""), rouge_l("a", "")) == (0.0, 0.0)
    assert exact_tokens("", "")
    assert f1_score("a", []) == 0.0


@given(WORDY, WORDY)
def test_laws_of_overlap(a: str, b: str) -> None:
    for function in (f1_score, token_f1, rouge_l, squad_f1):
        value = function(a, b)
        assert 0.0 <= value <= 1.0
        assert value == function(b, a)
        assert function(a, [b, a]) >= value
    assert f1_score(a, a) == 1.0
    if exact_tokens(a, b):
        assert f1_score(a, b) == 1.0
    assert f1_score_columns([a], [b]) == [f1_score(a, b)]
    assert exact_tokens_columns([a], [b]) == [exact_tokens(a, b)]
    assert rouge_l_columns([a], [b]) == [rouge_l(a, b)]
    assert squad_f1_columns([a], [b]) == [squad_f1(a, b)]


@given(WORDY)
def test_order_is_all_that_unordered_tokens_lose(text: str) -> None:
    assert Counter(answer_tokens(text)) == Counter(answer_tokens(text, ordered=False))


WORDS = ["a", "the", "st", "kg", "e3", "1,000", "2024-01-15", "C++", "GPT-"]
PIECES = [*"0123456789", " ", "  ", "\n", "\t", *".,:/_-+*x=$%()#'", *WORDS]
NUMBERISH = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


@given(NUMBERISH)
def test_numbers_read_apart_are_the_same_numbers(text: str) -> None:
    assert Counter(answer_tokens(text)) == Counter(answer_tokens(text, ordered=False))


@given(st.text(), st.text())
def test_any_text_is_in_range(a: str, b: str) -> None:
    assert 0.0 <= f1_score(a, b) <= 1.0
    exact_tokens(a, b)


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_the_subsequence_is_the_one_of_the_plain_dynamic_programme(a: list[str], b: list[str]) -> None:
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    assert lcs_length(a, b) == table[-1][-1]


def official_tokens(text: str) -> list[str]:
    """The normalisation of the SQuAD v1.1 paper, step by step."""
    bare = "".join(char for char in text.lower() if char not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def official_f1(output: str, target: str) -> float:
    a, b = official_tokens(output), official_tokens(target)
    shared = sum((Counter(a) & Counter(b)).values())
    if shared == 0:
        return 0
    precision, recall = 1.0 * shared / len(a), 1.0 * shared / len(b)
    return (2 * precision * recall) / (precision + recall)


@given(WORDY, WORDY)
def test_squad_is_the_official_formula_to_the_last_bit(a: str, b: str) -> None:
    assert squad_tokens(a) == official_tokens(a)
    assert squad_f1(a, b) == official_f1(a, b)
    assert squad_em(a, b) == float(official_tokens(a) == official_tokens(b))


@pytest.mark.data
@pytest.mark.parametrize(
    ("system", "em", "f1"), [("bert_ensemble", 74.8739, 86.3247), ("logistic_regression", 34.5378, 45.8523)]
)
def test_real_predictions_reproduce_the_official_figures(test_data: Path, system: str, em: float, f1: float) -> None:
    path = test_data / "squad_xquad" / "squad_dev_subset.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    outputs = [row["predictions"][system] or "" for row in rows]
    targets = [row["answers"] for row in rows]
    assert 100 * sum(map(squad_em, outputs, targets)) / len(rows) == pytest.approx(em, abs=5e-5)
    assert 100 * sum(squad_f1_columns(outputs, targets)) / len(rows) == pytest.approx(f1, abs=5e-5)
