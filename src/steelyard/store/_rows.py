"""From encoded blocks to rows of the tables."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from steelyard.store._block import EncodedBlock
from steelyard.store._insert import insert
from steelyard.store.schema import place

__all__ = ["insert_blocks"]

Row = tuple[Any, ...]


def insert_blocks(
    db: sqlite3.Connection, blocks: Sequence[EncodedBlock], *, run: int, sample_set: int, scorings: Sequence[int]
) -> None:
    """Write blocks: every table once, whatever the number of blocks."""
    with_samples = [block for block in blocks if block.samples is not None]
    with_outputs = [block for block in blocks if block.outputs is not None]
    insert(db, "samples", _joined(_samples(block, sample_set) for block in with_samples))
    insert(db, "sample_bodies", _joined(_bodies(block, sample_set) for block in with_samples))
    insert(db, "labels", _joined(_labels(block, sample_set) for block in with_samples if block.labels))
    insert(db, "outputs", _joined(_outputs(block, run) for block in with_outputs))
    for index, scoring in enumerate(scorings):  # one after the other: each is a stretch of its own in the table
        insert(db, "scores", _joined(_scores(block, index, scoring) for block in blocks))
        insert(db, "details", _joined(_details(block, index, scoring) for block in blocks))


_joined = chain.from_iterable


def _places(block: EncodedBlock, owner: int) -> Sequence[int]:
    first = place(owner)
    if isinstance(block.seqs, range):
        return range(block.seqs.start + first, block.seqs.stop + first, block.seqs.step)
    return [first + seq for seq in block.seqs]


def _epochs(block: EncodedBlock) -> Iterator[int] | list[int]:
    return repeat(1) if block.epochs is None else block.epochs


def _samples(block: EncodedBlock, sample_set: int) -> Iterator[Row]:
    return zip(repeat(sample_set), block.seqs, block.ids, _epochs(block), strict=False)


def _bodies(block: EncodedBlock, sample_set: int) -> Iterator[Row]:
    return zip(_places(block, sample_set), block.samples or (), strict=True)


def _labels(block: EncodedBlock, sample_set: int) -> Iterator[Row]:
    return _joined(
        zip(repeat(sample_set), repeat(label.name), block.seqs, label.types, label.values, strict=False)
        for label in block.labels
    )


def _outputs(block: EncodedBlock, run: int) -> Iterator[Row]:
    extras = repeat(None) if block.extras is None else block.extras
    return zip(_places(block, run), block.outputs or (), extras, strict=False)


def _scores(block: EncodedBlock, index: int, scoring: int) -> Iterator[Row]:
    return zip(repeat(scoring), block.seqs, _epochs(block), *block.scores[index].columns, strict=False)


def _details(block: EncodedBlock, index: int, scoring: int) -> Iterator[Row]:
    return ((place(scoring, block.seqs[row]), body) for row, body in block.scores[index].details)
