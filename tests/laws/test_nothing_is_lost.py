"""Laws of the whole path: every row has one outcome, and how it was scored and kept has no effect on any figure."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard
from steelyard import Score, Unscored
from steelyard._plan import Plan, open_store
from steelyard._run import Run
from steelyard.core.estimate import Estimate
from steelyard.core.score import UNSCORED_REASONS
from steelyard.data.opening import open_source
from steelyard.store.sqlite import SqliteStore

TEXTS = st.text(st.characters(codec=None), max_size=5)
SCALARS = st.one_of(
    st.floats(), st.integers(), st.booleans(), st.sampled_from(["C", "I", "P", "N", "yes", "odd", ""]), TEXTS, st.none()
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["a", "b", "a.b", "mean", ""]), inner, max_size=3)
    ),
    max_leaves=5,
)
RETURNED = st.one_of(
    VALUES,
    st.builds(Score, VALUES, TEXTS | st.none(), TEXTS | st.none(), st.none(), TEXTS | st.none()),
    st.builds(Unscored, st.sampled_from(UNSCORED_REASONS), TEXTS | st.none()),
    st.builds(ValueError, TEXTS),
)
CELLS = st.one_of(SCALARS, st.lists(SCALARS, max_size=2), st.dictionaries(TEXTS, SCALARS, max_size=2))
ROWS = st.lists(
    st.tuples(st.fixed_dictionaries({"output": CELLS, "target": CELLS}, optional={"group": CELLS}), RETURNED),
    min_size=1,
    max_size=12,
)


class Replays:
    """Returns, or raises, for each row what was drawn for it."""

    name = "replays"

    def __init__(self, drawn: list[Any]) -> None:
        self.drawn = drawn

    def score(self, output: Any, place: int) -> Any:
        found = self.drawn[place]
        if isinstance(found, Exception):
            raise found
        return found


class Awaits(Replays):
    """The same, awaited."""

    name = "awaits"

    async def score(self, output: Any, place: int) -> Any:
        return super().score(output, place)


def scored(rows: list[dict[str, Any]], scorers: Any, store: Any, chunk_rows: int, **asked: Any) -> Run:
    plan = Plan(scorers=scorers, name="law", **asked)
    (run,) = plan.score(open_source(rows, chunk_rows=chunk_rows), open_store(store))
    return run


def figures(run: Run) -> dict[str, dict[str, Any]]:
    """Every figure, with numbers to twelve digits: sums in another order differ in the last one."""
    return {name: {key: _rounded(one) for key, one in by_name.items()} for name, by_name in run.metrics.items()}


def _rounded(estimate: Estimate) -> tuple[Any, ...]:
    numbers = (estimate.value, estimate.stderr, estimate.low, estimate.high)
    shown = tuple(None if number is None else f"{number:.11e}" for number in numbers)
    return (*shown, estimate.n, estimate.method, estimate.reason)


def holds(run: Run, rows: list[dict[str, Any]]) -> None:
    """What is true of every run."""
    assert len(run) == len(rows)
    assert len(list(run.outcomes())) == len(rows) * len(run.reader.scorings)
    assert len(list(run.samples())) == len(rows)
    for counts in run.counts.values():
        assert counts.attempted == len(rows)
        assert counts.attempted == counts.scored + sum(counts.unscored.values())
        assert min((counts.scored, *counts.unscored.values())) >= 0
    assert repr(run)


@settings(max_examples=25, deadline=None)
@given(ROWS, st.integers(1, 5), st.sampled_from(["exclude", "worst"]), st.booleans())
def test_how_rows_are_scored_and_kept_has_no_effect(
    drawn: list[tuple[Mapping[str, Any], Any]], chunk_rows: int, on_unscored: str, split: bool
) -> None:
    rows = [{**row, "place": i} for i, (row, _) in enumerate(drawn)]
    given_back = [returned for _, returned in drawn]
    scorers = [Replays(given_back), Awaits(given_back), "exact_match", "token_f1"]
    asked: dict[str, Any] = {"on_unscored": on_unscored}
    if split and any("group" in row for row in rows[:chunk_rows]):
        asked |= {"cluster": "group", "by": ("group",)}
    with tempfile.TemporaryDirectory() as folder:
        inside = scored(rows, scorers, False, 2000, **asked)
        kept = scored(rows, scorers, folder, chunk_rows, **asked)
        with_store = SqliteStore(Path(folder))
        again = steelyard.load(kept.id, store=with_store)
        for run in (inside, kept, again):
            holds(run, rows)
        assert inside.counts == kept.counts == again.counts
        assert figures(inside) == figures(kept) == figures(again)
        outcomes = [
            [(row.scorer, row.id, repr(row.outcome)) for row in run.outcomes()] for run in (inside, kept, again)
        ]
        assert sorted(outcomes[0]) == sorted(outcomes[1]) == sorted(outcomes[2])
        one, other = ([repr(row.outcome) for row in again.outcomes(name)] for name in ("replays", "awaits"))
        assert one == other
