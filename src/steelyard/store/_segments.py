"""Segments: pieces of a table that came in any order, read in order of their rows' places."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

__all__ = ["Segments"]

T = TypeVar("T")


class Segments(Generic[T]):
    """Pieces, each with the places (seqs) of its rows. Nothing is computed until they are read."""

    def __init__(self) -> None:
        self._pieces: list[tuple[Sequence[int], T]] = []
        self._sorted = 0
        self._index: dict[int, tuple[T, int]] | None = None

    def __len__(self) -> int:
        return sum(len(seqs) for seqs, _ in self._pieces)

    def append(self, seqs: Sequence[int], piece: T) -> None:
        """Add a piece."""
        self._pieces.append((seqs, piece))

    def pieces(self) -> Iterator[tuple[Sequence[int], T]]:
        """The pieces in the order in which they came."""
        return iter(self._pieces)

    def rows(self) -> Iterator[tuple[int, T, int]]:
        """(seq, piece, row of the piece) in order of seq."""
        if self._in_stretches():
            for seqs, piece in self._pieces:
                for row, seq in enumerate(seqs):
                    yield seq, piece, row
            return
        yield from sorted(
            ((seq, piece, row) for seqs, piece in self._pieces for row, seq in enumerate(seqs)),
            key=lambda found: found[0],
        )

    def at(self, seq: int) -> tuple[T, int] | None:
        """The piece that holds the row at ``seq``, and the row's number there."""
        if self._in_stretches():
            index = bisect_right(self._pieces, seq, key=lambda found: found[0][0]) - 1
            if index < 0 or seq not in self._pieces[index][0]:
                return None
            seqs, piece = self._pieces[index]
            return piece, seqs.index(seq)
        if self._index is None or len(self._index) != len(self):
            self._index = {seq: (piece, row) for seqs, piece in self._pieces for row, seq in enumerate(seqs)}
        return self._index.get(seq)

    def _in_stretches(self) -> bool:
        """Whether every piece is one stretch of rising places, none inside another; if so, puts them in order."""
        if self._sorted == len(self._pieces):
            return True
        ordered = sorted((found for found in self._pieces if len(found[0])), key=lambda found: found[0][0])
        ends = [-1]
        for seqs, _ in ordered:
            if not _rising(seqs) or seqs[0] <= ends[-1]:
                return False
            ends.append(seqs[-1])
        self._pieces = ordered
        self._sorted = len(ordered)
        return True


def _rising(seqs: Sequence[int]) -> bool:
    return isinstance(seqs, range) or all(low < high for low, high in pairwise(seqs))
