"""Tables of slices: a row for each value of a column, a column for each scorer."""

from typing import Any

from steelyard.report.rows import number
from steelyard.results.slices import Slice
from steelyard.results.view import RunView

__all__ = ["slice_tables"]

MOST = 40
"""Rows of a table at most; the rest is said."""


def slice_tables(view: RunView) -> list[Any]:
    """A `rich` table for each column by which the run is split."""
    columns = dict.fromkeys(found.column for found in view.figures.slices)
    return [_table([found for found in view.figures.slices if found.column == column]) for column in columns]


def _table(slices: list[Slice]) -> Any:
    from rich import box
    from rich.table import Table

    scorers = dict.fromkeys((found.scorer, found.metric) for found in slices)
    values = list(dict.fromkeys(found.value for found in slices))
    cells = {(found.value, found.scorer): found for found in slices}
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(slices[0].column, overflow="fold")
    for scorer, metric in scorers:
        table.add_column(f"{scorer} {metric}", justify="right", no_wrap=True)
    for value in values[:MOST]:
        table.add_row(value, *[_cell(cells.get((value, scorer))) for scorer, _ in scorers])
    if len(values) > MOST:
        table.add_row(f"... and {len(values) - MOST} more")
    return table


def _cell(found: Slice | None) -> str:
    if found is None:
        return "-"
    estimate = found.estimate
    low_high = "" if estimate.low is None else f" [{number(estimate.low, 2)}, {number(estimate.high, 2)}]"
    return f"{number(estimate.value, 2)}{low_high} {found.counts.scored}/{found.counts.attempted}"
