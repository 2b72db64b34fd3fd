"""The bench runs: its parts that need no peer, at tiny sizes. What they measure is for `python -m bench` to say."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", ["starting", "functions", "files"])
def test_a_part_runs(part, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "bench", part, "--quick"],
        cwd=ROOT,
        env={**os.environ, "STEELYARD_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("(at ") >= 2


@pytest.mark.slow
def test_our_side_of_each_case_runs(test_data):
    requests = [
        '["score", {"scorer": "f1", "kind": "natural", "n": 2}]',
        '["score", {"scorer": "match", "kind": "gsm8k", "n": 2}]',
        '["bootstrap", {"n": 100, "distinct": 5}]',
        '["clustered", {"n": 100, "keys": "texts"}]',
    ]
    done = subprocess.run(
        [sys.executable, "-m", "bench.ours"], cwd=ROOT, input="\n".join(requests) + "\n", capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(requests)
