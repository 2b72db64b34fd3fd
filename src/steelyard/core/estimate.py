"""Estimate and Counts: a figure with its error bar, and what it was computed from."""

import msgspec

from steelyard.core.score import UNSCORED_REASONS, UnscoredReason
from steelyard.errors import UndefinedMetric

__all__ = ["Counts", "Estimate"]


class Estimate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A figure with its error bar.

    Args:
        value: The figure; None where the data does not define it, and then ``reason`` says why.
        stderr: Its standard error, in the unit of the value.
        low: The lower end of the interval.
        high: The upper end of the interval.
        level: The confidence level of the interval, such as 0.95.
        n: The number of independent units behind the figure (clusters where it is clustered).
        method: How the interval was computed: ``"wilson"``, ``"t"``, ``"clustered t"``, ``"bootstrap"``, ``"custom"``.
        reason: Why the value, or the interval, is undefined.
        worst: The figure if every unscored sample had the worst value; None where none is unscored.
        best: The figure if every unscored sample had the best value.

    >>> e = Estimate(value=0.5, low=0.2, high=0.8, level=0.95, n=8, method="wilson")
    >>> float(e), str(e)
    (0.5, '0.500 [0.200, 0.800]')
    >>> f"{e:.1%}"
    '50.0%'
    >>> str(Estimate(value=0.25, n=1, method="t", reason="one value has no spread"))
    '0.250 [undefined: one value has no spread]'
    """

    value: float | None
    stderr: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    n: int = 0
    method: str = "custom"
    reason: str | None = None
    worst: float | None = None
    best: float | None = None

    @classmethod
    def undefined(cls, reason: str, *, n: int = 0, method: str = "custom") -> "Estimate":
        """A figure that the data does not define."""
        return cls(value=None, n=n, method=method, reason=reason)

    def __float__(self) -> float:
        if self.value is None:
            raise UndefinedMetric(self.reason or "undefined")
        return self.value

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return "undefined" if self.value is None else format(self.value, spec)

    def __str__(self) -> str:
        if self.value is None:
            return f"undefined: {self.reason}"
        text = f"{self.value:.3f}"
        if self.low is not None and self.high is not None:
            return f"{text} [{self.low:.3f}, {self.high:.3f}]"
        return f"{text} [undefined: {self.reason}]" if self.reason else text


class Counts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of the samples of one scorer.

    Args:
        attempted: Outcomes in all.
        scored: Outcomes with a value.
        unscored: Reason to number of outcomes without a value.
        notes: Note to number of scored outcomes that carry it, such as ``{"empty": 3}``.

    >>> c = Counts(attempted=10, scored=7, unscored={"no_output": 2, "scorer_error": 1})
    >>> c.failed, c.missing
    (1, 3)
    """

    attempted: int = 0
    scored: int = 0
    unscored: dict[UnscoredReason, int] = {}
    notes: dict[str, int] = {}

    @property
    def failed(self) -> int:
        """Outcomes where something broke."""
        return sum(self.unscored.get(reason, 0) for reason in UNSCORED_REASONS[3:])

    @property
    def missing(self) -> int:
        """Outcomes without a value, for whatever reason."""
        return self.attempted - self.scored
