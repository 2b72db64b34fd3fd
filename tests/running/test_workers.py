"""Processes that score parts of a source."""

import json
import math
import os
import pickle
import subprocess
import sys
import textwrap
from functools import partial
from pathlib import Path

import pytest

import steelyard
from steelyard.data import _parts
from steelyard.errors import WorkerError
from steelyard.running.workers import map_in_processes

ROWS = 4000


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file that is large enough to be cut, with rows of every fate."""
    path = tmp_path / "large.jsonl"
    said = ["a", "b", "", None, "so it is a", {"a": 1}, 3]
    filler = "x" * (_parts.SMALLEST // ROWS)
    rows = [{"id": i, "output": said[i % 7], "target": "a" if i % 5 else None, "filler": filler} for i in range(ROWS)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_results_come_in_order() -> None:
    found = list(map_in_processes(pickle.dumps(math.sqrt), [n * n for n in range(20)], 3))
    assert found == [float(n) for n in range(20)]


def test_what_is_raised_there_is_raised_here() -> None:
    with pytest.raises(ValueError, match="math domain error") as caught:
        list(map_in_processes(pickle.dumps(math.sqrt), [1, -1, 4], 2))
    assert "in a worker process" in caught.value.__notes__[0]


def test_a_process_that_dies_is_an_error_and_no_wait() -> None:
    with pytest.raises(WorkerError, match="ended with code 7 before it was done.*workers=1"):
        list(map_in_processes(pickle.dumps(os._exit), [7], 1))


def test_work_that_cannot_be_found_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        list(map_in_processes(b"cnowhere\nnothing\n.", [1], 1))


def test_what_is_printed_there_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(map_in_processes(pickle.dumps(partial(print, "said")), ["this"], 1)) == [None]
    assert capfd.readouterr().out == ""


def test_two_processes_give_what_one_gives(large: Path) -> None:
    scorers = ["exact_match", "token_f1", "match:numeric=true"]
    one, two = (steelyard.score(large, scorers, workers=n, store=False, cluster="target") for n in (1, 2))
    assert one.metrics == two.metrics
    assert one.counts == two.counts
    assert list(one.outcomes()) == list(two.outcomes())
    assert one.record.dataset_version == two.record.dataset_version


SCRIPT = """
import steelyard

print("begun")

def mine(prediction, expected):
    return 1.0

built_in = steelyard.score({path!r}, ["exact_match"], workers=2, store=False)
print(built_in.counts["exact_match"].attempted, *built_in.warnings)
own = steelyard.score({path!r}, [mine], workers=2, store=False)
print(own.counts["mine"].attempted, *own.warnings)
"""


def test_a_script_without_a_guard_runs_once(large: Path, tmp_path: Path) -> None:
    """Its own scorer stays in its process, and the run says so."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT).format(path=str(large)))
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    begun, built_in, own = ran.stdout.splitlines()
    assert (begun, built_in) == ("begun", str(ROWS))
    assert own.startswith(f"{ROWS} all rows were scored in one process, since no other can have mine")
