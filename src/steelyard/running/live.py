"""Live runs: a model is called for every sample, and what it gives is scored and stored as it comes."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial

import msgspec

from steelyard.core.columns import Columns
from steelyard.core.ports import RunWriter
from steelyard.core.sample import Output
from steelyard.errors import UsageError, error_text
from steelyard.running.caller import Caller
from steelyard.running.finished import Finished, Item, items_of
from steelyard.running.meter import LiveProgress, Meter
from steelyard.running.scribe import Scribe
from steelyard.running.threads import Threads
from steelyard.running.tries import Tries
from steelyard.scoring.bound import Bound
from steelyard.scoring.feeds import CallContext

__all__ = ["LiveResult", "run_live"]

GRACE = 25.0  # less than the portal waits
"""Seconds that scorers get to finish after a cancellation."""


class LiveResult(msgspec.Struct, frozen=True):
    """What a live run came to.

    Args:
        done: Rows (samples times epochs) that are durable.
        failed: Those whose call failed.
    """

    done: int
    failed: int


async def run_live(
    chunks: Iterable[Columns],
    caller: Caller,
    bounds: Sequence[Bound],
    writer: RunWriter,
    *,
    context: CallContext | None = None,
    concurrency: int = 8,
    retries: int = 1,
    epochs: int = 1,
    timeout: float | None = None,
    on_progress: LiveProgress | None = None,
) -> LiveResult:
    """Call a model for every sample, score what it gives, and write it.

    So many workers as ``concurrency`` says pull samples from one iterator; nothing is kept but what is under way, so
    the data may be a stream. A call that fails is a row without an output that says why; no failure ends the run.
    The writer is not finished here: that is for the one who opened it.

    Args:
        chunks: The samples: canonical columns applied, ids set.
        caller: The model.
        bounds: The scorers, bound to the columns with ``output`` among them.
        writer: The run's writer.
        context: What scorers may be told of the run; by default the model's name and provider.
        concurrency: Calls under way at once.
        retries: Further tries of a call that failed, where that may help (see `may_help`). A scorer's failure never
            calls the model again.
        epochs: How often each sample is asked. The epoch, counted from 0, is the draw.
        timeout: Seconds that one try may take; None for no limit.
        on_progress: Is told how far it is, at most ten times a second.

    Returns:
        How many rows are stored, and how many calls failed.

    Raises:
        asyncio.CancelledError: When cancelled. Everything that a model had answered by then is scored and written;
            scorers have 25 seconds for that, or until a second cancellation.
        StoreError: When the store cannot be written; the calls under way are cancelled.
        DataError: When the data cannot be read on. Everything before that is scored and written.
    """
    if concurrency < 1 or epochs < 1:
        raise UsageError(f"concurrency={concurrency}, epochs={epochs}: both are 1 or more")
    meter = Meter(writer, on_progress)
    scribe = Scribe(bounds, writer, context or CallContext(caller.name, caller.provider), slots=concurrency)
    threads = Threads(concurrency)
    crew = _Crew(caller, Tries(retries=retries, timeout=timeout), scribe, meter, threads)
    try:
        await _conduct(crew, scribe, items_of(chunks, epochs), concurrency)
    finally:
        threads.close()
    await _durable(meter, scribe)
    meter.tell(now=True)
    return LiveResult(meter.done, meter.failed)


class _Crew:
    """The workers of a run: each pulls a sample, asks the model, and hands the answer to the scribe."""

    def __init__(self, caller: Caller, tries: Tries, scribe: Scribe, meter: Meter, threads: Threads) -> None:
        self._caller = caller
        self._tries = tries
        self._scribe = scribe
        self._meter = meter
        self._threads = threads

    async def work(self, items: Iterable[Item]) -> None:
        """Pull until the iterator, which all workers share, is empty."""
        for item in items:
            self._meter.begin()
            failed = False
            try:
                finished = await self._answer(item)
                failed = finished.output.error is not None
            finally:
                self._meter.end(failed=failed)
            await self._scribe.take(finished)

    async def _answer(self, item: Item) -> Finished:
        draw = item.epoch - 1
        try:
            ask = self._caller.ask(item.columns, item.row, draw)
        except Exception as error:  # noqa: BLE001  the runner's boundary: a row that makes no question is a record
            return Finished(item, Output(None, error=error_text(error)))
        output = await self._tries.output(partial(ask.send, draw, self._threads))
        return Finished(item, output, ask.prompt, ask.changes)


async def _conduct(crew: _Crew, scribe: Scribe, items: Iterable[Item], concurrency: int) -> None:
    """Run the workers and the scribe to their end, whatever that is."""
    writing = asyncio.create_task(scribe.serve(), name="steelyard scribe")
    workers = [asyncio.create_task(crew.work(items), name=f"steelyard worker {i}") for i in range(concurrency)]
    try:
        errors = await _until_done(workers, writing)
    except asyncio.CancelledError:
        await _stop(workers)
        await _wind_up(scribe, writing)
        raise
    if writing.done():
        await _stop(workers)
    scribe.close()
    try:
        await asyncio.shield(writing)
    except asyncio.CancelledError:
        await _wind_up(scribe, writing)
        raise
    if errors:
        raise errors[0]


async def _until_done(workers: Sequence["asyncio.Task[None]"], writing: "asyncio.Task[None]") -> list[BaseException]:
    """Wait for every worker, or for the scribe to fail; the errors of workers. A worker ends alone when data is bad."""
    pending: set[asyncio.Task[None]] = set(workers)
    while pending and not writing.done():
        _, rest = await asyncio.wait({*pending, writing}, return_when=asyncio.FIRST_COMPLETED)
        pending = rest - {writing}
    ended = [worker for worker in workers if worker.done() and not worker.cancelled()]
    return [error for worker in ended if (error := worker.exception()) is not None]


async def _stop(workers: Sequence["asyncio.Task[None]"]) -> None:
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)


async def _wind_up(scribe: Scribe, writing: "asyncio.Task[None]") -> None:
    """After a cancellation: score and write what is finished, within the grace; a second cancellation ends it."""
    scribe.close()
    try:
        await asyncio.wait({writing}, timeout=GRACE)
    finally:
        if not writing.done():
            writing.cancel()
            scribe.cut_short()


async def _durable(meter: Meter, scribe: Scribe) -> None:
    """Wait until the writer has committed all that was written, as long as it makes headway."""
    seen, idle = -1, 0.0
    while meter.done < scribe.written and idle < 5.0:
        idle = 0.0 if meter.done != seen else idle + 0.005
        seen = meter.done
        await asyncio.sleep(0.005)
