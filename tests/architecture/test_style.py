"""The parts of the house style that a machine can see."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "steelyard"
FILES = sorted(SOURCE.rglob("*.py"))
IDS = [path.relative_to(SOURCE).as_posix() for path in FILES]

LONGEST_FILE = 400
LONGEST_FUNCTION = 60
NOT_NOUNS = {"utils", "util", "helpers", "helper", "common", "base", "misc", "shared"}

# In-function imports of our own package: file, and why. Everything else imports at the top.
LATE_IMPORTS = {
    "_services.py": "composes the parts; a plain scorer call must not load the store",
    "_plan.py": "opens the store that was asked for, and no other",
    "_run.py": "a handle that loads results and reports when it is asked for them",
    "cli/": "a command loads what it needs, so that --help stays quick",
    "web/": "likewise",
}
TEXTS = (".py", ".md", ".toml", ".txt", ".yml", ".yaml", ".html", ".js", ".css", "")
# A folder of one machine, in any file of ours.
ABSOLUTE = re.compile(r"(?<![\w.:/<>*])/(?:home|root|work|Users|tmp|mnt|opt|var)/[\w.-]+|\b[A-Z]:\\\\?Users")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function's body without its docstring."""
    body = function.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        body = body[1:]
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def _functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_is_named_for_a_noun(path):
    assert path.stem.strip("_") not in NOT_NOUNS


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_holds_one_noun(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{lines} lines: is this one noun?"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_function_does_one_thing(path):
    long = [f"{f.name}: {_body_lines(f)} lines" for f in _functions(_tree(path)) if _body_lines(f) > LONGEST_FUNCTION]
    assert not long, f"longer than {LONGEST_FUNCTION}: {long}"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_our_own_package_is_imported_at_the_top(path):
    name = path.relative_to(SOURCE).as_posix()
    if any(name == entry or (entry.endswith("/") and name.startswith(entry)) for entry in LATE_IMPORTS):
        return
    late = [
        f"{name}:{node.lineno}"
        for function in _functions(_tree(path))
        for node in ast.walk(function)
        if (isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] == "steelyard"))
        or (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "steelyard" for alias in node.names))
    ]
    assert not late, "an import inside a function hides a circle: " + ", ".join(late)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_module_begins_by_saying_what_it_is(path):
    assert ast.get_docstring(_tree(path))


def test_the_list_of_late_imports_names_files_that_are_there():
    missing = [name for name in LATE_IMPORTS if not (SOURCE / name).exists() and name != "web/"]
    assert not missing


def test_every_test_file_has_its_source():
    """`tests/scorers/test_match.py` tests `scorers/_match.py` or a family of it: at least the folder is there."""
    own = {"architecture", "bench", "laws", "golden", "faults", "browser", "docs", "ground", "real", "pages"}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert folders <= own | {path.name for path in SOURCE.iterdir()}


def _tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_names_a_folder_of_one_machine():
    found = []
    for path in _tracked():
        if path.suffix not in TEXTS or path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if ABSOLUTE.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert not found, "\n".join(found)


def test_no_file_names_a_package_registry():
    """Where packages come from is the user's setting."""
    address = re.compile(r"https?://(?:pypi|files\.pythonhosted|test\.pypi)\S*|--(?:extra-)?index-url")
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in _tracked()
        if path != Path(__file__) and path.suffix in TEXTS
        for match in address.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found
