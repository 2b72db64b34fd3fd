"""The built-in scorers, loaded at first use.

Functions score a pair as they are, ``token_f1("a b", "b a")``, and are configured by ``with_options``; factories make a
scorer, ``match(numeric=True)``. Each also goes by its name: ``"match"``, ``{"match": {"numeric": true}}``.
"""

from steelyard.core.door import door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.scorers._answer import answer as answer
    from steelyard.scorers._choice import choice as choice
    from steelyard.scorers._exact_match import exact_match as exact_match
    from steelyard.scorers._json_valid import ValidJSONScorer as ValidJSONScorer
    from steelyard.scorers._json_valid import json_valid as json_valid
    from steelyard.scorers._match import includes as includes
    from steelyard.scorers._match import match as match
    from steelyard.scorers._multi import multi_scorer as multi_scorer
    from steelyard.scorers._overlap import exact as exact
    from steelyard.scorers._overlap import f1 as f1
    from steelyard.scorers._overlap import token_f1 as token_f1
    from steelyard.scorers._pattern import pattern as pattern
    from steelyard.scorers._rouge_l import rouge_l as rouge_l
    from steelyard.scorers._squad import squad_em as squad_em
    from steelyard.scorers._squad import squad_f1 as squad_f1

BUILTIN: dict[str, str] = {
    "ValidJSONScorer": "steelyard.scorers._json_valid",
    "answer": "steelyard.scorers._answer",
    "choice": "steelyard.scorers._choice",
    "exact": "steelyard.scorers._overlap",
    "exact_match": "steelyard.scorers._exact_match",
    "f1": "steelyard.scorers._overlap",
    "includes": "steelyard.scorers._match",
    "json_valid": "steelyard.scorers._json_valid",
    "match": "steelyard.scorers._match",
    "multi_scorer": "steelyard.scorers._multi",
    "pattern": "steelyard.scorers._pattern",
    "rouge_l": "steelyard.scorers._rouge_l",
    "squad_em": "steelyard.scorers._squad",
    "squad_f1": "steelyard.scorers._squad",
    "token_f1": "steelyard.scorers._overlap",
}
"""Name of a built-in scorer to the module that holds it."""

__all__ = [
    "ValidJSONScorer",
    "answer",
    "choice",
    "exact",
    "exact_match",
    "f1",
    "includes",
    "json_valid",
    "match",
    "multi_scorer",
    "pattern",
    "rouge_l",
    "squad_em",
    "squad_f1",
    "token_f1",
]


__getattr__ = door(globals(), BUILTIN)


def __dir__() -> list[str]:
    return sorted([*__all__, "BUILTIN"])
