"""Threads: synchronous model calls beside the event loop."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from steelyard.errors import error_text

__all__ = ["Threads"]

_Timed = tuple[Any, float]


class _Job:
    """A call on its way through a thread."""

    __slots__ = ("begun", "context", "fn", "future", "loop")

    def __init__(self, fn: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> None:
        self.context: Context = copy_context()
        self.fn = fn
        self.loop = loop
        self.future: asyncio.Future[_Timed] = loop.create_future()
        self.begun = False


class Threads:
    """A pool of daemon threads for functions that block.

    Unlike the executor of the standard library it does not hold up the end of the process: a call that never returns
    can be given up (its task is cancelled), and a fresh thread takes the place of the one that it occupies. The time
    is taken inside the thread, around the call alone, so that queueing is no part of it.

    Args:
        size: The most calls at once.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._jobs: deque[_Job] = deque()
        self._change = threading.Condition()
        self._alive = 0
        self._waiting = 0
        self._closed = False

    async def call(self, fn: Callable[[], Any]) -> tuple[Any, float]:
        """(result, seconds) of ``fn()``; its exception is raised here."""
        job = _Job(fn, asyncio.get_running_loop())
        self._put(job)
        try:
            return await job.future
        except asyncio.CancelledError:
            if job.begun:
                self._give_up()
            raise

    def close(self) -> None:
        """Let the threads end once they are free."""
        with self._change:
            self._closed = True
            self._change.notify_all()

    def _put(self, job: _Job) -> None:
        with self._change:
            self._jobs.append(job)
            if len(self._jobs) > self._waiting and self._alive < self._size:
                self._alive += 1
                threading.Thread(target=self._serve, name="steelyard-model", daemon=True).start()
            self._change.notify()

    def _give_up(self) -> None:
        """A cancelled call may hold its thread for ever: allow another in its place."""
        with self._change:
            self._size += 1

    def _serve(self) -> None:
        while (job := self._next()) is not None:
            _run(job)
            del job

    def _next(self) -> _Job | None:
        """The next job; None when there will be no more."""
        with self._change:
            self._waiting += 1
            while not self._jobs and not self._closed:
                self._change.wait()
            self._waiting -= 1
            if self._jobs:
                return self._jobs.popleft()
            self._alive -= 1
            return None


def _run(job: _Job) -> None:
    if job.future.cancelled():
        return
    job.begun = True
    begun = time.perf_counter()
    try:
        result: Any = job.context.run(job.fn)
        error: BaseException | None = None
    except BaseException as raised:  # noqa: BLE001  whatever it is, the one who asked is told
        result, error = None, raised
    seconds = time.perf_counter() - begun
    try:
        job.loop.call_soon_threadsafe(_settle, job.future, result, error, seconds)
    except RuntimeError:
        return  # the loop was closed meanwhile: nobody waits any more


def _settle(future: "asyncio.Future[_Timed]", result: Any, error: BaseException | None, seconds: float) -> None:
    if future.done():
        return
    if error is None:
        future.set_result((result, seconds))
    elif isinstance(error, StopIteration) or not isinstance(error, Exception | asyncio.CancelledError):
        # A future cannot carry the first; what is no Exception would stop the loop that everybody shares.
        future.set_exception(RuntimeError(f"the model raised {error_text(error)}"))
    else:
        future.set_exception(error)
