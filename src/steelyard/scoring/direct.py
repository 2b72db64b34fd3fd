"""Scoring one output directly, with nothing faked around it: what a scorer object does when it is called."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.score import Outcome, Score, Unscored
from steelyard.core.state import TaskState
from steelyard.core.target import Target
from steelyard.errors import PortalError, UnscoredError
from steelyard.scoring.bound import Bound, bind
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.outcome import to_outcome
from steelyard.scoring.portal import run_in_portal

__all__ = ["score_pair", "score_pair_async", "score_state"]


def score_pair(form: ScorerForm, args: Sequence[Any], columns: Mapping[str, Any]) -> Score:
    """The score of ``(output, target, **columns)``. What the scorer raises is the caller's.

    Raises:
        UnscoredError: When there is no score; it says why.
    """
    row = _pair_row(args, columns)
    bound = bind(form, list(row.data))
    raw = _raw(bound, row)
    if not inspect.isawaitable(raw):
        return _judged(bound, row, raw)
    try:
        return run_in_portal(_awaited(bound, row, raw))
    except PortalError:
        if inspect.iscoroutine(raw):
            raw.close()
        raise


async def score_pair_async(form: ScorerForm, args: Sequence[Any], columns: Mapping[str, Any]) -> Score:
    """The awaitable twin of `score_pair`."""
    row = _pair_row(args, columns)
    bound = bind(form, list(row.data))
    return await _awaited(bound, row, _raw(bound, row))


async def score_state(form: ScorerForm, state: TaskState, target: Any = None) -> Score:
    """The score of a `TaskState`, against its own target or another."""
    references = state.target if target is None else Target(target)
    row = _state_row(state, references)
    bound = bind(form, list(row.data))
    if form.body.style == "state":
        return await _awaited(bound, row, form.body.fn(state, references, **form.body.options))
    return await _awaited(bound, row, _raw(bound, row))


def _raw(bound: Bound, row: Columns) -> Any:
    missing = bound.missing(row)
    if missing:
        return Unscored(missing[0])
    return bound.score(row).outcome(0) if bound.form.body.style == "batch" else bound.call(row)


async def _awaited(bound: Bound, row: Columns, raw: Any) -> Score:
    return _judged(bound, row, await raw if inspect.isawaitable(raw) else raw)


def _judged(bound: Bound, row: Columns, raw: Any) -> Score:
    outcome: Outcome = bound.noted(row, ScoreColumns.of([to_outcome(raw, bound.form.facts)])).outcome(0)
    if isinstance(outcome, Unscored):
        raise UnscoredError(f"no score ({outcome.reason}){': ' + outcome.error if outcome.error else ''}")
    return outcome


def _pair_row(args: Sequence[Any], columns: Mapping[str, Any]) -> Columns:
    """One row from ``(output, target, **columns)``."""
    if len(args) > 2:
        raise TypeError("a scorer takes an output and a target by position; name further columns")
    row = {**dict(zip(("output", "target"), args, strict=False)), **columns}
    row = {name: cell for name, cell in row.items() if not (name == "target" and cell is None)}
    return Columns({name: [list(cell) if isinstance(cell, Target) else cell] for name, cell in row.items()}, 1)


def _state_row(state: TaskState, target: Target) -> Columns:
    row: dict[str, Any] = {**state.metadata, "input": state.input, "output": state.output.value}
    if len(target):
        row["target"] = list(target) if len(target) > 1 else target[0]
    if state.choices is not None:
        row["choices"] = [getattr(choice, "value", choice) for choice in state.choices]
    ids = None if state.sample_id is None else [str(state.sample_id)]
    return Columns({name: [cell] for name, cell in row.items()}, 1, 0, ids, [state.epoch], [state.output])
