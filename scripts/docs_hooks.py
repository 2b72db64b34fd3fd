"""Fill the documentation's tables from the package: `<!-- table: scorers -->` becomes a table of all scorers.

mkdocs calls `on_config` and `on_page_markdown` (see mkdocs.yml). The tests call the functions that make the tables.

    <!-- table: scorers -->          every built-in scorer, one row each
    <!-- table: metrics -->          every built-in metric; likewise reducers
    <!-- reference: match f1 -->     the reference of the built-in scorers of these names
    <!-- members: metrics -->        the reference of every built-in metric; likewise reducers
    <!-- list: decisions -->         a list of the pages in that folder
"""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

from steelyard import metrics, scorers

DIRECTIVE = re.compile(r"^<!-- (?P<verb>table|reference|members|list): (?P<words>[\w ]+) -->$", re.MULTILINE)
DOCS = Path(__file__).resolve().parents[1] / "docs"
SCORER_PAGES = DOCS / "scorers"


def on_config(config: Any) -> Any:
    """The contents, with every page beside an index that stands alone in its section."""
    for section in config["nav"]:
        for pages in section.values():
            if isinstance(pages, list) and len(pages) == 1 and str(pages[0]).endswith("/index.md"):
                folder = pages[0].removesuffix("/index.md")
                pages += [f"{folder}/{page.name}" for page in _pages(folder)]
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its directives filled in."""
    return DIRECTIVE.sub(_fill, markdown)


def _fill(directive: re.Match[str]) -> str:
    words = directive["words"].split()
    if directive["verb"] == "table":
        return table(words[0])
    if directive["verb"] == "list":
        return "\n".join(f"- [{_title(page)}]({page.name})" for page in _pages(words[0]))
    return reference(words) if directive["verb"] == "reference" else reference(sorted(_builtin(words[0])), words[0])


def table(kind: str) -> str:
    """A Markdown table of everything built in of that kind: scorers, metrics or reducers."""
    rows = ["| Scorer | What it says | Kind | Values | Page |", "|---|---|---|---|---|"]
    if kind != "scorers":
        rows = ["| Name | What it says |", "|---|---|"]
    for name, home in sorted(_builtin(kind).items()):
        thing = _load(name, home)
        cells = [f"`{name}`", _sentence(thing)]
        if kind == "scorers":
            facts = facts_of(thing)
            page = page_of(name)
            cells += [facts.kind, _values(facts), f"[{page.stem}]({page.name})" if page else ""]
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


def reference(names: list[str], kind: str = "scorers") -> str:
    """The mkdocstrings directives of these built-in scorers, metrics or reducers."""
    homes = _builtin(kind)
    places = [(homes[name].partition(":"), name) for name in names]
    return "\n\n".join(f"::: {module}.{attribute or name}" for (module, _, attribute), name in places)


def page_of(scorer: str) -> Path | None:
    """The page whose `reference` directive names a scorer."""
    for page in sorted(SCORER_PAGES.glob("*.md")):
        for directive in DIRECTIVE.finditer(page.read_text(encoding="utf-8")):
            if directive["verb"] == "reference" and scorer in directive["words"].split():
                return page
    return None


def facts_of(thing: Any) -> Any:
    """What a scorer, or a factory of scorers, says of itself."""
    info = getattr(thing, "__steelyard_factory__", None)
    return info.facts if info is not None else thing.__steelyard_form__().facts


def _pages(folder: str) -> list[Path]:
    return [page for page in sorted((DOCS / folder).glob("*.md")) if page.name != "index.md"]


def _title(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _builtin(kind: str) -> dict[str, str]:
    tables = {"scorers": scorers.BUILTIN, "metrics": metrics.BUILTIN, "reducers": metrics.BUILTIN_REDUCERS}
    return dict(tables[kind])


def _load(name: str, home: str) -> Any:
    module, _, attribute = home.partition(":")
    return getattr(importlib.import_module(module), attribute or name)


def _sentence(thing: Any) -> str:
    text = inspect.getdoc(thing) or ""
    return re.split(r"\n\s*\n", text)[0].replace("\n", " ").replace("|", r"\|")


def _values(facts: Any) -> str:
    return "{:g} to {:g}".format(*facts.range) if facts.range else ""
