"""Progress: a bar on a terminal, once something takes longer than a second."""

import os
import sys
import time
from types import TracebackType
from typing import Any, Self

from steelyard.cli.session import Session

__all__ = ["Progress", "expected_rows"]

PATIENCE = 1.0
"""Seconds before anything is shown."""
_SAMPLE = 1 << 20


class Progress:
    """Is told how many rows are done, and shows it to whoever waits; shows nothing where nobody watches.

    Args:
        session: Says whether stderr is a terminal.
        total: How many rows there are, as far as is known.
        label: What is under way.
    """

    def __init__(self, session: Session, total: int | None = None, label: str = "scoring") -> None:
        self._session = session
        self._total = total
        self._label = label
        self._began = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, failed: int = 0, under_way: int = 0) -> None:
        """So many rows are done; of them so many calls failed, and so many more are under way."""
        if not self._session.watched or time.monotonic() - self._began < PATIENCE:
            return
        if self._bar is None:
            self._start()
        total = None if self._total is None else max(self._total, done)
        note = f", {failed:,} failed" if failed else ""
        self._bar.update(self._task, completed=done, total=total, rows=f"{done:,} rows{note}")

    def _start(self) -> None:
        from rich import progress
        from rich.console import Console

        colored = self._session.colored(sys.stderr)
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(bar_width=24),
            progress.TextColumn("{task.fields[rows]}"),
            progress.TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(file=sys.stderr, color_system="auto" if colored else None),
            transient=True,
        )
        self._task = self._bar.add_task(self._label, total=self._total, rows="")
        self._bar.start()


def expected_rows(path: str, limit: int | None) -> int | None:
    """About how many rows a file of lines holds, judged by its beginning; None where that cannot be told."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (may be any name that open takes)
            head = file.read(_SAMPLE)
            size = os.fstat(file.fileno()).st_size
    except OSError:
        return limit
    lines = head.count(b"\n")
    if path.endswith((".gz", ".parquet")) or not lines or not size:
        return limit
    rows = round(lines * size / len(head))
    return rows if limit is None else min(rows, limit)
