"""ScorerForm: the one internal form that every scorer becomes."""

import functools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.digest import digest
from steelyard.scoring.spec import Spec

__all__ = ["Body", "Facts", "Pair", "Parameter", "ScorerForm", "Style"]

Style = Literal["text", "function", "named", "state", "batch"]
"""How a body receives its arguments.

``text``: by name, output and references as text, nulls kept away (built-in scorers).
``function``: by position (prediction, expected) or by name, as the columns decide (functions of users).
``named``: by name, cells as they stand (``score`` methods).
``state``: a `TaskState` and a `Target`.
``batch``: whole columns (candidates, references, inputs, contexts).
"""

Kernel = Callable[[Columns], "ScoreColumns | Awaitable[ScoreColumns]"]


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a scorer without running it.

    Args:
        kind: What sort it is: text, number, choice, structured, embedding, code, judge, custom.
        needs: The canonical columns that it reads; None when binding finds out.
        range: The least and the greatest value, enforced; None when undeclared.
        higher_is_better: Direction; a dict where the keys of a dict score differ.
        version: The scorer's own version, part of its digest.
    """

    kind: str = "custom"
    needs: tuple[str, ...] | None = None
    range: tuple[float, float] | None = None
    higher_is_better: bool | Mapping[str, bool] = True
    version: str = "1"


class Parameter(msgspec.Struct, frozen=True):
    """One parameter of a body."""

    name: str
    required: bool
    keyword_only: bool = False


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """The callable inside a scorer, and how it is called.

    Args:
        fn: The callable for one row.
        style: How it receives its arguments.
        parameters: Its parameters, without ``self``.
        takes_rest: True when it has ``**kwargs``.
        is_async: True when calling it gives an awaitable.
        kernel: The same for whole columns, where there is one.
        options: Keyword arguments that are passed with every call.
    """

    fn: Callable[..., Any]
    style: Style
    parameters: tuple[Parameter, ...]
    takes_rest: bool = False
    is_async: bool = False
    kernel: Kernel | None = None
    options: Mapping[str, Any] = {}


class Pair(msgspec.Struct, frozen=True):
    """What the factory of a built-in scorer returns: one definition for a row, and its column kernel.

    Args:
        score: ``(output, target, ...) -> Score``, parameters named after canonical columns; may be a coroutine one.
        columns: ``(columns) -> ScoreColumns``, equal to ``score`` row by row; may be a coroutine function.
    """

    score: Callable[..., Any]
    columns: Kernel | None = None


class ScorerForm(msgspec.Struct, frozen=True, kw_only=True):
    """The one internal form of a scorer.

    Args:
        name: By which its scores are stored and shown.
        spec: Name and non-default options.
        facts: What is known of it.
        body: The callable.
        metrics: The metrics it names: None, a list, or a dict of lists by key.
        metadata: What its author attached.
        column_map: Parameter to column.
        summarize: The author's own summary over score rows, where there is one.
        code: The function or class whose source text is part of the digest.
        origin: The object that the user gave.
        portable: True when another process can have it too.
    """

    name: str
    spec: Spec
    facts: Facts
    body: Body
    metrics: Any = None
    metadata: Mapping[str, Any] = {}
    column_map: Mapping[str, str] = {}
    summarize: Callable[[Sequence[Any]], Any] | None = None
    code: Any = None
    origin: Any = None
    portable: bool = True

    def digest(self) -> str | None:
        """Digest of spec, version and source text; None where the source cannot be read."""
        source = source_text(self.code)
        if source is None:
            return None
        return digest([self.spec.as_json(), self.facts.version, source, dict(self.column_map)])


def source_text(code: Any) -> str | None:
    """The source text of a function or class; None where there is none, or it cannot be read."""
    import inspect

    if code is None:
        return None
    found = inspect.unwrap(code) if callable(code) else type(code)
    inner: Any = getattr(found, "__code__", found)  # a function in the memo would keep alive what it closes over
    try:
        return _source_text(getattr(inner, "co_filename", None), inner)
    except (OSError, TypeError):
        return None


@functools.lru_cache(maxsize=256)
def _source_text(file: str | None, code: Any) -> str:
    """The text of a code object or class; code of equal content in another file is another."""
    import inspect

    return inspect.getsource(code)
