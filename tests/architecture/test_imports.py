"""Importing costs nothing: heavy packages load where they are first needed, and nothing happens on the way."""

import importlib.util
import subprocess
import sys
import textwrap

import pytest

HEAVY = {"asyncio", "importlib.metadata", "numpy", "sqlite3"}
OTHERS = {
    "aiohttp", "click", "duckdb", "msgspec", "narwhals", "pandas", "polars", "pyarrow", "rapidfuzz", "regex", "rich",
    "scipy", "yaml",
}  # fmt: skip


def _loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running ``code``, less those it has at its start."""
    program = f"""
    import sys
    sys.argv = ["steelyard"]
    before = set(sys.modules)
    {code}
    print("LOADED", *sorted(set(sys.modules) - before))
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("LOADED")[2].split())


def test_importing_the_package_loads_nothing_of_it():
    loaded = _loaded_by("import steelyard")
    assert {name for name in loaded if name.startswith("steelyard")} == {
        "steelyard",
        "steelyard.core",
        "steelyard.core.door",
    }
    assert not loaded & (HEAVY | OTHERS)


@pytest.mark.parametrize(
    "code",
    [
        "import steelyard; steelyard.Score, steelyard.Target, steelyard.TaskState",
        "import steelyard.scorers",
        "import steelyard.metrics",
        "import steelyard.errors",
    ],
)
def test_values_and_doors_load_nothing_heavy(code):
    loaded = _loaded_by(code)
    assert not loaded & HEAVY
    assert not loaded & (OTHERS - {"msgspec"})


def test_writing_a_scorer_loads_no_numbers_and_no_database():
    """It does load asyncio, which the bridge to async scorers needs."""
    loaded = _loaded_by("import steelyard; steelyard.scorer, steelyard.Scorer")
    assert not loaded & (HEAVY - {"asyncio"})
    assert not loaded & (OTHERS - {"msgspec"})


def test_help_loads_nothing_heavy():
    help_text = "from steelyard.cli.app import main\n    try: main(['--help'])\n    except SystemExit: pass"
    assert importlib.util.find_spec("steelyard.cli"), "the command line has moved: mend this test"
    loaded = _loaded_by(help_text)
    assert not loaded & HEAVY
    assert not loaded & (OTHERS - {"click", "msgspec"})


def test_scoring_a_pair_loads_no_numbers_and_no_database():
    loaded = _loaded_by("from steelyard.scorers import match\n    match()('42', '42')")
    assert not loaded & {"numpy", "scipy", "sqlite3", "importlib.metadata"}


def test_importing_every_module_writes_and_reads_nothing(tmp_path):
    """No folders, no logging set-up, no environment, no patches: seen from the folder and from the root logger."""
    code = """
    import importlib, logging, os, pkgutil, warnings
    import steelyard
    environment = dict(os.environ)
    for info in pkgutil.walk_packages(steelyard.__path__, "steelyard."):
        if not info.name.endswith("__main__"):
            importlib.import_module(info.name)
    assert dict(os.environ) == environment
    assert not logging.getLogger().handlers
    assert not os.listdir(".")
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
