"""Cost of a live run around the model's calls: CPU, wall time and peak memory a sample.

Each case is a process of its own. The model answers at once (or after LATENCY seconds), one scorer scores, every row is
committed to SQLite. Usage: python bench/live.py [--reps 3] [--n 2000,20000] [--concurrency 100] [--latency 0]
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src"
MODELS = ("chat", "async", "sync")
SCORERS = ("builtin", "function", "awaiting")


def scorer_of(kind: str):
    from steelyard import scorer
    from steelyard.scoring.form import Pair
    from steelyard.scoring.scorer import Scorer

    def equal(prediction, expected):
        return float(prediction == expected)

    @scorer
    def awaiting() -> Scorer:
        async def score(output, target):
            return float(output == target)

        return Pair(score)

    return {"builtin": "exact_match", "function": equal, "awaiting": awaiting()}[kind]


def model_of(kind: str, latency: float):
    from steelyard.testing import FakeModel

    fake = FakeModel("The capital of France is Paris.", latency=latency)

    async def model(input):
        if latency:
            import asyncio

            await asyncio.sleep(latency)
        return "The capital of France is Paris."

    return {"chat": fake, "async": model, "sync": fake.predict}[kind]


def one(n: int, concurrency: int, latency: float, model: str, scorer: str) -> dict[str, float]:
    import steelyard

    rows = ({"id": f"s{i}", "input": f"What is the capital of France? ({i})", "target": "Paris"} for i in range(n))
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_SELF)
        cpu, wall = time.process_time(), time.perf_counter()
        run = steelyard.run(
            rows, scorer_of(scorer), model=model_of(model, latency), store=folder, concurrency=concurrency
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        assert len(run) == n, run
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu_ms": cpu / n * 1e3, "wall_ms": wall / n * 1e3, "peak_mb": peak, "before_mb": before.ru_maxrss / 1024}


def load() -> float:
    """Wall time over CPU time of a loop that only computes: 1 on a quiet machine."""
    cpu, wall = time.process_time(), time.perf_counter()
    sum(i * i for i in range(5_000_000))
    return (time.perf_counter() - wall) / (time.process_time() - cpu)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", default="2000,20000")
    parser.add_argument("--concurrency", default="100")
    parser.add_argument("--latency", default="0")
    parser.add_argument("--models", default="chat")
    parser.add_argument("--scorers", default="builtin")
    parser.add_argument("--reps", type=int, default=3)
    args = parser.parse_args()
    cases = [
        (n, c, l, m, s)
        for n in args.n.split(",")
        for c in args.concurrency.split(",")
        for l in args.latency.split(",")
        for m in args.models.split(",")
        for s in args.scorers.split(",")
    ]
    found: dict[tuple[str, ...], list[dict[str, float]]] = {case: [] for case in cases}
    loads: list[float] = []
    for _ in range(args.reps):
        for case in cases:
            loads.append(load())
            done = subprocess.run(
                [sys.executable, __file__, "--one", *case], capture_output=True, text=True, check=False
            )
            if done.returncode:
                sys.exit(done.stderr)
            found[case].append(json.loads(done.stdout))
    print(
        f"{'samples':>8} {'at once':>8} {'latency':>8} {'model':>6} {'scorer':>9} {'cpu ms':>8} {'wall ms':>8} {'wall/cpu':>8} {'peak MB':>8} {'(start)':>8}"
    )
    for (n, c, l, m, s), results in found.items():
        mid = {key: statistics.median(r[key] for r in results) for key in results[0]}
        ratio = mid["wall_ms"] / mid["cpu_ms"]
        print(
            f"{n:>8} {c:>8} {l:>8} {m:>6} {s:>9} {mid['cpu_ms']:8.3f} {mid['wall_ms']:8.3f} {ratio:8.2f} "
            f"{mid['peak_mb']:8.0f} {mid['before_mb']:8.0f}"
        )
    print(f"a loop that only computes took {statistics.median(loads):.2f} times its CPU time meanwhile")


if __name__ == "__main__":
    sys.path.insert(0, str(SRC))
    if sys.argv[1:2] == ["--one"]:
        n, concurrency, latency, model, scorer = sys.argv[2:]
        print(json.dumps(one(int(n), int(concurrency), float(latency), model, scorer)))
    else:
        main()
