"""Metrics and reducers by name, by spec, or as they stand."""

import re
from collections.abc import Mapping
from typing import Any

from steelyard.core.digest import canonical_json
from steelyard.core.ports import services
from steelyard.errors import UsageError
from steelyard.metrics._made import Made, is_factory
from steelyard.metrics._metric import CustomMetric, MetricObject
from steelyard.metrics._reducer import MadeReducer
from steelyard.scoring.registry import find, known
from steelyard.scoring.spec import Spec, parse_spec, resolve_import

__all__ = ["builtin_metric", "builtin_reducer", "find_metric", "find_reducer", "reducer_name"]

_COUNTED = ("at_least", "pass_at", "pass_k")
_NUMBERED = re.compile(r"(.+)_(\d+)")


def find_metric(given: Any) -> MetricObject:
    """The metric that is meant: an object, a factory, a function over scores, or a name with options.

    Args:
        given: Such as ``accuracy()``, ``accuracy``, ``"accuracy"``, ``{"stderr": {"cluster": "topic"}}``.

    Raises:
        UnknownNameError: No metric has that name.
        UsageError: It is none of those.

    >>> find_metric({"stderr": {"cluster": "topic"}})
    stderr(cluster='topic')
    """
    if isinstance(given, MetricObject):
        return given
    if is_factory(given, MetricObject):
        return find_metric(given())
    if isinstance(given, str | Mapping | Spec):
        spec = parse_spec(given)
        return find_metric(_made(find(spec.name, "metrics"), spec))
    if callable(given):
        return CustomMetric.of(given)
    raise UsageError(f"no metric: {given!r}; give one such as accuracy(), its name, or a function over SampleScores")


def find_reducer(given: Any) -> MadeReducer:
    """The reducer that is meant: an object, a factory, a function over scores, or a name.

    Args:
        given: Such as ``mean_score()``, ``"mean"``, ``"pass_at_3"``, ``{"at_least": {"k": 2, "value": 0.5}}``.

    Raises:
        UnknownNameError: No reducer has that name.
        UsageError: It is none of those, or its number is missing.

    >>> find_reducer("pass_at_3")
    pass_at(k=3)
    """
    if isinstance(given, MadeReducer):
        return given
    if is_factory(given, MadeReducer):
        return find_reducer(given())
    if isinstance(given, str | Mapping | Spec):
        spec = parse_spec(given)
        numbered = _NUMBERED.fullmatch(spec.name)
        if numbered is not None and spec.name not in known("reducers"):
            spec = Spec(numbered[1], {"k": int(numbered[2]), **spec.options})
        if not spec.options and spec.name in _COUNTED:
            raise UsageError(f"the reducer {spec.name} needs its k: write {spec.name}_2 for k = 2")
        return find_reducer(_made(find(spec.name, "reducers"), spec))
    if callable(given):
        return MadeReducer.of(given)
    raise UsageError(f"no reducer: {given!r}; give one such as mean_score(), a name such as 'pass_at_3', or a function")


def builtin_metric(given: Any) -> MetricObject | None:
    """The built-in metric of that name, whatever a user has registered under it; None where there is none.

    >>> builtin_metric("accuracy"), builtin_metric("mine")
    (accuracy(), None)
    """
    spec = parse_spec(given)
    place = services().catalog("metrics").get(spec.name)
    return None if place is None else find_metric(_made(resolve_import(place), spec))


def builtin_reducer(name: str) -> MadeReducer | None:
    """The built-in reducer of a name that `reducer_name` gave; None where there is none.

    >>> builtin_reducer("pass_at_2"), builtin_reducer("mine")
    (pass_at(k=2), None)
    """
    spec = parse_spec(name)
    known = services().catalog("reducers")
    numbered = _NUMBERED.fullmatch(spec.name)
    if numbered is not None and spec.name not in known:
        spec = Spec(numbered[1], {"k": int(numbered[2])})
    return find_reducer(_made(resolve_import(known[spec.name]), spec)) if spec.name in known else None


def reducer_name(reducer: MadeReducer) -> str:
    """The name by which a reducer is found again, with its options.

    >>> reducer_name(find_reducer({"pass_at": {"k": 2}}))
    'pass_at_2'
    """
    spec = reducer.spec
    if not spec.options:
        return spec.name
    if set(spec.options) == {"k"}:
        return f"{spec.name}_{spec.options['k']}"
    return canonical_json(spec.as_json()).decode()


def _made(found: Any, spec: Spec) -> Any:
    """What a registered thing makes with the options; a plain function, and a made object, take none."""
    if isinstance(found, type) or is_factory(found, Made):
        try:
            return found(**spec.options)
        except TypeError as error:
            raise UsageError(str(error)) from None
    if spec.options:
        raise UsageError(f"{spec.name} takes no options; got {', '.join(spec.options)}")
    return found
