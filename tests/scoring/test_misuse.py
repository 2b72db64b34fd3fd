"""What users write that is nearly right: it works, or the message says what would."""

import asyncio
import dataclasses
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard import Score, Scorer, Unscored, scorer
from steelyard.errors import BindingError, UsageError
from steelyard.scorers import match
from steelyard.scoring.adapt import as_form
from steelyard.testing import FakeModel

pytestmark = pytest.mark.usefixtures("own_registry")

ROWS = [{"input": "q", "target": "a", "output": "a"}, {"input": "r", "target": "b", "output": "no"}]


def outcomes(scorers: Any, rows: Any = ROWS, **options: Any) -> list[Any]:
    return [row.outcome for row in steelyard.score(rows, scorers, store=False, **options).outcomes()]


def values(scorers: Any, rows: Any = ROWS, **options: Any) -> list[Any]:
    return [one.value if isinstance(one, Score) else one for one in outcomes(scorers, rows, **options)]


# -- async in every place


class Later:
    async def __call__(self, output: str, target: str) -> bool:
        await asyncio.sleep(0)
        return output == target


class Batch:
    async def run_batch(self, candidates: Any, references: Any = None, inputs: Any = None, contexts: Any = None) -> Any:
        return [1.0 * len(one) for one in candidates]


class PlainBatch:
    def run_batch(self, candidates: Any, references: Any = None, inputs: Any = None, contexts: Any = None) -> Any:
        return [1.0 * len(one) for one in candidates]


def test_an_object_that_is_called_asynchronously_is_awaited():
    assert values(Later()) == [True, False]


@pytest.mark.parametrize("batch", [Batch(), PlainBatch()])
def test_a_batch_gets_lists_from_records_and_from_a_live_model(batch):
    assert values(batch) == [1.0, 2.0]
    made = steelyard.run(ROWS, batch, model=FakeModel("abc"), store=False)
    assert [row.outcome.value for row in made.outcomes()] == [3.0, 3.0]


def test_a_batch_that_returns_no_list_is_told():
    class Odd:
        def run_batch(self, candidates):
            return None

    assert "run_batch returned a NoneType, not a list of 2 scores" in outcomes(Odd())[0].error


def test_a_forgotten_await_is_told():
    @scorer
    def forgot() -> Scorer:
        async def score(state, target):
            return match()(state, target)

        return score  # type: ignore[return-value]

    found = outcomes([forgot(), scorer(name="other")(lambda output, target: Later()(target, output))])
    assert [one.reason for one in found] == ["malformed"] * 4
    assert all("make it an async function that awaits it" in one.error for one in found)


def test_a_synchronous_call_inside_an_async_scorer_names_the_twin():
    class Slow(Scorer):
        async def score(self, output):
            return {"x": 1}

    async def outer(output):
        return Slow()(output)

    assert "await the async twin instead" in outcomes(outer)[0].error


# -- column_map of output


@pytest.mark.parametrize(
    ("rows", "seen", "warned"),
    [
        ([{"output": {"part": "a"}, "target": "a"}], "a", True),
        ([{"output": {"part": "a"}, "part": "b"}], "a", False),
        ([{"output": "whole", "part": "b"}], "b", False),
        ([{"output": "whole"}], "whole", True),
    ],
)
def test_output_may_be_mapped_to_a_field_or_a_column(rows, seen, warned):
    run = steelyard.score(rows, lambda output: {"seen": output}, column_map={"output": "part"}, store=False)
    assert next(iter(run.outcomes())).outcome.value == {"seen": seen}
    assert bool(run.warnings) == warned


# -- binding


def test_two_readings_are_both_named():
    rows = [{"question": "A", "answer": "B", "output": "C"}]

    def look(question, answer):
        return {"seen": question + answer}

    with pytest.raises(BindingError, match=r"'answer' is the column of targets.*column_map=\{'answer': 'answer'\}"):
        steelyard.score(rows, look, store=False)
    assert values(look, rows, column_map={"answer": "answer"}) == [{"seen": "AB"}]
    with pytest.raises(BindingError, match="make it keyword-only"):
        steelyard.score(rows, lambda question, limit=3: 1.0, store=False)


# -- what decorators are given


def test_a_factory_that_does_not_say_so_is_told():
    @scorer(metrics=["accuracy"])
    def needs_one(word):
        async def score(state, target):
            return Score("C")

        return score

    with pytest.raises(UsageError, match=r"annotate it def needs_one\(\.\.\.\) -> Scorer"):
        needs_one("a")


def test_a_scorer_of_states_takes_two():
    @scorer
    def one():
        async def score(state):
            return Score("C")

        return score

    with pytest.raises(TypeError, match=r"function of \(state\).*takes \(state, target\)"):
        one()


