"""frequency: the share of each label."""

from collections import Counter
from typing import Any

from steelyard.core.columns import as_text
from steelyard.core.estimate import Estimate
from steelyard.core.scored import ScoredColumn
from steelyard.errors import UndefinedMetric
from steelyard.metrics._kinds import MOST_LABELS
from steelyard.metrics._mean import mean_estimate
from steelyard.metrics._metric import Measure, figure

__all__ = ["count_labels", "frequency"]


@figure
def frequency() -> Measure:
    """Which share of the samples got each label?

        count of the label / n, the most frequent first

    The interval of each share is Wilson's (clustered, where the run has a cluster column). The shares are of one whole,
    so their intervals are not independent.

    Returns:
        A metric. Called with scores it returns a dict from label to share.

    Raises:
        UndefinedMetric: On a call: there are more than 20 different labels.

    Source: as inspect_ai's metric of this name, but ``True`` and ``1`` and ``"1"`` are different labels.

    >>> frequency()(["refund", "delivery", "refund", "refund"])
    {'refund': 0.75, 'delivery': 0.25}
    """

    def measure(column: ScoredColumn, level: float) -> Estimate | dict[str, Estimate]:
        labels = count_labels(column)
        if not labels:
            return Estimate.undefined("there are no values", method="wilson")
        if len(labels) > MOST_LABELS:
            raise UndefinedMetric(f"{len(labels)} different values are too many to be labels (at most {MOST_LABELS})")
        return {label: _share(column, members, level) for label, (members, _) in labels.items()}

    return measure


def count_labels(column: ScoredColumn) -> dict[str, tuple[tuple[type, Any], int]]:
    """Label to what it stands for, as (type, value), and how often; the most frequent first."""
    if column.distinct is not None:
        counted = Counter({(type(value), value): n for value, n in column.distinct.items()})
    else:
        counted = Counter((type(value), value) for value in column.values)
    labels: dict[str, tuple[tuple[type, Any], int]] = {}
    for (kind, value), n in counted.most_common():
        text = as_text(value)
        labels[text if text not in labels else f"{text} ({kind.__name__})"] = ((kind, value), n)
    return labels


def _share(column: ScoredColumn, label: tuple[type, Any], level: float) -> Estimate:
    kind, value = label

    def is_label(given: Any) -> bool:
        return type(given) is kind and bool(given == value)

    if column.distinct is not None:
        counts = {False: 0, True: 0}
        for given, n in column.distinct.items():
            counts[is_label(given)] += n
        marked = column.replace(distinct=counts, range=None)
    else:
        marked = column.replace(values=[is_label(given) for given in column.values], range=None)
    return mean_estimate(marked, float, level)
