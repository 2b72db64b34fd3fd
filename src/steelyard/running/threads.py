"""Threads: synchronous model calls beside the event loop."""

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

__all__ = ["Threads"]

_Timed = tuple[Any, float]
_Job = tuple[Context, Callable[[], Any], "asyncio.Future[_Timed]", asyncio.AbstractEventLoop]


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
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._alive = 0

    async def call(self, fn: Callable[[], Any]) -> tuple[Any, float]:
        """(result, seconds) of ``fn()``; its exception is raised here."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Timed] = loop.create_future()
        self._ensure()
        self._jobs.put((copy_context(), fn, future, loop))
        try:
            return await future
        except asyncio.CancelledError:
            self._give_up()
            raise

    def close(self) -> None:
        """Let the threads end once they are free."""
        with self._lock:
            alive = self._alive
        for _ in range(alive):
            self._jobs.put(None)

    def _ensure(self) -> None:
        with self._lock:
            if self._idle == 0 and self._alive < self._size:
                self._alive += 1
                threading.Thread(target=self._serve, name="steelyard-model", daemon=True).start()

    def _give_up(self) -> None:
        """A cancelled call may hold its thread for ever: allow another in its place."""
        with self._lock:
            self._size += 1

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            job = self._jobs.get()
            with self._lock:
                self._idle -= 1
            if job is None:
                break
            self._run(job)
            del job
        with self._lock:
            self._alive -= 1

    def _run(self, job: _Job) -> None:
        context, fn, future, loop = job
        if future.cancelled():
            return
        begun = time.perf_counter()
        try:
            result: Any = context.run(fn)
            error: BaseException | None = None
        except BaseException as raised:  # noqa: BLE001  whatever it is, the one who asked is told
            result, error = None, raised
        seconds = time.perf_counter() - begun
        try:
            loop.call_soon_threadsafe(_settle, future, result, error, seconds)
        except RuntimeError:
            return  # the loop was closed meanwhile: nobody waits any more


def _settle(future: "asyncio.Future[_Timed]", result: Any, error: BaseException | None, seconds: float) -> None:
    if future.done():
        return
    if error is None:
        future.set_result((result, seconds))
    elif isinstance(error, StopIteration) or not isinstance(error, Exception | asyncio.CancelledError):
        # A future cannot carry the first; what is no Exception would stop the loop that everybody shares.
        future.set_exception(RuntimeError(f"the model raised {type(error).__name__}: {error}"))
    else:
        future.set_exception(error)
