"""Threads for calls that block: as many as asked for, timed inside, given up without holding up the end."""

import asyncio
import contextvars
import os
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from steelyard.running.threads import Threads

colour = contextvars.ContextVar("colour", default="none")


def answer_slowly():
    time.sleep(0.02)
    return 42


def test_results_errors_and_seconds():
    async def main():
        threads = Threads(2)
        result, seconds = await threads.call(answer_slowly)
        with pytest.raises(ZeroDivisionError):
            await threads.call(lambda: 1 / 0)
        threads.close()
        return result, seconds

    result, seconds = asyncio.run(main())
    assert result == 42
    assert seconds >= 0.02


def test_queueing_is_no_part_of_the_seconds():
    async def main():
        threads = Threads(1)
        found = await asyncio.gather(*(threads.call(lambda: time.sleep(0.03)) for _ in range(5)))
        threads.close()
        return [seconds for _, seconds in found]

    assert max(asyncio.run(main())) < 0.12  # the last of them waited four times as long as it took


def test_no_more_threads_than_asked_for():
    seen = set()

    def work():
        seen.add(threading.get_ident())
        time.sleep(0.005)

    async def main():
        threads = Threads(3)
        await asyncio.gather(*(threads.call(work) for _ in range(30)))
        threads.close()

    asyncio.run(main())
    assert 1 <= len(seen) <= 3


def test_as_many_at_once_as_asked_for():
    barrier = threading.Barrier(8)  # breaks unless all eight are there

    async def main():
        threads = Threads(8)
        for _ in range(50):
            await asyncio.gather(*(threads.call(lambda: barrier.wait(10)) for _ in range(8)))
        threads.close()

    asyncio.run(main())


def test_threads_end_when_closed():
    before = threading.active_count()

    async def main():
        threads = Threads(4)
        await asyncio.gather(*(threads.call(threading.get_ident) for _ in range(20)))
        threads.close()

    asyncio.run(main())
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_context_variables_are_carried_in():
    async def main():
        colour.set("red")
        threads = Threads(1)
        found, _ = await threads.call(colour.get)
        threads.close()
        return found

    assert asyncio.run(main()) == "red"


@pytest.mark.parametrize("error", [StopIteration("x"), KeyboardInterrupt(), SystemExit(2)])
def test_what_a_future_cannot_carry_arrives_as_a_runtime_error(error):
    def fn():
        raise error

    async def main():
        threads = Threads(1)
        try:
            await threads.call(fn)
        finally:
            threads.close()

    with pytest.raises(RuntimeError, match=type(error).__name__):
        asyncio.run(main())


def test_a_call_that_was_given_up_does_not_take_a_place():
    release = threading.Event()

    async def main():
        threads = Threads(1)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(threads.call(release.wait), 0.02)
        result, _ = await asyncio.wait_for(threads.call(lambda: 42), 5)
        threads.close()
        return result

    try:
        assert asyncio.run(main()) == 42
    finally:
        release.set()


def test_a_call_given_up_while_it_waits_for_a_thread_is_never_made():
    made = []
    release = threading.Event()

    async def main():
        threads = Threads(1)
        first = asyncio.ensure_future(threads.call(release.wait))
        second = asyncio.ensure_future(threads.call(lambda: made.append("second")))
        await asyncio.sleep(0.02)
        second.cancel()
        release.set()
        await first
        await asyncio.sleep(0.02)
        threads.close()

    asyncio.run(main())
    assert made == []


def test_a_call_that_never_returns_does_not_hold_up_the_end_of_the_process():
    script = textwrap.dedent(
        """
        import asyncio, threading
        from steelyard.running.threads import Threads

        async def main():
            try:
                await asyncio.wait_for(Threads(1).call(threading.Event().wait), 0.05)
            except TimeoutError:
                print("given up")

        asyncio.run(main())
        """
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=15, env=env, check=False
    )
    assert (done.stdout, done.returncode) == ("given up\n", 0)
