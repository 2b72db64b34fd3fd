"""What it costs to begin: imports, help, and a small file to the printed table."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.inputs import rows
from bench.measure import ROUNDS, Figure, best_of_turns, child_cpu

__all__ = ["starting"]

PART = "starting"
SCORERS = ("match:numeric=true", "includes", "f1", "token_f1", "rouge_l", "exact_match")


def starting(rounds: int = 2 * ROUNDS) -> Iterator[Figure]:
    """CPU of whole processes. A process more costs little, so there are more rounds."""
    python = (sys.executable, "-c")
    with tempfile.TemporaryDirectory() as folder:
        data = _small_file(Path(folder))
        score = [*_command("score", str(data)), *(word for name in SCORERS for word in ("--scorer", name))]
        commands = [
            [*python, "pass"],
            [*python, "import steelyard"],
            [*python, "import steelyard; steelyard.Score"],
            [*_command("--help")],
            score,
        ]
        timed = [partial(child_cpu, command, cwd=folder) for command in commands]
        bare, door, name, help_text, table = (1000 * each for each in best_of_turns(*timed, rounds=rounds))
        ours = f"over a bare interpreter, {bare:.1f} ms"
        yield Figure(PART, "import steelyard", door - bare, "ms", "at most", 15, ours)
        yield Figure(PART, "import steelyard; steelyard.Score", name - bare, "ms", "at most", 80, ours)
        yield Figure(PART, "steelyard --help", help_text, "ms", "at most", 110, "whole process")
        yield Figure(PART, "steelyard score, 150 rows, six scorers", table / 1000, "s", "at most", 1.2, "whole process")
        loaded = _loaded(score, folder)
        yield Figure(PART, "modules of scipy.stats that it loads", loaded, "", "at most", 0)


def _command(*words: str) -> list[str]:
    """The command of the environment that runs this."""
    return [str(Path(sys.executable).with_name("steelyard")), *words]


def _small_file(folder: Path) -> Path:
    from steelyard.data import write_rows

    path = folder / "small.jsonl"
    write_rows(path, rows("short", 150))
    return path


def _loaded(command: list[str], folder: str) -> int:
    """How many modules of scipy.stats a command imports."""
    found = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return sum("scipy.stats" in line for line in found.stderr.splitlines())
