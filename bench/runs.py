"""Live runs with a fake model, beside `inspect eval` with its mock model."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.measure import ROOT, ROUNDS, Figure, quiet

__all__ = ["runs"]

PART = "live run, 100 in flight"


def runs(peers: Path, rounds: int = ROUNDS, sizes: Sequence[int] = (2_000, 20_000)) -> Iterator[Figure]:
    """One scorer, durable; each run in a process of its own. The peer takes its turn at the first size."""
    small = sizes[0]
    found: dict[int, list[dict[str, float]]] = {n: [] for n in sizes}
    theirs: list[dict[str, float]] = []
    for _ in range(rounds):
        for n in sizes:
            found[n].append(_live("bench.ours", sys.executable, n))
        theirs.append(_live("bench.inspect_peer", peers, small))
    for n, taken in found.items():
        best = min(each["cpu"] for each in taken)
        yield Figure(PART, f"CPU a sample, {n:,} samples", 1000 * best / n, "ms", "at most", 0.3, f"{best:.2f} s CPU")
        wall = min(each["wall"] / each["cpu"] for each in taken)
        quickest = min(each["wall"] for each in taken)
        yield Figure(PART, f"wall over CPU, {n:,} samples", wall, "x", "at most", 2, f"{quickest:.2f} s wall")
        yield Figure(PART, f"peak memory, {n:,} samples", min(each["peak"] for each in taken), "MB", "at most", 120)
    fast, slow = (min(each["cpu"] for each in taken) / small * 1000 for taken in (found[small], theirs))
    shown = f"{fast:.2f} ms a sample", f"inspect eval {slow:.1f} ms, {min(each['peak'] for each in theirs):.0f} MB"
    yield Figure(PART, f"beside inspect eval, {small:,} samples", slow / fast, "x", "at least", 50, *shown)


def _live(module: str, python: Path | str, n: int) -> dict[str, float]:
    done = subprocess.run(
        [str(python), "-m", module, "live", str(n)], cwd=ROOT, env=quiet(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{module} live {n} ended with code {done.returncode}: {done.stderr[-2000:]}")
    return dict(json.loads(done.stdout.splitlines()[-1]))
