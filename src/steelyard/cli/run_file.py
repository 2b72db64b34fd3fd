"""`steelyard run`: an evaluation that is written in Python."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from steelyard.cli.keeping import keeping
from steelyard.cli.outcome import check_failures, percent, run_documents, show_comparison, show_run
from steelyard.cli.progress import Progress
from steelyard.cli.script import execute
from steelyard.cli.session import Session, command_line, verb

if TYPE_CHECKING:
    from steelyard._run import Run

__all__ = ["command"]

HELP = """Run FILE.py. Each steelyard.run or steelyard.score in it is a run, and its table is shown.

\b
  steelyard run eval.py
  steelyard run eval.py --limit 5

An Evaluation that the file defines, and does not evaluate itself, is evaluated too: with each Model that the file
defines, or else on the outputs that its rows hold. Further arguments are the file's own, in sys.argv.
"""


@verb("run", help=HELP, context_settings={"ignore_unknown_options": True})
@click.argument("file")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N samples of every run.")
@click.option(
    "--fail-on-error", callback=percent, metavar="N%", help="Exit code 3 if more than N% of a scorer's outcomes failed."
)
def command(
    session: Session, *, file: str, arguments: tuple[str, ...], limit: int | None, fail_on_error: float | None
) -> None:
    """Execute a file, and show every run that it makes."""
    from steelyard._watch import Watch, watching

    made: list[Run] = []
    reporter = _Reporter(session, made)
    watch = Watch(limit=limit, progress=reporter.progress, on_runs=reporter.ended)
    with keeping(session), _store_in_force(session), _output_of_the_file(session), reporter, watching(watch):
        names = execute(file, arguments)
        _evaluate_rest(names)
    session.emit(run_documents(made))
    if made:
        session.suggest(command_line("steelyard", "show", made[-1].id, "--wrong"), "steelyard list")
    else:
        session.warn(
            f"{file} made no run: it calls neither steelyard.run nor steelyard.score, and defines no Evaluation"
        )
    check_failures(session, made, fail_on_error)


class _Reporter:
    """Shows how far the present run is, and each run's table when it has ended."""

    def __init__(self, session: Session, made: "list[Run]") -> None:
        self._session = session
        self._made = made
        self._bar: Progress | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._close()

    def progress(self, done: int, failed: int = 0, under_way: int = 0) -> None:
        """Some rows of the present run are done."""
        if self._bar is None:
            self._bar = Progress(self._session, label="running").__enter__()
        self._bar(done, failed, under_way)

    def ended(self, runs: "Sequence[Run]") -> None:
        """A call has made these runs."""
        self._close()
        if self._made:
            self._session.show("")
        self._made += runs
        if len(runs) > 1:
            show_comparison(self._session, runs)
        else:
            show_run(self._session, runs[0])

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None


def _evaluate_rest(names: dict[str, Any]) -> None:
    """Evaluate what the file has defined and left."""
    from steelyard.evaluation import Evaluation, Model
    from steelyard.scoring.portal import run_in_portal

    things = list({id(thing): thing for thing in names.values()}.values())
    models: list[Model | None] = [thing for thing in things if isinstance(thing, Model)]
    for evaluation in (thing for thing in things if isinstance(thing, Evaluation)):
        if not evaluation.evaluated:
            for model in models or [None]:
                run_in_portal(evaluation.evaluate(model))


@contextlib.contextmanager
def _store_in_force(session: Session) -> Iterator[None]:
    """With --store, the runs of the file are kept there."""
    if session.store is None:
        yield
        return
    from steelyard._plan import open_store
    from steelyard.core.ports import Services, services, use_services

    present = services()
    store = open_store(session.store)
    with use_services(Services(present.catalog, present.chat, lambda: store)):
        yield


@contextlib.contextmanager
def _output_of_the_file(session: Session) -> Iterator[None]:
    """With --json, what the file prints goes to stderr: stdout is for the one document."""
    if not session.json:
        yield
        return
    with contextlib.redirect_stdout(sys.stderr):
        yield
