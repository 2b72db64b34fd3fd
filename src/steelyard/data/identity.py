"""IdBook: the ids and epochs of samples, unique within a data set."""

from collections.abc import Sequence
from typing import Any, Literal

from steelyard.core.columns import Columns, as_text
from steelyard.core.digest import content_id
from steelyard.errors import DataError, DuplicateIdError, UsageError

__all__ = ["IdBook", "content_ids"]

_NAMED = 5


def content_ids(columns: Columns, question: Sequence[str]) -> list[str]:
    """The ids of samples that have none: digests of the question's side. Repeats are told apart by an `IdBook`.

    Args:
        columns: The chunk; a column that it lacks counts as null.
        question: The columns of the question's side: `ColumnChoice.question`.

    >>> content_ids(Columns({"input": ["a", "b", "a"]}, 3), ["input"])
    ['2757634b7f53cf25', '06393698343e2ba3', '2757634b7f53cf25']
    """
    nothing = [None] * columns.n
    sides = [columns.data.get(name, nothing) for name in question]
    return list(map(content_id, zip(*sides, strict=True) if sides else [()] * columns.n))


class IdBook:
    """Settles the ids and epochs of a data set, chunk by chunk, in the order of the rows.

    Ids are text: 1 and ``"1"`` are the same. Ids made of content get ``#2``, ``#3`` where they repeat; ids that the
    user gave must not, unless epochs tell the repeats apart. It remembers a 64-bit hash a row.

    Args:
        given: The ids come from a column of the user's, not from `content_ids`.
        epochs: ``"column"`` when a column numbers the epochs, ``"repeats"`` when the n-th appearance of an id is its
            n-th epoch, None when every sample appears once.

    >>> IdBook(given=False).settle(["f5", "a4", "f5"])
    (['f5', 'a4', 'f5#2'], None)
    >>> IdBook(given=True, epochs="repeats").settle([7, 8, 7])
    (['7', '8', '7'], [1, 1, 2])
    """

    def __init__(self, *, given: bool, epochs: Literal["column", "repeats"] | None = None) -> None:
        if epochs not in (None, "column", "repeats"):
            raise UsageError(f'epochs is "repeats", or left out, and {epochs!r} was given (--epochs repeats)')
        self.given = given
        self.epochs = epochs
        self._seen: set[int] = set()
        self._counts: dict[int, int] = {}
        self._chunks: list[tuple[int, list[int]]] = []  # rows before, and hashes: where a given id was first
        self._kinds: set[type] = set()

    def settle(
        self, ids: Sequence[Any], epochs: Sequence[Any] | None = None, *, start: int = 0
    ) -> tuple[list[str], list[int] | None]:
        """The ids and epochs of the next chunk.

        Args:
            ids: The id of each row: the user's, or those of `content_ids`.
            epochs: The cells of the epoch column; needed with ``epochs="column"``.
            start: The rows of the source before this chunk.

        Returns:
            Ids that are unique, or unique together with their epochs; the epochs, or None where there are none.

        Raises:
            DuplicateIdError: When ids repeat; it names up to five with their rows, and the remedy.
            DataError: When an id is missing, or an epoch is no whole number from 1.
        """
        texts = self._texts(ids, start) if self.given else list[str](ids)
        if self.epochs == "repeats":
            return texts, self._appearances(texts)
        numbers = None if self.epochs is None else _epochs(epochs, len(texts), start)
        keys = list(map(hash, texts if numbers is None else zip(texts, numbers, strict=True)))
        if not self.given:
            return self._numbered(texts, keys), numbers
        expected = len(self._seen) + len(keys)
        self._seen.update(keys)
        self._chunks.append((start, keys))
        if len(self._seen) != expected:
            raise DuplicateIdError(self._repeated(texts, numbers))
        return texts, numbers

    def _texts(self, ids: Sequence[Any], start: int) -> list[str]:
        kinds = set(map(type, ids))
        self._kinds |= kinds
        if kinds == {str} and "" not in ids:
            return list(ids)
        if kinds == {int}:
            return list(map(str, ids))
        for row, cell in enumerate(ids, start + 1):
            if cell is None or cell == "" or cell != cell:  # noqa: PLR0124  NaN, which pandas puts for a missing cell
                raise DataError(
                    f"row {row} has no id. Give it one, or choose another column with "
                    'id="COLUMN" (on the command line: --id-column COLUMN).'
                )
        return list(map(as_text, ids))

    def _appearances(self, texts: list[str]) -> list[int]:
        counts = self._counts
        numbers: list[int] = []
        for key in map(hash, texts):
            counts[key] = number = counts.get(key, 0) + 1
            numbers.append(number)
        return numbers

    def _numbered(self, texts: list[str], keys: list[int]) -> list[str]:
        fresh = set(keys)
        if len(fresh) == len(keys) and self._seen.isdisjoint(fresh):
            self._seen |= fresh
            return texts
        numbered: list[str] = []
        for text, key in zip(texts, keys, strict=True):
            if key not in self._seen:
                self._seen.add(key)
                numbered.append(text)
            else:
                self._counts[key] = number = self._counts.get(key, 1) + 1
                numbered.append(f"{text}#{number}")
        return numbered

    def _repeated(self, texts: list[str], numbers: list[int] | None) -> str:
        """Names the ids of the last chunk that were there before."""
        first: dict[int, int] = {}
        found: list[str] = []
        for start, keys in self._chunks:
            for row, key in enumerate(keys, start + 1):
                if (before := first.setdefault(key, row)) != row:
                    i = row - start - 1
                    epoch = "" if numbers is None else f" in epoch {numbers[i]}"
                    found.append(f"{texts[i]!r}{epoch} (rows {before} and {row})")
        listed = ", ".join(found[:_NAMED]) + (f" and {len(found) - _NAMED} more" if len(found) > _NAMED else "")
        both = str in self._kinds and len(self._kinds) > 1
        mixed = ' Ids are compared as text: 1 and "1" are the same id.' if both else ""
        return (
            f"ids repeat, so their rows could not be told apart: {listed}.{mixed} If a repeat is another epoch of one "
            'sample, number them in a column named epoch, or give epochs="repeats" (on the command line: '
            '--epochs repeats). If this column is no id, choose another with id="COLUMN" (--id-column COLUMN).'
        )


def _epochs(cells: Sequence[Any] | None, n: int, start: int) -> list[int]:
    if cells is None:
        cells = [None] * n
    if set(map(type, cells)) == {int} and min(cells) >= 1:
        return list(cells)
    return [_epoch(cell, row) for row, cell in enumerate(cells, start + 1)]


def _epoch(cell: Any, row: int) -> int:
    """A whole number from 1, which may be written as text (CSV) or as 1.0 (a frame with gaps)."""
    as_text = isinstance(cell, str) and cell.strip().isdecimal()
    as_number = isinstance(cell, int | float) and not isinstance(cell, bool) and cell == cell // 1
    number = int(cell) if as_text or as_number else 0
    if number < 1:
        raise DataError(
            f"row {row}: an epoch is a whole number from 1, and {cell!r} was given. If the column numbers something "
            'else, rename it, or choose another with epoch="COLUMN" (on the command line: --epoch-column COLUMN).'
        )
    return number
