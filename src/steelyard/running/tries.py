"""Tries: one call of a model, with a time limit, and again where that may help."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import msgspec

from steelyard.core.sample import Output
from steelyard.errors import UsageError, error_text

__all__ = ["Tries", "may_help"]

_FIRST_DELAY = 0.5
_LONGEST_DELAY = 30.0

_OUR_FAULT = (TypeError, AttributeError, NameError, ImportError, NotImplementedError, SyntaxError, UsageError)
_MAY_PASS = (408, 409, 425, 429)


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """How often, and how long, a model is asked for one output.

    Args:
        retries: Further tries after one that failed.
        timeout: Seconds that one try may take; None for no limit.
    """

    retries: int = 1
    timeout: float | None = None

    def __post_init__(self) -> None:
        if self.retries < 0:
            raise UsageError(f"retries={self.retries}: a number of further tries is 0 or more")
        if self.timeout is not None and self.timeout <= 0:
            raise UsageError(f"timeout={self.timeout}: a time limit is more than 0 seconds, or None")

    async def output(self, send: Callable[[], Awaitable[Output]]) -> Output:
        """What the model gave; where every try failed, an output without a value that says why.

        Between tries it waits half a second, then twice as long each time, up to 30 s, each time give or take a half.
        """
        done = 0
        while True:
            try:
                return await self._once(send)
            except asyncio.CancelledError as cancelled:
                task = asyncio.current_task()
                if task is not None and task.cancelling():
                    raise
                error: BaseException = cancelled  # the model's own doing, not a request to stop
            except (Exception, SystemExit) as raised:  # noqa: BLE001  the runner's boundary: a failed call is a record
                error = raised
            if done == self.retries or not may_help(error):
                tries = f" (the last of {done + 1} tries)" if done else ""
                return Output(None, error=error_text(error) + tries)
            await asyncio.sleep(min(_LONGEST_DELAY, _FIRST_DELAY * 2**done) * random.uniform(0.5, 1.5))
            done += 1

    async def _once(self, send: Callable[[], Awaitable[Output]]) -> Output:
        if self.timeout is None:
            return await send()
        limit = asyncio.timeout(self.timeout)
        try:
            async with limit:
                return await send()
        except TimeoutError:
            if limit.expired():
                raise TimeoutError(f"no reply within {self.timeout:g} s") from None
            raise


def may_help(error: BaseException) -> bool:
    """Whether the same call may succeed when it is made again.

    Not for what looks like a slip in the program (TypeError, AttributeError, NameError, ImportError, ...), and not for
    an HTTP status that says that the request itself is wrong (4xx, but for 408, 409, 425 and 429).
    """
    if isinstance(error, _OUR_FAULT) or not isinstance(error, Exception):
        return False
    status = getattr(error, "status_code", getattr(error, "status", None))
    return not (isinstance(status, int) and 400 <= status < 500 and status not in _MAY_PASS)
