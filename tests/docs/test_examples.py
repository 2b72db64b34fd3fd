"""The examples in README.md and in the documentation run as they stand.

Blocks marked ```python are run from the top of a page to its end, in one namespace and one empty folder; a block that holds
``>>>`` is a doctest, and its output is compared. ```python no-run marks what is shown and not run (it needs a model, say).
"""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?P<fence>`{3,})python(?P<info>[^\n]*)\n(?P<code>.*?)^(?P=fence)\s*$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def _blocks(page: Path) -> list[tuple[int, str]]:
    """(line, code) of every block of a page that is to run."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, match.start("code")) + 1, match["code"])
        for match in BLOCK.finditer(text)
        if "no-run" not in match["info"].split()
    ]


WITH_EXAMPLES = [page for page in PAGES if _blocks(page)]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=[page.relative_to(ROOT).as_posix() for page in WITH_EXAMPLES])
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "example"}
    for line, code in _blocks(page):
        # Blank lines up to the block's place, so that a failure names the page's line.
        if ">>>" in code:
            _doctest(code, namespace, page, line)
        else:
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), namespace)


def _doctest(code: str, namespace: dict[str, object], page: Path, line: int) -> None:
    test = doctest.DocTestParser().get_doctest(code, namespace, page.name, str(page), line - 1)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    namespace.update(test.globs)
    assert not said, "".join(said)


def test_every_page_is_in_the_contents():
    """A page that nothing points to is lost; mkdocs warns of it, and this says which."""
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES[1:]]
    assert [page for page in pages if page not in contents] == []