def test_a_decorated_class_scorer_stays_a_class():
    @scorer(metrics={"length": ["std"]}, name="long", team="qa")
    class Long(Scorer):
        times: int = 1

        def score(self, output):
            return {"length": len(output) * self.times}

    assert isinstance(Long(times=2), Long)
    run = steelyard.score(ROWS, [Long(times=2), {"long": {"name": "again"}}], store=False)
    assert {name: list(found) for name, found in run.metrics.items()} == {
        "long.length": ["std"],
        "again.length": ["std"],
    }
    assert run.reader.scorings[0].metadata == {"team": "qa"}

    @scorer
    class Bare(Scorer):
        def score(self, output):
            return {"x": 1}

    assert values(["Bare"]) == [{"x": 1}] * 2


@pytest.mark.parametrize("given", [5, (1, 0), (0,)])
def test_a_range_that_is_none_is_told(given):
    with pytest.raises(UsageError, match="is no range"):
        scorer(range=given)


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ({"a": 2, "b": 0.5, "c": {"d": 0.1, "e": -1}}, {"a": None, "b": 0.5, "c": {"d": 0.1, "e": None}}),
        ({"a": "a remark", "b": 1}, {"a": "a remark", "b": 1}),
        ([0, 1], [0, 1]),
    ],
)
def test_a_range_holds_for_the_keys_of_a_score(returned, expected):
    assert values(scorer(range=(0, 1))(lambda output: returned)) == [expected] * 2


@pytest.mark.parametrize("returned", [{"a": 2, "b": -1}, [0, 2]])
def test_a_score_without_any_value_in_range_is_malformed(returned):
    (found, _) = outcomes(scorer(range=(0, 1))(lambda output: returned))
    assert isinstance(found, Unscored)
    assert "outside the declared range [0, 1]" in (found.error or "")


def test_a_renamed_function_is_found_by_the_spec_that_is_stored():
    @scorer(name="its_name")
    def own(output: str, *, times: int = 1) -> float:
        return float(times)

    assert as_form(own).spec.as_json() == "its_name"
    spec = own.with_options(times=3, name="other").spec
    assert spec.as_json() == {"its_name": {"times": 3}}
    assert values(spec.as_json()) == [3.0, 3.0]


# -- classes


class Made(Scorer):
    def __init__(self, k):
        self.k = k

    def score(self, output):
        return {"k": self.k}


class Fields(Scorer):
    k: int = 1

    def score(self, output):
        return {"k": self.k}


def test_a_class_with_an_init_of_its_own():
    assert values(Made(4)) == [{"k": 4}] * 2
    assert pickle.loads(pickle.dumps(Made(4))).k == 4
    assert Made(4) != Made(4)
    assert as_form(Made(4)).digest() is None
    assert not as_form(Made(4)).portable


def test_fields_are_named():
    with pytest.raises(TypeError, match=r"Fields\(k=\.\.\."):
        Fields(3)


@dataclasses.dataclass
class Counted:
    k: int = 1

    def score(self, output):
        return self.k * len(output)


def test_the_fields_of_a_dataclass_are_its_options():
    assert values(Counted(3)) == [3, 6]
    assert [as_form(Counted(k)).spec.as_json() for k in (1, 3)] == ["Counted", {"Counted": {"k": 3}}]
    assert as_form(Counted(1)).digest() != as_form(Counted(3)).digest()


# -- names


def test_messages_about_what_is_no_scorer():
    with pytest.raises(UsageError, match="no scorers were given"):
        steelyard.score(ROWS, store=False)
    with pytest.raises(UsageError, match="no scorers were given"):
        steelyard.score(ROWS, [], store=False)
    with pytest.raises(UsageError, match="is a call in Python"):
        steelyard.score(ROWS, "match(numeric=True)", store=False)


def test_a_distribution_brings_scorers_metrics_and_reducers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "their_scorers.py").write_text(
        "from steelyard import Score, metric, score_reducer, scorer\n"
        "@scorer(metrics=['theirs_sum'])\n"
        "def theirs(output: str, *, times: int = 1) -> float:\n"
        "    return float(len(output) * times)\n"
        "@metric\n"
        "def theirs_sum():\n"
        "    return lambda scores: sum(one.as_float() for one in scores)\n"
        "@score_reducer\n"
        "def theirs_last():\n"
        "    return lambda scores: scores[-1]\n",
        encoding="utf-8",
    )
    info = tmp_path / "their_scorers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-scorers\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[steelyard.scorers]\nfrom_afar = their_scorers:theirs\nbroken = their_scorers:nothing\n"
        "[steelyard.metrics]\nsum_afar = their_scorers:theirs_sum\n"
        "[steelyard.reducers]\nlast_afar = their_scorers:theirs_last\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    run = steelyard.score(ROWS, ["from_afar:times=2"], store=False)
    assert run.metrics["theirs"]["theirs_sum"].value == 6.0
    with pytest.raises(LookupError, match="from_afar"):
        steelyard.score(ROWS, "from_afr", store=False)
    figures = steelyard.score(ROWS, scorer(metrics=["sum_afar"], name="n")(lambda output: 1.0), store=False).metrics
    assert float(next(iter(figures["n"].values()))) == 2.0
    rows = [{"id": 1, **row} for row in ROWS]
    run = steelyard.score(rows, "exact_match", epochs="repeats", reducer="last_afar", store=False)
    assert run.metrics["exact_match"]["mean"].value == 0.0
    sys.modules.pop("their_scorers")
