"""The list of stored runs."""

import pytest

import steelyard
from steelyard._plan import open_store
from steelyard.errors import UnscoredError
from steelyard.results.listing import listing


def test_runs_stand_newest_first_with_the_first_scorers_figure(tmp_path):
    store = open_store(tmp_path / "runs")
    rows = [{"output": "a", "target": "a"}, {"output": "b", "target": "a"}]
    for name in ("one", "two"):
        steelyard.score(rows, ["exact_match", "token_f1"], name=name, store=store)
    lines = listing(store)
    assert [line.record.name for line in lines] == ["two", "one"]
    assert lines[0].scorers == ("exact_match", "token_f1")
    head = lines[0].headline
    assert head is not None
    assert (head.scorer, head.metric, head.estimate.value) == ("exact_match", "mean", 0.5)
    assert [line.record.name for line in listing(store, name="one")] == ["one"]
    assert len(listing(store, limit=1)) == 1


def test_a_run_that_was_refused_can_be_listed(tmp_path):
    store = open_store(tmp_path / "runs")
    steelyard.score([{"output": "a", "target": "a"}], ["exact_match"], store=store, name="good")
    with pytest.raises(UnscoredError):
        steelyard.score([{"output": None, "target": "a"}], ["exact_match"], store=store, on_unscored="raise")
    first, second = listing(store)
    assert first.problem is None
    assert second.headline is not None
