"""Workers: processes that score parts of a source, and never import the user's own script.

`multiprocessing` imports the main module again in every process that it spawns, so a script that scores a large file
at its top level, without ``if __name__ == "__main__"``, would start over in each of them. These processes are started
with a line of code of ours instead; what travels to them is pickled, and found again by import.
"""

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import IO, Any

from steelyard.errors import SteelyardError, WorkerError, error_text

__all__ = ["can_start", "map_in_processes", "serve"]

_AHEAD = 2
"""Parts that a worker has been given and whose results were not yet taken: memory stays bounded, none waits."""

_BOOT = (
    # Ctrl-C is the parent's to handle: it keeps what is done.
    "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from steelyard.running.workers import serve; serve()"
)


def can_start() -> bool:
    """Whether this Python can start another one: not inside a frozen program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def map_in_processes(work: bytes, parts: Sequence[Any], workers: int) -> Generator[Any, None, None]:
    """``map`` over processes, in order.

    Args:
        work: The pickled callable from a part to its result.
        parts: What it is called with, one after another.
        workers: How many processes.

    Raises:
        WorkerError: When a process ended without an answer. What the callable raises is raised here.
    """
    team = [_Worker(work) for _ in range(min(workers, len(parts)))]
    try:
        waiting: deque[_Worker] = deque()
        for i, part in enumerate(parts):
            if len(waiting) >= _AHEAD * len(team):
                yield waiting.popleft().result()
            team[i % len(team)].give(part)
            waiting.append(team[i % len(team)])
        while waiting:
            yield waiting.popleft().result()
    finally:
        for worker in team:
            worker.end()


class _Worker:
    """One process, with a thread that takes its results off the pipe as they come."""

    def __init__(self, work: bytes) -> None:
        command = [sys.executable, "-P", "-c", _BOOT]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  ours alone
        self._replies: queue.SimpleQueue[tuple[bool, Any] | None] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, name="steelyard-worker", daemon=True)
        self._listener.start()
        self._send(pickle.dumps(sys.path) + work)

    def give(self, part: Any) -> None:
        """Have a part worked on, after those that were given before."""
        self._send(pickle.dumps(part))

    def result(self) -> Any:
        """The result of the part that was given first, of those whose result was not taken."""
        reply = self._replies.get()
        if reply is None:
            code = self._process.wait()
            raise WorkerError(
                f"a process that scored rows ended with code {code} before it was done"
                f"{' (killed, perhaps for want of memory)' if code == -9 else ''}. Score in one process with workers=1."
            )
        done, found = reply
        if not done:
            raise found
        return found

    def end(self) -> None:
        """Stop the process, whatever it does."""
        self._process.kill()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()

    def _send(self, message: bytes) -> None:
        pipe = self._process.stdin
        if pipe is not None:
            with contextlib.suppress(OSError):  # it has ended, which `result` will say
                pipe.write(message)
                pipe.flush()

    def _listen(self) -> None:
        pipe = self._process.stdout
        while pipe is not None:
            try:
                self._replies.put(pickle.load(pipe))  # noqa: S301  our own process wrote it
            except Exception:  # noqa: BLE001  the end of the pipe, perhaps amid a message
                break
        self._replies.put(None)


def serve() -> None:
    """The worker's side: take parts from standard input until it ends, and write results where the parent reads."""
    tasks = sys.stdin.buffer
    with Path(os.devnull).open() as nothing, os.fdopen(os.dup(1), "wb") as results:
        sys.stdin = nothing
        os.dup2(2, 1)  # what a scorer prints is no result
        work = _loaded(tasks, results)
        while work is not None:
            try:
                part = pickle.load(tasks)  # noqa: S301  our own parent wrote it
            except EOFError:
                return
            _answer(results, work, part)


def _loaded(tasks: IO[bytes], results: IO[bytes]) -> Callable[[Any], Any] | None:
    try:
        work: Callable[[Any], Any] = pickle.load(tasks)  # noqa: S301  our own parent wrote it
    except BaseException as error:  # noqa: BLE001  the parent raises it
        _write(results, (False, _portable(error)))
        return None
    return work


def _answer(results: IO[bytes], work: Callable[[Any], Any], part: Any) -> None:
    try:
        reply = True, work(part)
    except BaseException as error:  # noqa: BLE001  the parent raises it
        reply = False, _portable(error)
    _write(results, reply)


def _write(results: IO[bytes], reply: tuple[bool, Any]) -> None:
    try:
        pickle.dump(reply, results, protocol=pickle.HIGHEST_PROTOCOL)
        results.flush()
    except BrokenPipeError:  # the parent is gone, and nobody is left to tell
        os._exit(1)


def _portable(error: BaseException) -> BaseException:
    """The error as it can travel; one of ours is told without the place in our code."""
    if not isinstance(error, SteelyardError):
        error.add_note("in a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  what was just written
    except Exception:  # noqa: BLE001  a user's exception may hold anything
        return WorkerError(f"in a worker process: {error_text(error)}")
    return error.with_traceback(None)
