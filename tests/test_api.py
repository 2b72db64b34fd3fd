"""The verbs as a user calls them: score, run, run_async, load."""

import asyncio
import gzip
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import steelyard
from steelyard import CORRECT, Score, Scorer, Unscored, scorer
from steelyard.errors import BindingError, DuplicateIdError, EmptyDataError, UnscoredError, UsageError
from steelyard.scorers import exact_match, match, token_f1

ROWS = [
    {"id": "a", "prompt": "1+1", "prediction": "2", "expected": "2", "topic": "x"},
    {"id": "b", "prompt": "2+2", "prediction": "5", "expected": "4", "topic": "x"},
    {"id": "c", "prompt": "3+3", "prediction": None, "expected": "6", "topic": "y"},
]


def accuracy(run: Any, scorer_name: str = "match") -> float:
    return float(run.metrics[scorer_name]["accuracy"])


@pytest.mark.parametrize("make", [list, tuple, iter, pd.DataFrame, pl.DataFrame, pa.Table.from_pylist])
def test_any_data_gives_the_same_figures(make: Any) -> None:
    run = steelyard.score(make(ROWS), match(), store=False)
    assert accuracy(run) == 0.5
    assert run.counts["match"].unscored == {"no_output": 1}
    assert [sample.id for sample in run.samples()] == ["a", "b", "c"]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".json", ".csv", ".tsv"])
def test_any_file_gives_the_same_figures(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"answers{suffix}"
    frame = pd.DataFrame(ROWS[:2])
    if suffix.startswith(".jsonl"):
        text = "".join(frame.iloc[[i]].to_json(orient="records", lines=True) for i in range(2))
        file.write_bytes(gzip.compress(text.encode()) if suffix.endswith("gz") else text.encode())
    elif suffix == ".json":
        frame.to_json(file, orient="records")
    else:
        frame.to_csv(file, index=False, sep="\t" if suffix == ".tsv" else ",")
    run = steelyard.score(file, match())
    assert accuracy(run) == 0.5
    assert run.name == "answers"
    assert steelyard.load("answers").id == run.id


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b'{"output": "4", "target": "4"}\n')

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert accuracy(steelyard.score("-", match(), store=False)) == 1.0


def test_plain_lists() -> None:
    run = steelyard.score(outputs=["4", "5"], targets=["4", ["5", "five"]], scorers=[match(), token_f1], store=False)
    assert accuracy(run) == 1.0
    assert "token_f1" in repr(run)


def test_several_output_columns_make_a_run_each() -> None:
    rows = [
        {"input": "q", "target": "x", "one": "x", "two": "y"},
        {"input": "r", "target": "y", "one": "x", "two": "y"},
    ]
    runs = steelyard.score(rows, match(), output=["one", "two"], name="both")
    assert [run.name for run in runs] == ["both/one", "both/two"]
    assert accuracy(runs["both/one"]) == accuracy(runs[1]) == 0.5
    assert [s.output for s in runs[1].samples()] == ["y", "y"]
    assert [s.id for s in runs[0].samples()] == [s.id for s in runs[1].samples()]


def test_what_a_run_holds() -> None:
    run = steelyard.score(ROWS, [match(), exact_match], by=["topic"], cluster="topic", name="held")
    assert len(run) == 3
    assert run.record.git_sha is None or len(run.record.git_sha) == 40
    assert run.record.versions["steelyard"] == steelyard.__version__
    assert run.record.source["columns"] == ["id, input = prompt, target = expected, output = prediction"]
    outcome = next(iter(run.outcomes("match"))).outcome
    assert (outcome.value, outcome.answer) == (CORRECT, "2")
    assert [row["match"] for row in run.rows()] == ["C", "I", None]
    for frame in (run.to_pandas(), run.to_polars(), run.to_arrow().to_pandas()):
        assert list(frame["match"])[:2] == ["C", "I"]
    assert {found.value for found in run.figures.slices} == {"x", "y"}
    page = run._repr_html_()
    assert "<table>" in page
    assert "held" in page


def test_html_escapes_what_a_model_said() -> None:
    run = steelyard.score(
        [{"output": "x"}], scorer(name="<script>alert(1)</script>")(lambda output: 1.0), store=False, name="<b>"
    )
    page = run._repr_html_()
    assert "<script>" not in page
    assert "<b>" not in page


# -- bad input: an error that helps, or a counted outcome


def test_an_empty_data_set_is_said() -> None:
    with pytest.raises(EmptyDataError, match="nothing to score"):
        steelyard.score([], match(), store=False)


