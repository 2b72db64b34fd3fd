"""A run whose process was killed: what is stored of it is counted, and its epochs are epochs."""

from pathlib import Path

from steelyard import load
from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.store.sqlite import SqliteStore


def test_a_run_without_an_end_says_how_far_it_came(tmp_path: Path) -> None:
    """Rows come in any order, some places stay empty, and no end is written."""
    record = RunRecord(id="a" * 12, name="killed", created="2026-01-01T00:00:00.000", cluster="group", by=("group",))
    store = SqliteStore(tmp_path)
    writer = store.create(record, [ScoringRecord(name="s", spec="s")])
    places = [5, 0, 1, 3]
    data = {"output": list("abcd"), "group": list("yxxy")}
    columns = Columns(data, 4, 0, ["two", "one", "one", "two"], [2, 1, 2, 1])
    writer.write(writer.encoder(columns, [ScoreColumns([1.0, 0.0, 1.0, None], None, {3: "no_output"})], places))
    while writer.committed < 4:
        pass

    run = load(store=tmp_path)
    assert (run.record.status, len(run), run.record.n_epochs) == ("started", 4, 2)
    assert [(found.n_samples, found.n_epochs) for found in store.runs()] == [(4, 2)]
    assert "4 rows · 2 epochs" in repr(run)
    mean = run.metrics["s"]["mean"]
    assert (mean.value, mean.n) == (0.75, 2)  # one: (0 + 1) / 2, two: 1
    assert run.counts["s"].attempted == 4
    writer.finish("cancelled")
