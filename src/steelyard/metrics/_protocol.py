"""What a metric is, and what a reducer is."""

from typing import Protocol

from steelyard.core.score import SampleScore, Score, Value

__all__ = ["Metric", "MetricDeprecated", "MetricProtocol", "ScoreReducer"]


class MetricProtocol(Protocol):
    """Turns many scores into one value (or a dict or list of several).

    >>> from steelyard.metrics import metric
    >>> @metric
    ... def share_above(limit: float = 0.5) -> MetricProtocol:
    ...     def share(scores: list[SampleScore]) -> Value:
    ...         return sum(score.as_float() > limit for score in scores) / len(scores)
    ...     return share
    >>> share_above(0.7)([0.6, 0.8])
    0.5
    """

    def __call__(self, scores: list[SampleScore], /) -> Value:
        """The metric's value over the scores of all samples."""
        ...


class MetricDeprecated(Protocol):
    """The older form: it receives scores without their samples. Told apart by the annotation ``list[Score]``."""

    def __call__(self, scores: list[Score], /) -> Value:
        """The metric's value over the scores."""
        ...


Metric = MetricProtocol | MetricDeprecated
"""A metric in either form; write `MetricProtocol` in new code."""


class ScoreReducer(Protocol):
    """Makes one score of the scores that a sample got in several epochs."""

    def __call__(self, scores: list[Score], /) -> Score:
        """One score for the sample."""
        ...
