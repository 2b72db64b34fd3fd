"""Bootstrap and clustered standard errors."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.measure import ROUNDS, Figure, Worker, best_of_turns

__all__ = ["resampling"]

PART = "error bars"


def resampling(peers: Path, rounds: int = ROUNDS, divide: int = 1) -> Iterator[Figure]:
    """1,000 resamples of 100,000 scores beside inspect_ai's; clusters over a million."""
    n, many = 100_000 // divide, 1_000_000 // divide
    with Worker("bench.ours") as ours, Worker("bench.inspect_peer", peers) as theirs:
        for distinct, shown, target in ((None, "continuous scores", 7), (100, "100 distinct values", 100)):
            call = {"n": n, "distinct": distinct}
            fast, slow = best_of_turns(
                partial(ours.seconds, "bootstrap", **call), partial(theirs.seconds, "bootstrap", **call), rounds=rounds
            )
            name = f"bootstrap_stderr, 1,000 resamples of {n:,}, {shown}"
            yield Figure(PART, name, slow / fast, "x", "at least", target, f"{fast:.3f} s", f"inspect_ai {slow:.2f} s")
        for keys, shown, most in (("codes", "stored codes", 0.05), ("texts", "raw text keys", 0.8)):
            (best,) = best_of_turns(partial(ours.seconds, "clustered", n=many, keys=keys), rounds=rounds)
            yield Figure(PART, f"clustered stderr over {many:,} scores, {shown}", best, "s", "at most", most)
