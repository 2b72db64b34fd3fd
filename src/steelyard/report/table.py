"""Tables of figures for a terminal, for `repr` and for a notebook."""

import html
import io
from collections.abc import Sequence
from typing import Any

from steelyard.core.estimate import Counts, Estimate
from steelyard.report.rows import FigureRow, figure_rows, number
from steelyard.results.view import RunView

__all__ = ["counts_note", "html_table", "interval", "rich_table", "run_heading", "run_notes", "text_table", "to_text"]


def text_table(view: RunView, *, width: int = 120) -> str:
    """The printed table of a run: heading, figures, notes."""
    return "\n".join([run_heading(view), to_text(rich_table(view), width=width).rstrip(), *run_notes(view)])


def rich_table(view: RunView) -> Any:
    """The figures as a `rich` table."""
    from rich import box
    from rich.table import Table

    rows = figure_rows(view)
    spreads = [name for name in ("stderr", "std", "var") if any(name in row.spread for row in rows)]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("scorer", no_wrap=True)
    table.add_column("metric", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column(_interval_title(rows), justify="right", no_wrap=True)
    for name in spreads:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("scored", justify="right", no_wrap=True)
    table.add_column("unscored", justify="right")
    table.add_column("failed", justify="right")
    table.add_column("method", no_wrap=True)
    previous = ""
    for row in rows:
        arrow = "" if row.higher_is_better else " (lower is better)"
        table.add_row(
            row.scorer + arrow if row.scorer != previous else "",
            row.metric,
            number(row.estimate.value),
            interval(row.estimate),
            *[number(row.spread[name].value) if name in row.spread else "" for name in spreads],
            f"{row.counts.scored}/{row.counts.attempted}",
            str(row.counts.missing - row.counts.failed or "-"),
            str(row.counts.failed or "-"),
            ", ".join(part for part in (row.estimate.method, row.mark) if part),
        )
        previous = row.scorer
    return table


def to_text(renderable: Any, *, width: int = 120) -> str:
    """What `rich` would print, as plain text."""
    from rich.console import Console

    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None, force_terminal=False).print(renderable)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def html_table(view: RunView) -> str:
    """The same table as HTML, every text escaped."""
    rows = figure_rows(view)
    heads = ["scorer", "metric", "value", _interval_title(rows), "scored", "unscored", "failed", "method"]
    lines = ["<table><thead><tr>", *[f"<th>{html.escape(head)}</th>" for head in heads], "</tr></thead><tbody>"]
    for row in rows:
        cells = [
            row.scorer,
            row.metric,
            number(row.estimate.value),
            interval(row.estimate),
            f"{row.counts.scored}/{row.counts.attempted}",
            str(row.counts.missing - row.counts.failed),
            str(row.counts.failed),
            row.estimate.method,
        ]
        lines.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    lines.append("</tbody></table>")
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in run_notes(view))
    return f"<p>{html.escape(run_heading(view))}</p>{''.join(lines)}{notes}"


def run_heading(view: RunView) -> str:
    """One line that says which run this is."""
    record = view.record
    model = f" · {record.model}" if record.model else ""
    epochs = f" · {record.n_epochs} epochs" if record.n_epochs > 1 else ""
    rows = f"{record.n_samples} row{'' if record.n_samples == 1 else 's'}"
    return f"run {record.id} · {record.name}{model} · {rows}{epochs} · {record.status}"


def run_notes(view: RunView) -> list[str]:
    """What has to be said beside the figures: undefined ones, bounds, what was not scored, summaries."""
    notes: list[str] = []
    seen: set[str] = set()
    for row in figure_rows(view):
        name = f"{row.scorer} {row.metric}"
        if row.estimate.reason:
            notes.append(f"{name}: {row.estimate.reason}")
        if row.estimate.worst is not None and row.estimate.best is not None:
            bounds = f"{number(row.estimate.worst)} to {number(row.estimate.best)}"
            notes.append(f"{name}: {bounds} if the unscored had all been wrong, or all right")
        if row.scorer not in seen:
            seen.add(row.scorer)
            note = counts_note(row.counts)
            if note:
                notes.append(f"{row.scorer}: {note}")
    notes += [f"{key}: {n} texts, too various to count" for key, n in view.figures.texts.items()]
    notes += [f"{name} summary: {value}" for name, value in view.figures.summaries.items()]
    if view.record.status == "cancelled":
        notes.append("cancelled: these are the samples that were finished")
    return notes


def counts_note(counts: Counts) -> str:
    """Why samples were not scored, and what was noted of those that were."""
    parts = [f"{n} unscored ({reason})" for reason, n in counts.unscored.items()]
    parts += [f"{n} scored with the note {note!r}" for note, n in counts.notes.items()]
    return ", ".join(parts)


def interval(estimate: Estimate) -> str:
    """The interval as text; says so where it is undefined."""
    if estimate.low is not None and estimate.high is not None:
        return f"[{number(estimate.low)}, {number(estimate.high)}]"
    return "undefined" if estimate.reason else "-"


def _interval_title(rows: Sequence[FigureRow]) -> str:
    levels = {row.estimate.level for row in rows if row.estimate.level is not None}
    return f"{min(levels):.0%} interval" if len(levels) == 1 else "interval"
