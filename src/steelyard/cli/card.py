"""Card: what is known of a scorer without running it."""

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from steelyard.scoring.factory import factory_info
from steelyard.scoring.form import Facts
from steelyard.scoring.function import FunctionScorer
from steelyard.scoring.registry import find
from steelyard.scoring.scorer import Scorer, parameters_of

__all__ = ["CardOption", "ScorerCard", "card"]

_REQUIRED = "(required)"


class CardOption(msgspec.Struct, frozen=True):
    """One option of a scorer, with its default as it would be typed."""

    name: str
    default: str


class ScorerCard(msgspec.Struct, frozen=True, kw_only=True):
    """A scorer as a catalogue has it.

    Args:
        name: By which it is asked for.
        kind: What sort it is.
        needs: The columns that it reads.
        options: What can be set, with defaults.
        range: The least and the greatest value, where declared.
        sentence: The first sentence of its documentation.
        doc: All of it.
    """

    name: str
    kind: str
    needs: tuple[str, ...]
    options: tuple[CardOption, ...] = ()
    range: tuple[float, float] | None = None
    sentence: str
    doc: str

    def as_json(self) -> dict[str, Any]:
        """The card as plain data, without the long documentation."""
        return {
            "name": self.name,
            "kind": self.kind,
            "needs": list(self.needs),
            "options": {option.name: option.default for option in self.options},
            "range": self.range,
            "summary": self.sentence,
        }


def card(name: str) -> ScorerCard:
    """The card of the scorer of that name.

    Raises:
        UnknownNameError: When there is none.
    """
    thing = find(name)
    maker, facts, options = _parts(thing)
    doc = inspect.getdoc(maker) or ""
    return ScorerCard(
        name=name,
        kind=facts.kind,
        needs=facts.needs or _needs(thing, maker),
        options=options,
        range=facts.range,
        sentence=re.split(r"\n\s*\n", doc.strip())[0].replace("\n", " ") or "(no description)",
        doc=doc,
    )


def _parts(thing: Any) -> tuple[Any, Facts, tuple[CardOption, ...]]:
    """What bears the documentation, the facts, and the options."""
    info = factory_info(thing)
    if info is not None:
        return info.maker, info.facts, _options(info.maker)
    if isinstance(thing, FunctionScorer):
        return thing.fn, thing.__steelyard_form__().facts, _options(thing.fn, keyword_only=True)
    if isinstance(thing, Scorer):
        return type(thing), thing.__steelyard_form__().facts, ()
    if inspect.isclass(thing) and issubclass(thing, Scorer):
        return thing, Facts(), _fields(thing.__steelyard_fields__)
    return thing, Facts(), _options(thing, keyword_only=True) if callable(thing) else ()


def _options(fn: Callable[..., Any], *, keyword_only: bool = False) -> tuple[CardOption, ...]:
    parameters = inspect.signature(fn).parameters.values()
    taken = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    return tuple(
        CardOption(p.name, _REQUIRED if p.default is p.empty else _typed(p.default))
        for p in taken
        if p.kind is p.KEYWORD_ONLY or not keyword_only
    )


def _fields(fields: Mapping[str, Any]) -> tuple[CardOption, ...]:
    own = {name: default for name, default in fields.items() if name not in ("name", "column_map")}
    return tuple(CardOption(name, _typed(default)) for name, default in own.items())


def _needs(thing: Any, maker: Any) -> tuple[str, ...]:
    """The columns by the parameters of what scores; none are known of a factory that cannot do without options."""
    if factory_info(thing) is not None:
        try:
            parameters = thing().__steelyard_form__().body.parameters
        except (TypeError, ValueError, ImportError):
            return ()
    else:
        parameters, _ = parameters_of(getattr(maker, "score", maker) if inspect.isclass(maker) else maker)
    return tuple(p.name for p in parameters if not p.keyword_only and p.name != "self")


def _typed(value: Any) -> str:
    """A default as one would type it after ``option=``."""
    if isinstance(value, str):
        return value or '""'
    try:
        return msgspec.json.encode(value).decode()
    except TypeError:
        return getattr(value, "__name__", None) or repr(value)
