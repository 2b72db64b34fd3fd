"""Feeds: what makes the cells of one parameter for a chunk of rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.columns import Columns, as_text
from steelyard.core.state import TaskState
from steelyard.core.target import Target

__all__ = [
    "CallContext",
    "Feed",
    "column",
    "constant",
    "field_or_column",
    "injected",
    "others",
    "references",
    "states",
    "target_objects",
]


class CallContext(msgspec.Struct, frozen=True):
    """What a scorer may be told of the run.

    Args:
        model: The model's name, or None.
        provider: The model's provider, or None.
        prompts: The text sent for each row; None where outputs were recorded.
    """

    model: str | None = None
    provider: str | None = None
    prompts: tuple[str, ...] | None = None


Feed = Callable[[Columns, CallContext], Sequence[Any]]
"""Makes the cells of one parameter for a chunk."""


def column(name: str, as_texts: bool) -> Feed:
    """A column: as text (references for the target) where a scorer wants text, else its cells."""
    if as_texts and name == "target":
        return references
    if as_texts and name in ("output", "input"):
        return lambda columns, _context: columns.texts(name)
    if as_texts:
        return lambda columns, _context: columns[name]
    return lambda columns, _context: _own(columns[name])


def _own(cells: Sequence[Any]) -> Sequence[Any]:
    """The cells; lists and dicts as copies, so that a function that changes one changes nobody else's."""
    if not _MUTABLE & set(map(type, cells)):
        return cells
    try:
        return list(map(_copy, cells))
    except RecursionError:  # a cell that holds itself
        return cells


_MUTABLE = {list, dict}


def _copy(cell: Any) -> Any:
    if type(cell) is dict:
        return {key: _copy(member) for key, member in cell.items()}
    return [_copy(member) for member in cell] if type(cell) is list else cell


def references(columns: Columns, _context: CallContext) -> Sequence[Any]:
    """The references: a text for one, a list for several."""
    cells = columns.references()
    return (
        [list(cell) if isinstance(cell, tuple) else cell for cell in cells] if tuple in set(map(type, cells)) else cells
    )


def constant(value: Any) -> Feed:
    """The same for every row."""
    return lambda columns, _context: [value] * columns.n


def injected(name: str) -> Feed:
    """What the runner fills in: the row, the model, its provider, the text that was sent."""
    if name == "example":
        return lambda columns, _context: [_copy(columns.row(i)) for i in range(columns.n)]
    if name == "prompt":
        return prompts
    return lambda columns, context: [getattr(context, name)] * columns.n


def prompts(columns: Columns, context: CallContext) -> Sequence[Any]:
    """The text that was sent; of recorded outputs, the input."""
    if context.prompts is not None:
        return context.prompts
    return (
        [None if cell is None else as_text(cell) for cell in columns["input"]]
        if "input" in columns
        else [None] * columns.n
    )


def field_or_column(wanted: str, *, has_column: bool) -> Feed:
    """``column_map={"output": wanted}``: a field of a structured output, else a column, else the whole output."""

    def feed(columns: Columns, _context: CallContext) -> Sequence[Any]:
        fallback = columns[wanted] if has_column else columns["output"]
        outputs = columns.data.get("output", fallback)
        return [
            cell[wanted] if isinstance(cell, Mapping) and wanted in cell else other
            for cell, other in zip(outputs, fallback, strict=True)
        ]

    return feed


def others(names: Sequence[str]) -> Feed:
    """The columns that no parameter names, as a dict a row."""
    return lambda columns, _context: [
        {name: columns[name][i] for name in names if name in columns} for i in range(columns.n)
    ]


def states(columns: Columns, context: CallContext) -> Sequence[Any]:
    """A `TaskState` a row."""

    def cell(name: str, i: int) -> Any:
        return columns[name][i] if name in columns else None

    return [
        TaskState(
            cell("input", i),
            columns.outputs[i] if columns.outputs is not None else cell("output", i),
            cell("target", i),
            choices=cell("choices", i),
            metadata=columns.row(i),
            sample_id=columns.ids[i] if columns.ids is not None else cell("id", i),
            epoch=columns.epochs[i] if columns.epochs is not None else 1,
            model=context.model,
        )
        for i in range(columns.n)
    ]


def target_objects(columns: Columns, _context: CallContext) -> Sequence[Any]:
    """A `Target` a row."""
    if "target" not in columns:
        return [Target(())] * columns.n
    return [Target(() if cell is None else cell) for cell in columns["target"]]
