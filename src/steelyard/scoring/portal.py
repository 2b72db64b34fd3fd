"""The portal: the one bridge from synchronous code to the background event loop."""

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any, TypeVar

from steelyard.errors import PortalError

__all__ = ["run_in_portal"]

T = TypeVar("T")


class _Portal:
    """A daemon thread with an event loop, started at first use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                ready = threading.Event()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._serve, args=(ready,), name="steelyard-portal", daemon=True)
                self._thread.start()
                ready.wait()
                atexit.register(self.close)
            return self._loop

    def _serve(self, ready: threading.Event) -> None:
        loop = self._loop
        if loop is None:
            return
        asyncio.set_event_loop(loop)
        loop.call_soon(ready.set)
        loop.run_forever()
        loop.close()

    def owns_current_thread(self) -> bool:
        return self._thread is threading.current_thread()

    def close(self) -> None:
        with self._lock:
            if self._loop is not None and self._thread is not None and self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(timeout=1)
            self._loop = self._thread = None


_portal = _Portal()


def run_in_portal(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and wait for its result.

    Works in a script, in a notebook and inside a running event loop (which it blocks). Ctrl-C cancels the coroutine,
    waits for it to wind up, and is raised again.

    Raises:
        PortalError: When called from the background loop's own thread, which would wait for itself.
    """
    if _portal.owns_current_thread():
        coroutine.close()
        raise PortalError(
            "a synchronous call from inside an async scorer or model would wait for itself; "
            "await the async twin instead (run_async, score_async)"
        )
    context = copy_context()
    loop = _portal.loop()

    async def inside() -> T:
        return await loop.create_task(coroutine, context=context)

    future = asyncio.run_coroutine_threadsafe(inside(), loop)
    try:
        return future.result()
    except KeyboardInterrupt:
        future.cancel()
        settled = threading.Event()
        loop.call_soon_threadsafe(lambda: loop.call_later(0.05, settled.set))
        settled.wait(timeout=5)
        raise
