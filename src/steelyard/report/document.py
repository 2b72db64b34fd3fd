"""Documents: what `--json` prints, as plain data."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.results.listing import RunLine
from steelyard.results.pairs import PairedDifference
from steelyard.results.view import RunView
from steelyard.results.worst import JudgedSample, Worst

__all__ = ["difference_documents", "line_document", "run_document", "sample_document", "worst_document"]


def run_document(view: RunView, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """A run: its record, its figures and its counts."""
    found = view.figures
    return {
        "run": msgspec.to_builtins(view.record),
        "metrics": msgspec.to_builtins(found.metrics),
        "counts": msgspec.to_builtins(found.counts),
        "higher_is_better": dict(found.higher_is_better),
        "summaries": dict(found.summaries),
        "scorers": {scoring.name: scoring.spec for scoring in view.scorings},
        "warnings": list(warnings),
    }


def line_document(line: RunLine) -> dict[str, Any]:
    """A run as one entry of a list."""
    record = line.record
    return {
        "id": record.id,
        "name": record.name,
        "model": record.model,
        "rows": record.n_samples,
        "created": record.created,
        "finished": record.finished,
        "status": record.status,
        "scorers": list(line.scorers),
        "headline": None if line.headline is None else msgspec.to_builtins(line.headline),
        **({"problem": line.problem} if line.problem else {}),
    }


def worst_document(worst: Worst) -> dict[str, Any]:
    """The worst samples by one scorer."""
    return {
        "scorer": worst.scorer,
        "wrong": worst.wrong,
        "absent": worst.absent,
        "scored": worst.scored,
        "samples": [sample_document(judged) for judged in worst.samples],
    }


def sample_document(judged: JudgedSample) -> dict[str, Any]:
    """One sample with what scorers said of it."""
    sample = judged.sample
    return {
        "id": sample.id,
        "epoch": sample.epoch,
        "columns": sample.row,
        "output": sample.output,
        **({"extra": sample.extra} if sample.extra else {}),
        "outcomes": {row.scorer: msgspec.to_builtins(row.outcome) for row in judged.outcomes},
    }


def difference_documents(differences: Sequence[PairedDifference]) -> list[dict[str, Any]]:
    """Paired differences."""
    documents: list[dict[str, Any]] = msgspec.to_builtins(list(differences))
    return documents