def test_repeated_ids_are_named_unless_they_are_epochs() -> None:
    rows = [{"id": "a", "output": "x", "target": "x"}, {"id": "a", "output": "y", "target": "x"}]
    with pytest.raises(DuplicateIdError, match=r"'a'.*epochs"):
        steelyard.score(rows, match(), store=False)
    run = steelyard.score(rows, match(), epochs="repeats", reducer=["mean", "at_least_1", "pass_at_2"], store=False)
    assert run.record.n_epochs == 2
    assert accuracy(run) == 0.5
    assert float(run.metrics["match"]["accuracy[at_least_1]"]) == 1.0
    assert float(run.metrics["match"]["accuracy[pass_at_2]"]) == 1.0


def test_two_aliases_are_an_error_only_when_the_column_is_needed() -> None:
    rows = [{"output": "x", "expected": "x", "label": "y"}]
    with pytest.raises(BindingError, match=r"several columns could be the target: expected, label"):
        steelyard.score(rows, match(), store=False)
    assert float(steelyard.score(rows, "json_valid", store=False).metrics["json_valid"]["mean"]) == 0.0
    assert accuracy(steelyard.score(rows, match(), target="expected", store=False)) == 1.0


def test_on_unscored() -> None:
    assert accuracy(steelyard.score(ROWS, match(), on_unscored="worst", store=False)) == pytest.approx(1 / 3)
    with pytest.raises(UnscoredError, match=r"1 of 3 .* no_output"):
        steelyard.score(ROWS, match(), on_unscored="raise", store=False)
    estimate = steelyard.score(ROWS, match(), store=False).metrics["match"]["accuracy"]
    assert (estimate.worst, estimate.best) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


@pytest.mark.parametrize(
    ("returned", "reason"),
    [(None, "malformed"), (float("nan"), "malformed"), (Unscored("not_applicable"), "not_applicable")],
)
def test_what_is_no_value_is_counted(returned: Any, reason: str) -> None:
    run = steelyard.score(ROWS, lambda prediction, expected: returned, store=False)
    counts = run.counts["<lambda>"]
    assert counts.unscored == {"no_output": 1, reason: 2}


def test_an_unknown_string_makes_one_figure_undefined() -> None:
    @scorer(metrics=["accuracy", "stderr"])
    def label(output: str) -> str:
        return "banana"

    run = steelyard.score(ROWS, [label, match()], store=False)
    assert run.metrics["label"]["accuracy"].value is None
    assert "'banana'" in (run.metrics["label"]["accuracy"].reason or "")
    assert accuracy(run) == 0.5


def test_a_scorer_that_breaks_touches_no_other() -> None:
    def broken(output: str) -> float:
        raise ZeroDivisionError("no")

    run = steelyard.score(ROWS, [broken, match()], store=False)
    assert run.counts["broken"].failed == 2
    assert run.metrics["broken"] == {} or all(e.value is None for e in run.metrics["broken"].values())
    assert accuracy(run) == 0.5
    assert "ZeroDivisionError: no" in str([o.outcome for o in run.outcomes("broken")])


# -- live


def shout(prompt: str) -> str:
    return prompt.upper()


async def shout_later(prompt: str) -> str:
    await asyncio.sleep(0)
    return prompt.upper()


LIVE = [{"prompt": "ab", "expected": "AB"}, {"prompt": "cd", "expected": "XX"}]


@pytest.mark.parametrize("model", [shout, shout_later])
def test_run_takes_the_aieval_form(model: Any) -> None:
    run = steelyard.run(
        name="qa", dataset=LIVE, scorers=[exact_match], provider="mine", model=model, concurrency=2, retries=0
    )
    assert float(run.metrics["exact_match"]["mean"]) == 0.5
    assert (run.record.provider, run.record.status, run.record.n_samples) == ("mine", "success", 2)


def test_run_works_inside_a_running_loop() -> None:
    async def main() -> tuple[float, float]:
        one = steelyard.run(LIVE, exact_match, model=shout, store=False)
        two = await steelyard.run_async(LIVE, exact_match, model=shout_later, store=False)
        return float(one.metrics["exact_match"]["mean"]), float(two.metrics["exact_match"]["mean"])

    assert asyncio.run(main()) == (0.5, 0.5)


def test_run_of_a_recorded_column() -> None:
    run = steelyard.run(ROWS, match(), output="prediction", store=False)
    assert accuracy(run) == 0.5


@pytest.mark.parametrize("asked", [{"epochs": 3}, {"timeout": 1.0}, {"prompt": "{input}"}, {"preprocess": dict}])
def test_what_is_asked_of_a_model_is_refused_where_there_is_none(asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"{next(iter(asked))}= says how a model is called, and there is none"):
        steelyard.run([{"output": "a", "target": "a"}], exact_match, store=False, **asked)


def test_progress_is_told_without_a_model_too() -> None:
    told: list[tuple[int, int, int]] = []
    steelyard.run(
        [{"output": "a", "target": "a"}], exact_match, store=False, progress=lambda *counts: told.append(counts)
    )
    assert told == [(1, 0, 0)]


