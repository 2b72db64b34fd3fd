"""The rows of a run with their outcomes side by side: what is exported, and what a frame holds."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from steelyard.core.ports import RunReader
from steelyard.core.record import OutcomeRow, StoredSample
from steelyard.core.score import Unscored

__all__ = ["joined_rows", "sample_rows"]

PAGE = 1000


def joined_rows(reader: RunReader, seqs: Iterable[int] | None = None) -> Iterator[dict[str, Any]]:
    """One dict a row, read page by page.

    ``id``, ``epoch``, the sample's columns, ``output``, and for each scorer ``NAME`` (the value; None where
    unscored), ``NAME.answer``, ``NAME.explanation``, ``NAME.reason`` and ``NAME.error`` where there is any.
    """
    if seqs is None:
        samples = reader.samples()
        while page := list(islice(samples, PAGE)):
            yield from _join(reader, page)
    else:
        yield from _join(reader, list(reader.samples(seqs)))


def sample_rows(reader: RunReader) -> Iterator[dict[str, Any]]:
    """One dict a row, without any scorer's columns: what is scored when a run is scored again."""
    for sample in reader.samples():
        yield {"id": sample.id, "epoch": sample.epoch, **sample.row, "output": sample.output}


def _join(reader: RunReader, samples: list[StoredSample]) -> Iterator[dict[str, Any]]:
    wanted = [sample.seq for sample in samples]
    outcomes = [{row.seq: row for row in reader.outcomes(scoring, wanted)} for scoring in reader.scorings]
    for sample in samples:
        row: dict[str, Any] = {"id": sample.id, "epoch": sample.epoch, **sample.row, "output": sample.output}
        row.update({key: value for key, value in sample.extra.items() if value is not None and key not in row})
        for found in outcomes:
            if sample.seq in found:
                row.update(_cells(found[sample.seq]))
        yield row


def _cells(row: OutcomeRow) -> dict[str, Any]:
    outcome, name = row.outcome, row.scorer
    if isinstance(outcome, Unscored):
        cells = {name: None, f"{name}.reason": outcome.reason, f"{name}.error": outcome.error}
    else:
        cells = {
            name: outcome.value,
            f"{name}.answer": outcome.answer,
            f"{name}.explanation": outcome.explanation,
            f"{name}.reason": outcome.reason,
        }
    return {key: value for key, value in cells.items() if key == name or value is not None}
