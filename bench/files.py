"""Large files of JSON lines, scored by four scorers into a durable store."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measure import Figure, Spent, run_watched

__all__ = ["files", "write_large"]

PART = "large files, four scorers"
SCORERS = ("includes", "match:numeric=true", "token_f1", "exact_match")
FILLER = "The order has several lines, each with a price, a discount, and a share of the delivery"


def write_large(path: Path, n: int) -> None:
    """So many rows of about 300 bytes."""
    with path.open("w", encoding="utf-8") as file:
        for i in range(n):
            want = 1000 + i * 37 % 90_000
            got = want if i % 5 < 3 else want + 1 + i % 7
            row = {
                "id": f"question-{i}",
                "input": f"Question {i}: {FILLER}. What is the total?",
                "output": f"Let us add it up, line {i % 211} first. {FILLER}; so the total is ${got}.",
                "target": str(want),
            }
            file.write(json.dumps(row) + "\n")


def files(sizes: Sequence[int] = (100_000, 1_000_000), rounds: int = 3) -> Iterator[Figure]:
    """The command, whole process: two workers on two cores beside one on one core, taking turns."""
    for n in sizes:
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "large.jsonl"
            write_large(data, n)
            taken = [(_score(data, 2, folder), _score(data, 1, folder)) for _ in range(rounds)]
        two, one = (min((pair[i] for pair in taken), key=lambda spent: spent.wall) for i in (0, 1))
        peak = max(pair[0].peak for pair in taken)
        shown = f"{two.wall:.1f} s wall, {two.cpu:.1f} s CPU", f"one core {n / one.wall:,.0f} rows/s"
        yield Figure(PART, f"{n:,} rows, two cores", n / two.wall, "rows/s", "at least", 20_000, *shown)
        yield Figure(PART, f"{n:,} rows, two cores over one", one.wall / two.wall, "x", "at least", 1.5)
        memory = f"one core {max(pair[1].peak for pair in taken):.0f} MB"
        yield Figure(PART, f"{n:,} rows, memory of all processes", peak, "MB", "at most", 400, "", memory)


def _score(data: Path, workers: int, folder: str) -> Spent:
    """Score a file with the command."""
    command = [str(Path(sys.executable).with_name("steelyard")), "score", str(data), "--workers", str(workers)]
    for scorer in SCORERS:
        command += ["--scorer", scorer]
    cores = set(sorted(os.sched_getaffinity(0))[:workers])
    with tempfile.TemporaryDirectory(dir=folder) as home:
        return run_watched(command, cores=cores, cwd=home, env={"STEELYARD_HOME": home})
