"""What a figure is, and how processes are timed beside each other."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

__all__ = ["ROOT", "ROUNDS", "Figure", "Spent", "Worker", "best_of_turns", "child_cpu", "run_watched"]

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 5


@dataclass(frozen=True)
class Figure:
    """One figure beside its target.

    Args:
        part: The part of the bench.
        name: What is measured.
        value: The figure.
        unit: Its unit; ``x`` for a ratio.
        sense: Whether the target is the most or the least.
        target: The target.
        ours: Our own measurement, in words.
        beside: The peer's, in words.
    """

    part: str
    name: str
    value: float
    unit: str
    sense: Literal["at most", "at least"]
    target: float
    ours: str = ""
    beside: str = ""

    @property
    def met(self) -> bool:
        """Whether the figure reaches its target."""
        return self.value <= self.target if self.sense == "at most" else self.value >= self.target

    def record(self) -> dict[str, Any]:
        """The figure as JSON."""
        return {**asdict(self), "met": self.met}


class Worker:
    """A process that runs `bench.serving.serve`.

    Args:
        module: The module that serves, such as ``bench.ours``.
        python: The interpreter of its environment.
    """

    def __init__(self, module: str, python: Path | str = sys.executable) -> None:
        self._process = subprocess.Popen(
            [str(python), "-m", module], cwd=ROOT, env=quiet(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        cast("IO[str]", self._process.stdin).close()
        self._process.wait()

    def seconds(self, case: str, **arguments: Any) -> float:
        """CPU seconds of one call of a case."""
        into, out = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        into.write(json.dumps([case, arguments]) + "\n")
        into.flush()
        answer = out.readline()
        if not answer:
            raise RuntimeError(f"the process that times {case} has ended with code {self._process.wait()}")
        return float(answer)


def quiet() -> dict[str, str]:
    """The environment of what is timed: numeric libraries keep to one thread, and nothing draws on the terminal."""
    plain = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "INSPECT_DISPLAY": "none", "NO_COLOR": "1"}
    return {**os.environ, **plain}


def best_of_turns(*calls: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The least that each call gives, when they take turns."""
    found = [[call() for call in calls] for _ in range(rounds)]
    return [min(each) for each in zip(*found, strict=True)]


def child_cpu(command: Sequence[str | Path], **options: Any) -> float:
    """CPU seconds of a whole process and all that it started."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=errors, env=quiet(), **options
        )
        return _cpu_of(_ended(process, errors))


def _ended(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> Any:
    """What a process and all that it started have used, once it has ended well."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")[-2000:]
        raise RuntimeError(f"{process.args!r} ended with code {process.returncode}: {said}")
    return used


def _cpu_of(used: Any) -> float:
    return float(used.ru_utime + used.ru_stime)


@dataclass(frozen=True)
class Spent:
    """What a command took: wall and CPU seconds, and the most memory of all its processes at one time, in MB."""

    wall: float
    cpu: float
    peak: float


def run_watched(command: Sequence[str | Path], *, cores: set[int] | None = None, **options: Any) -> Spent:
    """Run a command while its memory is sampled: the proportional share of every process, added up."""
    with tempfile.TemporaryFile() as errors:
        began = time.perf_counter()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**quiet(), **options.pop("env", {})},
            preexec_fn=None if cores is None else lambda: os.sched_setaffinity(0, cores),
            **options,
        )
        watch = _Watch(process.pid)
        watch.start()
        used = _ended(process, errors)
        wall = time.perf_counter() - began
        watch.stop()
    return Spent(wall, _cpu_of(used), watch.peak)


class _Watch(threading.Thread):
    """Samples the memory of a process and all below it."""

    EVERY = 0.1

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.peak = 0.0
        self._pid = pid
        self._stopped = threading.Event()

    def run(self) -> None:
        """Sample until told to stop."""
        while not self._stopped.wait(self.EVERY):
            self.peak = max(self.peak, sum(map(_share, _tree(self._pid))))

    def stop(self) -> None:
        """No more samples."""
        self._stopped.set()
        self.join()


def _tree(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for each in found:
        try:
            tasks = list(Path(f"/proc/{each}/task").iterdir())
            for task in tasks:
                found.extend(map(int, (task / "children").read_text().split()))
        except OSError:
            continue
    return found


def _share(pid: int) -> float:
    """The proportional share of memory of a process, in MB."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
