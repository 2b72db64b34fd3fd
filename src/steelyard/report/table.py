"""The table of a run's figures: for a terminal, for `repr` and for a notebook."""

import html
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steelyard.core.estimate import Counts, Estimate
from steelyard.report.grid import GridColumn, draw, fit
from steelyard.report.plain import one_line, shorten, wrapped
from steelyard.report.rows import SPREAD, FigureRow, figure_rows, number
from steelyard.report.slices import slice_columns, slice_tables
from steelyard.results.view import RunView

__all__ = [
    "bound_notes",
    "bounds",
    "count_notes",
    "figure_table",
    "html_table",
    "interval",
    "interval_title",
    "run_heading",
    "run_notes",
    "text_table",
    "to_text",
]

DOWN = "↓"
BOUNDS = "bounds"
WORST_MEANING = 'samples that should have a score and have none count as the worst value (on_unscored="worst")'
BOUNDS_MEANING = "bounds, had the unscored all been wrong or all right"
MOST_BOUNDS = 3
"""So many bounds are listed below a table; of more, how far the furthest reaches."""

_SUMMARY_LENGTH = 300
_ERROR_LENGTH = 120


def text_table(view: RunView, *, width: int = 120) -> str:
    """The printed table of a run: heading, figures, notes."""
    table, notes = figure_table(view, width)
    tables = [to_text(each, width=width) for each in (table, *slice_tables(view, width))]
    notes = wrapped(notes, width)
    return "\n".join([run_heading(view), "", "\n\n".join(tables), *(["", *notes] if notes else [])])


def figure_table(view: RunView, width: int) -> tuple[Any, list[str]]:
    """The figures as a `rich` table of at most ``width``, and the notes that belong under it.

    Where the line is short, spread figures give way first; then bounds, method and counts, which become notes.
    """
    rows = figure_rows(view)
    columns = _columns(rows)
    kept = fit(columns, width)
    titles = {column.title for column in kept}
    notes = run_notes(view, bounds_beside=BOUNDS in titles)
    if "method" not in titles:
        notes = [*method_notes(rows), *notes]
    starts = [place for place in range(1, len(rows)) if rows[place].scorer != rows[place - 1].scorer]
    many = any(rows[place].scorer == rows[place - 1].scorer for place in range(1, len(rows)))
    return draw(kept, width, breaks=starts if many and len(rows) > 6 else ()), notes


def _columns(rows: Sequence[FigureRow]) -> list[GridColumn]:
    firsts = [place == 0 or rows[place - 1].scorer != row.scorer for place, row in enumerate(rows)]

    def cells(texts: Iterable[str], *, once: bool = False) -> tuple[str, ...]:
        return tuple(text if first or not once else "" for text, first in zip(texts, firsts, strict=True))

    counts = [row.counts for row in rows]
    columns = [
        GridColumn(title="scorer", cells=cells((scorer_label(row) for row in rows), once=True), style="bold", least=12),
        GridColumn(title="metric", cells=cells(row.metric for row in rows), least=8),
        GridColumn(title="value", cells=cells(number(row.estimate.value) for row in rows), right=True),
        GridColumn(title=interval_title(rows), cells=cells(interval(row.estimate) for row in rows), right=True),
    ]
    for rank, name in enumerate(SPREAD):
        if any(name in row.spread for row in rows):
            spread = cells(number(row.spread[name].value) if name in row.spread else "" for row in rows)
            columns.append(GridColumn(title=name, cells=spread, right=True, rank=10 + rank))
    if any(row.estimate.worst is not None for row in rows):
        columns.append(GridColumn(title=BOUNDS, cells=cells(map(bounds, rows)), right=True, rank=9))
    scored = cells((f"{each.scored:,}/{each.attempted:,}" for each in counts), once=True)
    columns.append(GridColumn(title="scored", cells=scored, right=True))
    if any(each.missing for each in counts):
        unscored = cells((str(each.missing - each.failed or "-") for each in counts), once=True)
        failed = cells((str(each.failed or "-") for each in counts), once=True)
        columns.append(GridColumn(title="unscored", cells=unscored, right=True, rank=6))
        columns.append(GridColumn(title="failed", cells=failed, right=True, rank=5))
    methods = cells(", ".join(part for part in (row.estimate.method, row.mark) if part) for row in rows)
    columns.append(GridColumn(title="method", cells=methods, style="dim", rank=8))
    return columns


def to_text(renderable: Any, *, width: int = 120) -> str:
    """What `rich` would print, as plain text."""
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None, force_terminal=False, force_jupyter=False).print(renderable)
    return "\n".join(line.rstrip() for line in stream.getvalue().rstrip("\n").splitlines())


def html_table(view: RunView) -> str:
    """The same table as HTML, every text escaped."""
    rows = figure_rows(view)
    columns = _columns(rows)
    tables = [columns, *slice_columns(view)]
    notes = "".join(
        f"<p>{html.escape(note)}</p>"
        for note in run_notes(view, bounds_beside=any(column.title == BOUNDS for column in columns))
    )
    return f"<p>{html.escape(run_heading(view))}</p>{''.join(map(_html, tables))}{notes}"


def _html(columns: Sequence[GridColumn]) -> str:
    heads = "".join(f"<th>{html.escape(column.title)}</th>" for column in columns)
    lines = zip(*(column.cells for column in columns), strict=True)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def run_heading(view: RunView) -> str:
    """One line that says which run this is."""
    record = view.record
    model = f" · {one_line(record.model)}" if record.model else ""
    epochs = f" · {record.n_epochs} epochs" if record.n_epochs > 1 else ""
    rows = f"{record.n_samples:,} row{'' if record.n_samples == 1 else 's'}"
    status = "" if record.status == "success" else f" · {record.status}"
    return f"run {record.id} · {one_line(record.name)}{model} · {rows}{epochs}{status}"


