"""Meter: tells how far a live run is, often enough to watch and seldom enough to cost nothing."""

import time
import warnings
from collections.abc import Callable

from steelyard.core.ports import RunWriter
from steelyard.errors import error_text

__all__ = ["LiveProgress", "Meter"]

LiveProgress = Callable[[int, int, int], None]
"""Is told (samples that are stored, of all so far those whose call failed, calls under way)."""

_INTERVAL = 0.1


class Meter:
    """Counts, and reports at most ten times a second.

    Args:
        writer: The run's writer: a sample is done when it is durable.
        report: Whom to tell; None for nobody.
    """

    def __init__(self, writer: RunWriter, report: LiveProgress | None) -> None:
        self.failed = 0
        self.in_flight = 0
        self._writer = writer
        self._before = writer.committed
        self._report = report
        self._last = 0.0

    @property
    def done(self) -> int:
        """Samples of this run that are durable."""
        return self._writer.committed - self._before

    def begin(self) -> None:
        """A call begins."""
        self.in_flight += 1
        self.tell()

    def end(self, *, failed: bool) -> None:
        """A call has ended."""
        self.in_flight -= 1
        self.failed += failed
        self.tell()

    def tell(self, *, now: bool = False) -> None:
        """Report, unless that was done a moment ago."""
        if self._report is None:
            return
        instant = time.monotonic()
        if now or instant - self._last >= _INTERVAL:
            self._last = instant
            try:
                self._report(self.done, self.failed, self.in_flight)
            except Exception as error:  # noqa: BLE001  a display that breaks must not cost a call that was paid for
                self._report = None
                warnings.warn(f"progress is shown no more: {error_text(error)}", RuntimeWarning, stacklevel=2)
