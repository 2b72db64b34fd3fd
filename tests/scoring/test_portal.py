"""The portal: from a script, inside a running loop, from its own thread, and under Ctrl-C."""

import asyncio
import contextvars
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from steelyard.errors import PortalError
from steelyard.scoring.portal import run_in_portal

colour = contextvars.ContextVar("colour", default="none")


async def answer():
    await asyncio.sleep(0)
    return 42


def test_a_script_gets_the_result():
    assert run_in_portal(answer()) == 42


def test_inside_a_running_loop():
    async def outer():
        return run_in_portal(answer())

    assert asyncio.run(outer()) == 42


def test_one_loop_serves_every_call_and_every_thread():
    async def loop():
        return asyncio.get_running_loop()

    found = [run_in_portal(loop())]
    threads = [threading.Thread(target=lambda: found.append(run_in_portal(loop()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 5
    assert len(set(map(id, found))) == 1


def test_from_its_own_thread_it_says_what_to_do():
    async def inner():
        return run_in_portal(answer())

    with pytest.raises(PortalError, match="score_async"):
        run_in_portal(inner())
    with pytest.raises(RuntimeError):  # as which a caller would catch it without knowing us
        run_in_portal(inner())


def test_a_thread_started_by_a_coroutine_may_come_back_through_it():
    async def outer():
        return await asyncio.to_thread(lambda: run_in_portal(answer()))

    assert run_in_portal(outer()) == 42


def test_exceptions_arrive_as_they_are():
    async def broken():
        raise ZeroDivisionError("no such number")

    with pytest.raises(ZeroDivisionError, match="no such number") as caught:
        run_in_portal(broken())
    assert any(entry.name == "broken" for entry in caught.traceback)


def test_a_coroutine_that_is_cancelled_from_within_says_so():
    async def cancelled():
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run_in_portal(cancelled())
    assert run_in_portal(answer()) == 42


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt()])
def test_what_would_end_a_thread_reaches_the_caller_and_the_loop_lives(error):
    async def leave():
        raise error

    async def leave_in_a_task():
        await asyncio.create_task(leave())

    for coroutine in (leave, leave_in_a_task):
        with pytest.raises(type(error)):
            run_in_portal(coroutine())
        assert run_in_portal(answer()) == 42


def test_context_variables_are_carried_in_and_not_out():
    async def read_and_write():
        before = colour.get()
        colour.set("blue")
        return before

    token = colour.set("red")
    try:
        assert run_in_portal(read_and_write()) == "red"
        assert colour.get() == "red"
    finally:
        colour.reset(token)


def interrupted(body, *, times=1, every=0.3, timeout=15):
    """A script that prints `ready` and is then interrupted; its output, its exit code and the seconds that it took."""
    script = textwrap.dedent(
        """
        import asyncio, time
        from steelyard.scoring import portal
        from steelyard.scoring.portal import run_in_portal
        """
    ) + textwrap.dedent(body)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    begun = time.monotonic()
    for _ in range(times):
        time.sleep(every)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=timeout)
    return out, err, process.returncode, time.monotonic() - begun


def test_ctrl_c_waits_until_the_coroutine_has_wound_up():
    out, err, code, _ = interrupted(
        """
        async def work():
            print("ready")
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.5)   # ten times what a fixed pause once allowed
                print("kept")

        run_in_portal(work())
        """
    )
    assert out == "kept\n"
    assert "KeyboardInterrupt" in err
    assert code != 0


def test_a_second_ctrl_c_cancels_what_winds_up_and_lets_it_drop_everything():
    out, err, _, seconds = interrupted(
        """
        async def work():
            print("ready")
            try:
                await asyncio.sleep(60)
            finally:
                try:
                    await asyncio.sleep(60)
                finally:
                    print("dropped")

        run_in_portal(work())
        """,
        times=2,
    )
    assert out == "dropped\n"
    assert "KeyboardInterrupt" in err
    assert seconds < 10


def test_a_coroutine_that_will_not_end_is_given_up():
    out, _, _, seconds = interrupted(
        """
        portal.WIND_UP = 0.2

        async def work():
            print("ready")
            for _ in range(3):
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    pass

        try:
            run_in_portal(work())
        except KeyboardInterrupt:
            print("given up")
        """
    )
    assert out == "given up\n"
    assert seconds < 10


def test_after_ctrl_c_the_portal_serves_on():
    out, _, code, _ = interrupted(
        """
        async def work():
            print("ready")
            await asyncio.sleep(60)

        async def more():
            return "more"

        try:
            run_in_portal(work())
        except KeyboardInterrupt:
            print(run_in_portal(more()))
        """
    )
    assert out == "more\n"
    assert code == 0
