"""Several processes write to one store at once, from the moment that it is made: all succeed, and none loses a row."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.store.sqlite import SqliteStore

SOURCE = Path(__file__).resolve().parents[2] / "src"

WRITER = """
import sys
from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.store.sqlite import SqliteStore

name = sys.argv[2]
sys.stdin.readline()  # all begin at once
store = SqliteStore(sys.argv[1])
for attempt in range(3):
    run = RunRecord(id=f"{name}{attempt:011d}", name=name, created=str(attempt))
    writer = store.create(run, [ScoringRecord(name="a", spec={})])
    for start in range(0, 2000, 100):
        texts = [f"{name} {seq}" for seq in range(start, start + 100)]
        columns = Columns({"output": texts}, 100, ids=texts)
        writer.write(writer.encoder(columns, [ScoreColumns(texts)], range(start, start + 100)))
    writer.finish("success")
"""


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_processes_that_write_at_once_all_succeed(tmp_path):
    names = ["a", "b", "c"]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "new"), name],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
        )
        for name in names
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, complaint = process.communicate(timeout=100)
        assert process.returncode == 0, complaint
    store = SqliteStore(tmp_path / "new")
    assert len(store.runs()) == 9
    for run in store.runs():
        reader = store.open(run.id)
        assert (run.status, run.n_samples) == ("success", 2000)
        assert [row[3] for row in reader.values(reader.scorings[0])] == [f"{run.name} {seq}" for seq in range(2000)]
