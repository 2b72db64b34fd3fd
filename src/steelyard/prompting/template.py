"""Template: text with the names of columns in braces."""

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.core.columns import as_text, canonical_of
from steelyard.errors import ColumnNotFoundError, UsageError
from steelyard.prompting.prompt import Prompt, Prompted

__all__ = ["FunctionPrompt", "Template", "as_prompt"]

_REMEDY = "Literal braces are written {{ and }}."


class Template:
    r"""Text in which ``{column}`` stands for a cell, as in `str.format`.

    A dotted path reaches into nested cells (``{meta.author}``, ``{turns.0}``); ``{{`` and ``}}`` are braces. Cells
    are inserted as they stand and never expanded again, so braces in the data do no harm. What is no text is written
    as JSON; a null cell is an error of its row, not an empty space in the question.

    Args:
        text: The template.

    Raises:
        UsageError: When the braces do not match.

    >>> Template("Q: {input}\nIn {meta.lang}. {{sic}}").fill({"input": "{x}?", "meta": {"lang": "French"}})
    'Q: {x}?\nIn French. {sic}'
    """

    __slots__ = ("_pieces", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._pieces = tuple(_parse(text))

    @property
    def paths(self) -> tuple[str, ...]:
        """The columns and paths that it names, in order, each once."""
        return tuple(dict.fromkeys(path for _, path in self._pieces if path is not None))

    def check(self, columns: Sequence[str]) -> None:
        """Raise `ColumnNotFoundError` when a named column does not exist."""
        for path in self.paths:
            head = path.partition(".")[0]
            if path not in columns and _column(head, columns) is None:
                raise ColumnNotFoundError.naming(head, columns, f"The prompt template names it. {_REMEDY}")

    def fill(self, row: Mapping[str, Any]) -> str:
        """The template with the cells of a row in it.

        Raises:
            ColumnNotFoundError: When the row has no such column.
            ValueError: When a cell, or a place inside it, holds nothing.
        """
        return "".join(literal if path is None else literal + _cell(path, row) for literal, path in self._pieces)

    def render(self, row: Mapping[str, Any], draw: int = 0) -> Prompted:
        """The row as a prompt."""
        return Prompted(self.fill(row))

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Template) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[type["Template"], tuple[str]]:
        return Template, (self.text,)

    def __repr__(self) -> str:
        return f"Template({self.text!r})"


class FunctionPrompt:
    """A function from a row to text or messages, as a prompt."""

    __slots__ = ("fn",)

    def __init__(self, fn: Callable[[dict[str, Any]], Any]) -> None:
        self.fn = fn

    def check(self, columns: Sequence[str]) -> None:
        """A function says nothing of the columns that it reads."""

    def render(self, row: Mapping[str, Any], draw: int = 0) -> Prompted:
        """What the function makes of the row."""
        return Prompted(self.fn(dict(row)))


def as_prompt(given: Any) -> Prompt | None:
    """A prompt from what a user gave: None, template text, a `Prompt`, or a function from a row to text.

    >>> as_prompt("{question}?")
    Template('{question}?')
    """
    if given is None:
        return None
    if isinstance(given, str):
        return Template(given)
    if isinstance(given, Prompt) and not isinstance(given, type):
        return given
    if callable(given):
        return FunctionPrompt(given)
    raise UsageError(
        f"cannot use {given!r} as a prompt: give a template such as '{{input}}', multiple_choice(), "
        "or a function from a row to text"
    )


def _parse(text: str) -> list[tuple[str, str | None]]:
    pieces: list[tuple[str, str | None]] = []
    try:
        for literal, path, spec, conversion in string.Formatter().parse(text):
            if path is not None and (spec or conversion or not path.strip()):
                shown = path + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "")
                raise UsageError(f"a prompt template takes column names in braces, not {{{shown}}}. {_REMEDY}")
            pieces.append((literal, None if path is None else path.strip()))
    except ValueError as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"cannot read the prompt template {text!r}: {error}. {_REMEDY}") from None
    return pieces


def _column(name: str, columns: Sequence[str] | Mapping[str, Any]) -> str | None:
    """The column that a name means: itself, or the canonical one that it is an alias of."""
    if name in columns:
        return name
    canonical = canonical_of(name)
    return canonical if canonical in columns else None


def _cell(path: str, row: Mapping[str, Any]) -> str:
    if path in row:
        return _shown(path, row[path])
    head, _, rest = path.partition(".")
    name = _column(head, row)
    if name is None:
        raise ColumnNotFoundError.naming(head, row, f"The prompt template names it. {_REMEDY}")
    value = row[name]
    for step in rest.split(".") if rest else []:
        value = _inside(value, step, path)
    return _shown(path, value)


def _inside(value: Any, step: str, path: str) -> Any:
    if isinstance(value, Mapping) and step in value:
        return value[step]
    if isinstance(value, list | tuple) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    raise ValueError(f"the prompt template asks for {path!r}, and this row has no {step!r} there")


def _shown(path: str, value: Any) -> str:
    if value is None:
        raise ValueError(f"the prompt template asks for {path!r}, which holds nothing in this row")
    return as_text(value)
