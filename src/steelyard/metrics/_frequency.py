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

Label = tuple[str, str]
"""The type's name and the text, so that ``1`` and ``"1"`` are two labels."""


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
        return {name: _share(column, label, n, level) for name, (label, n) in labels.items()}

    return measure


def count_labels(column: ScoredColumn) -> dict[str, tuple[Label, int]]:
    """Name to label and how often it occurs, the most frequent first."""
    counted: Counter[Label] = Counter()
    if column.distinct is not None:
        for value, n in column.distinct.items():
            counted[_label(value)] += n
    else:
        counted.update(map(_label, column.values))
    labels: dict[str, tuple[Label, int]] = {}
    for label, n in counted.most_common():
        kind, text = label
        labels[text if text not in labels else f"{text} ({kind})"] = (label, n)
    return labels


def _label(value: Any) -> Label:
    return type(value).__name__, as_text(value)


def _share(column: ScoredColumn, label: Label, n: int, level: float) -> Estimate:
    """The share of one label: of truth values, which only clusters need row by row."""
    if column.cluster is None:
        marked = column.replace(distinct={True: n, False: len(column) - n}, range=None)
    else:
        marked = column.replace(values=[_label(given) == label for given in column.values], distinct=None, range=None)
    return mean_estimate(marked, float, level)
