"""From database cells back to values, samples and outcomes."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from steelyard.core.record import UNSCORED_TYPE, StoredSample, decode_value
from steelyard.core.score import Outcome, Score, Unscored
from steelyard.store._body import text_of, unpack
from steelyard.store._encode import OUTPUT, unpack_extra

__all__ = ["Cells", "groups_of", "proper", "stored_outcome", "stored_output", "stored_sample", "stored_value"]

Cells = tuple[Any, ...]


def proper(cell: Any) -> Any:
    """The cell of a value as `encode_value` made it: text that SQLite could not hold as text is text again."""
    return text_of(cell) if isinstance(cell, bytes) else cell


def stored_value(kind: int, cell: Any) -> Any:
    """The value of a cell; None where there is none."""
    return None if cell is None else decode_value(kind, proper(cell))


def stored_output(cell: Any) -> Any:
    """The output that a cell holds: text as it is, any other value packed."""
    return unpack(cell) if isinstance(cell, bytes) else cell


def stored_sample(cells: Cells, layout: Mapping[str, str]) -> StoredSample:
    """A sample from (seq, id, epoch, body, output cell, extra)."""
    seq, name, epoch, body, value, extra = cells
    output = stored_output(value)
    return StoredSample(
        seq=seq,
        id=text_of(name),
        epoch=epoch,
        row=_laid_out(unpack(body), layout, output),
        output=output,
        extra={} if extra is None else unpack_extra(extra),
    )


def _laid_out(body: dict[str, Any], layout: Mapping[str, str], output: Any) -> dict[str, Any]:
    """The columns of a sample as they were given, in their order, from the cells that are kept once."""
    row: dict[str, Any] = {}
    for name, holder in layout.items():
        if holder == OUTPUT:
            row[name] = output
        elif name in body or holder in body:
            row[name] = body[name if name in body else holder]
    return row | {name: cell for name, cell in body.items() if name not in row}


def stored_outcome(kind: int, cell: Any, answer: Any, reason: Any, detail: Mapping[str, Any] | None) -> Outcome:
    """An outcome from the cells of its score row and what is kept beside it."""
    known = detail or {}
    if kind == UNSCORED_TYPE:
        return Unscored(reason, known.get("error"))
    return Score(
        stored_value(kind, cell),
        known.get("answer") if answer is None else text_of(answer),
        known.get("explanation"),
        known.get("metadata"),
        reason,
    )


def groups_of(items: Iterable[int], size: int) -> Iterator[list[int]]:
    """The items in lists of at most ``size``."""
    rest = iter(items)
    return iter(lambda: list(islice(rest, size)), [])
