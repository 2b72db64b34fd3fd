"""Keeping: what Ctrl-C leaves behind, told to the user."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from steelyard._plan import open_store
from steelyard._provenance import now
from steelyard.cli.session import Session
from steelyard.errors import SteelyardError

__all__ = ["INTERRUPTED", "keeping"]

INTERRUPTED = 130


@contextmanager
def keeping(session: Session) -> Iterator[None]:
    """While runs are made: on Ctrl-C say what of them is stored, and end with exit code 130."""
    began = now()
    try:
        yield
    except KeyboardInterrupt:
        session.say("\ninterrupted")
        _tell(session, began)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _tell(session: Session, began: str) -> None:
    try:
        kept = [record for record in open_store(session.store).runs(limit=100) if record.created >= began]
    except SteelyardError as error:
        session.warn(str(error))
        return
    for record in kept:
        session.say(f"kept {record.n_samples:,} rows of {record.name} as run {record.id}")
    if kept:
        session.suggest(f"steelyard show {kept[0].id}")
