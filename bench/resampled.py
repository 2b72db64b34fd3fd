"""The scores that are resampled. Standard library alone: the peers' environment reads this file too."""

import random

__all__ = ["drawn"]


def drawn(n: int, distinct: int | None) -> list[float]:
    """So many scores between 0 and 1: continuous, or of so many distinct values."""
    draw = random.Random(0)
    if distinct is None:
        return [draw.random() for _ in range(n)]
    return [draw.randrange(distinct) / (distinct - 1) for _ in range(n)]
