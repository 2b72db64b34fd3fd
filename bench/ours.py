"""Our side of the figures: python -m bench.ours."""

import functools
import gc
import json
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import steelyard
from bench.inputs import pairs, rows, word_pairs
from bench.resampled import drawn
from bench.serving import serve, timed_once
from steelyard.scorers import f1, includes, match, rouge_l


def score(scorer: str, kind: str, n: int | None = None) -> Callable[[], Any]:
    """From a list of dicts to outcomes in memory."""
    found = {"includes": includes(), "match": match(numeric=True), "f1": f1()}[scorer]
    given = rows(kind, n)
    return lambda: steelyard.score(given, found, store=False)


def shares_words(output: str, target: str) -> float:
    """What a user would write."""
    wanted = set(target.lower().split())
    found = set(output.lower().split())
    if not wanted:
        return 0.0
    return len(wanted & found) / len(wanted)


def user(n: int) -> Callable[[], Any]:
    """A user's function of five lines, scored."""
    given = rows("short", n)
    return lambda: steelyard.score(given, shares_words, store=False)


def bare(n: int) -> Callable[[], Any]:
    """The same function in a loop."""
    given = rows("short", n)
    return lambda: [shares_words(row["output"], row["target"]) for row in given]


def rouge(n: int) -> Callable[[], Any]:
    """Our `rouge_l`, from a list of dicts."""
    given = [{"id": i, "output": output, "target": target} for i, (output, target) in enumerate(word_pairs(n))]
    return lambda: steelyard.score(given, rouge_l, store=False)


def plain_rouge(n: int) -> Callable[[], Any]:
    """ROUGE-L as it stands in textbooks."""
    given = word_pairs(n)
    return lambda: [_plain_rouge(output, target) for output, target in given]


def _plain_rouge(output: str, target: str) -> float:
    a, b = output.lower().split(), target.lower().split()
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            table[i][j] = table[i - 1][j - 1] + 1 if same else max(table[i - 1][j], table[i][j - 1])
    return 2 * table[-1][-1] / (len(a) + len(b))


def bootstrap(n: int, distinct: int | None) -> Callable[[], Any]:
    """Our `bootstrap_stderr` over scores that are there already."""
    from steelyard import SampleScore, Score
    from steelyard.metrics import bootstrap_stderr

    scores = [SampleScore(Score(value)) for value in drawn(n, distinct)]
    metric = bootstrap_stderr(num_samples=1000)
    return lambda: metric(scores)


def clustered(n: int, keys: str) -> Callable[[], Any]:
    """The clustered standard error of so many scores, in clusters of five."""
    import numpy as np

    from steelyard.stats import clustered_stderr

    values = np.random.default_rng(0).random(n)
    codes = np.arange(n) // 5
    given: Any = codes if keys == "codes" else [f"document-{code}" for code in codes.tolist()]
    return lambda: clustered_stderr(values, given)


def live(n: int) -> dict[str, float]:
    """A run of so many samples with a fake model; the whole of `run`, its store durable."""
    from steelyard.testing import FakeModel

    samples = [
        {"id": i, "input": f"Question {i}: what is {i % 60} + {i % 7}?", "target": str(i % 60 + i % 7)}
        for i in range(n)
    ]
    model = FakeModel("Working it out now. The answer is 42.")
    with tempfile.TemporaryDirectory() as folder:
        return timed_once(
            lambda: steelyard.run(samples, match(numeric=True), model=model, store=folder, concurrency=100)
        )


def forget() -> None:
    """Empty every memo, so that nothing is remembered from the call before."""
    for memo in gc.get_objects():
        if type(memo) is functools._lru_cache_wrapper and memo.__module__.startswith("steelyard.scorers"):
            memo.cache_clear()


if __name__ == "__main__":
    if sys.argv[1:2] == ["live"]:
        print(json.dumps(live(int(sys.argv[2]))))
    else:
        named = {each.__name__: each for each in (score, user, bare, rouge, plain_rouge, bootstrap, clustered)}
        serve(named, before=forget)
