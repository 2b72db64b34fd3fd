"""summarize: the summary of a scorer's values in Weave's shape."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.core.scored import ScoredColumn
from steelyard.metrics._frequency import count_labels
from steelyard.metrics._kinds import are_labels

__all__ = ["summarize"]


def summarize(rows: Sequence[Any], *, n: bool = False) -> dict[str, Any]:
    """What do the values of a scorer say together, key by key?

    Numbers give ``{"mean": m}``, truth values ``{"true_count": c, "true_fraction": c / n}`` over the rows that have the
    key, labels ``{label: count}``, prose ``{"distinct": how many}``. Dicts nest, lists count as dicts by place. A
    column of mixed types is not coerced: it gives ``{"mixed": {type: count}}``.

    Args:
        rows: The values of the scored samples: dicts, or plain values.
        n: Add how many rows have the key, as ``"n"``, to each summary.

    Returns:
        The summary; {} where there are no values.

    Source: the behaviour of Weave's summaries. Departures: text is counted (there ignored); a column's type is that of
    all its values (there of the first); keys such as ``mean`` stay where they are (there flattened).

    >>> summarize([{"match": True, "length": 3}, {"match": False, "length": 4}, {"length": 5}])
    {'match': {'true_count': 1, 'true_fraction': 0.5}, 'length': {'mean': 4.0}}
    """
    there = [row for row in rows if row is not None]
    if not there:
        return {}
    kinds = {_kind(row) for row in there}
    if kinds == {"dict"}:
        return _by_key(there, n=n)
    if kinds == {"list"}:
        return _by_key([{str(i): member for i, member in enumerate(row)} for row in there], n=n)
    found = _leaf(there, kinds)
    return {**found, "n": len(there)} if n else found


def _by_key(rows: Sequence[Mapping[str, Any]], *, n: bool) -> dict[str, Any]:
    keys = dict.fromkeys(key for row in rows for key in row)
    found = {key: summarize([row.get(key) for row in rows], n=n) for key in keys}
    return {key: summary for key, summary in found.items() if summary}


def _leaf(values: Sequence[Any], kinds: set[str]) -> dict[str, Any]:
    if len(kinds) > 1:
        counts: dict[str, int] = {}
        for value in values:
            counts[_kind(value)] = counts.get(_kind(value), 0) + 1
        return {"mixed": counts}
    if kinds == {"bool"}:
        true = sum(values)
        return {"true_count": true, "true_fraction": true / len(values)}
    if kinds == {"number"}:
        return {"mean": math.fsum(values) / len(values)}
    if kinds == {"text"} and are_labels(values):
        return {label: count for label, (_, count) in count_labels(ScoredColumn("text", values)).items()}
    return {"distinct": len({str(value) for value in values})}


def _kind(value: Any) -> str:
    if isinstance(value, Mapping):
        return "dict"
    if isinstance(value, list | tuple):
        return "list"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else type(value).__name__
