"""Samples with what scorers said of them: the worst in short, one in full."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from steelyard.core.columns import as_text, canonical_of
from steelyard.core.record import OutcomeRow, StoredSample
from steelyard.core.score import Score
from steelyard.report.plain import one_line, printable, shorten
from steelyard.report.rows import number
from steelyard.results.worst import JudgedSample, Worst

__all__ = ["sample_page", "worst_heading", "worst_page"]

LINES = 3
"""So many lines of a long text are shown in short."""

LABEL = 16
"""The most that a label takes before it pushes its text to the right."""

_FIRST = ("input", "choices", "context", "output", "target")


def worst_heading(worst: Worst) -> str:
    """What the samples below are, and how many more there are."""
    shown = len(worst.samples)
    total = worst.wrong + worst.absent
    if not total:
        return f"{worst.scorer}: {_all(worst)}"
    absent = f" and {worst.absent:,} without a score" if worst.absent else ""
    full = number(worst.full_marks) if worst.full_marks is not None else ""
    marks = f"the best value that any has, {full}" if worst.seen and full else "full marks"
    below = f"{worst.wrong:,} of {worst.scored:,} scored samples below {marks}{absent}"
    return f"{worst.scorer}: {below}{f'; the worst {shown}' if shown < total else ''}"


def _all(worst: Worst) -> str:
    if not worst.scored:
        return "no sample has a score"
    if worst.seen:
        return f"all {worst.scored:,} scored samples have the same value"
    return f"all {worst.scored:,} scored samples have full marks"


def worst_page(worst: Worst, width: int) -> str:
    """The worst samples, each in a few lines."""
    blocks = ["\n".join(_short(judged, width)) for judged in worst.samples]
    return "\n\n".join([worst_heading(worst), *blocks])


def sample_page(judged: Sequence[JudgedSample], width: int) -> str:
    """One sample in full: every column, the output, and what each scorer said."""
    return "\n\n".join("\n".join(_full(each, width)) for each in judged)


def _short(judged: JudgedSample, width: int) -> Iterator[str]:
    sample = judged.sample
    page = _Page(width, ["output", *(row.scorer for row in judged.outcomes)])
    yield _title(sample)
    for name in ("input", "output", "target"):
        if name == "output" or name in sample.row:
            cell = sample.output if name == "output" else sample.row[name]
            yield from page.field(name, shorten(one_line(_said(cell)), LINES * page.room))
    if error := sample.extra.get("error"):
        yield from page.field("error", shorten(one_line(str(error)), LINES * page.room))
    for row in judged.outcomes:
        if getattr(row.outcome, "reason", None) != "not_applicable":
            yield from page.field(row.scorer, _verdict(row, short=True))


def _full(judged: JudgedSample, width: int) -> Iterator[str]:
    sample = judged.sample
    cells = {**sample.row, "output": sample.output, **sample.extra}
    names = [name for name in _FIRST if name in cells]
    names += [name for name in cells if name not in {*_FIRST, "id", "epoch"} and not _is_copy(name, cells)]
    page = _Page(width, [*names, *(row.scorer for row in judged.outcomes)])
    yield _title(sample)
    for name in names:
        seconds = name == "latency" and isinstance(cells[name], float)
        yield from page.field(name, f"{cells[name]:.3g} s" if seconds else printable(_said(cells[name])))
    yield ""
    for row in judged.outcomes:
        yield from page.field(row.scorer, _verdict(row, short=False))


def _is_copy(name: str, cells: Mapping[str, Any]) -> bool:
    """Whether a column is there under its canonical name already."""
    canonical = canonical_of(name)
    return canonical is not None and canonical != name and cells.get(canonical) == cells[name]


class _Page:
    """Labelled fields, one below the other, their texts aligned."""

    def __init__(self, width: int, labels: Sequence[str]) -> None:
        self._width = max(width, 40)
        self._label = min(max(map(len, labels)), LABEL)

    @property
    def room(self) -> int:
        """How many characters of a text go on a line."""
        return self._width - self._label - 4

    def field(self, label: str, text: str) -> Iterator[str]:
        """The lines of one field."""
        head = f"  {one_line(label):<{self._label}}  "
        indent = " " * (self._label + 4)
        for place, line in enumerate(text.split("\n")):
            first = head if place == 0 else indent
            yield from textwrap.wrap(
                line, self._width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
            ) or [""]


def _title(sample: StoredSample) -> str:
    return f"{one_line(sample.id)}{f' · epoch {sample.epoch}' if sample.epoch > 1 else ''}"


def _said(cell: Any) -> str:
    return "(none)" if cell is None else as_text(cell) or "(empty)"


def _verdict(row: OutcomeRow, *, short: bool) -> str:
    outcome = row.outcome
    if not isinstance(outcome, Score):
        why = f": {one_line(outcome.error)}" if outcome.error else ""
        return f"no score ({outcome.reason}){why}"
    value = outcome.value
    parts = [number(value) if isinstance(value, float) else one_line(as_text(value))]
    if outcome.answer is not None:
        answer = one_line(outcome.answer)
        parts.append(f"answer {shorten(answer, 60) if short else answer!r}")
    if outcome.reason:
        parts.append(f"note: {outcome.reason}")
    if outcome.explanation:
        explanation = one_line(outcome.explanation)
        parts.append(shorten(explanation, 120) if short else explanation)
    return " · ".join(parts)
