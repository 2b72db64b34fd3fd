"""Who may import whom. The same table stands in the design, and, as layers, in pyproject.toml."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "steelyard"

GROUND = {"core", "errors"}
FLOOR_1 = {"scoring", "stats", "data", "prompting", "config", "models", "store", "sandbox", "demo"}
ROOF = {
    "__main__",
    "cli",
    "web",
    "_api",
    "_identify",
    "_plan",
    "_provenance",
    "_run",
    "_services",
    "_watch",
    "evaluation",
    "testing",
}
# Part: the parts it may import, besides the ground.
FLOORS = {
    **{part: set() for part in FLOOR_1},
    "scorers": {"scoring", "prompting"},
    "running": {"scoring", "prompting"},
    "metrics": {"scoring", "stats"},
    "results": {"metrics", "stats", "scoring"},
    "alignment": {"results", "metrics", "stats", "scorers"},
    "report": {"results", "alignment", "stats"},
}
# Packages of others, and the parts that may import them; a package that is not named here is imported nowhere.
ANYWHERE = {"msgspec"}
OTHERS = {
    "numpy": {"stats", "metrics", "results", "alignment", "scorers", "_run"},
    "scipy": {"stats", "metrics", "results", "alignment"},
    "narwhals": {"data", "_api", "_run"},
    "duckdb": {"data"},
    "pandas": {"_run"},
    "polars": {"_run"},
    "pyarrow": {"_run"},
    "rapidfuzz": {"scorers"},
    "regex": {"scorers", "data"},
    "rich": {"report", "cli"},
    "click": {"cli"},
    "pytest": {"testing"},
}


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("steelyard", include_external_packages=True, cache_dir=None)


def _part(module: str) -> str:
    """The part that a module of ours belongs to; "" is the root door."""
    return module.removeprefix("steelyard").lstrip(".").split(".")[0]


def _edges() -> list[tuple[str, str, str]]:
    """(importer, imported, where) of every import that a module of ours makes."""
    graph = _graph()
    edges = []
    for module in sorted(name for name in graph.modules if name.split(".")[0] == "steelyard"):
        for imported in sorted(graph.find_modules_directly_imported_by(module)):
            details = graph.get_import_details(importer=module, imported=imported)
            edges.append(
                (module, imported, f"{module}:{details[0]['line_number'] if details else '?'} imports {imported}")
            )
    return edges


def test_every_part_has_a_place():
    parts = {_part(module) for module in _graph().modules if module.startswith("steelyard.")}
    unplaced = parts - GROUND - set(FLOORS) - ROOF
    assert not unplaced, f"give these parts a floor here, in pyproject.toml and in the design: {sorted(unplaced)}"


def test_a_part_imports_only_what_its_arrow_names():
    wrong = []
    for importer, imported, where in _edges():
        part, other = _part(importer), _part(imported)
        if not imported.startswith("steelyard") or part == other or part in ROOF or part not in {*GROUND, *FLOORS}:
            continue
        allowed = {"errors"} if part == "core" else set() if part == "errors" else GROUND | FLOORS[part]
        if other not in allowed:
            wrong.append(where + (" (the root door is for users)" if imported == "steelyard" else ""))
    assert not wrong, "\n".join(wrong)


def test_no_circles_among_modules():
    graph = _graph()
    ours = {module for module in graph.modules if module.startswith("steelyard.")}
    # Imports inside functions and under TYPE_CHECKING count too: a circle that only works by being late is a circle.
    edges = {module: sorted(graph.find_modules_directly_imported_by(module) & ours) for module in ours}
    circles, done = [], set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            circles.append(" -> ".join([*path[path.index(module) :], module]))
        elif module not in done:
            for imported in edges[module]:
                visit(imported, (*path, module))
            done.add(module)

    for module in sorted(ours):
        visit(module, ())
    assert not circles, "\n".join(circles)


def test_packages_of_others_stay_in_their_place():
    wrong = []
    for importer, imported, where in _edges():
        package = imported.split(".")[0]
        if package == "steelyard" or package in sys.stdlib_module_names or package in ANYWHERE:
            continue
        if package not in OTHERS:
            wrong.append(f"{where}: not in the table of this test, nor perhaps among the dependencies")
        elif _part(importer) not in OTHERS[package]:
            wrong.append(f"{where}: only {', '.join(sorted(OTHERS[package]))} may")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", ["sqlite3", "_sqlite3"])
def test_only_the_store_knows_its_database(package):
    importers = {edge[0] for edge in _edges() if edge[1] == package}
    assert {_part(name) for name in importers} <= {"store"}, importers


def test_the_one_upward_reference_is_a_string_in_the_ports():
    """`core/ports.py` names the default services as text; no other file below the roof names a module of it."""
    named = {}
    for path in sorted(SOURCE.rglob("*.py")):
        part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if part in ROOF or part == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
                words = node.value.replace(":", ".").split(".")
                if words[0] == "steelyard" and len(words) > 1 and words[1] in ROOF:
                    named[f"{path.relative_to(SOURCE).as_posix()}:{node.lineno}"] = node.value
    assert list(named.values()) == ["steelyard._services:default"], named


def test_the_contracts_of_pyproject_hold():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_part_reaches_into_another_parts_private_modules():
    reached = []
    for path in sorted(SOURCE.rglob("*.py")):
        part = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("steelyard."):
                _, other, *rest = (node.module or "").split(".")
                if rest and rest[0].startswith("_") and other != part:
                    reached.append(f"{path.relative_to(SOURCE)} imports {node.module}")
    # The one door lists where its names are.
    assert [line for line in reached if not line.startswith("__init__.py")] == []
