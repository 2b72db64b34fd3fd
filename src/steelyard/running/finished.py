"""Finished: a sample that a model has answered, and groups of them as columns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from steelyard.core.columns import Columns, as_text
from steelyard.core.sample import Output
from steelyard.scoring.feeds import CallContext

__all__ = ["Finished", "Item", "as_columns", "by_chunk", "items_of", "with_prompts"]


class Item(NamedTuple):
    """One row to be answered: its place in the run, its chunk and place there, and its epoch."""

    seq: int
    columns: Columns
    row: int
    epoch: int


class Finished(NamedTuple):
    """An item with what the model gave, the text that was sent, and the cells that the prompt changed."""

    item: Item
    output: Output
    prompt: str | None = None
    changes: Mapping[str, Any] = {}


def items_of(chunks: Iterable[Columns], epochs: int) -> Iterator[Item]:
    """Every row ``epochs`` times, sample by sample. Epochs that the data has of its own are kept apart."""
    seq = 0
    for columns in chunks:
        for row in range(columns.n):
            before = 0 if columns.epochs is None else (columns.epochs[row] - 1) * epochs
            for k in range(epochs):
                yield Item(seq, columns, row, before + k + 1)
                seq += 1


def by_chunk(group: Sequence[Finished]) -> Iterator[list[Finished]]:
    """The group cut where the chunk of rows changes, so that each part can be made columns at once."""
    for _, part in groupby(group, key=lambda finished: id(finished.item.columns)):
        yield list(part)


def as_columns(group: Sequence[Finished]) -> Columns:
    """Finished samples of one chunk as columns, with outputs; two names of one column stay one list."""
    chunk = group[0].item.columns
    rows = [finished.item.row for finished in group]
    taken: dict[int, list[Any]] = {}
    data: dict[str, list[Any]] = {}
    for name, cells in chunk.data.items():
        if id(cells) not in taken:
            taken[id(cells)] = [cells[row] for row in rows]
        data[name] = taken[id(cells)]
    for k, finished in enumerate(group):
        for name, cell in finished.changes.items():
            data.setdefault(name, [None] * len(group))[k] = cell
    outputs = [finished.output for finished in group]
    data["output"] = [output.value for output in outputs]
    ids = None if chunk.ids is None else [chunk.ids[row] for row in rows]
    epochs = [finished.item.epoch for finished in group]
    return Columns(data, len(group), chunk.start, ids, epochs, outputs)


def with_prompts(context: CallContext, group: Sequence[Finished]) -> CallContext:
    """The context of a group: with the texts sent, where prompts made them."""
    if all(finished.prompt is None for finished in group):
        return context
    return CallContext(context.model, context.provider, tuple(_sent(finished) for finished in group))


def _sent(finished: Finished) -> str:
    if finished.prompt is not None:
        return finished.prompt
    cells = finished.item.columns.data.get("input")
    return "" if cells is None or cells[finished.item.row] is None else as_text(cells[finished.item.row])
