"""The examples in README.md and in the documentation run as they stand.

Blocks marked ```python are run from the top of a page to its end, in one namespace and one empty folder; a block that holds
``>>>`` is a doctest, and its output is compared. Lines of ```console blocks that begin with ``$ steelyard`` are run too, and must
succeed. A ```text block that follows is what the block above it prints, but for the ids of runs. The word no-run after any of
them marks what is shown and not run (it needs a model, say).
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^(?P<fence>`{3,})(?P<kind>python|console|text)(?P<info>[^\n]*)\n(?P<code>.*?)^(?P=fence)\s*$",
    re.MULTILINE | re.DOTALL,
)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def _blocks(page: Path) -> list[tuple[str, int, str]]:
    """(kind, line, code) of every block of a page that is to run."""
    text = page.read_text(encoding="utf-8")
    return [
        (match["kind"], text.count("\n", 0, match.start("code")) + 1, match["code"])
        for match in BLOCK.finditer(text)
        if "no-run" not in match["info"].split() and (match["kind"] != "text" or _shows_output(text[: match.start()]))
    ]


def _shows_output(before: str) -> bool:
    """Whether a text block follows a block that ran: only a sentence may stand between."""
    blocks = list(re.finditer(r"^```(\w+)([^\n]*)\n.*?^```\s*$", before, re.MULTILINE | re.DOTALL))
    return bool(blocks) and blocks[-1][1] in {"python", "console"} and "no-run" not in blocks[-1][2]


WITH_EXAMPLES = [page for page in PAGES if _blocks(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=[page.relative_to(ROOT).as_posix() for page in WITH_EXAMPLES])
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "example"}
    printed = ""
    for kind, line, code in _blocks(page):
        if kind == "text":
            assert _nameless(printed) == _nameless(code), f"{page.name}, line {line}"
            continue
        with contextlib.redirect_stdout(io.StringIO()) as told:
            _run(kind, line, code, namespace, page)
        printed = told.getvalue()


def _run(kind: str, line: int, code: str, namespace: dict[str, object], page: Path) -> None:
    if kind == "console":
        _console(code)
    elif ">>>" in code:
        _doctest(code, namespace, page, line)
    else:  # blank lines up to the block's place, so that a failure names the page's line
        exec(compile("\n" * (line - 1) + code, str(page), "exec"), namespace)


def _nameless(text: str) -> list[str]:
    lines = re.sub(r"\b[0-9a-f]{12}\b", "RUN", text).strip().splitlines()
    return [line.rstrip() for line in lines]


def _console(code: str) -> None:
    for line in code.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        if line.startswith("$ ") and words[0] == "steelyard":
            command = [str(Path(sys.executable).with_name("steelyard")), *words[1:]]
            wide = {**os.environ, "COLUMNS": "100"}
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=wide)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            print(done.stdout)


def _doctest(code: str, namespace: dict[str, object], page: Path, line: int) -> None:
    test = doctest.DocTestParser().get_doctest(code, namespace, page.name, str(page), line - 1)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    namespace.update(test.globs)
    assert not said, "".join(said)


def test_every_page_is_in_the_contents():
    """A page that nothing points to is lost. (Those of scorers and decisions are added when the pages are built.)"""
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES[1:]]
    assert [page for page in pages if page not in contents and not page.startswith(("decisions/", "scorers/"))] == []
