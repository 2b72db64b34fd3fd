"""The results as a page of Markdown."""

from typing import Any

__all__ = ["table"]

HEAD = """# How fast it is

Made by `python -m bench`. CPU time unless it says wall; what is compared takes turns in one run, and the best of five
counts (of ten where processes start, of three for large files). Peers run in an environment of their own with the
versions below.

| what | figure | target | met | ours | beside |
|---|---:|---:|---|---|---|
"""


def table(known: dict[str, Any]) -> str:
    """The page."""
    rows = [_row(figure) for part in known.values() for figure in part["figures"]]
    machines = {", ".join(f"{key} {value}" for key, value in part["machine"].items()): None for part in known.values()}
    return HEAD + "".join(rows) + "\n" + "".join(f"Measured on: {machine}.\n" for machine in machines)


def _row(figure: dict[str, Any]) -> str:
    unit = figure["unit"]
    value, target = _number(figure["value"]), _number(figure["target"])
    cells = (
        f"{figure['part']}: {figure['name']}",
        f"{value} {unit}".strip(),
        f"{figure['sense']} {target}",
        "yes" if figure["met"] else "**no**",
        figure["ours"],
        figure["beside"],
    )
    return f"| {' | '.join(cells)} |\n"


def _number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
