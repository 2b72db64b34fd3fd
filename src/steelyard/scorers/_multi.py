"""multi_scorer: several scorers as one."""

import asyncio
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.core.score import Outcome, Score, Unscored
from steelyard.core.state import TaskState
from steelyard.core.target import Target
from steelyard.errors import UnscoredError
from steelyard.scoring.adapt import as_form, make_scorer
from steelyard.scoring.decorate import scorer
from steelyard.scoring.registry import find
from steelyard.scoring.scorer import Scorer
from steelyard.scoring.spec import parse_spec

__all__ = ["multi_scorer"]

_NUMBERED = re.compile(r"(.+)_(\d+)")


@scorer(metrics=["accuracy", "stderr"], kind="combined")
def multi_scorer(scorers: Sequence[Any], reducer: Any) -> Scorer:
    """Several scorers on each output, their scores reduced to one.

    Args:
        scorers: The scorers, in any form.
        reducer: A reducer, or its name: ``"mean"``, ``"mode"``, ``"max"``, ``"median"``, ``"at_least_2"``, ...

    Raises:
        ValueError: When there is no scorer.

    Source: inspect_ai's function of this name. A scorer that gives no score leaves the panel; its name is kept in
    the metadata under ``unscored``, and without any score the sample is unscored.

    >>> from steelyard.scorers import includes, match
    >>> multi_scorer([includes(), match()], "mean")("Paris, France", "Paris").value
    0.5
    """
    members = [make_scorer(item) if isinstance(item, str | dict) else item for item in scorers]
    if not members:
        raise ValueError("multi_scorer needs at least one scorer")
    forms = [as_form(member) for member in members]
    reduce = _reducer(reducer)

    async def score(state: TaskState, target: Target) -> Outcome:
        found = await asyncio.gather(*(_one(form.origin, state, target) for form in forms))
        kept = [item for item in found if item is not None]
        missing = [form.name for form, item in zip(forms, found, strict=True) if item is None]
        if not kept:
            return Unscored("not_applicable", f"none of {', '.join(missing)} gave a score")
        reduced = reduce(kept)
        votes = {form.name: item.value for form, item in zip(forms, found, strict=True) if item is not None}
        metadata = {"votes": votes, **({"unscored": missing} if missing else {})}
        return Score(reduced.value, reduced.answer, reduced.explanation, metadata)

    return score  # type: ignore[return-value]  # the decorator makes a Scorer of it


async def _one(member: Any, state: TaskState, target: Target) -> Score | None:
    try:
        found: Score = await member(state, target)
    except UnscoredError:
        return None
    return found


def _reducer(reducer: Any) -> Callable[[list[Score]], Score]:
    if not isinstance(reducer, str | Mapping):
        given: Callable[[list[Score]], Score] = reducer() if _makes_reducer(reducer) else reducer
        return given
    spec = parse_spec(reducer)
    numbered = _NUMBERED.fullmatch(spec.name)
    name, options = (numbered[1], {"k": int(numbered[2])}) if numbered else (spec.name, dict(spec.options))
    made: Callable[[list[Score]], Score] = find(name, "reducers")(**options)
    return made


def _makes_reducer(thing: Any) -> bool:
    """A reducer's factory, given without its call: ``mean_score`` for ``mean_score()``."""
    return inspect.isfunction(thing) and not any(
        p.default is p.empty for p in inspect.signature(thing).parameters.values()
    )
