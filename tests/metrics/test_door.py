"""The door: what it lists is there, and looking through it loads nothing heavy."""

import importlib
import subprocess
import sys

import pytest

from steelyard import metrics
from steelyard.metrics import find_metric, find_reducer

NEEDED = {
    "grouped": {"metric": "mean", "group_key": "g"},
    "at_least": {"k": 1},
    "pass_at": {"k": 1},
    "pass_k": {"k": 1},
}


@pytest.mark.parametrize("name", metrics.BUILTIN)
def test_every_listed_metric_is_there_under_its_name(name):
    made = find_metric({name: NEEDED.get(name, {})})
    assert made.name == name
    assert getattr(metrics, name).__doc__


@pytest.mark.parametrize("name", metrics.BUILTIN_REDUCERS)
def test_every_listed_reducer_is_there_under_its_name(name):
    assert find_reducer({name: NEEDED.get(name, {})}).name == name


@pytest.mark.parametrize("name", [*metrics.BUILTIN, *(p.split(":")[1] for p in metrics.BUILTIN_REDUCERS.values())])
def test_every_docstring_says_what_a_reader_needs(name):
    text = importlib.import_module("steelyard.metrics").__getattr__(name).__doc__
    for part in ("Returns:", "Raises:", "Source:", ">>> "):
        assert part in text, part


def test_importing_the_door_and_the_decorators_loads_no_numpy():
    code = (
        "import sys, steelyard.metrics\n"
        "from steelyard.metrics import metric, score_reducer, Metric, BUILTIN, mean_score\n"
        "assert not {'numpy', 'scipy'} & set(sys.modules), 'loaded'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_table_of_shares_and_errors_loads_no_scipy():
    code = (
        "import sys\n"
        "from steelyard.core.scored import ScoredColumn\n"
        "from steelyard.metrics import compute\n"
        "compute(['accuracy', 'stderr', 'std'], ScoredColumn('s', ['C', 'I']))\n"
        "assert 'scipy' not in sys.modules, 'loaded'\n"
        "compute(['mean'], ScoredColumn('s', [0.5, 0.25]))\n"
        "assert 'scipy.stats' not in sys.modules, 'loaded'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