def run_notes(view: RunView, *, bounds_beside: bool = False) -> list[str]:
    """What has to be said beside the figures: undefined ones, what was not scored, bounds, summaries.

    Args:
        view: The run.
        bounds_beside: The bounds stand in a column, which needs no more than its meaning.
    """
    rows = figure_rows(view)
    notes = [f"{row.scorer} {row.metric}: {row.estimate.reason}" for row in rows if row.estimate.reason]
    notes += count_notes(view.figures.counts, view.errors)
    notes += [BOUNDS_MEANING] if bounds_beside else bound_notes(rows)
    notes += [f"{key}: {n} texts, too various to count" for key, n in view.figures.texts.items()]
    notes += [
        f"{name} summary: {shorten(one_line(str(value)), _SUMMARY_LENGTH)}"
        for name, value in view.figures.summaries.items()
    ]
    if any(not row.higher_is_better for row in rows):
        notes.append(f"{DOWN} lower is better")
    if view.record.on_unscored == "worst" and any(_absent(each) for each in view.figures.counts.values()):
        notes.append(WORST_MEANING)
    if view.record.status == "started":
        notes.append("without an end: it is still under way, or its process was killed; this is what is stored")
    if view.record.status == "cancelled":
        notes.append("cancelled: these are the samples that were finished")
    if view.record.status == "error":
        notes.append(f"ended early: {one_line(view.record.error or 'no reason is known')}")
    return [one_line(note) for note in notes]


def _absent(counts: Counts) -> int:
    """Samples that should have a score and have none."""
    return counts.missing - counts.unscored.get("not_applicable", 0)


def count_notes(counts: Mapping[str, Counts], errors: Mapping[tuple[str, str], str] | None = None) -> list[str]:
    """Why samples were not scored, and what was noted of those that were; scorers that agree are named together.

    Args:
        counts: Scorer to counts.
        errors: (scorer, reason) to the first message that says more.
    """
    said: dict[str, dict[int, list[str]]] = {}
    first: dict[str, str] = {}
    for scorer, each in counts.items():
        for reason, n in each.unscored.items():
            text = _REASONS.get(reason, reason)
            said.setdefault(text, {}).setdefault(n, []).append(scorer)
            if error := (errors or {}).get((scorer, reason)):
                first.setdefault(text, f" (the first: {shorten(one_line(error), _ERROR_LENGTH)})")
        for note, n in each.notes.items():
            said.setdefault(f"scored with the note {note!r}", {}).setdefault(n, []).append(scorer)
    return [f"{_counted(text, numbers)}{first.get(text, '')}" for text, numbers in said.items()]


def _counted(text: str, numbers: Mapping[int, Sequence[str]]) -> str:
    """``3 not applicable: a, b``; where scorers differ, ``not applicable: 3 (a, b), 4 (c)``."""
    if len(numbers) == 1:
        return "".join(f"{n:,} {text}: {', '.join(scorers)}" for n, scorers in numbers.items())
    each = [f"{n:,} ({', '.join(scorers)})" for n, scorers in numbers.items()]
    return f"{text}: {', '.join(each)}"


def bound_notes(rows: Sequence[FigureRow]) -> list[str]:
    """What the figures would be if the samples without a score had all been wrong, or all right."""
    said = [f"{row.scorer} {row.metric} {bounds(row)}" for row in rows if bounds(row)]
    if len(said) <= MOST_BOUNDS:
        return [f"{BOUNDS_MEANING}: {', '.join(said)}"] if said else []
    furthest = max(map(_reach, rows))
    return [f"had the unscored all been wrong, or all right, no figure would move by more than {number(furthest)}"]


def _reach(row: FigureRow) -> float:
    """How far the missing samples could move a figure."""
    value, ends = row.estimate.value, (row.estimate.worst, row.estimate.best)
    return max((abs(end - value) for end in ends if end is not None and value is not None), default=0.0)


def bounds(row: FigureRow) -> str:
    """The worst and the best that the figure could be; empty where every sample is scored."""
    estimate = row.estimate
    if estimate.worst is None or estimate.best is None:
        return ""
    return f"{number(estimate.worst)} to {number(estimate.best)}"


_REASONS = {
    "no_output": "without an output",
    "not_applicable": "not applicable",
    "malformed": "with a value that is no score",
    "scorer_error": "where the scorer failed",
    "timeout": "where the scorer ran out of time",
    "judge_failed": "where the judge failed",
}


def method_notes(rows: Sequence[FigureRow]) -> list[str]:
    """One line that says how each interval was computed, where no column does.

    Rows of one method are named together.
    """
    by_method: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.estimate.low is not None:
            by_method.setdefault(row.estimate.method, {})[row.scorer] = None
    if len(by_method) == 1:
        return [f"{interval_title(rows)}: {next(iter(by_method))}"]
    named = [f"{method} ({', '.join(scorers)})" for method, scorers in by_method.items()]
    return [f"{interval_title(rows)}: {'; '.join(named)}"] if named else []


def interval(estimate: Estimate) -> str:
    """The interval as text; says so where it is undefined."""
    if estimate.low is not None and estimate.high is not None:
        return f"[{number(estimate.low)}, {number(estimate.high)}]"
    return "undefined" if estimate.reason else "-"


def interval_title(rows: Sequence[Any]) -> str:
    """The head of the column of intervals: its level, where all rows have one."""
    levels = {row.estimate.level for row in rows if row.estimate.level is not None}
    return f"{min(levels):.0%} interval" if len(levels) == 1 else "interval"


def scorer_label(row: FigureRow) -> str:
    """The scorer's name, with an arrow where less is better."""
    return row.scorer if row.higher_is_better else f"{row.scorer} {DOWN}"
