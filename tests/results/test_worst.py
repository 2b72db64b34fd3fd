"""The worst samples of a run."""

import pytest

import steelyard
from steelyard import Score, Unscored, scorer
from steelyard.errors import UnknownNameError, UsageError
from steelyard.report.samples import worst_heading
from steelyard.results.worst import judged_sample, worst_samples

ROWS = [{"id": str(i), "output": "x" * i, "target": "x"} for i in range(6)]


def worst_ids(scorers, rows=ROWS, **options):
    run = steelyard.score(rows, scorers, store=False)
    worst = worst_samples(run.reader, **options)
    return [judged.sample.id for judged in worst.samples], worst


def test_full_marks_are_the_better_end_of_the_range():
    @scorer(range=(0, 10))
    def points(output: str) -> float:
        return len(output) * 2

    ids, worst = worst_ids([points], limit=3)
    assert ids == ["0", "1", "2"]
    assert (worst.wrong, worst.scored, worst.full_marks) == (5, 6, 10)


def test_where_less_is_better_the_largest_is_the_worst():
    @scorer(higher_is_better=False)
    def length(output: str) -> float:
        return len(output)

    ids, worst = worst_ids([length], limit=2)
    assert ids == ["5", "4"]
    assert worst.full_marks == 0


@pytest.mark.parametrize("values", [["C", "P", "I", "C"], [True, False, False, True]])
def test_verdicts(values):
    def verdict(output: str):
        return values[int(output)]

    rows = [{"id": str(i), "output": str(i)} for i in range(4)]
    ids, worst = worst_ids([verdict], rows)
    assert ids == (["2", "1"] if "P" in values else ["1", "2"])
    assert (worst.wrong, worst.full_marks) == (2, 1.0)


def test_outcomes_that_broke_come_first_and_absent_ones_not_at_all():
    def fragile(output: str):
        if output == "xx":
            raise ValueError("two")
        return Unscored("not_applicable") if output == "x" else Score(len(output) > 3)

    ids, worst = worst_ids([fragile])
    assert ids == ["2", "0", "3"]
    assert (worst.absent, worst.wrong, worst.scored) == (1, 2, 4)


def test_a_key_of_a_dict_score():
    def both(output: str):
        return {"short": len(output) < 2, "deep": {"long": len(output) > 3}}

    assert worst_ids([both], scorer="both.deep.long")[0] == ["0", "1", "2", "3"]
    assert worst_ids([both], scorer="both.short")[0] == ["2", "3", "4", "5"]
    assert worst_ids([both])[0] == ["2", "3", "4", "5"]  # its first number


def test_everything_right():
    ids, worst = worst_ids(["includes"], [{"output": "a", "target": "a"}])
    assert ids == []
    assert (worst.wrong, worst.scored) == (0, 1)


def test_names_that_are_not_there():
    run = steelyard.score(ROWS, ["includes"], store=False)
    with pytest.raises(UnknownNameError, match="includes"):
        worst_samples(run.reader, "include")
    with pytest.raises(UsageError, match="its ids are such as 0, 1, 2"):
        judged_sample(run.reader, "none")


def test_one_sample_with_every_outcome():
    run = steelyard.score(ROWS, ["includes", "exact_match"], store=False)
    (judged,) = judged_sample(run.reader, "1")
    assert judged.sample.output == "x"
    assert [row.scorer for row in judged.outcomes] == ["includes", "exact_match"]


def test_no_marks_are_made_up_where_none_are_declared():
    def length(output: str) -> float:
        return len(output)

    _, worst = worst_ids([length], limit=2)
    assert worst_heading(worst) == "length: 5 of 6 scored samples below the best value that any has, 5.000; the worst 2"
    _, worst = worst_ids([length], ROWS[:1])
    assert worst_heading(worst) == "length: all 1 scored samples have the same value"
