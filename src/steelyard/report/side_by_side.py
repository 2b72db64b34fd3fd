"""Several runs side by side: one table, and the paired difference of two."""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.core.record import RunRecord
from steelyard.report.grid import GridColumn, draw, fit, natural_width
from steelyard.report.plain import one_line, wrapped
from steelyard.report.rows import FigureRow, figure_rows, number
from steelyard.report.table import (
    interval,
    interval_title,
    method_notes,
    run_heading,
    run_notes,
    scorer_label,
    to_text,
)
from steelyard.results.pairs import PairedDifference
from steelyard.results.view import RunView

__all__ = ["comparison_text", "difference_notes", "difference_table", "run_names", "side_by_side"]

Key = tuple[str, str]


def side_by_side(views: Sequence[RunView], width: int) -> tuple[list[str], Any, list[str]]:
    """Headings, one table, and notes of several runs.

    Each run is a group of columns where the line has room for that; else each is a row below its scorer.
    """
    names = run_names([view.record for view in views])
    found = [{(row.scorer, row.metric): row for row in figure_rows(view)} for view in views]
    keys = list(dict.fromkeys(key for rows in found for key in rows))
    wide = _grouped(names, found, keys)
    if natural_width(wide) <= width:
        table = draw(wide, width)
    else:
        long = _stacked(names, found, keys)
        starts = [place * len(views) for place in range(1, len(keys))]
        table = draw(long, width, breaks=starts)
    notes = method_notes([row for rows in found for row in rows.values()])
    for name, view in zip(names, views, strict=True):
        notes += [f"{name}: {note}" for note in run_notes(view) if note not in notes]
    return [run_heading(view) for view in views], table, _merged(notes, names)


def comparison_text(views: Sequence[RunView], differences: Sequence[PairedDifference] = (), *, width: int = 120) -> str:
    """Several runs as plain text, and of two how much they differ."""
    headings, table, notes = side_by_side(views, width)
    parts = ["\n".join(wrapped(headings, width)), to_text(table, width=width), "\n".join(wrapped(notes, width))]
    if differences:
        baseline, candidate = run_names([view.record for view in views])
        drawn = to_text(difference_table(differences, baseline, candidate, width), width=width)
        below = difference_notes(differences, baseline, candidate)
        parts += [f"{candidate} against {baseline}, paired by sample", drawn, "\n".join(wrapped(below, width))]
    return "\n\n".join(part for part in parts if part)


def difference_table(differences: Sequence[PairedDifference], baseline: str, candidate: str, width: int) -> Any:
    """The paired differences of two runs."""
    estimates = [each.estimate for each in differences]
    columns = [
        GridColumn(title="scorer", cells=tuple(each.scorer for each in differences), style="bold", least=12),
        GridColumn(
            title=f"{candidate} - {baseline}",
            cells=tuple(_signed(each.value) for each in estimates),
            right=True,
            least=10,
        ),
        GridColumn(title=_level(differences), cells=tuple(map(_signed_interval, estimates)), right=True),
        GridColumn(title="pairs", cells=tuple(str(each.pairs) for each in differences), right=True),
        GridColumn(title="verdict", cells=tuple(map(_verdict, differences))),
    ]
    if len(_methods(differences)) > 1:
        methods = tuple(each.method for each in estimates)
        columns.append(GridColumn(title="method", cells=methods, style="dim", rank=5))
    return draw(fit(columns, width), width)


def difference_notes(differences: Sequence[PairedDifference], baseline: str, candidate: str) -> list[str]:
    """How the intervals were computed, why a difference is undefined, and which samples have no pair."""
    methods = _methods(differences)
    notes = [f"{_level(differences)}: {methods[0]}"] if len(methods) == 1 else []
    notes += [f"{each.scorer}: {each.estimate.reason}" for each in differences if each.estimate.reason]
    alone: dict[tuple[int, int], list[str]] = {}
    for each in differences:
        alone.setdefault((each.only_baseline, each.only_candidate), []).append(each.scorer)
    for (before, after), scorers in alone.items():
        if before or after:
            only = [f"{n:,} of {name}" for n, name in ((before, baseline), (after, candidate)) if n]
            notes.append(f"left out, since the other run has no score for it: {', '.join(only)} ({', '.join(scorers)})")
    return notes


def run_names(records: Sequence[RunRecord]) -> list[str]:
    """What tells runs apart: their names, without the ``name/`` that all share; where those are equal, their ids."""
    names = [one_line(record.name) for record in records]
    if len(set(names)) < len(names):
        return [record.id for record in records]
    heads = {name.rpartition("/")[0] for name in names}
    return [name.rpartition("/")[2] for name in names] if len(heads) == 1 else names


