"""The texts that are scored. Standard library alone: the peers' environment reads this file too."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["pairs", "rows", "word_pairs"]

ROOT = Path(__file__).resolve().parents[1]
FILLER = (
    "Let us work through it. The order has several lines, each with its own price and a small discount, "
    "and delivery is charged once. Adding the lines and then the delivery gives the total. "
)
WIDTH = 1300
STRIDE = 130
SYSTEMS = ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification")

Pair = tuple[str, str]


def data_folder() -> Path:
    """The folder of real data sets."""
    return Path(os.environ.get("STEELYARD_TEST_DATA") or ROOT.parent / "shared" / "data").expanduser()


@cache
def pairs(kind: str, n: int | None = None) -> list[Pair]:
    """(output, target) pairs.

    Args:
        kind: ``short`` (39 characters on average) and ``long`` (1,300): arithmetic with six in ten right;
            ``gsm8k``: the solutions of four models, the final answer as target; ``worked``: the same with the worked
            reference solution as target; ``natural``: distinct passages of 1,300 characters on both sides.
        n: How many; None for all there are.
    """
    made = {"short": _short, "long": _long, "gsm8k": _gsm8k, "worked": _worked, "natural": _natural}[kind](n)
    return made if n is None else made[:n]


def rows(kind: str, n: int | None = None) -> list[dict[str, Any]]:
    """The pairs as rows with an id."""
    return [{"id": f"s{i}", "output": output, "target": target} for i, (output, target) in enumerate(pairs(kind, n))]


def _answers(n: int, before: str) -> list[Pair]:
    found: list[Pair] = []
    for i in range(n):
        want = 1000 + (i * 37) % 9000
        got = want if i % 5 < 3 else want + 1 + i % 7
        tails = (
            f"The answer is {got:,}.",
            f"**Answer: ${got}.00**",
            f"So the total is {got}!",
            f"Total = {got} dollars",
            f"ANSWER: {got}",
        )
        found.append((before + tails[i % 5], str(want)))
    return found


def _short(n: int | None) -> list[Pair]:
    return _answers(n or 20_000, "Working it out now. ")


def _long(n: int | None) -> list[Pair]:
    return _answers(n or 4_000, FILLER * 7)


def _gsm8k(n: int | None) -> list[Pair]:
    return [(output, target.rpartition("A: ")[2]) for output, target in _worked(n)]


def _worked(_: int | None) -> list[Pair]:
    path = data_folder() / "gsm8k" / "example_model_solutions_first660.jsonl"
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(question[system]["solution"], question["ground_truth"]) for question in questions for system in SYSTEMS]


def _natural(n: int | None) -> list[Pair]:
    """Windows over the passages of SQuAD, each beginning at another word, so that no text occurs twice."""
    path = data_folder() / "squad_xquad" / "squad_dev_subset.jsonl"
    contexts = dict.fromkeys(json.loads(line)["context"] for line in path.read_text(encoding="utf-8").splitlines())
    text = " ".join(contexts)
    starts = [text.rfind(" ", 0, at) + 1 for at in range(0, len(text) - 2 * WIDTH, STRIDE)]
    return [(text[at : at + WIDTH], text[at + WIDTH // 2 : at + WIDTH // 2 + WIDTH]) for at in starts]


@cache
def word_pairs(n: int, words: int = 60) -> list[Pair]:
    """Pairs of texts of so many words, of which about a quarter differ."""
    import random

    draw = random.Random(0)
    vocabulary = [
        first + last for first in ("ka", "lo", "mi", "ru", "te", "so", "vi") for last in ("", "n", "ra", "tu")
    ]
    found: list[Pair] = []
    for _ in range(n):
        target = draw.choices(vocabulary, k=words)
        output = [draw.choice(vocabulary) if draw.random() < 0.25 else word for word in target]
        found.append((" ".join(output), " ".join(target)))
    return found
