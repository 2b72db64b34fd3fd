"""Adapting: any of the five forms of a scorer becomes a `ScorerForm`."""

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.errors import UsageError
from steelyard.scoring.factory import factory_info
from steelyard.scoring.form import Body, Facts, ScorerForm
from steelyard.scoring.function import FunctionScorer
from steelyard.scoring.registry import find
from steelyard.scoring.scorer import Scorer, is_async, parameters_of
from steelyard.scoring.spec import Spec, importable, parse_spec

__all__ = ["as_form", "as_forms", "make_scorer"]


def as_forms(scorers: Any) -> list[ScorerForm]:
    """Several scorers; names have to differ.

    Raises:
        UsageError: When two scorers bear one name, or there is none.
    """
    if scorers is None:
        scorers = []
    given = [scorers] if isinstance(scorers, str | Mapping) or not isinstance(scorers, Sequence) else list(scorers)
    if not given:
        raise UsageError("no scorers were given; name at least one, such as 'exact_match' or match(numeric=True)")
    forms = [as_form(item) for item in given]
    seen: dict[str, int] = {}
    for i, form in enumerate(forms):
        if form.name in seen:
            raise UsageError(
                f"two scorers are called {form.name!r} (numbers {seen[form.name] + 1} and {i + 1}): "
                "their results could not be told apart. Give one another name: with_options(name=...), "
                f"@scorer(name=...), or on the command line --scorer {form.name}:name=other."
            )
        seen[form.name] = i
    return forms


def as_form(given: Any) -> ScorerForm:
    """The internal form of a scorer, in whichever of the five forms it comes.

    Raises:
        UsageError: For anything that is no scorer; the message says what would be.
        UnknownNameError: For a name that is not registered.
    """
    if isinstance(given, ScorerForm):
        return given
    if isinstance(given, Scorer):
        return given.__steelyard_form__()
    if isinstance(given, str | Mapping | Spec):
        return as_form(make_scorer(given))
    if factory_info(given) is not None:
        return as_form(_from_factory(given))
    if inspect.isclass(given):
        raise UsageError(f"{given.__name__} is a class: give an instance, {given.__name__}(...)")
    if callable(getattr(given, "run_batch", None)):
        return _batch_form(given)
    if callable(getattr(given, "score", None)):
        return _object_form(given)
    if callable(given):
        return FunctionScorer(given).__steelyard_form__()
    raise UsageError(
        f"{given!r} is no scorer: give a function (prediction, expected), one whose parameters name columns, "
        "a registered name such as 'match', or an instance of a Scorer class"
    )


def make_scorer(given: Any) -> Scorer:
    """The scorer that a name with options means: ``"match"``, ``"match:numeric=true"``, ``{"match": {...}}``."""
    spec = parse_spec(given)
    found = find(spec.name)
    options = dict(spec.options)
    if isinstance(found, FunctionScorer):
        return found.with_options(**options)
    if factory_info(found) is not None:
        return _from_factory(found, options)
    if inspect.isclass(found) and issubclass(found, Scorer):
        return found(**options)
    if isinstance(found, Scorer):
        if options:
            raise UsageError(f"{spec.name} takes no options here, but was given: {', '.join(options)}")
        return found
    return FunctionScorer(found, name=spec.name).with_options(**options)


def _from_factory(factory: Callable[..., Any], options: Mapping[str, Any] | None = None) -> Scorer:
    made: Scorer = factory(**(options or {}))
    return made


def _batch_form(given: Any) -> ScorerForm:
    """An object with ``run_batch(candidates, references, inputs, contexts)``, as Arthur Bench has them."""
    name = getattr(given, "name", None)
    label = name() if callable(name) else name
    parameters, _ = parameters_of(given.run_batch)
    cls = type(given)
    return ScorerForm(
        name=str(label or cls.__name__),
        spec=Spec(cls.__name__, _fields_of(given)),
        facts=_facts_of(given),
        body=Body(fn=given.run_batch, style="batch", parameters=parameters, is_async=is_async(given.run_batch)),
        code=_code_of(given),
        origin=given,
        portable=importable(cls) and not getattr(given, "__dict__", None),
    )


def _object_form(given: Any) -> ScorerForm:
    """An object with ``score(...)`` that does not derive from `Scorer`."""
    parameters, takes_rest = parameters_of(given.score)
    cls = type(given)
    summarize = getattr(given, "summarize", None)
    return ScorerForm(
        name=str(getattr(given, "name", None) or cls.__name__),
        spec=Spec(cls.__name__, _fields_of(given)),
        facts=_facts_of(given),
        body=Body(
            fn=given.score,
            style="named",
            parameters=parameters,
            takes_rest=takes_rest,
            is_async=is_async(given.score),
        ),
        metrics=getattr(given, "metrics", None),
        column_map=dict(getattr(given, "column_map", None) or {}),
        summarize=summarize if callable(summarize) else None,
        code=_code_of(given),
        origin=given,
        portable=importable(cls) and not getattr(given, "__dict__", None),
    )


def _fields_of(given: Any) -> dict[str, Any]:
    """The options of a dataclass: its fields that differ from their defaults."""
    if not dataclasses.is_dataclass(given):
        return {}
    shown = [field for field in dataclasses.fields(given) if field.repr and field.name not in ("name", "column_map")]
    return {
        field.name: value
        for field in shown
        if (value := getattr(given, field.name)) != field.default
        and (field.default_factory is dataclasses.MISSING or value != field.default_factory())
    }


def _code_of(given: Any) -> Any:
    """What tells whether it is the same scorer: its class; None where it keeps what we cannot know."""
    return type(given) if dataclasses.is_dataclass(given) or not getattr(given, "__dict__", None) else None


def _facts_of(given: Any) -> Facts:
    return Facts(
        range=getattr(given, "range", None),
        higher_is_better=getattr(given, "higher_is_better", True),
        version=str(getattr(given, "version", "1")),
    )
