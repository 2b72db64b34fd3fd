"""`steelyard scorers`: which scorers there are, and what each needs."""

import textwrap

import click

from steelyard.cli.card import ScorerCard, card
from steelyard.cli.session import Session, verb
from steelyard.errors import SteelyardError
from steelyard.scoring.registry import known

__all__ = ["command"]

_KINDS = ("text", "number", "choice", "structured", "embedding", "code", "judge", "combined", "custom")
"""The order of the list."""

HELP = """List the scorers; with NAME, explain one.

\b
  steelyard scorers
  steelyard scorers match
  steelyard scorers --needs context
"""


@verb("scorers", help=HELP)
@click.argument("name", required=False)
@click.option("--needs", metavar="COLUMN", help="Only scorers that read this column: target, context, choices, ...")
def command(session: Session, *, name: str | None, needs: str | None) -> None:
    """Show the list, or one scorer."""
    if name is not None:
        _explain(session, name.partition(":")[0])
        return
    cards = [found for found in map(_card_or_problem, known()) if needs is None or needs in found.needs]
    session.emit([found.as_json() for found in cards])
    session.show(*_lines(cards, session.reading_width))
    if not cards:
        session.show(f"no scorer reads a column {needs!r}" if needs else "no scorers")
        return
    names = [found.name for found in cards]
    session.suggest(f"steelyard scorers {'match' if 'match' in names else names[0]}")


def _explain(session: Session, name: str) -> None:
    found = card(name)
    session.emit({**found.as_json(), "doc": found.doc})
    options = [f"    {option.name}={option.default}" for option in found.options]
    session.show(
        found.name,
        f"  kind   {found.kind}",
        *([f"  needs  {', '.join(found.needs)}"] if found.needs else []),
        *(["  options", *options] if options else []),
        "",
        found.doc,
    )
    session.suggest(f'steelyard try {name} "an output" "a target"')


def _card_or_problem(name: str) -> ScorerCard:
    """A distribution whose scorer cannot be loaded must not hide the others."""
    try:
        return card(name)
    except (SteelyardError, ImportError, AttributeError) as error:
        return ScorerCard(name=name, kind="broken", needs=(), sentence=f"cannot be loaded: {error}", doc="")


def _lines(cards: list[ScorerCard], width: int) -> list[str]:
    lines: list[str] = []
    kinds = {found.kind for found in cards}
    for kind in [*(kind for kind in _KINDS if kind in kinds), *sorted(kinds.difference(_KINDS))]:
        lines += ["", kind] if lines else [kind]
        for found in (each for each in cards if each.kind == kind):
            lines += _entry(found, width)
    return lines


def _entry(found: ScorerCard, width: int) -> list[str]:
    needs = f"needs {', '.join(found.needs)}" if found.needs else ""
    options = " ".join(f"{option.name}={option.default}" for option in found.options)
    indent = " " * 20
    head = f"  {found.name}".ljust(19) + " "
    lines = textwrap.wrap(found.sentence, width, initial_indent=head, subsequent_indent=indent)
    for facts in filter(None, (needs, options)):
        lines += textwrap.wrap(facts, width, initial_indent=indent, subsequent_indent=indent + "  ")
    return lines
