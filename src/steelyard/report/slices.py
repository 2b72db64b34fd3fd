"""Tables of slices: the figures of every scorer for each value of a column."""

from collections.abc import Sequence
from typing import Any

from steelyard.report.grid import GridColumn, draw, natural_width
from steelyard.report.plain import one_line
from steelyard.report.rows import number
from steelyard.results.slices import Slice
from steelyard.results.view import RunView

__all__ = ["slice_columns", "slice_tables"]

MOST = 40
"""Values shown at most; the rest is said."""


def slice_tables(view: RunView, width: int) -> list[Any]:
    """A `rich` table for each column by which the run is split.

    A row for each value and a column for each scorer where the line has room for that; else a row for each of both.
    """
    columns = dict.fromkeys(found.column for found in view.figures.slices)
    return [_table([found for found in view.figures.slices if found.column == column], width) for column in columns]


def slice_columns(view: RunView) -> list[list[GridColumn]]:
    """The same tables as columns, for a page that is as wide as it likes."""
    columns = dict.fromkeys(found.column for found in view.figures.slices)
    return [_columns([found for found in view.figures.slices if found.column == column]) for column in columns]


def _columns(slices: Sequence[Slice]) -> list[GridColumn]:
    scorers = list(dict.fromkeys((found.scorer, found.metric) for found in slices))
    values = list(dict.fromkeys(found.value for found in slices))
    cells = {(found.value, found.scorer, found.metric): found for found in slices}
    wide = _wide(slices[0].column, values[:MOST], scorers, cells)
    rest = f"... and {len(values) - MOST} more" if len(values) > MOST else ""
    return [_more(column, (rest if place == 0 else " ") if rest else "") for place, column in enumerate(wide)]


def _table(slices: Sequence[Slice], width: int) -> Any:
    scorers = list(dict.fromkeys((found.scorer, found.metric) for found in slices))
    values = list(dict.fromkeys(found.value for found in slices))
    cells = {(found.value, found.scorer, found.metric): found for found in slices}
    shown = values[:MOST]
    rest = f"... and {len(values) - MOST} more" if len(values) > MOST else ""
    wide = _wide(slices[0].column, shown, scorers, cells)
    if natural_width(wide) <= width:
        return draw([_more(column, rest if place == 0 else "") for place, column in enumerate(wide)], width)
    long = _long(slices[0].column, shown, scorers, cells)
    starts = [place * len(scorers) for place in range(1, len(shown))] if len(scorers) > 1 else []
    return draw([_more(column, rest if place == 0 else "") for place, column in enumerate(long)], width, breaks=starts)


def _more(column: GridColumn, cell: str) -> GridColumn:
    """The column, with one more cell where something is left out."""
    return GridColumn(
        title=column.title,
        cells=(*column.cells, *([cell] if cell else [])),
        right=column.right,
        style=column.style,
        least=column.least,
    )


def _wide(column: str, values: Sequence[str], scorers: Sequence[tuple[str, str]], cells: Any) -> list[GridColumn]:
    grid = [GridColumn(title=column, cells=tuple(map(one_line, values)), style="bold")]
    for scorer, metric in scorers:
        found = [cells.get((value, scorer, metric)) for value in values]
        figures = tuple(f"{_value(each)} {_interval(each)}  {_scored(each)}" if each else "-" for each in found)
        grid.append(GridColumn(title=f"{scorer} {metric}", cells=figures, right=True))
    return grid


def _long(column: str, values: Sequence[str], scorers: Sequence[tuple[str, str]], cells: Any) -> list[GridColumn]:
    lines = [(value, scorer, metric) for value in values for scorer, metric in scorers]
    found = [cells.get(line) for line in lines]
    heads = tuple(one_line(value) if (scorer, metric) == scorers[0] else "" for value, scorer, metric in lines)
    return [
        GridColumn(title=column, cells=heads, style="bold", least=10),
        GridColumn(title="scorer", cells=tuple(scorer for _, scorer, _ in lines), least=10),
        GridColumn(title="metric", cells=tuple(metric for *_, metric in lines), least=8),
        GridColumn(title="value", cells=tuple(map(_value, found)), right=True),
        GridColumn(title="interval", cells=tuple(map(_interval, found)), right=True),
        GridColumn(title="scored", cells=tuple(map(_scored, found)), right=True),
    ]


def _value(found: Slice | None) -> str:
    return "-" if found is None else number(found.estimate.value)


def _interval(found: Slice | None) -> str:
    estimate = None if found is None else found.estimate
    if estimate is None or estimate.low is None or estimate.high is None:
        return "-"
    return f"[{number(estimate.low)}, {number(estimate.high)}]"


def _scored(found: Slice | None) -> str:
    return "" if found is None else f"{found.counts.scored:,}/{found.counts.attempted:,}"
