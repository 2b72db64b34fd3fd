"""Outcome: how finished runs are shown, and what their failures do to the exit code."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from steelyard.cli.failure import TOO_MANY_FAILED
from steelyard.cli.session import Session
from steelyard.errors import UsageError
from steelyard.report.plain import wrapped

if TYPE_CHECKING:
    from steelyard._run import Run

__all__ = ["check_failures", "percent", "run_documents", "show_comparison", "show_run"]


def percent(_: click.Context, __: click.Parameter, given: str | None) -> float | None:
    """A share such as ``5%`` or ``5``, as the number of percent, 0 to 100."""
    if given is None:
        return None
    try:
        share = float(given.strip().removesuffix("%"))
    except ValueError:
        share = -1.0
    if not 0 <= share <= 100:
        raise UsageError(f"--fail-on-error takes a percentage from 0% to 100%, such as 5%; {given!r} was given")
    return share


def show_run(session: Session, run: "Run") -> None:
    """One run: heading, columns, table, notes; its warnings go to stderr."""
    from steelyard.report.slices import slice_tables
    from steelyard.report.table import figure_table, run_heading
    from steelyard.results.view import view

    seen = view(run.reader, run.figures)
    table, notes = figure_table(seen, session.width)
    session.show(*wrapped([run_heading(seen), *chosen(run)], session.width), "", table)
    for slices in slice_tables(seen, session.width):
        session.show("", slices)
    _show_notes(session, notes)
    _warn(session, [run])


def show_comparison(session: Session, runs: Sequence["Run"]) -> list[Any]:
    """Several runs in one table; of two also the paired difference, which is returned."""
    from steelyard.report.side_by_side import difference_notes, difference_table, run_names, side_by_side
    from steelyard.report.slices import slice_tables
    from steelyard.results.pairs import paired_differences
    from steelyard.results.view import view

    seen = [view(run.reader, run.figures) for run in runs]
    names = run_names([run.record for run in runs])
    headings, table, notes = side_by_side(seen, session.width)
    session.show(*wrapped([*headings, *chosen(*runs)], session.width), "", table)
    _show_notes(session, notes)
    for name, each in zip(names, seen, strict=True):
        for slices in slice_tables(each, session.width):
            session.show("", name, slices)
    differences: list[Any] = []
    if len(runs) == 2:
        first, second = runs
        differences = paired_differences(first.reader, second.reader)
        baseline, candidate = names
        if differences:
            drawn = difference_table(differences, baseline, candidate, session.width)
            session.show("", f"{candidate} against {baseline}, paired by sample", "", drawn)
            _show_notes(session, difference_notes(differences, baseline, candidate))
    _warn(session, runs)
    return differences


def run_documents(runs: Sequence["Run"], differences: Sequence[Any] = ()) -> dict[str, Any]:
    """What --json prints of finished runs: always the same shape, however many there are."""
    from steelyard.report.document import difference_documents, run_document
    from steelyard.results.view import view

    return {
        "runs": [run_document(view(run.reader, run.figures), run.warnings) for run in runs],
        "differences": difference_documents(differences),
    }


def check_failures(session: Session, runs: Sequence["Run"], allowed: float | None) -> None:
    """End with exit code 3 when more than so many percent of any scorer's outcomes failed."""
    if allowed is None:
        return
    failing = False
    for run in runs:
        for name, counts in run.counts.items():
            share = 100 * counts.failed / counts.attempted if counts.attempted else 0.0
            if share > allowed:
                failing = True
                session.say(
                    f"failed: {share:.1f}% of the outcomes of {name} ({counts.failed} of {counts.attempted}), "
                    f"and --fail-on-error allows {allowed:g}%"
                )
    if failing:
        raise click.exceptions.Exit(TOO_MANY_FAILED)


def chosen(*runs: "Run") -> list[str]:
    """Which column is which: said once, with what tells several runs apart side by side."""
    said = [", ".join(run.record.source.get("columns", ())).split(", ") for run in runs]
    if len(set(map(len, said))) != 1:
        return [f"columns: {', '.join(parts)}" for parts in said]
    merged = [_side_by_side(list(dict.fromkeys(parts))) for parts in zip(*said, strict=True)]
    return [f"columns: {', '.join(merged)}"] if any(merged) else []


def _side_by_side(parts: list[str]) -> str:
    """``output = a`` and ``output = b`` as ``output = a | b``."""
    return " | ".join([parts[0], *(part.partition(" = ")[2] or part for part in parts[1:])])


def _show_notes(session: Session, notes: Sequence[str]) -> None:
    if notes:
        session.show("", *wrapped(notes, session.width))


def _warn(session: Session, runs: Sequence["Run"]) -> None:
    warnings = dict.fromkeys(warning for run in runs for warning in run.warnings)
    skipped = max((int(run.record.source.get("skipped", 0)) for run in runs), default=0)
    if skipped:
        rows = "1 row that could not be read was" if skipped == 1 else f"{skipped:,} rows that could not be read were"
        warnings[f"{rows} skipped"] = None
    for warning in warnings:
        session.warn(warning)
