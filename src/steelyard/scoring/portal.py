"""The portal: the one bridge from synchronous code to the background event loop."""

import asyncio
import atexit
import concurrent.futures
import threading
from collections.abc import Coroutine
from contextvars import Context, copy_context
from typing import Any, TypeVar

from steelyard.errors import PortalError

__all__ = ["run_in_portal"]

T = TypeVar("T")

WIND_UP = 30.0
"""Seconds that a cancelled coroutine gets to wind up after Ctrl-C."""

WIND_UP_AGAIN = 2.0
"""Seconds that it gets after a second Ctrl-C, by which it is cancelled once more; a third ends the wait at once."""


class _Portal:
    """A daemon thread with an event loop, started at first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop, running. A thread that is gone, as after a fork, is started anew."""
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                loop = asyncio.new_event_loop()
                ready = threading.Event()
                loop.call_soon(ready.set)
                self._loop = loop
                self._thread = threading.Thread(target=_serve, args=(loop,), name="steelyard-portal", daemon=True)
                self._thread.start()
                ready.wait()
                atexit.unregister(self.close)
                atexit.register(self.close)
            return self._loop

    def owns_current_thread(self) -> bool:
        return self._thread is threading.current_thread()

    def close(self) -> None:
        """Stop the loop; what still runs on it is cancelled."""
        with self._lock:
            if self._loop is not None and self._thread is not None and self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(timeout=1)
            self._loop = self._thread = None


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):
            continue  # a task raised it and bears it as its error; the loop is everybody's, and goes on
        break
    rest = asyncio.all_tasks(loop)
    for task in rest:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
    loop.close()


class _Call:
    """One coroutine on its way through the portal."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self.settled: concurrent.futures.Future[Any] = concurrent.futures.Future()
        self._coroutine = coroutine
        self._context = context
        self._loop = loop
        self._task: asyncio.Task[Any] | None = None

    def start(self) -> None:
        """Begin on the loop. Called from any thread."""
        self._loop.call_soon_threadsafe(self._begin)

    def cancel(self) -> None:
        """Ask the coroutine to end. Called from any thread."""
        self._loop.call_soon_threadsafe(self._cancel)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._coroutine, context=self._context)
        self._task.add_done_callback(self._finish)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _finish(self, task: "asyncio.Task[Any]") -> None:
        if task.cancelled():
            self.settled.set_exception(asyncio.CancelledError())
        elif (error := task.exception()) is not None:
            self.settled.set_exception(error)
        else:
            self.settled.set_result(task.result())


_portal = _Portal()


def run_in_portal(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and wait for its result.

    Works in a script, in a notebook and inside a running event loop (which it blocks). The coroutine sees the caller's
    context variables, and its exception is raised here. Ctrl-C cancels the coroutine, waits until it has wound up (30
    seconds at most; a second Ctrl-C cancels it again and waits no longer than it takes to drop everything), and is
    raised again.

    Raises:
        PortalError: When called from the background loop's own thread, which would wait for itself.
    """
    if _portal.owns_current_thread():
        coroutine.close()
        raise PortalError(
            "a synchronous call from inside an async scorer or model would wait for itself; "
            "await the async twin instead (run_async, score_async)"
        )
    call = _Call(coroutine, copy_context(), _portal.loop())
    try:
        call.start()
        result: T = call.settled.result()
    except KeyboardInterrupt:
        if not call.settled.done():
            _wind_up(call)
        raise
    return result


def _wind_up(call: _Call) -> None:
    call.cancel()
    try:
        concurrent.futures.wait([call.settled], WIND_UP)
    except KeyboardInterrupt:
        call.cancel()
        concurrent.futures.wait([call.settled], WIND_UP_AGAIN)