def test_epochs_and_reducers_of_a_live_run() -> None:
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return "AB" if len(seen) % 2 else "no"

    run = steelyard.run(LIVE[:1], match("exact"), model=model, epochs=4, reducer="pass_at_2", concurrency=1)
    assert len(seen) == 4
    assert accuracy(run) == pytest.approx(1 - 1 / 6)
    assert accuracy(steelyard.load(run.id)) == pytest.approx(1 - 1 / 6)


def test_a_model_that_is_not_there_is_said_before_the_first_sample() -> None:
    with pytest.raises(UsageError, match="sarmalink/smart"):
        steelyard.run(name="qa", dataset=LIVE, scorers=[exact_match], provider="sarmalink", model="smart")
    with pytest.raises(LookupError, match="no run"):
        steelyard.load()


def test_binding_is_checked_before_the_first_call() -> None:
    calls: list[str] = []

    def needs_colour(output: str, colour: str) -> float:
        return 1.0

    with pytest.raises(BindingError, match="colour"):
        steelyard.run(LIVE, needs_colour, model=calls.append, store=False)
    assert calls == []


# -- figures made by code that a reader may not have


def test_custom_figures_are_stored_with_the_run() -> None:
    class Agreement(Scorer):
        def score(self, output: str, expected: str) -> dict[str, bool]:
            return {"match": output == expected}

        def summarize(self, score_rows: Sequence[Any]) -> dict[str, Any]:
            return {"full_match": all(row["match"] for row in score_rows)}

    run = steelyard.score(ROWS, Agreement(), name="custom")
    assert run.summaries == {"Agreement": {"full_match": False}}
    again = steelyard.load("custom")
    assert again.summaries == {"Agreement": {"full_match": False}}
    assert float(again.metrics["Agreement.match"]["accuracy"]) == 0.5


def test_a_score_object_travels_whole() -> None:
    def judge(output: str) -> Score:
        return Score(0.5, answer="a", explanation="because", metadata={"k": [1, None]})

    run = steelyard.score(ROWS[:1], judge, name="whole")
    stored = next(iter(steelyard.load("whole").outcomes())).outcome
    assert stored == Score(0.5, answer="a", explanation="because", metadata={"k": [1, None]})
    assert run.counts["judge"].scored == 1


def test_cells_that_no_pattern_cuts_are_said() -> None:
    rows = [{"output": "4", "target": "A: 4"}, {"output": "5", "target": "five"}]
    run = steelyard.score(rows, match(numeric=True), target_pattern="A: (.*)", store=False)
    assert accuracy(run) == 1.0
    assert run.counts["match"].unscored == {"not_applicable": 1}
    assert run.warnings == ("target_pattern 'A: (.*)' matches nothing in 1 row, counted as having no target",)


def test_a_custom_metric_is_recomputed_only_by_the_same_code() -> None:
    @steelyard.metric
    def largest() -> Any:
        def compute(scores: list[steelyard.SampleScore]) -> float:
            return max(found.score.as_float() for found in scores)

        return compute

    @scorer(metrics=[largest(), "mean"])
    def length(output: str) -> float:
        return float(len(output))

    steelyard.score(outputs=["abc", "z"], scorers=length, name="largest")
    assert ("length", "largest") not in steelyard.load("largest").figures.as_stored

    @steelyard.metric(name="largest")
    def other() -> Any:
        return lambda scores: -1.0

    again = steelyard.load("largest")
    assert float(again.metrics["length"]["largest"]) == 3.0
    assert ("length", "largest") in again.figures.as_stored
    assert "as stored" in repr(again)


def test_one_column_to_split_by_is_one_column() -> None:
    run = steelyard.score(ROWS, match(), by="topic", store=False)
    assert run.record.by == ("topic",)
    assert {found.value for found in run.figures.slices} == {"x", "y"}


