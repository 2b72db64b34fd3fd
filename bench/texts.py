"""From a list of dicts to outcomes in memory, beside inspect_ai's scorers and beside plain functions."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.measure import ROUNDS, Figure, Worker, best_of_turns

__all__ = ["functions", "texts"]

PART = "list of dicts to outcomes"
SIZES = {"short": 10_000, "long": 2_000, "gsm8k": None, "worked": None, "natural": None}
SHOWN = {
    "short": "39 characters",
    "long": "1,300 characters",
    "gsm8k": "GSM8K solutions",
    "worked": "GSM8K solutions, against the worked reference",
    "natural": "distinct natural text, 1,300 characters",
}
TARGETS = {
    ("includes", "short"): 4,
    ("includes", "long"): 4,
    ("match", "short"): 3,
    ("match", "gsm8k"): 4,
    ("match", "long"): 10,
    ("f1", "short"): 8,
    ("f1", "gsm8k"): 12,
    ("f1", "worked"): 12,
    ("f1", "natural"): 8,
}
WITH_STATES = {("includes", "short"): 50, ("match", "short"): 15}
"""inspect_ai with the states that it makes its callers build."""


def texts(peers: Path, rounds: int = ROUNDS, divide: int = 1) -> Iterator[Figure]:
    """Each scorer and each kind of text; ``divide`` makes all of it smaller."""
    with Worker("bench.ours") as ours, Worker("bench.inspect_peer", peers) as theirs:
        for (scorer, kind), target in TARGETS.items():
            n = _size(kind, divide)
            call = {"scorer": scorer, "kind": kind, "n": n}
            mine = partial(ours.seconds, "score", **call)
            mine()  # what is made once in a process, such as the state of the repository, is not a row's cost
            fast, slow = best_of_turns(mine, partial(theirs.seconds, "score", **call), rounds=rounds)
            yield _ratio(scorer, f"{SHOWN[kind]}, on states that are there", fast, slow, n, target)
        for (scorer, kind), target in WITH_STATES.items():
            n = _size(kind, divide)
            call = {"scorer": scorer, "kind": kind, "n": n}
            fast, slow = best_of_turns(
                partial(ours.seconds, "score", **call),
                partial(theirs.seconds, "score", **call, building=True),
                rounds=rounds,
            )
            yield _ratio(scorer, f"{SHOWN[kind]}, with the states", fast, slow, n, target)


def functions(rounds: int = ROUNDS, divide: int = 1) -> Iterator[Figure]:
    """A user's function over the bare function; `rouge_l` beside the textbook's."""
    with Worker("bench.ours") as ours:
        n = 50_000 // divide
        scored, bare = best_of_turns(
            partial(ours.seconds, "user", n=n), partial(ours.seconds, "bare", n=n), rounds=rounds
        )
        each = 1e6 / n
        shown = f"{scored * each:.2f} us a row", f"the function alone {bare * each:.2f} us"
        yield Figure(
            PART, "a user's function over the bare function", (scored - bare) * each, "us", "at most", 2, *shown
        )
        few, many = max(1, 200 // divide), max(1, 5_000 // divide)
        fast, slow = best_of_turns(
            partial(ours.seconds, "rouge", n=many), partial(ours.seconds, "plain_rouge", n=few), rounds=rounds
        )
        fast, slow = 1e6 * fast / many, 1e6 * slow / few
        shown = f"{fast:.1f} us a row", f"plain dynamic programming {slow:.0f} us"
        yield Figure(PART, "rouge_l, pairs of 60 words", slow / fast, "x", "at least", 25, *shown)


def _size(kind: str, divide: int) -> int:
    from bench.inputs import pairs

    return max(1, (SIZES[kind] or len(pairs(kind))) // divide)


def _ratio(scorer: str, shown: str, fast: float, slow: float, n: int, target: float) -> Figure:
    name = {"match": "match(numeric=True)"}.get(scorer, scorer)
    ours, beside = f"{1e6 * fast / n:.2f} us a row", f"inspect_ai {1e6 * slow / n:.2f} us"
    return Figure(PART, f"{name}, {shown}", slow / fast, "x", "at least", target, ours, beside)
