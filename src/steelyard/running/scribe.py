"""Scribe: scores the samples that are finished, and hands them to the run's writer."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.ports import RunWriter
from steelyard.core.sample import Output
from steelyard.core.score import Unscored
from steelyard.errors import error_text
from steelyard.running.finished import Finished, as_columns, by_chunk, with_prompts
from steelyard.scoring.bound import Bound
from steelyard.scoring.feeds import CallContext
from steelyard.scoring.outcome import failure

__all__ = ["Scribe"]

GROUP = 200
_PAUSE = 0.002
_CUT_SHORT = Unscored("timeout", "the run was cancelled before this was scored")


class Scribe:
    """Takes finished samples, scores them in groups as they come, encodes and writes them.

    Scorers that only compute work on all that wait at once, so that a sample costs little.
    Where a scorer awaits something, each sample is scored by itself, so many at a time as there are models at work:
    a slow judge of one sample keeps no other from being written.

    Args:
        bounds: The scorers.
        writer: The run's writer.
        context: What scorers may be told.
        slots: Samples that scorers may be busy with at once, where they await something.
    """

    def __init__(self, bounds: Sequence[Bound], writer: RunWriter, context: CallContext, *, slots: int) -> None:
        self.written = 0
        self._bounds = bounds
        self._writer = writer
        self._encoder = writer.encoder
        self._context = context
        awaits = any(bound.is_async for bound in bounds)
        self._slots = slots if awaits else 1
        self._size = 1 if awaits else GROUP
        self._limit = slots if awaits else max(GROUP, 2 * slots)  # what waits is lost if the process is killed
        self._waiting: deque[Finished] = deque()
        self._busy: dict[asyncio.Task[None], list[Finished]] = {}
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._closing = False
        self._error: BaseException | None = None

    async def take(self, finished: Finished) -> None:
        """Accept a finished sample; waits while too many wait already."""
        self._waiting.append(finished)
        self._wake.set()
        if len(self._waiting) >= self._limit:
            self._room.clear()
            await self._room.wait()

    def close(self) -> None:
        """Say that nothing more will come: `serve` ends when all is written."""
        self._closing = True
        self._wake.set()

    async def serve(self) -> None:
        """Score and write until closed and empty. Raises what the store raises."""
        try:
            while not (self._closing and not self._waiting and not self._busy):
                await self._wake.wait()
                self._wake.clear()
                while self._waiting and len(self._busy) < self._slots:
                    self._start(self._next())
                if self._error is not None:
                    raise self._error
                if self._closing and not self._busy:
                    self._wake.set()
        finally:
            for task in self._busy:
                task.cancel()

    def cut_short(self) -> None:
        """Write what is finished now, whether scored or not. For when `serve` was cancelled."""
        rest = [finished for group in self._busy.values() for finished in group]
        for group in by_chunk([*rest, *self._waiting]):
            self._write(group, as_columns(group), [ScoreColumns.of([_CUT_SHORT] * len(group)) for _ in self._bounds])
        self._waiting.clear()

    def _next(self) -> list[Finished]:
        """The samples to score next: one, or as many of the next chunk as wait."""
        chunk = self._waiting[0].item.columns
        group = [self._waiting.popleft()]
        while self._waiting and len(group) < self._size and self._waiting[0].item.columns is chunk:
            group.append(self._waiting.popleft())
        if len(self._waiting) < self._limit:
            self._room.set()
        return group

    def _start(self, group: list[Finished]) -> None:
        task = asyncio.create_task(self._process(group))
        self._busy[task] = group
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._busy.pop(task, None)
        if not task.cancelled() and task.exception() is not None:
            self._error = self._error or task.exception()
        self._wake.set()

    async def _process(self, group: list[Finished]) -> None:
        columns = as_columns(group)
        scored = await self._score(columns, with_prompts(self._context, group))
        while self._writer.full:  # noqa: ASYNC110  the writer is a thread, and has no event of this loop
            await asyncio.sleep(_PAUSE)
        self._write(group, columns, scored)
        group.clear()  # what is written is not written again when the run is cut short

    async def _score(self, columns: Columns, context: CallContext) -> list[ScoreColumns]:
        if len(self._bounds) == 1:
            return [await _scored(self._bounds[0], columns, context)]
        return list(await asyncio.gather(*(_scored(bound, columns, context) for bound in self._bounds)))

    def _write(self, group: Sequence[Finished], columns: Columns, scored: list[ScoreColumns]) -> None:
        seqs = [finished.item.seq for finished in group]
        try:
            block = self._encoder(columns, scored, seqs)
        except (TypeError, ValueError, RecursionError) as error:
            if len(group) > 1:
                self._write_singly(group, columns, scored)
                return
            block = self._encoder(*_unstorable(columns, scored, error), seqs)
        self._writer.write(block)
        self.written += len(group)

    def _write_singly(self, group: Sequence[Finished], columns: Columns, scored: list[ScoreColumns]) -> None:
        """A cell that the store cannot hold is the trouble of its row alone."""
        for k, finished in enumerate(group):
            self._write([finished], columns.take([k]), [ScoreColumns.of([column.outcome(k)]) for column in scored])


async def _scored(bound: Bound, columns: Columns, context: CallContext) -> ScoreColumns:
    try:
        return await bound.score_async(columns, context, threads=True)
    except Exception as error:  # noqa: BLE001  the runner's boundary: one scorer's failure touches no other
        return ScoreColumns.of([failure(error)] * columns.n)


def _unstorable(columns: Columns, scored: list[ScoreColumns], error: Exception) -> tuple[Columns, list[ScoreColumns]]:
    """The one row without what cannot be stored; its output says so."""
    text = f"this sample cannot be stored: {error_text(error)}"
    data: dict[str, list[Any]] = {name: [_plain(cells[0])] for name, cells in columns.data.items()}
    data["output"] = [None]
    lost = Columns(data, 1, columns.start, columns.ids, columns.epochs, [Output(None, error=text)])
    return lost, [ScoreColumns.of([Unscored("malformed", text)]) for _ in scored]


def _plain(cell: Any) -> Any:
    return cell if cell is None or isinstance(cell, bool | int | float) else ascii(cell)[:1000]
