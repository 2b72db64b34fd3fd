"""The rows of a table of figures: one a scorer and metric, spread figures as columns of the mean's row."""

from collections.abc import Mapping

import msgspec

from steelyard.core.estimate import Counts, Estimate
from steelyard.results.view import RunView

__all__ = ["FigureRow", "figure_rows", "number"]

SPREAD = ("stderr", "std", "var")
_CENTRE = ("accuracy", "mean")


class FigureRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line: a scorer, a metric, its estimate, and the counts."""

    scorer: str
    metric: str
    estimate: Estimate
    counts: Counts
    higher_is_better: bool = True
    spread: Mapping[str, Estimate] = {}
    mark: str = ""


def figure_rows(view: RunView) -> list[FigureRow]:
    """The rows in the order of the scorers."""
    found = view.figures
    rows: list[FigureRow] = []
    for scorer, metrics in found.metrics.items():
        spread, others = _split(metrics)
        for place, (metric, estimate) in enumerate(others.items()):
            stored = (scorer, metric) in found.as_stored
            rows.append(
                FigureRow(
                    scorer=scorer,
                    metric=metric,
                    estimate=estimate,
                    counts=found.counts.get(scorer, Counts()),
                    higher_is_better=found.higher_is_better.get(scorer, True),
                    spread=spread if place == 0 else {},
                    mark="as stored" if stored else "",
                )
            )
    return rows


def number(value: float | None, digits: int = 3) -> str:
    """A number for a table; a dash where there is none.

    >>> number(0.51234), number(None), number(12345.6), number(0.00012)
    ('0.512', '-', '12,345.6', '0.00012')
    """
    if value is None:
        return "-"
    if value == 0 or 0.001 <= abs(value) < 1000:
        return f"{value:.{digits}f}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.2g}"


def _split(metrics: Mapping[str, Estimate]) -> tuple[dict[str, Estimate], dict[str, Estimate]]:
    """Spread figures apart, when there is a centre whose row they can join."""
    if not any(name in _CENTRE for name in metrics):
        return {}, dict(metrics)
    spread = {name: estimate for name, estimate in metrics.items() if name in SPREAD}
    return spread, {name: estimate for name, estimate in metrics.items() if name not in SPREAD}
