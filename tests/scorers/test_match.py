"""Matching texts and numbers: golden cases beside inspect_ai, laws, real solutions."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.scorers._answer import match_answer
from steelyard.scorers._match import match_number, match_number_columns
from steelyard.scorers._match_text import Location, includes_text, includes_text_columns, match_text, match_text_columns
from steelyard.scorers._overlap import exact_tokens, f1_score
from steelyard.scorers._pattern import match_pattern

GOLDEN = Path(__file__).parents[1] / "golden" / "inspect_ai.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
LOCATIONS: list[Location] = ["begin", "end", "any", "exact"]
TEXT = st.text(st.sampled_from(list("ab5 .,-+C#*()é\u0301\u200b\n字%A")), max_size=12)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['scorer']}-{row['output'][:20]!r}-{row['target']!r}")
def test_golden_cases_of_inspect_ai(row: dict[str, Any]) -> None:
    scorer, options, output, target = row["scorer"], dict(row["options"]), row["output"], row["target"]
    if scorer == "f1":
        assert round(f1_score(output, target, **options), 2) == row["ours"]
        return
    if scorer == "match":
        matched = (match_number if options.pop("numeric", False) else match_text)(output, target, **options)[0]
    elif scorer == "includes":
        matched = includes_text(output, target, **options)[0]
    elif scorer == "pattern":
        matched = match_pattern(output, target, **options)[0]
    elif scorer == "answer":
        matched = match_answer(output, target, options["pattern"])[0]
    else:
        matched = exact_tokens(output, target)
    assert ("C" if matched else "I") == row["ours"], row["reason"]
    assert row["same"] == (row["theirs"] == row["ours"]) == (not row["reason"])


@pytest.mark.parametrize(
    ("output", "target", "location", "answer", "source"),
    [
        ("It is **Paris**.", "paris", "end", "Paris", "the answer is as the output has it"),
        ("C++!", "c++", "exact", "C++", "symbols of the target"),
        ("x " * 500 + "New \n York ...", "new york", "end", "New York", "slow path"),
        ("New \n York, " + "x " * 500, "new york", "begin", "New York", "slow path"),
        (" " * 500 + "Paris" + "." * 500, "Paris", "end", "Paris", "marks beyond the reach"),
        ("." * 500 + "New York", "New York", "begin", "New York", "marks beyond the reach"),
        ("New York" + "." * 500, "New York", "end", "New York", "marks beyond the reach"),
        ("Use C++ or C# here", "C#", "any", "C#", "symbols of the target"),
        ("15 or 5", "5", "any", "5", "the second is whole"),
        ("", "", "exact", "", "two empties are equal"),
    ],
)
def test_match_text(output: str, target: str, location: Location, answer: str, source: str) -> None:
    assert match_text(output, target, location) == (True, answer), source


@pytest.mark.parametrize(
    ("output", "target", "location"),
    [("160%", "60%", "end"), ("0.5", "5", "end"), ("x" + "a" * 500 + "New York", "New York", "end"),
     ("aNew York", "New York", "end"), ("a", "", "exact"), ("a", "", "any"), ("a", "", "begin"), ("", "", "any")],
)  # fmt: skip
def test_match_text_misses(output: str, target: str, location: Location) -> None:
    assert match_text(output, target, location) == (False, None)


def test_match_number() -> None:
    assert match_number("3 of 14, so $42.00.", "42") == (True, "$42.00")
    assert match_number("It is 43", "42") == (False, "43")
    assert match_number("none", "42") == (False, None)
    assert match_number("It is 160%", "60%") == (False, "160")
    assert match_number("It is 41", ["40", "41"]) == (True, "41")
    assert match_number("42.4", "42", tolerance=0.5) == (True, "42.4")
    assert match_number("So Paris", "Paris") == (True, "Paris")


def test_an_unknown_location_is_an_error() -> None:
    with pytest.raises(ValueError, match="location must be one of"):
        match_text("1", "1", "middle")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="location must be one of"):
        match_number("1", "1", "middle")  # type: ignore[arg-type]


@given(TEXT, TEXT, st.sampled_from(LOCATIONS), st.booleans())
def test_any_text_matches_or_not(output: str, target: str, location: Location, ignore_case: bool) -> None:
    matched, answer = match_text(output, target, location, ignore_case=ignore_case)
    assert matched == (answer is not None)
    assert match_text_columns([output], [target], location, ignore_case=ignore_case) == ([matched], [answer])
    if matched and location in ("begin", "end", "exact"):
        assert match_text(output, target, "any", ignore_case=ignore_case)[0] or not answer or location == "exact"
    if matched and not ignore_case:
        assert match_text(output, target, location)[0]


@given(TEXT, TEXT, st.sampled_from(LOCATIONS))
def test_any_text_matches_as_a_number_or_not(output: str, target: str, location: Location) -> None:
    one = match_number(output, target, location)
    assert match_number_columns([output], [target], location) == ([one[0]], [one[1]])
    assert match_number_columns([output], [[target]], location) == ([one[0]], [one[1]])


@given(TEXT, TEXT)
def test_includes_any_text(output: str, target: str) -> None:
    one = includes_text(output, target)
    assert includes_text_columns([output], [target]) == ([one[0]], [one[1]])
    if (
        target.strip()
        and target in output
        and not target[-1].isspace()
        and not target[0].isspace()
        and target.isascii()
        and output.isascii()
    ):
        assert one[0]


@given(st.text(min_size=1).filter(lambda text: text.strip() != ""))
def test_a_text_matches_itself(text: str) -> None:
    assert exact_tokens(text, text)
    for location in LOCATIONS:
        matched, _ = match_text(text, text, location)
        assert matched or not any(char.isalnum() for char in text) or "answer" in text.lower()


@pytest.mark.parametrize(
    "hostile", ["ANSWER:" * 14_000, " " * 100_000, "a " * 50_000, "(" * 100_000, "-" * 100_000, "字" * 100_000]
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    start = time.process_time()
    for location in LOCATIONS:
        match_text(hostile, "a b", location)
        match_text(hostile, "字é", location)
        match_text(hostile, "A", location)
        match_number(hostile, "5", location)
    includes_text(hostile, "a b")
    match_answer(hostile, "A", "letter")
    f1_score(hostile, hostile)
    assert time.process_time() - start < 6


@pytest.mark.data
def test_real_solutions_agree_with_their_published_flags(test_data: Path) -> None:
    path = test_data / "gsm8k" / "example_model_solutions_first660.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    correct = []
    for model in ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"):
        outputs = [row[model]["solution"] for row in rows]
        targets = [row["ground_truth"].rpartition("A: ")[2] for row in rows]
        matched, _ = match_number_columns(outputs, targets)
        assert matched == [row[model]["is_correct"] for row in rows]
        correct.append(sum(matched))
    assert correct == [146, 266, 225, 371]


@given(
    st.lists(st.sampled_from(["New", "York", "new", " ", "  ", "\n", ".", "*", "x", "é", "\u200b"]), max_size=8).map(
        "".join
    ),
    st.sampled_from(LOCATIONS),
)
def test_the_fast_paths_find_what_the_slow_path_finds(output: str, location: Location) -> None:
    # A target that is not ASCII takes the slow path: the long s folds to s, so both mean the same.
    assert match_text(output, "New Yorks", location)[0] == match_text(output, "New York\u017f", location)[0]
    assert match_text(output + "s", "Yorks", location)[0] == match_text(output + "s", "York\u017f", location)[0]
    assert (
        match_text(output.replace("York", "Yorks"), "new yorks", location)[0]
        == match_text(output.replace("York", "York\u017f"), "new yorks", location)[0]
    )
