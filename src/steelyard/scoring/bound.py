"""Bound: a scorer that has met its columns and can score chunks of them."""

import asyncio
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.score import Outcome, UnscoredReason
from steelyard.scoring.bind import Binding, bind_form
from steelyard.scoring.feeds import CallContext
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.outcome import check_columns, failure, to_outcome

__all__ = ["Bound", "bind"]

RAISED = (Exception, asyncio.CancelledError)
"""What a synchronous scorer may raise that is a failure of its row. Ctrl-C and the end of the process are not."""

REFUSALS = ("refusal", "content_filter")
"""Stop reasons by which a provider says that the model would not answer."""


def bind(
    form: ScorerForm,
    columns: Sequence[str],
    *,
    column_map: Mapping[str, str] | None = None,
    context: CallContext | None = None,
) -> "Bound":
    """Bind a scorer to columns; raises `BindingError` when it does not fit them."""
    return Bound(
        form, bind_form(form, columns, column_map), context or CallContext(), {**form.column_map, **(column_map or {})}
    )


class Bound:
    """A scorer bound to columns.

    A failing row is an outcome of that row alone: an exception never leaves `score` or `score_async`.
    """

    __slots__ = ("binding", "context", "form", "moved")

    def __init__(self, form: ScorerForm, binding: Binding, context: CallContext, column_map: Mapping[str, str]) -> None:
        self.form = form
        self.binding = binding
        self.context = context
        self.moved = dict(column_map)

    @property
    def is_async(self) -> bool:
        """True when scoring awaits something."""
        return self.form.body.is_async

    def score(self, columns: Columns, context: CallContext | None = None) -> ScoreColumns:
        """Score a chunk with a synchronous scorer."""
        rows, reasons = self._readable(columns)
        told = context or self.context
        if rows is None:
            return self.noted(columns, self._score(columns, told))
        scored = self._score(columns.take(rows), _told_of(told, rows)).spread(rows, columns.n, reasons)
        return self.noted(columns, scored)

    async def score_async(
        self, columns: Columns, context: CallContext | None = None, *, limit: int = 100, threads: bool = False
    ) -> ScoreColumns:
        """Score a chunk, at most ``limit`` rows at a time; ``threads`` puts users' sync functions in threads."""
        rows, reasons = self._readable(columns)
        part = columns if rows is None else columns.take(rows)
        told = context or self.context
        scored = await self._score_async(part, told if rows is None else _told_of(told, rows), limit, threads)
        return self.noted(columns, scored if rows is None else scored.spread(rows, columns.n, reasons))

    def call(self, columns: Columns) -> Any:
        """The raw result for the first row; an exception is the caller's."""
        args, kwargs = next(self._calls(columns, self.context))
        return self.form.body.fn(*args, **kwargs)

    def missing(self, columns: Columns) -> dict[int, UnscoredReason]:
        """The rows that cannot be scored, because a column that is read holds nothing there."""
        return self._readable(columns)[1]

    def noted(self, columns: Columns, scored: ScoreColumns) -> ScoreColumns:
        """Empty outputs and refusals are scored; the reason is noted beside the score."""
        if "output" not in self.binding.reads:
            return scored
        moved = self.moved.get("output", "output")  # a column, or a field of the output
        cells = columns[moved] if moved in columns else columns.data.get("output", ())
        if _any_blank(cells):
            for i, cell in enumerate(cells):
                if isinstance(cell, str) and not cell.strip() and scored.values[i] is not None:
                    scored.reasons.setdefault(i, "empty")
        for i, output in enumerate(columns.outputs or ()):
            if output.stop_reason in REFUSALS and scored.values[i] is not None:
                scored.reasons[i] = "refusal"
        return scored

    # -- what follows never raises for a row -------------------------------------------------------------------

    def _readable(self, columns: Columns) -> tuple[list[int] | None, dict[int, UnscoredReason]]:
        """The rows to score (None: all), and why the others are not."""
        reasons: dict[int, UnscoredReason] = {}
        for name in self.binding.reads:
            source = self.moved.get(name, name)
            cells = columns.data.get(source if source in columns else name)
            if cells is None or not _holds_none(cells):
                continue
            reason: UnscoredReason = "no_output" if name == "output" else "not_applicable"
            for i, cell in enumerate(cells):
                if cell is None:
                    reasons.setdefault(i, reason)
        if not reasons:
            return None, reasons
        return [i for i in range(columns.n) if i not in reasons], reasons

    def _score(self, columns: Columns, context: CallContext) -> ScoreColumns:
        body = self.form.body
        if columns.n == 0:
            return ScoreColumns([])
        if body.style == "batch":
            return self._score_batch(columns, context)
        if body.kernel is not None:
            try:
                scored = body.kernel(self._remapped(columns))
                if isinstance(scored, ScoreColumns) and len(scored) == columns.n:
                    return check_columns(scored, self.form.facts)
            except Exception:  # noqa: BLE001, S110  the chunk is scored row by row, so one bad row fails alone
                pass
        return self._score_rows(columns, context)

    def _score_rows(self, columns: Columns, context: CallContext) -> ScoreColumns:
        fn, binding = self.form.body.fn, self.binding
        raws: list[Any] = []
        failures: dict[int, Outcome] = {}
        if not binding.keywords and binding.rest is None and not self.form.body.options:
            feeds = [feed(columns, context) for feed in binding.positional]
            for args in zip(*feeds, strict=True) if feeds else [()] * columns.n:
                try:
                    raws.append(fn(*args))
                except RAISED as error:  # the runner's boundary: a failure becomes a record
                    failures[len(raws)] = failure(error)
                    raws.append(None)
        else:
            for args, kwargs in self._calls(columns, context):
                try:
                    raws.append(fn(*args, **kwargs))
                except RAISED as error:  # the runner's boundary
                    failures[len(raws)] = failure(error)
                    raws.append(None)
        return self._gather(raws, failures)

    def _gather(self, raws: list[Any], failures: Mapping[int, Outcome]) -> ScoreColumns:
        if not failures and set(map(type, raws)) <= {float, int, bool, str}:
            return check_columns(ScoreColumns(raws), self.form.facts)
        facts = self.form.facts
        return ScoreColumns.of([failures[i] if i in failures else to_outcome(raw, facts) for i, raw in enumerate(raws)])

    def _score_batch(self, columns: Columns, context: CallContext) -> ScoreColumns:
        feeds = [feed(columns, context) for feed in self.binding.positional]
        try:
            return self._gather_batch(self.form.body.fn(*map(_batch, feeds)), columns.n)
        except Exception as error:  # noqa: BLE001  the runner's boundary
            return ScoreColumns.of([failure(error)] * columns.n)

    async def _score_batch_async(self, columns: Columns, context: CallContext) -> ScoreColumns:
        feeds = [feed(columns, context) for feed in self.binding.positional]
        try:
            return self._gather_batch(await self.form.body.fn(*map(_batch, feeds)), columns.n)
        except Exception as error:  # noqa: BLE001  the runner's boundary
            return ScoreColumns.of([failure(error)] * columns.n)

    def _gather_batch(self, returned: Any, n: int) -> ScoreColumns:
        if not isinstance(returned, Iterable) or isinstance(returned, str | Mapping):
            raise TypeError(f"run_batch returned a {type(returned).__name__}, not a list of {n} scores")
        raws = list(returned)
        if len(raws) != n:
            raise ValueError(f"run_batch was given {n} rows and returned {len(raws)} scores")
        return self._gather(raws, {})

    async def _score_async(self, columns: Columns, context: CallContext, limit: int, threads: bool) -> ScoreColumns:
        body = self.form.body
        if not body.is_async and not (threads and body.style != "text"):
            return self._score(columns, context)
        if body.style == "batch" and columns.n:
            if body.is_async:
                return await self._score_batch_async(columns, context)
            return await asyncio.to_thread(self._score_batch, columns, context)
        if body.kernel is not None and columns.n:
            try:
                scored = body.kernel(self._remapped(columns))
                scored = await scored if inspect.isawaitable(scored) else scored
                if isinstance(scored, ScoreColumns) and len(scored) == columns.n:
                    return check_columns(scored, self.form.facts)
            except Exception:  # noqa: BLE001, S110  row by row instead
                pass
        outcomes: dict[int, Outcome] = {}
        calls = enumerate(self._calls(columns, context))

        async def worker() -> None:
            for i, (args, kwargs) in calls:
                outcomes[i] = await self._one(args, kwargs)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(limit, columns.n)):
                group.create_task(worker())
        return ScoreColumns.of([outcomes[i] for i in range(columns.n)])

    async def _one(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Outcome:
        fn = self.form.body.fn
        try:
            raw = fn(*args, **kwargs) if self.is_async else await asyncio.to_thread(fn, *args, **kwargs)
            if inspect.isawaitable(raw):
                raw = await raw
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return failure(error)  # the scorer's own, as of a call that it gave up
        except Exception as error:  # noqa: BLE001  the runner's boundary
            return failure(error)
        return to_outcome(raw, self.form.facts)

    def _calls(self, columns: Columns, context: CallContext) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
        """(args, kwargs) of each row."""
        positional = [feed(columns, context) for feed in self.binding.positional]
        keywords = {name: feed(columns, context) for name, feed in self.binding.keywords.items()}
        rest = self.binding.rest(columns, context) if self.binding.rest is not None else None
        options = self.form.body.options
        for i in range(columns.n):
            kwargs = {**options, **{name: cells[i] for name, cells in keywords.items()}}
            if rest is not None:
                kwargs.update(rest[i])
            yield tuple(cells[i] for cells in positional), kwargs

    def _remapped(self, columns: Columns) -> Columns:
        """The chunk under the names that the kernel knows."""
        if not self.moved:
            return columns
        data = dict(columns.data)
        for parameter, column in self.moved.items():
            if parameter == "output" and column not in columns:
                data["output"] = [c[column] if isinstance(c, Mapping) and column in c else c for c in columns["output"]]
            elif column in columns:
                data[parameter] = columns[column]
        return Columns(data, columns.n, columns.start, columns.ids, columns.epochs, columns.outputs)


def _any_blank(cells: Sequence[Any]) -> bool:
    """Whether any cell is a text that is empty, or white space alone."""
    try:
        return "" in cells or any(map(str.isspace, cells))
    except (TypeError, ValueError):  # not all of them are texts, and some may not even compare with one
        return any(isinstance(cell, str) and not cell.strip() for cell in cells)


def _holds_none(cells: Sequence[Any]) -> bool:
    try:
        return None in cells
    except (TypeError, ValueError):  # a cell that does not compare, such as an array
        return any(cell is None for cell in cells)


def _batch(cells: Sequence[Any]) -> list[Any] | None:
    """A whole column for ``run_batch``; None where it holds nothing."""
    return None if all(cell is None for cell in cells) else list(cells)


def _told_of(context: CallContext, rows: Sequence[int]) -> CallContext:
    """The context of these rows: their prompts, where each row has one."""
    if context.prompts is None:
        return context
    return CallContext(context.model, context.provider, tuple(context.prompts[i] for i in rows))
