"""Cluster keys as integer codes."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import UsageError

__all__ = ["Keys", "factorize"]

Keys = Sequence[Any] | NDArray[Any]
"""A key for each row."""


def factorize(keys: Keys) -> NDArray[np.int64]:
    """Number the clusters: equal keys get equal codes, counted from 0 in the order in which they are first seen.

    Args:
        keys: A key for each row: text, numbers, or anything hashable; an array of integers is fastest.

    Returns:
        A code for each row. Codes of an integer array may leave numbers out.

    Raises:
        UsageError: A row has no key (None or NaN), or one that cannot be compared.

    >>> factorize(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    if isinstance(keys, np.ndarray) and keys.dtype.kind in "iu":
        return _compact(keys.astype(np.int64, copy=False))
    numbers: defaultdict[Any, int] = defaultdict(itertools.count().__next__)
    try:
        codes = np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))
    except TypeError:
        return factorize([_hashable(key) for key in keys])
    missing = [key for key in numbers if key is None or key != key]  # noqa: PLR0124  only NaN differs from itself
    if missing:
        rows = sum(key is None or key != key for key in keys)  # noqa: PLR0124
        raise UsageError(
            f"{rows} of {len(keys)} rows have no cluster (None or NaN); give each row one, or leave it out"
        )
    return codes


def _compact(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes as they are when a table indexed by them is small, else renumbered."""
    if len(codes) == 0 or (codes.min() >= 0 and codes.max() < 4 * len(codes) + 1024):
        return codes
    return np.unique(codes, return_inverse=True)[1].astype(np.int64, copy=False)


def _hashable(key: Any) -> Any:
    if isinstance(key, list | tuple):
        return tuple(map(_hashable, cast("Sequence[Any]", key)))
    if isinstance(key, dict):
        pairs = cast("Mapping[Any, Any]", key)
        return tuple(sorted((str(name), repr(_hashable(item))) for name, item in pairs.items()))
    try:
        hash(key)
    except TypeError:
        raise UsageError(f"a cluster's key must be text, a number or a list of those; {key!r} is none") from None
    return key
