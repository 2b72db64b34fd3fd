"""A process that writes is killed at any moment: every row that it was told is committed is there, and all of it is whole."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from steelyard.core.record import decode_value
from steelyard.store.sqlite import SqliteStore

SOURCE = Path(__file__).resolve().parents[2] / "src"

WRITER = """
import sys
from steelyard.core.columns import Columns, Detail, ScoreColumns
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.store.sqlite import SqliteStore

run_id, rows = sys.argv[2], int(sys.argv[3])
run = RunRecord(id=run_id, name="doomed", created=run_id, by=("parity",))
writer = SqliteStore(sys.argv[1]).create(run, [ScoringRecord(name="number", spec={}), ScoringRecord(name="text", spec={})])
start, told = 0, 0
while True:
    seqs = range(start, start + rows)
    texts = [f"text {seq} " * (seq % 90) for seq in seqs]
    data = {"input": texts, "output": texts, "parity": [seq % 2 for seq in seqs]}
    details = {i: Detail(explanation="because " * 100) for i in range(0, rows, 3)}
    scored = [ScoreColumns([seq / 2 for seq in seqs]), ScoreColumns([str(seq) for seq in seqs], None, None, details)]
    writer.write(writer.encoder(Columns(data, rows, ids=[f"id {seq}" for seq in seqs]), scored, seqs))
    start += rows
    if writer.committed > told:
        told = writer.committed
        print(told, flush=True)
"""


def start(folder, run_id, rows):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), run_id, str(rows)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )


def kill_after(process, seconds):
    """Kill without warning; the number of rows that the process last said are committed."""
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    told = [first, *process.stdout.read().split("\n")]
    process.stdout.close()
    process.wait()
    return [int(line) for line in told if line.strip().isdigit()][-1]


def hold_whole(store, run_id, told):
    reader = store.open(run_id)
    assert reader.record.status == "started"
    samples = list(reader.samples())
    n = len(samples)
    assert n >= told > 0
    assert [sample.seq for sample in samples] == list(range(n))
    assert all(sample.output == f"text {sample.seq} " * (sample.seq % 90) for sample in samples)
    assert reader.sample_ids() == [f"id {seq}" for seq in range(n)]
    assert reader.labels("parity") == [seq % 2 for seq in range(n)]
    number, text = reader.scorings
    assert [decode_value(row[2], row[3]) for row in reader.values(number)] == [seq / 2 for seq in range(n)]
    outcomes = list(reader.outcomes(text))
    assert [row.outcome.value for row in outcomes] == [str(seq) for seq in range(n)]
    assert all((row.outcome.explanation is not None) == (row.seq % 3 == 0) for row in outcomes[:300])
    assert sum(count for *_, count in reader.totals(number)) == n


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("rows", [3, 300, 900])
def test_every_committed_row_outlives_the_process(tmp_path, rows):
    store = SqliteStore(tmp_path)
    moments = random.Random(rows)
    for attempt in range(4):
        run_id = f"{attempt:012d}"
        told = kill_after(start(tmp_path, run_id, rows), moments.uniform(0.0, 0.4))
        with closing(sqlite3.connect(store.path)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        hold_whole(store, run_id, told)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.timeout(60)
def test_a_killed_run_is_resumed_and_ended(tmp_path):
    store = SqliteStore(tmp_path)
    kill_after(start(tmp_path, "0" * 12, 300), 0.1)
    reader = store.open("latest")
    writer = store.open_writer("latest", reader.scorings, outcomes_only=False)
    n = len(reader.sample_ids())
    ended = writer.finish("success")
    assert (ended.status, ended.n_samples) == ("success", n)
    assert store.open("latest").find_sample(f"id {n - 1}") == [n - 1]