def test_labels_may_be_nested() -> None:
    rows = [
        {"id": str(i), "output": "4", "target": str(4 - i % 2), "meta": {"topic": "ab"[i % 2], "doc": i // 2}}
        for i in range(8)
    ]
    run = steelyard.score(rows, match(), by="meta.topic", cluster="meta.doc")
    again = steelyard.load(run.id)
    for each in (run, again):
        estimate = each.metrics["match"]["accuracy"]
        assert (estimate.method, estimate.n) == ("clustered t", 4)
        assert [found.value for found in each.figures.slices] == ["a", "b"]
    with pytest.raises(KeyError, match=r"no column 'meta.topc'.*Did you mean 'meta.topic'.*--by meta.topc"):
        steelyard.score(rows, match(), by="meta.topc", store=False)


def test_a_run_is_scored_again() -> None:
    first = steelyard.score(ROWS, match(), name="first", model="m")
    again = steelyard.score(first, [exact_match, "token_f1"])
    assert (again.name, again.record.model) == ("first", "m")
    assert [sample.id for sample in again.samples()] == ["a", "b", "c"]
    assert "match" not in next(again.rows())
    assert float(again.metrics["exact_match"]["mean"]) == 0.5
    assert again.counts["exact_match"].unscored == {"no_output": 1}


def test_epochs_are_scored_again() -> None:
    rows = [{"id": "a", "output": text, "target": "4"} for text in ("4", "5")]
    again = steelyard.score(steelyard.score(rows, match(), epochs="repeats", store=False), match(), store=False)
    assert again.metrics["match"]["accuracy"].n == 1
    assert accuracy(again) == 0.5


def test_outcomes_of_no_scorer_are_an_error() -> None:
    run = steelyard.score(ROWS, match(), store=False)
    with pytest.raises(LookupError, match=r"no scorer 'mach'.*Did you mean 'match'"):
        run.outcomes("mach")


def test_the_table_says_what_went_wrong_first() -> None:
    @scorer
    def deep(prediction: str, _expected: str) -> float:
        raise ValueError(f"deep in {prediction}")

    @scorer(name="_five", range=(0, 1))
    def five(_prediction: str, _expected: str) -> float:
        return 5

    told = repr(steelyard.score(ROWS, [deep, five], store=False))
    assert "2 where the scorer failed: deep (the first: ValueError: deep in 2)" in told
    assert "_five (the first: the value 5 is outside the declared range [0, 1])" in told

    def down(prompt: str) -> str:
        raise ConnectionError("the line is down")

    rows = [{"id": str(i), "prompt": "1+1", "expected": "2"} for i in range(3)]
    told = repr(steelyard.run(rows, match(), model=down, store=False))
    assert "3 without an output: match (the first: ConnectionError: the line is down" in told


def test_what_counts_as_the_worst_is_said() -> None:
    told = repr(steelyard.score(ROWS, match(), on_unscored="worst", store=False))
    assert "count as the worst value" in told
    assert "count as the worst value" not in repr(steelyard.score(ROWS[:2], match(), on_unscored="worst", store=False))


def test_html_has_what_the_text_has() -> None:
    page = steelyard.score(ROWS, match(), by="topic", store=False)._repr_html_()
    for part in ("<th>bounds</th>", "0.333 to 0.667", "<th>topic</th>", "<td>y</td>"):
        assert part in page


def test_two_outputs_are_printed_side_by_side_with_their_difference() -> None:
    rows = [{"id": str(i), "target": "1", "old": str(i % 2), "new": str(min(i, 1))} for i in range(8)]
    runs = steelyard.score(rows, match(), output=["old", "new"], store=False)
    (difference,) = runs.differences
    assert (difference.scorer, difference.pairs, difference.estimate.value) == ("match", 8, 0.375)
    assert "new against old, paired by sample" in repr(runs)
    assert "+0.375" in repr(runs)
    alone = steelyard.score(rows, match(), output=["old"], store=False)
    assert alone.differences == []
    assert repr(alone) == repr(alone[0])


def test_what_is_nested_is_named_where_a_column_is_missing() -> None:
    rows = [{"id": "a", "gold": "4", "resp": {"text": "4", "tokens": 3}}]
    with pytest.raises(BindingError, match=r"needs 'output'.*Columns within columns.*: resp\.text, resp\.tokens\."):
        steelyard.score(rows, match(), target="gold", store=False)


def test_an_index_with_a_name_is_a_column() -> None:
    run = steelyard.score(pd.DataFrame(ROWS).set_index("id"), match(), store=False)
    assert [sample.id for sample in run.samples()] == ["a", "b", "c"]


def test_one_odd_text_among_numbers_is_said() -> None:
    def odd(output: str) -> Any:
        return "weird" if output == "5" else 1.0

    estimate = steelyard.score(ROWS, odd, store=False).metrics["odd"]["mean"]
    assert estimate.value is None
    assert "'weird'" in (estimate.reason or "")


def test_a_key_that_reads_like_another_scorer_takes_no_ones_place() -> None:
    one = scorer(name="s")(lambda output: {"y": 1.0})
    two = scorer(name="s.y")(lambda output: 0.0)
    run = steelyard.score(ROWS[:2], [one, two], store=False)
    assert float(run.metrics["s.y"]["mean"]) == 0.0
    assert float(run.metrics["s.y (key)"]["mean"]) == 1.0


def test_a_name_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(UsageError, match="half of a surrogate pair"):
        steelyard.score([{"output": "x", "\ud800": 1}], "json_valid", store=False)
