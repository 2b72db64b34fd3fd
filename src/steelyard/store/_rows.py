"""From encoded blocks to rows of the tables."""

import sqlite3
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import Any

from steelyard.store._block import EncodedBlock, LabelCells
from steelyard.store._insert import Column, insert
from steelyard.store.schema import place

__all__ = ["insert_blocks"]


def insert_blocks(
    db: sqlite3.Connection, blocks: Sequence[EncodedBlock], *, run: int, sample_set: int, scorings: Sequence[int]
) -> None:
    """Write blocks: every table once, whatever the number of blocks."""
    with_samples = [block for block in blocks if block.samples is not None]
    with_outputs = [block for block in blocks if block.outputs is not None]
    _insert(db, "samples", with_samples, lambda block: (sample_set, block.seqs, block.ids, _epochs(block)))
    _insert(db, "sample_bodies", with_samples, lambda block: (_places(block, sample_set), block.samples))
    for name in dict.fromkeys(label.name for block in with_samples for label in block.labels):
        _insert_labels(db, with_samples, sample_set, name)
    _insert(db, "outputs", with_outputs, lambda block: (_places(block, run), block.outputs, block.extras))
    for index, scoring in enumerate(scorings):  # one after the other: each is a stretch of its own in the table
        _insert_scores(db, blocks, index, scoring)
        details = [(place(scoring, block.seqs[row]), body) for block in blocks for row, body in _details(block, index)]
        insert(db, "details", list(map(list, zip(*details, strict=True))), len(details))


def _insert(
    db: sqlite3.Connection,
    table: str,
    blocks: Sequence[EncodedBlock],
    columns: Callable[[EncodedBlock], tuple[Column, ...]],
) -> None:
    """Insert the rows of blocks, of each of which ``columns`` makes the table's columns."""
    if blocks:
        sizes = list(map(len, blocks))
        joined = [_joined(parts, sizes) for parts in zip(*map(columns, blocks), strict=True)]
        insert(db, table, joined, sum(sizes))


def _insert_scores(db: sqlite3.Connection, blocks: Sequence[EncodedBlock], index: int, scoring: int) -> None:
    def columns(block: EncodedBlock) -> tuple[Column, ...]:
        cells = block.scores[index]
        return scoring, block.seqs, _epochs(block), cells.types, cells.values, cells.answers, cells.reasons

    _insert(db, "scores", blocks, columns)


def _insert_labels(db: sqlite3.Connection, blocks: Sequence[EncodedBlock], sample_set: int, name: str) -> None:
    found: dict[int, LabelCells] = {
        i: label for i, block in enumerate(blocks) for label in block.labels if label.name == name
    }
    cells = iter(found.values())

    def columns(block: EncodedBlock) -> tuple[Column, ...]:
        label = next(cells)
        return sample_set, name, block.seqs, label.types, label.values

    _insert(db, "labels", [blocks[i] for i in found], columns)


def _joined(parts: Sequence[Column], sizes: Sequence[int]) -> Column:
    """A column over several blocks: still one cell for all rows where they agree."""
    if len(parts) == 1:
        return parts[0]
    if not any(isinstance(part, list | range) for part in parts) and len(set(parts)) == 1:
        return parts[0]
    return list(
        chain.from_iterable(
            part if isinstance(part, list | range) else repeat(part, size)
            for part, size in zip(parts, sizes, strict=True)
        )
    )


def _places(block: EncodedBlock, owner: int) -> Column:
    first = place(owner)
    if isinstance(block.seqs, range):
        return range(block.seqs.start + first, block.seqs.stop + first, block.seqs.step)
    return [first + seq for seq in block.seqs]


def _epochs(block: EncodedBlock) -> Column:
    return 1 if block.epochs is None else block.epochs


def _details(block: EncodedBlock, index: int) -> list[tuple[int, Any]]:
    return block.scores[index].details