def _methods(differences: Sequence[PairedDifference]) -> list[str]:
    return list(dict.fromkeys(each.estimate.method for each in differences if each.estimate.low is not None))


def _label(key: Key, found: Sequence[Mapping[Key, FigureRow]]) -> str:
    return next(scorer_label(rows[key]) for rows in found if key in rows)


def _grouped(names: Sequence[str], found: Sequence[Mapping[Key, FigureRow]], keys: Sequence[Key]) -> list[GridColumn]:
    firsts = [place == 0 or keys[place - 1][0] != key[0] for place, key in enumerate(keys)]
    labels = [_label(key, found) if first else "" for key, first in zip(keys, firsts, strict=True)]
    columns = [
        GridColumn(title="scorer", cells=tuple(labels), style="bold"),
        GridColumn(title="metric", cells=tuple(metric for _, metric in keys)),
    ]
    for name, rows in zip(names, found, strict=True):
        cells = [rows.get(key) for key in keys]
        estimates = ["" if row is None else f"{number(row.estimate.value)} {interval(row.estimate)}" for row in cells]
        counts = [
            "" if row is None or not first else f"{row.counts.scored:,}/{row.counts.attempted:,}"
            for row, first in zip(cells, firsts, strict=True)
        ]
        columns.append(GridColumn(title=name, cells=tuple(estimates), right=True))
        columns.append(GridColumn(title="scored", cells=tuple(counts), right=True, style="dim"))
    return columns


def _stacked(names: Sequence[str], found: Sequence[Mapping[Key, FigureRow]], keys: Sequence[Key]) -> list[GridColumn]:
    lines = [
        (key, place, name, rows.get(key))
        for key in keys
        for place, (name, rows) in enumerate(zip(names, found, strict=True))
    ]
    present = [row for *_, row in lines if row is not None]
    heads = [(_label(key, found), key[1]) if place == 0 else ("", "") for key, place, _, _ in lines]
    return [
        GridColumn(title="scorer", cells=tuple(scorer for scorer, _ in heads), style="bold", least=10),
        GridColumn(title="metric", cells=tuple(metric for _, metric in heads), least=8),
        GridColumn(title="run", cells=tuple(name for _, _, name, _ in lines), least=8),
        GridColumn(
            title="value",
            cells=tuple("" if row is None else number(row.estimate.value) for *_, row in lines),
            right=True,
        ),
        GridColumn(
            title=interval_title(present),
            cells=tuple("" if row is None else interval(row.estimate) for *_, row in lines),
            right=True,
        ),
        GridColumn(
            title="scored",
            cells=tuple("" if row is None else f"{row.counts.scored:,}/{row.counts.attempted:,}" for *_, row in lines),
            right=True,
        ),
    ]


def _merged(notes: Sequence[str], names: Sequence[str]) -> list[str]:
    """A note that every run has is said once."""
    bare = {note: [name for name in names if f"{name}: {note}" in notes] for note in _bare(notes, names)}
    merged: list[str] = []
    for note in notes:
        name, _, rest = note.partition(": ")
        text = rest if name in names and len(bare.get(rest, ())) == len(names) else note
        if text not in merged:
            merged.append(text)
    return merged


def _bare(notes: Sequence[str], names: Sequence[str]) -> list[str]:
    split = (note.partition(": ") for note in notes)
    return list(dict.fromkeys(rest for name, _, rest in split if name in names))


def _signed(value: float | None) -> str:
    if value is None:
        return "-"
    return f"+{number(value)}" if value > 0 else number(value)


def _signed_interval(estimate: Any) -> str:
    if estimate.low is None or estimate.high is None:
        return interval(estimate)
    return f"[{_signed(estimate.low)}, {_signed(estimate.high)}]"


def _level(differences: Sequence[PairedDifference]) -> str:
    levels = {each.estimate.level for each in differences if each.estimate.level is not None}
    return f"{min(levels):.0%} interval" if len(levels) == 1 else "interval"


def _verdict(difference: PairedDifference) -> str:
    """What the interval says: whether 0 is in it, and which way it lies."""
    estimate = difference.estimate
    if estimate.low is None or estimate.high is None:
        return "not defined"
    if estimate.low <= 0 <= estimate.high:
        return "no clear difference"
    return "better" if (estimate.low > 0) == difference.higher_is_better else "worse"
