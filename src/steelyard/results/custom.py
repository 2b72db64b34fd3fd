"""Custom metrics: code that a later reader may not have, told apart by its source text."""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.core.digest import digest
from steelyard.core.record import ScoringRecord
from steelyard.errors import SteelyardError
from steelyard.metrics import BUILTIN, builtin_metric, builtin_reducer, find_metric, find_reducer
from steelyard.scoring.form import ScorerForm, source_text
from steelyard.scoring.registry import is_registered
from steelyard.scoring.spec import parse_spec

__all__ = [
    "code_digests",
    "is_ours",
    "meant",
    "metric_specs",
    "needs_code",
    "plain_custom",
    "reducer_digest",
    "stored_reducer",
    "tables_of",
    "unmet_keys",
]


def metric_specs(metrics: Any) -> Any:
    """Metrics as a scorer names them, as JSON: names with options; a list stays a list, a table of keys a table."""
    if isinstance(metrics, Mapping):
        if _is_spec(metrics):
            return dict(metrics)
        return {str(key): metric_specs(value) for key, value in metrics.items()}
    if isinstance(metrics, list | tuple):
        return [metric_specs(item) for item in metrics]
    return metrics if metrics is None or isinstance(metrics, str) else find_metric(metrics).spec.as_json()


def is_ours(form: ScorerForm) -> bool:
    """Whether a scorer is built in: the metrics that it names are the built-in ones, even where a user shadows them."""
    return str(getattr(form.code, "__module__", "")).startswith("steelyard.scorers.")


def needs_code(form: ScorerForm) -> bool:
    """Whether a scorer's figures need code that a later reader may not have."""
    if form.summarize is not None:
        return True
    return not is_ours(form) and any(_is_custom(item) for item in flat_metrics(form.metrics))


def _is_custom(metric: Any) -> bool:
    if isinstance(metric, str) and metric in BUILTIN and not is_registered(metric, "metrics"):
        return False  # without loading it
    return not find_metric(metric).built_in


def plain_custom(form: ScorerForm | None, scoring: ScoringRecord) -> list[Any]:
    """The custom metrics that a scorer names for no key: they receive a dict score whole.

    Args:
        form: The scorer, where it is at hand.
        scoring: What is stored of it.
    """
    declared = scoring.metrics if form is None else form.metrics
    listed = declared if isinstance(declared, list | tuple) else [declared]
    plain = [item for item in listed if item is not None and (not isinstance(item, Mapping) or _is_spec(item))]
    if form is None:
        return [item for item in plain if _was_custom(item, scoring.figures)]
    return [] if is_ours(form) else [item for item in plain if _is_custom(item)]


def tables_of(metrics: Any) -> list[Mapping[str, Any]]:
    """The tables by key among the metrics that a scorer names."""
    listed = metrics if isinstance(metrics, list | tuple) else [metrics]
    return [item for item in listed if isinstance(item, Mapping) and not _is_spec(item)]


def unmet_keys(metrics: Any, keys: Sequence[str]) -> list[str]:
    """The keys, other than globs, that a table of metrics names and no score has."""
    named = [key for table in tables_of(metrics) for key in table]
    return [key for key in named if not set(key) & set("*?[") and not any(_within(one, key) for one in keys)]


def _within(name: str, key: str) -> bool:
    return name == key or name.startswith(f"{key}.")


def _was_custom(metric: Any, stored: Mapping[str, Any]) -> bool:
    spec = parse_spec(metric)
    return repr(spec) in stored.get("code", {}) or _has(stored, spec.name)


def code_digests(form: ScorerForm) -> dict[str, str]:
    """The digest of the source text of each custom metric that can be read, by the metric's spec."""
    found: dict[str, str] = {}
    for item in [] if is_ours(form) else flat_metrics(form.metrics):
        metric = find_metric(item)
        source = None if metric.built_in else source_text(metric.code)
        if source is not None:
            found[repr(metric.spec)] = digest(source)
    return found


def meant(metric: Any, stored: Mapping[str, Any]) -> Any:
    """The metric of a stored run that can be computed here: it is built in, or its code is what it was; else None.

    Args:
        metric: As the scorer named it.
        stored: The figures that were stored with the run.
    """
    spec = parse_spec(metric)
    digests = stored.get("code", {})
    if repr(spec) not in digests:
        return None if _has(stored, spec.name) else builtin_metric(spec)
    try:
        source = source_text(find_metric(spec).code)
    except SteelyardError:
        return None
    return metric if source is not None and digests[repr(spec)] == digest(source) else None


def reducer_digest(reducer: Any) -> str | None:
    """The digest of a reducer's source text; None where it cannot be read."""
    source = source_text(reducer.code)
    return None if source is None else digest(source)


def stored_reducer(name: str, stored: Mapping[str, str | None]) -> Any:
    """The reducer of a stored run: a built-in one, or a custom one whose code is what it was; else None.

    Args:
        name: As the run recorded it.
        stored: The digests of its custom reducers.
    """
    if name not in stored:
        return builtin_reducer(name)
    try:
        found = find_reducer(parse_spec(name) if name.startswith("{") else name)
    except SteelyardError:
        return None
    return found if stored[name] is not None and stored[name] == reducer_digest(found) else None


def _has(stored: Mapping[str, Any], name: str) -> bool:
    """Whether a figure of that metric was stored, as it is of custom code alone."""
    names = [metric for figures in stored.get("metrics", {}).values() for metric in figures]
    return any(metric == name or metric.startswith((f"{name}.", f"{name}[")) for metric in names)


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
