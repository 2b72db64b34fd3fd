"""grouped: a metric over each group of samples."""

from typing import Any, Literal

from steelyard.core.estimate import Estimate
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UndefinedMetric, UsageError
from steelyard.metrics._find import find_metric
from steelyard.metrics._metric import Measure, figure
from steelyard.stats import average

__all__ = ["grouped"]


@figure
def grouped(
    metric: Any,
    group_key: str,
    *,
    all: Literal["samples", "groups", False] = "samples",
    all_label: str = "all",
    name_template: str = "{group_name}",
) -> Measure:
    """What is the metric in each group of samples, and over all?

    Args:
        metric: The metric: an object, a name, or a spec.
        group_key: The column whose equal values make a group.
        all: ``"samples"``: over all samples, whatever their group; ``"groups"``: the mean of the groups' values, each
            group counting the same, with the groups taken as given; False: none.
        all_label: The name of the figure over all.
        name_template: The names of the groups' figures.

    Returns:
        A metric. Called with SampleScores it returns a dict from group to value.

    Raises:
        UsageError: ``all`` is none of those.
        ColumnNotFoundError: On a call: a sample lacks the column.
        UndefinedMetric: On a call: a group bears the name of the figure over all, or a group's value is undefined.

    Source: inspect_ai's metric of this name.

    >>> from steelyard.core.score import SampleScore, Score
    >>> rows = [("C", "law"), ("I", "law"), ("C", "tax")]
    >>> scores = [SampleScore(Score(value), sample_metadata={"topic": topic}) for value, topic in rows]
    >>> grouped("accuracy", "topic")(scores)
    {'law': 0.5, 'tax': 1.0, 'all': 0.6666666666666666}
    """
    inner = find_metric(metric)
    if all not in ("samples", "groups", False):
        raise UsageError(f"all must be 'samples', 'groups' or False, not {all!r}")

    def measure(column: ScoredColumn, level: float) -> dict[str, Estimate]:
        groups: dict[str, list[int]] = {}
        for row, label in enumerate(column.labels(group_key)):
            groups.setdefault(name_template.format(group_name=label), []).append(row)
        if all and all_label in groups:
            raise UndefinedMetric(f"a group of {group_key!r} is called {all_label!r}: choose another all_label")
        each = {name: inner.estimates(column.take(rows), level=level) for name, rows in groups.items()}
        if all == "samples":
            each[all_label] = inner.estimates(column, level=level)
        elif all == "groups":
            each[all_label] = _averages(each, level)
        return {f"{name}.{key}" if key else name: one for name, found in each.items() for key, one in found.items()}

    return measure


def _averages(each: dict[str, dict[str, Estimate]], level: float) -> dict[str, Estimate]:
    """The mean over groups of each figure."""
    keys = dict.fromkeys(key for found in each.values() for key in found)
    return {key: average([found[key] for found in each.values() if key in found], level=level) for key in keys}
