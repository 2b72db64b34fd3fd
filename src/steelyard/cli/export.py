"""`steelyard export`: a run's rows, with their scores, in a file."""

from collections.abc import Iterable, Iterator
from typing import Any

import click

from steelyard.cli.progress import Progress
from steelyard.cli.session import Session, command_line, verb

__all__ = ["command"]

HELP = """Write a run's rows, each with its columns, output and scores, to a file: .jsonl, .csv, .json or .parquet.

\b
  steelyard export latest -o scores.csv
  steelyard export 3f9c | head

Without -o, JSON lines go to standard output.
"""


@verb("export", help=HELP)
@click.argument("run", default="latest")
@click.option("-o", "--output", "path", metavar="FILE", help="Where to; its ending says which format.")
def command(session: Session, *, run: str, path: str | None) -> None:
    """Write one run."""
    from steelyard._api import load
    from steelyard.data.writing import write_rows
    from steelyard.results.export import joined_rows

    found = load(run, store=session.store)
    if path is None:
        write_rows("-", joined_rows(found.reader), "json" if session.json else "jsonl")
        return
    with Progress(session, len(found), "exporting") as progress:
        rows = write_rows(path, _counted(joined_rows(found.reader), progress))
    session.emit({"run": found.id, "path": path, "rows": rows})
    session.show(f"{rows:,} row{'' if rows == 1 else 's'} of run {found.id} in {path}")
    session.suggest(command_line("steelyard", "show", found.id))


def _counted(rows: Iterable[dict[str, Any]], progress: Progress) -> Iterator[dict[str, Any]]:
    for done, row in enumerate(rows, 1):
        if done % 1000 == 0:
            progress(done)
        yield row
