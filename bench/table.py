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
    machines = {
        ", ".join(f"{key} {value}" for key, value in part["machine"].items() if key != "load"): None
        for part in known.values()
    }
    loads = ", ".join(f"{name} {part['machine']['load']}" for name, part in known.items() if "load" in part["machine"])
    notes = [f"Measured on: {machine}.\n" for machine in machines]
    if loads:
        notes.append(f"Load average (1, 5, 15 minutes) after each part, where the wall matters: {loads}.\n")
    return HEAD + "".join(rows) + "\n" + "\n".join(notes)


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
