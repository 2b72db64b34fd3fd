"""The list of stored runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from steelyard.report.grid import GridColumn, draw, fit
from steelyard.report.plain import one_line, shorten
from steelyard.report.rows import number
from steelyard.report.table import DOWN, interval
from steelyard.results.listing import RunLine

__all__ = ["listing_table"]


def listing_table(lines: Sequence[RunLine], width: int) -> Any:
    """The runs as a `rich` table: id, name, model, rows, when, status, headline figure."""
    records = [line.record for line in lines]
    columns = [
        GridColumn(title="id", cells=tuple(record.id for record in records), style="bold"),
        GridColumn(title="name", cells=tuple(one_line(record.name) for record in records), least=8),
        GridColumn(title="rows", cells=tuple(f"{record.n_samples:,}" for record in records), right=True),
        GridColumn(title="when", cells=tuple(_when(record.created) for record in records), rank=1),
        GridColumn(title="headline", cells=tuple(map(_headline, lines)), least=24),
    ]
    if any(record.model for record in records):
        models = tuple(one_line(record.model or "-") for record in records)
        columns.insert(2, GridColumn(title="model", cells=models, rank=2, least=8))
    if any(record.status != "success" for record in records):
        columns.append(GridColumn(title="status", cells=tuple(record.status for record in records)))
    return draw(fit(columns, width), width)


def _when(created: str) -> str:
    """The time of a run in the reader's own time zone."""
    try:
        return datetime.fromisoformat(created).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return created


def _headline(line: RunLine) -> str:
    if line.problem is not None:
        return shorten(f"no figure: {one_line(line.problem)}", 80)
    head = line.headline
    if head is None:
        return "-"
    if head.estimate.value is None:
        return f"{head.scorer} {head.metric} undefined"
    arrow = "" if head.higher_is_better else f" {DOWN}"
    return f"{head.scorer}{arrow} {head.metric} {number(head.estimate.value)} {interval(head.estimate)}"
