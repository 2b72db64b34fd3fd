"""A live run that is interrupted, or killed: what was answered is scored, stored and found again."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from steelyard import load

SCRIPT = """
import sys
import steelyard
from steelyard.testing import FakeModel

rows = [{"id": f"s{i}", "input": f"q{i}", "target": "a reply"} for i in range(100_000)]

def tell(done, failed, in_flight):
    if done >= 30:
        print("ready", flush=True)

steelyard.run(
    rows, lambda prediction, expected: prediction == expected, name="long",
    model=FakeModel(latency=0.01), store=sys.argv[1], concurrency=16, progress=tell,
)
"""


def until_ready(folder):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_keeps_what_was_answered(tmp_path, times):
    process = until_ready(tmp_path)
    for _ in range(times):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    _, err = process.communicate(timeout=15)
    assert "KeyboardInterrupt" in err
    run = load("long", store=tmp_path)
    assert run.record.status == "cancelled"
    samples, outcomes = list(run.samples()), list(run.outcomes())
    assert len(samples) == len(outcomes) == len(run) >= 30
    assert all(sample.output == "a reply" for sample in samples)
    if times == 1:
        assert all(row.outcome.value is True for row in outcomes)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_kill_keeps_what_was_counted_as_done(tmp_path):
    process = until_ready(tmp_path)
    process.kill()
    process.communicate(timeout=15)
    run = load("long", store=tmp_path)
    assert run.record.status == "started"
    outcomes = list(run.outcomes())
    assert len(outcomes) >= 30
    assert all(row.outcome.value is True for row in outcomes)
