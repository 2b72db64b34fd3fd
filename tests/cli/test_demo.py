"""`steelyard demo`: the tour."""

import json

from steelyard.cli.demo import demo_rows
from steelyard.cli.demo_scorers import brief


def test_the_tour_shows_both_sets_and_what_to_type_next(steelyard):
    result = steelyard("demo")
    assert result.exit_code == 0
    for part in ("def brief(output: str) -> float:", "match", "choice", "json_valid", "token_f1", "rouge_l", "brief"):
        assert part in result.stdout
    assert "step_by_step against at_once, paired by sample" in result.stdout
    assert "next: steelyard show" in result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 100
    assert "0.999 [0.998, 1.000]" in result.stdout  # of a range, the interval stays in it


def test_every_scorer_judges_the_questions_of_its_kind(steelyard):
    document = json.loads(steelyard("demo", "--json").stdout)
    first = document["runs"][0]
    kinds = {"match": 55, "choice": 35, "token_f1": 35, "rouge_l": 35, "json_valid": 25, "brief": 150}
    for name, n in kinds.items():
        # One answer is missing, whatever the question's kind.
        assert n - 1 <= first["counts"][name]["scored"] <= n
    assert {counts["attempted"] for counts in first["counts"].values()} == {150}
    assert len(json.loads(steelyard("list", "--json").stdout)) == 2


def test_the_rows_hold_both_answers():
    rows = demo_rows()
    assert len(rows) == 150
    assert {"at_once", "step_by_step", "topic", "kind"} <= set(rows[0])


def test_the_five_lines_are_a_scorer():
    assert brief("one two three") == 1.0
    assert brief("word " * 40) == 0.25
