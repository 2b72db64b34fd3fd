"""A griffe extension for the reference pages: examples in docstrings are shown as code.

Docstrings here give their example as bare ``>>>`` lines, which Markdown would read as nested quotations.
"""

import griffe


class DoctestBlocks(griffe.Extension):
    """Puts a fence around every run of lines that begins with ``>>>`` and ends with an empty line."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Mend one docstring, before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""The text with its doctests in fences.

    >>> print(fenced("One.\n\n>>> 1 + 1\n2\n\nTwo."))
    One.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    Two.
    """
    lines: list[str] = []
    inside = False
    for line in [*text.splitlines(), ""]:
        if not inside and line.startswith(">>> "):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1])
