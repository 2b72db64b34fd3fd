"""Which metrics apply to a column: those that the scorer names for its key, or those that fit its values."""

import fnmatch
from collections.abc import Mapping, Sequence
from typing import Any, cast

from steelyard.core.scored import ScoredColumn
from steelyard.metrics._frequency import frequency
from steelyard.metrics._kinds import are_labels, distinct_values, kind_of
from steelyard.metrics._mean import accuracy, mean
from steelyard.metrics._metric import MetricObject

__all__ = ["default_metrics", "select_metrics"]

EVERY_OTHER = "*"


def select_metrics(metrics: Any, key: str | None = "") -> list[Any]:
    """The metrics that ``@scorer(metrics=...)`` names for one key of its score.

    Args:
        metrics: A list; a dict from key (or glob; ``"*"`` is every other key) to a list; a list that mixes metrics,
            which apply to every key, with such dicts; or None.
        key: The key of a dict score, with dots where it nests; the place in a list score; "" for a plain score.

    Returns:
        Metrics, names and specs as they were given; [] where none is named.

    >>> select_metrics({"style": ["mean"], "*": ["accuracy"]}, "style")
    ['mean']
    >>> select_metrics(["accuracy", {"s*": [{"stderr": {"cluster": "topic"}}]}], "style")
    ['accuracy', {'stderr': {'cluster': 'topic'}}]
    """
    chosen: list[Any] = []
    for item in _listed(metrics):
        table = cast("Mapping[str, Any]", item) if isinstance(item, Mapping) else None
        found: list[Any] = [item] if table is None or _is_spec(table) else _for_key(table, key or "")
        for one in found:
            if one not in chosen:
                chosen.append(one)
    return chosen


def default_metrics(values: ScoredColumn | Sequence[Any]) -> list[MetricObject]:
    """The metrics of a scorer that names none: what fits the values.

    Grades (truth values, the letters C, I, P, N) get accuracy, numbers mean, labels their frequencies. Numbers mixed
    with other text get the mean too, which is then undefined and names the value that is no number.

    Returns:
        [] where there is nothing to compute: prose. Where no sample is scored, the mean, which then says so.

    >>> default_metrics(["C", "I"]), default_metrics([0.5, 3]), default_metrics(["refund", "delivery"])
    ([accuracy()], [mean()], [frequency()])
    >>> default_metrics(["A long remark on what the answer leaves out of the terms of the refund. " * 2])
    []
    """
    column = values if isinstance(values, ScoredColumn) else ScoredColumn("values", values)
    kind = kind_of(column)
    if kind == "grades":
        return [accuracy()]
    if kind in ("numbers", "none"):
        return [mean()]
    if kind == "mixed" and any(isinstance(value, int | float) for value in distinct_values(column)):
        return [mean()]
    if not are_labels(str(value) for value in distinct_values(column)):
        return []
    return [frequency()]


def _listed(metrics: Any) -> Sequence[Any]:
    if metrics is None:
        return []
    return cast("Sequence[Any]", metrics) if isinstance(metrics, list | tuple) else [metrics]


def _for_key(table: Mapping[str, Any], key: str) -> list[Any]:
    """The entry of the key itself, else of what it nests in, else of every glob that fits, else of ``"*"``."""
    parts = key.split(".")
    for end in range(len(parts), 0, -1):
        exact = ".".join(parts[:end])
        if exact in table:
            return list(_listed(table[exact]))
    globs = [name for name in table if name != EVERY_OTHER and fnmatch.fnmatchcase(key, name)]
    return [one for name in globs or [EVERY_OTHER] for one in _listed(table.get(name))]


def _is_spec(given: Mapping[str, Any]) -> bool:
    """``{"stderr": {"cluster": "topic"}}`` is a metric with options; a table of keys has lists for values."""
    return len(given) == 1 and all(value is None or isinstance(value, Mapping) for value in given.values())
