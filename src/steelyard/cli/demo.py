"""`steelyard demo`: the example data, scored and compared."""

import importlib.resources
import inspect
from collections import Counter
from typing import Any

import msgspec

from steelyard.cli.demo_scorers import brief, demo_scorers
from steelyard.cli.keeping import keeping
from steelyard.cli.outcome import run_documents, show_comparison
from steelyard.cli.session import Session, verb

__all__ = ["command"]

HELP = """Score the example data that come with steelyard: 150 questions, and two sets of answers to them.

\b
  steelyard demo
"""

ANSWERS = ("at_once", "step_by_step")

INTRODUCTION = """\
{n} questions, answered twice: at once, and step by step. The data are synthetic:
written for steelyard, and no model's. Each scorer judges the questions of its kind:

    match(numeric=True)   {math} word problems, by the last number
    choice                {choice} multiple-choice questions
    token_f1, rouge_l     {fact} questions of fact, by the words shared with the reference
    json_valid            {extract} extractions into JSON

and one of our own, in a few lines, judges all of them:

{source}
"""

CLOSING = """
Working step by step helps with arithmetic and costs words, which token_f1, rouge_l
and brief count. Intervals are clustered by topic: questions on one topic go well or
badly together, and tell less than as many unrelated ones.
"""


@verb("demo", help=HELP)
def command(session: Session) -> None:
    """Score both sets of answers, store both runs, and compare them."""
    from steelyard._api import score

    rows = demo_rows()
    kinds = Counter(row["kind"] for row in rows)
    source = "\n".join(f"    {line}" for line in inspect.getsource(brief.fn).rstrip().split("\n"))
    session.show(INTRODUCTION.format(n=len(rows), source=source, **kinds))
    with keeping(session):
        runs = list(score(rows, demo_scorers(), output=ANSWERS, cluster="topic", name="demo", store=session.store))
    differences = show_comparison(session, runs)
    session.show(CLOSING.rstrip())
    session.emit(run_documents(runs, differences))
    session.suggest(
        f"steelyard show {runs[0].id} --wrong",
        f"steelyard show {runs[1].id} --wrong --scorer json_valid",
        'steelyard try match:numeric=true "so it is 42." 42',
        "steelyard score YOUR_ANSWERS.jsonl --scorer match",
    )


def demo_rows() -> list[dict[str, Any]]:
    """The questions, each with both answers."""
    answers = {name: {row["id"]: row["output"] for row in _read(name)} for name in ANSWERS}
    return [{**row, **{name: answers[name][row["id"]] for name in ANSWERS}} for row in _read("questions")]


def _read(name: str) -> list[dict[str, Any]]:
    lines = (importlib.resources.files("steelyard.demo") / f"{name}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line) for line in lines]
