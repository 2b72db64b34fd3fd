"""Identity: names the samples of a run, wherever their rows are read."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from steelyard.core.columns import Columns
from steelyard.data.choice import ColumnChoice
from steelyard.data.identity import IdBook, content_ids
from steelyard.data.version import ContentVersion

__all__ = ["Found", "IdReader", "Identity"]


class Found(msgspec.Struct):
    """What a chunk says of its samples: ids, epochs, its part of the data set's version, cells that no pattern cut."""

    ids: list[Any]
    epochs: list[Any] | None = None
    version: ContentVersion | None = None
    missed: dict[str, int] = {}


class IdReader(msgspec.Struct, frozen=True):
    """Reads what names samples from a prepared chunk; picklable, since that may be in another process.

    Args:
        question: The columns by whose content a sample is named and versioned.
        given: The data has an id column.
        numbered: The data has an epoch column.
        versioned: The data set's version is wanted.
        cuts: (name, name of the uncut cells) of the columns that a pattern cuts.
    """

    question: tuple[str, ...]
    given: bool
    numbered: bool
    versioned: bool
    cuts: tuple[tuple[str, str], ...] = ()

    def __call__(self, columns: Columns) -> Found:
        """The ids, epochs and version of a chunk."""
        digests = content_ids(columns, self.question) if self.versioned or not self.given else None
        found = Found(columns["id"] if self.given or digests is None else digests)
        if self.numbered:
            found.epochs = columns["epoch"]
        if self.versioned and digests is not None:
            found.version = ContentVersion()
            found.version.add(digests)
        for name, uncut in self.cuts:
            missed = columns[name].count(None) - columns[uncut].count(None)
            if missed:
                found.missed[name] = missed
        return found


class Identity:
    """Settles ids and epochs in the order of the rows, and sums up the data set's version.

    Args:
        choice: The columns.
        repeats: Rows that repeat an id are its epochs.
        versioned: The data set's version is wanted (it costs a digest a row).
    """

    def __init__(self, choice: ColumnChoice, *, repeats: bool = False, versioned: bool = True) -> None:
        given, numbered = "id" in choice.sources, "epoch" in choice.sources and not repeats
        cuts = tuple((name, source if source != name else f"uncut_{name}") for name, source in _cut(choice))
        self.reader = IdReader(choice.question, given, numbered, versioned, cuts)
        self._patterns = choice.patterns
        self._missed: Counter[str] = Counter()
        self._book = IdBook(given=given or repeats, epochs="repeats" if repeats else "column" if numbered else None)
        self._version = ContentVersion() if versioned else None
        self.n_epochs = 1

    @property
    def warnings(self) -> list[str]:
        """What a user should know of the cells that no pattern cut."""
        return [
            f"{name}_pattern {self._patterns[name]!r} matches nothing in {n:,} row{'' if n == 1 else 's'}, "
            f"counted as having no {name}"
            for name, n in self._missed.items()
        ]

    @property
    def version(self) -> str | None:
        """The data set's version, once every chunk was admitted."""
        return None if self._version is None else str(self._version)

    def admit(self, found: Found, start: int) -> tuple[list[str], list[int] | None]:
        """The ids and epochs of a chunk, after all earlier ones. Raises `DuplicateIdError`."""
        ids, epochs = self._book.settle(found.ids, found.epochs, start=start)
        if epochs:
            self.n_epochs = max(self.n_epochs, *epochs)
        if self._version is not None and found.version is not None:
            self._version += found.version
        self._missed.update(found.missed)
        return ids, epochs


def _cut(choice: ColumnChoice) -> Iterator[tuple[str, str]]:
    return ((name, choice.sources[name]) for name in choice.patterns)
