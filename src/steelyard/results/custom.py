"""Custom metrics: code that a later reader may not have, told apart by its source text."""

from collections.abc import Mapping
from typing import Any

from steelyard.core.digest import digest
from steelyard.errors import SteelyardError
from steelyard.metrics import find_metric
from steelyard.metrics._metric import FigureMetric
from steelyard.scoring.form import source_text

__all__ = ["code_digests", "flat_metrics", "is_built_in", "is_same_code", "metric_specs"]


def metric_specs(metrics: Any) -> Any:
    """Metrics as a scorer names them, as JSON: names with options; a list stays a list, a table of keys a table."""
    if isinstance(metrics, Mapping):
        if _is_spec(metrics):
            return dict(metrics)
        return {str(key): metric_specs(value) for key, value in metrics.items()}
    if isinstance(metrics, list | tuple):
        return [metric_specs(item) for item in metrics]
    return metrics if metrics is None or isinstance(metrics, str) else find_metric(metrics).spec.as_json()


def is_built_in(metric: Any) -> bool:
    """Whether a metric, as a scorer names it, is one of ours."""
    return isinstance(find_metric(metric), FigureMetric)


def code_digests(metrics: Any) -> dict[str, str]:
    """The digest of the source text of each custom metric that can be read, by the metric's spec."""
    found: dict[str, str] = {}
    for item in flat_metrics(metrics):
        metric = find_metric(item)
        source = None if isinstance(metric, FigureMetric) else source_text(metric.code)
        if source is not None:
            found[repr(metric.spec)] = digest(source)
    return found


def is_same_code(metric: Any, stored: Mapping[str, str]) -> bool:
    """Whether a metric of a stored run can be computed here: it is built in, or its code is what it was."""
    try:
        found = find_metric(metric)
        if isinstance(found, FigureMetric):
            return True
        source = source_text(found.code)
    except SteelyardError:
        return False
    return source is not None and stored.get(repr(found.spec)) == digest(source)


def flat_metrics(metrics: Any) -> list[Any]:
    """The metrics that a scorer names, whatever the form, one after the other."""
    if isinstance(metrics, Mapping) and not _is_spec(metrics):
        return [item for value in metrics.values() for item in flat_metrics(value)]
    if isinstance(metrics, list | tuple):
        return [found for item in metrics for found in flat_metrics(item)]
    return [] if metrics is None else [metrics]


def _is_spec(given: Mapping[Any, Any]) -> bool:
    """``{"stderr": {"cluster": "topic"}}`` is a metric with options; a table of keys has lists for values."""
    return len(given) == 1 and all(value is None or isinstance(value, Mapping) for value in given.values())
