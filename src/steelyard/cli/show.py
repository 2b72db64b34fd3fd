"""`steelyard show`: a run's figures, then its worst samples."""

from typing import TYPE_CHECKING, Any

import click

from steelyard.cli.outcome import show_run
from steelyard.cli.session import Session, command_line, verb
from steelyard.errors import UnscoredError

if TYPE_CHECKING:
    from steelyard._run import Run

__all__ = ["command"]

HELP = """Show a run: its figures, then the samples that did worst.

RUN is an id, the beginning of one, a name (its newest run), or latest.

\b
  steelyard show latest
  steelyard show latest --wrong --scorer match --limit 20
  steelyard show 3f9c --sample math-006
"""

FEW, MANY = 3, 10


@verb("show", help=HELP)
@click.argument("run", default="latest")
@click.option("--wrong", is_flag=True, help="Only samples without full marks, and no figures.")
@click.option("--scorer", metavar="NAME", help="Wrong by which scorer; by default the run's first.")
@click.option("--sample", metavar="ID", help="One sample in full.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many samples.")
def command(
    session: Session, *, run: str, wrong: bool, scorer: str | None, sample: str | None, limit: int | None
) -> None:
    """Show one run, or one sample of it."""
    from steelyard._api import load

    found = load(run, store=session.store)
    if sample is not None:
        _show_sample(session, found, sample)
    else:
        _show_worst(session, found, scorer, wrong=wrong, limit=limit or (MANY if wrong else FEW))


def _show_sample(session: Session, run: "Run", sample: str) -> None:
    from steelyard.report.document import sample_document
    from steelyard.report.samples import sample_page
    from steelyard.results.worst import judged_sample

    judged = judged_sample(run.reader, sample)
    session.show(sample_page(judged, session.reading_width))
    session.emit([sample_document(each) for each in judged])


def _show_worst(session: Session, run: "Run", scorer: str | None, *, wrong: bool, limit: int) -> None:
    from steelyard.report.document import run_document, worst_document
    from steelyard.report.samples import worst_page
    from steelyard.results.view import view
    from steelyard.results.worst import worst_samples

    worst = worst_samples(run.reader, scorer, limit=limit)
    document: dict[str, Any] = {}
    if not wrong:
        try:
            document = run_document(view(run.reader, run.figures), run.warnings)
            show_run(session, run)
            session.show("")
        except UnscoredError as error:  # the run asked for that; its samples can be seen all the same
            session.warn(str(error))
    session.emit({**document, "worst": worst_document(worst)})
    session.show(worst_page(worst, session.reading_width))
    which = ["--scorer", scorer] if scorer else []
    hints = []
    if not wrong and worst.wrong:
        hints.append(command_line("steelyard", "show", run.id, "--wrong", which))
    if wrong and worst.wrong + worst.absent > limit:
        hints.append(command_line("steelyard", "show", run.id, "--wrong", which, "--limit", str(2 * limit)))
    if worst.samples:
        hints.append(command_line("steelyard", "show", run.id, "--sample", worst.samples[0].sample.id))
    session.suggest(*hints)
