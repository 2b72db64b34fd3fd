"""`steelyard try`: score one output, and see why."""

import sys
from typing import Any

import click

from steelyard.cli.choosing import chosen_scorers
from steelyard.cli.session import Session, verb
from steelyard.core.columns import Columns
from steelyard.core.score import Outcome, Unscored
from steelyard.errors import BindingError, UsageError
from steelyard.running.recorded import score_chunk
from steelyard.scoring.bound import bind
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.spec import parse_option

__all__ = ["command"]

HELP = """Score one output with SCORER, and see the value, the extracted answer and the reason.

\b
  steelyard try match:numeric=true "so it is 42." 42
  steelyard try choice "The answer is B." B --column choices='["red", "blue"]'

Give several targets where several answers are right. OUTPUT may be "-" for standard input.
"""


@verb("try", help=HELP)
@click.argument("scorer")
@click.argument("output")
@click.argument("targets", nargs=-1, metavar="[TARGET]...")
@click.option("--column", "columns", multiple=True, metavar="NAME=VALUE", help="A further column, as text or JSON.")
def command(session: Session, *, scorer: str, output: str, targets: tuple[str, ...], columns: tuple[str, ...]) -> None:
    """Score one pair; needs no store."""
    form = chosen_scorers([scorer])[0]
    text = sys.stdin.read() if output == "-" else output
    row: dict[str, Any] = {"output": text, **dict(map(_column, columns))}
    if targets:
        row["target"] = targets[0] if len(targets) == 1 else list(targets)
    outcome = _outcome(form, row)
    session.emit({"scorer": form.spec.as_json(), **_fields(outcome)})
    session.show(_page(form, outcome))


def _column(given: str) -> tuple[str, Any]:
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise UsageError(f'cannot read --column {given!r}; write NAME=VALUE, such as --column choices=\'["a", "b"]\'')
    return name, parse_option(value)


def _outcome(form: ScorerForm, row: dict[str, Any]) -> Outcome:
    columns = Columns({name: [cell] for name, cell in row.items()}, 1)
    try:
        bound = bind(form, list(row))
    except BindingError as error:
        what = str(error).partition(" The columns are")[0]
        raise UsageError(
            f"{what} Give the target after the output, and any other column with --column NAME=VALUE."
        ) from None
    return score_chunk([bound], columns, 1)[0].outcome(0)


def _fields(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Unscored):
        return {"value": None, "unscored": outcome.reason, "error": outcome.error}
    return {
        "value": outcome.value,
        "answer": outcome.answer,
        "explanation": outcome.explanation,
        "metadata": outcome.metadata,
        "note": outcome.reason,
    }


def _page(form: ScorerForm, outcome: Outcome) -> str:
    lines = [repr(form.spec)]
    for name, value in _fields(outcome).items():
        if value is not None and value != {}:
            lines.append(f"  {_WORDS.get(name, name):<9} {value}")
    return "\n".join(lines)


_WORDS = {"explanation": "why", "error": "why"}
