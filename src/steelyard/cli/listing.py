"""`steelyard list`: the stored runs."""

import click

from steelyard.cli.session import Session, verb

__all__ = ["command"]

HELP = """List the stored runs, the newest first, each with the first figure of its first scorer.

\b
  steelyard list
  steelyard list --name answers --limit 5
"""


@verb("list", help=HELP)
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="At most so many."
)
@click.option("--name", metavar="TEXT", help="Only runs of this name.")
def command(session: Session, *, limit: int, name: str | None) -> None:
    """Show the runs."""
    from steelyard._plan import open_store
    from steelyard.report.document import line_document
    from steelyard.report.listing import listing_table
    from steelyard.results.listing import listing

    lines = listing(open_store(session.store), limit=limit + 1, name=name)
    shown = lines[:limit]
    session.emit([line_document(line) for line in shown])
    if not shown:
        place = f" in {session.store}" if session.store else ""
        session.show(f"no runs called {name!r}{place}" if name else f"no runs yet{place}")
        session.suggest("steelyard list" if name else "steelyard demo")
        return
    session.show(listing_table(shown, session.width))
    if len(lines) > limit:
        session.show(f"and more: --limit {2 * limit}")
    session.suggest(f"steelyard show {shown[0].record.id}")
