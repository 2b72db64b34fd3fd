"""A process that times cases on request, so that two of them can take turns. Standard library alone."""

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

__all__ = ["cpu", "serve"]

Case = Callable[..., Callable[[], Any]]
"""Prepares a case from its arguments, and returns what is to be timed."""


def cpu() -> float:
    """CPU seconds of this process and of those that it started and that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def serve(cases: dict[str, Case], *, before: Callable[[], None] | None = None) -> None:
    """Read requests ``[case, arguments]`` from standard input, a line each, and answer CPU seconds of one call.

    What is prepared stays until another case is asked for. ``before`` runs before each call, untimed.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a case prints is no answer
    prepared: tuple[str, Callable[[], Any]] | None = None
    for line in sys.stdin:
        if prepared is None or prepared[0] != line:
            prepared = None
            gc.collect()
            name, arguments = json.loads(line)
            prepared = line, cases[name](**arguments)
        if before is not None:
            before()
        gc.collect()
        began = cpu()
        kept = prepared[1]()
        seconds = cpu() - began
        del kept
        print(json.dumps(seconds), file=answers, flush=True)


def timed_once(work: Callable[[], Any]) -> dict[str, float]:
    """CPU and wall seconds of one call, and the most memory that this process ever had, in MB."""
    began, cpu_began = time.perf_counter(), cpu()
    kept = work()
    found = {"wall": time.perf_counter() - began, "cpu": cpu() - cpu_began, "peak": peak()}
    del kept
    return found


def peak() -> float:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
