"""`steelyard score`: score the outputs in a file."""

from typing import Any

import click

from steelyard.cli.choosing import chosen_scorers
from steelyard.cli.keeping import keeping
from steelyard.cli.outcome import check_failures, percent, run_documents, show_comparison, show_run
from steelyard.cli.progress import Progress, expected_rows
from steelyard.cli.session import Session, verb
from steelyard.errors import UsageError

__all__ = ["command"]

HELP = """Score the outputs in FILE: JSON lines, JSON, CSV or TSV, each also .gz; Parquet; "-" for standard input.

\b
  steelyard score answers.jsonl --scorer match:numeric=true --scorer token_f1
  steelyard score answers.csv --scorer exact_match --output-column reply --target-column gold

Columns called input, target, output, context, choices and id are found by themselves, as are their usual other names
(question, expected, answer, response, ...). Give --output-column several times to compare several models.
"""


@verb("score", help=HELP)
@click.argument("file")
@click.option(
    "--scorer", "scorers", multiple=True, metavar="SCORER", help="NAME, NAME:option=value, or JSON. Repeatable."
)
@click.option(
    "--output-column", "outputs", multiple=True, metavar="COLUMN", help="What the model said. Repeatable: a run each."
)
@click.option("--target-column", "target", metavar="COLUMN", help="What it should have said.")
@click.option("--input-column", "input", metavar="COLUMN", help="What it was asked.")
@click.option("--context-column", "context", metavar="COLUMN", help="What the answer may draw on.")
@click.option("--choices-column", "choices", metavar="COLUMN", help="The options of a multiple-choice question.")
@click.option("--id-column", "id", metavar="COLUMN", help="What names a sample.")
@click.option("--epoch-column", "epoch", metavar="COLUMN", help="Which repetition of its sample a row is.")
@click.option("--epochs", type=click.Choice(["repeats"]), help="Rows that repeat an id are repetitions of its sample.")
@click.option("--output-pattern", metavar="REGEX", help="Score only what this matches in the output (its first group).")
@click.option("--target-pattern", metavar="REGEX", help="The same for the target: 'A: (.*)'.")
@click.option("--map", "maps", multiple=True, metavar="ARG=COLUMN", help="Give a scorer's argument another column.")
@click.option("--by", multiple=True, metavar="COLUMN", help="Show figures for each value of a column, too.")
@click.option("--cluster", metavar="COLUMN", help="Samples with one value here belong together: wider, honest errors.")
@click.option("--reducer", "reducers", multiple=True, metavar="NAME", help="Epochs to one score: mean, pass_at_2, ...")
@click.option(
    "--on-unscored",
    type=click.Choice(["exclude", "worst", "raise"]),
    default="exclude",
    show_default=True,
    help="Samples without a score are left out of a mean, count as wrong, or are an error.",
)
@click.option("--name", metavar="TEXT", help="What the run is called; by default after the file.")
@click.option("--model", metavar="TEXT", help="Which model gave the outputs, for the record.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N rows.")
@click.option("--skip-bad-rows", is_flag=True, help="Leave out rows that cannot be read, and count them.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes for a large file.")
@click.option(
    "--fail-on-error", callback=percent, metavar="N%", help="Exit code 3 if more than N% of a scorer's outcomes failed."
)
def command(
    session: Session,
    *,
    file: str,
    scorers: tuple[str, ...],
    outputs: tuple[str, ...],
    maps: tuple[str, ...],
    reducers: tuple[str, ...],
    limit: int | None,
    fail_on_error: float | None,
    **options: Any,
) -> None:
    """Score a file, and show the figures."""
    from steelyard._api import score

    if not scorers:
        raise UsageError(
            "which scorer? Name at least one: --scorer exact_match, --scorer match:numeric=true, --scorer choice, "
            "--scorer token_f1. They are all listed by: steelyard scorers"
        )
    forms = chosen_scorers(scorers)
    with keeping(session), Progress(session, expected_rows(file, limit)) as progress:
        made = score(
            file,
            forms,
            output=list(outputs) if len(outputs) > 1 else outputs[0] if outputs else None,
            column_map=_column_map(maps),
            reducer=list(reducers) or None,
            limit=limit,
            store=session.store,
            progress=progress,
            **options,
        )
    runs = list(made) if len(outputs) > 1 else [made]
    differences: list[Any] = []
    if len(runs) > 1:
        differences = show_comparison(session, runs)
    else:
        show_run(session, runs[0])
    session.emit(run_documents(runs, differences))
    session.suggest(
        *(f"steelyard show {run.id} --wrong" for run in runs[:2]), f"steelyard export {runs[0].id} -o scores.csv"
    )
    check_failures(session, runs, fail_on_error)


def _column_map(maps: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for item in maps:
        argument, equals, column = item.partition("=")
        if not (argument and equals and column):
            raise UsageError(f"cannot read --map {item!r}; write ARGUMENT=COLUMN, such as --map context=passage")
        found[argument] = column
    return found
