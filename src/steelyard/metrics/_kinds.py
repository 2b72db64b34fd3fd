"""What sort of values a column holds."""

from collections.abc import Iterable
from typing import Any, Literal

from steelyard.core.score import CORRECT, INCORRECT, NOANSWER, PARTIAL
from steelyard.core.scored import ScoredColumn

__all__ = ["Kind", "are_labels", "distinct_values", "kind_of", "known_range"]

Kind = Literal["grades", "numbers", "text", "mixed", "none"]
"""``grades``: truth values or the letters C, I, P, N; ``numbers``: not those alone; ``mixed``: text and others."""

_LETTERS = frozenset((CORRECT, INCORRECT, PARTIAL, NOANSWER))

MOST_LABELS = 20
LONGEST_LABEL = 80


def distinct_values(column: ScoredColumn) -> Iterable[Any]:
    """The distinct values; the values themselves where some cannot be compared."""
    if column.distinct is not None:
        return column.distinct
    try:
        return set(column.values)
    except TypeError:  # a list or dict among them
        return column.values


def kind_of(column: ScoredColumn) -> Kind:
    """What sort of values they are.

    >>> kind_of(ScoredColumn("a", ["C", True])), kind_of(ScoredColumn("a", [0.5, True]))
    ('grades', 'numbers')
    >>> kind_of(ScoredColumn("a", ["refund", "C"])), kind_of(ScoredColumn("a", ["refund", 1]))
    ('text', 'mixed')
    """
    # A set holds 1 and True as one, so the types are read from the values themselves.
    types = set(map(type, column.distinct if column.distinct is not None else column.values))
    if not types:
        return "none"
    if not all(issubclass(one, str | bool | int | float) for one in types):
        return "mixed"
    letters = True
    if any(issubclass(one, str) for one in types):
        letters = all(value in _LETTERS for value in distinct_values(column) if isinstance(value, str))
    if not letters:
        return "text" if all(issubclass(one, str) for one in types) else "mixed"
    return "grades" if types <= {str, bool} else "numbers"


def known_range(column: ScoredColumn) -> tuple[float, float] | None:
    """The least and the greatest value that could have been: declared, or 0 to 1 for grades; None if unknown."""
    if column.range is not None:
        return column.range
    return (0.0, 1.0) if kind_of(column) == "grades" else None


def are_labels(texts: Iterable[str]) -> bool:
    """True for few short texts, which are worth counting; False for prose.

    >>> are_labels({"refund", "delivery"}), are_labels({"The answer leaves out that the refund takes a week. " * 2})
    (True, False)
    """
    distinct = set(texts)
    return len(distinct) <= MOST_LABELS and all(len(text) <= LONGEST_LABEL and "\n" not in text for text in distinct)
