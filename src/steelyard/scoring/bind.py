"""Binding: which column feeds which parameter of a scorer, settled before anything is called."""

from collections.abc import Mapping, Sequence

import msgspec

from steelyard.core.columns import ALIASES, canonical_of
from steelyard.errors import BindingError, nearest
from steelyard.scoring.feeds import (
    Feed,
    column,
    constant,
    field_or_column,
    injected,
    others,
    references,
    states,
    target_objects,
)
from steelyard.scoring.form import Parameter, ScorerForm

__all__ = ["INJECTED", "Binding", "bind_form", "bind_parameters"]

INJECTED = ("example", "model", "provider", "prompt")
"""Keyword-only parameters that the runner fills in."""

_BATCH = ("output", "target", "input", "context")


class Binding(msgspec.Struct, frozen=True):
    """How the parameters of one callable are filled.

    Args:
        positional: Feeds in the order of the positional parameters.
        keywords: Feeds of keyword-only parameters.
        rest: Feed of ``**kwargs``, as a dict a row; None where there is none.
        reads: The canonical columns that are read, of which a null cell keeps a row from being scored.
        plan: Parameter to a word on what fills it, for people.
        warnings: What a user should know.
    """

    positional: tuple[Feed, ...]
    keywords: Mapping[str, Feed]
    rest: Feed | None
    reads: tuple[str, ...]
    plan: Mapping[str, str]
    warnings: tuple[str, ...] = ()


def bind_form(form: ScorerForm, columns: Sequence[str], column_map: Mapping[str, str] | None = None) -> Binding:
    """Bind a scorer to the columns of a data set.

    Args:
        form: The scorer.
        columns: The columns that exist, canonical names among them; ``output`` when a model will give it.
        column_map: Parameter to column, beside the scorer's own map, over which it wins.

    Raises:
        BindingError: When a parameter has no column; it names the parameter, the columns that exist, the nearest
            spelling, and the ``column_map`` that would mend it.
    """
    chosen = {**form.column_map, **(column_map or {})}
    if form.body.style == "state":
        return Binding((states, target_objects), {}, None, ("output",), {"state": "the sample", "target": "target"})
    if form.body.style == "batch":
        return _bind_batch(form, columns)
    parameters = form.body.parameters
    if form.body.style == "function" and _by_position(form.name, parameters, columns, chosen):
        return _bind_pair(form.name, parameters, columns, chosen)
    as_texts = form.body.style == "text"
    return bind_parameters(form.name, parameters, columns, chosen, takes_rest=form.body.takes_rest, as_texts=as_texts)


def bind_parameters(
    name: str,
    parameters: Sequence[Parameter],
    columns: Sequence[str],
    column_map: Mapping[str, str],
    *,
    takes_rest: bool = False,
    as_texts: bool = False,
) -> Binding:
    """Bind parameters to columns by name."""
    _check_map(name, parameters, columns, column_map, takes_rest)
    positional: list[Feed] = []
    keywords: dict[str, Feed] = {}
    plan: dict[str, str] = {}
    reads: list[str] = []
    warnings: list[str] = []
    skipped = False
    for parameter in parameters:
        found = _find(parameter, columns, column_map, as_texts, warnings)
        if found is None:
            if parameter.required:
                raise BindingError(_missing(name, parameter.name, columns))
            skipped = True
            continue
        feed, word, canonical = found
        plan[parameter.name] = word
        if canonical == "output" or (canonical is not None and as_texts and parameter.required):
            reads.append(canonical)
        if parameter.keyword_only or skipped:
            keywords[parameter.name] = feed
        else:
            positional.append(feed)
    rest = None
    if takes_rest:
        rest = others([c for c in columns if c not in plan and c not in {p.name for p in parameters}])
    return Binding(tuple(positional), keywords, rest, tuple(reads), plan, tuple(warnings))


def _find(
    parameter: Parameter, columns: Sequence[str], column_map: Mapping[str, str], as_texts: bool, warnings: list[str]
) -> tuple[Feed, str, str | None] | None:
    """(feed, what it is in words, the canonical column that it reads) for one parameter."""
    name = parameter.name
    if name in column_map:
        wanted = column_map[name]
        if name == "output":
            return _output_feed(wanted, columns, warnings)
        return column(wanted, as_texts), wanted, name if as_texts else None
    if parameter.keyword_only and name in INJECTED:
        if name in columns:
            warnings.append(f"the parameter {name!r} is filled in by the runner, not from the column of that name")
        return injected(name), f"the run's {name}", None
    if name in columns:
        return column(name, as_texts), name, canonical_of(name) if name in ("output", *_BATCH, "choices") else None
    canonical = canonical_of(name)
    if canonical is not None and canonical in columns:
        return column(canonical, as_texts), canonical, canonical
    return None


def _by_position(
    name: str, parameters: Sequence[Parameter], columns: Sequence[str], column_map: Mapping[str, str]
) -> bool:
    """Whether a function's two parameters are (prediction, expected)."""
    pair = [p for p in parameters if not p.keyword_only]
    if len(pair) != 2 or any(p.name == "output" for p in pair):
        return False
    # A column that is only another name of output or target says nothing against the position.
    own = [
        p.name in column_map or (p.name in columns and canonical_of(p.name) not in ("output", "target")) for p in pair
    ]
    if own[0] != own[1]:
        raise BindingError(_two_readings(name, pair, own[0], columns))
    return not own[0]


def _two_readings(name: str, pair: Sequence[Parameter], first_is_column: bool, columns: Sequence[str]) -> str:
    named, other = pair if first_is_column else pair[::-1]
    canonical = canonical_of(other.name)
    if other.name in columns or canonical in columns:
        what = f"{other.name!r} is the column of {canonical}s, which may be meant either way"
        by_name = f"column_map={{{other.name!r}: {(other.name if other.name in columns else canonical)!r}}}"
    else:
        what = f"{other.name!r} is none"
        by_name = f"column_map={{{other.name!r}: COLUMN}}"
    optional = "" if other.required else f"; or, as it has a default, make it keyword-only: *, {other.name}=..."
    return (
        f"{name}({pair[0].name}, {pair[1].name}) can be read in two ways: by position, as (prediction, expected), "
        f"or by name, since {named.name!r} is a column; {what}. For the first, rename {named.name!r}; "
        f"for the second, map the other: {by_name}{optional}. The columns are: {_listed(columns)}."
    )


def _bind_pair(
    name: str, parameters: Sequence[Parameter], columns: Sequence[str], column_map: Mapping[str, str]
) -> Binding:
    """Bind (prediction, expected) by position, and keyword-only parameters by name."""
    pair = [p for p in parameters if not p.keyword_only]
    others = [p for p in parameters if p.keyword_only]
    by_name = bind_parameters(name, others, columns, column_map)
    if "output" not in columns:
        raise BindingError(_missing(name, "output", columns))
    plan = {pair[0].name: "output (by position)", **by_name.plan}
    positional: list[Feed] = [column("output", True)]
    reads = ["output"]
    if "target" in columns:
        positional.append(references)
        plan[pair[1].name] = "target (by position)"
        if not pair[1].name.startswith("_"):
            reads.append("target")
    elif pair[1].name.startswith("_"):
        positional.append(constant(""))
        plan[pair[1].name] = "nothing: there is no target column"
    elif pair[1].required:
        raise BindingError(_missing(name, "target", columns))
    return Binding(tuple(positional), by_name.keywords, None, tuple(reads), plan, by_name.warnings)


def _bind_batch(form: ScorerForm, columns: Sequence[str]) -> Binding:
    """Bind ``run_batch(candidates, references, inputs, contexts)`` by position."""
    positional: list[Feed] = []
    plan: dict[str, str] = {}
    for parameter, canonical in zip(form.body.parameters, _BATCH, strict=False):
        if canonical in columns:
            positional.append(column(canonical, True))
            plan[parameter.name] = canonical
        elif parameter.required:
            raise BindingError(_missing(form.name, canonical, columns))
        else:
            positional.append(constant(None))
    reads = tuple(canonical for canonical in ("output", "target") if canonical in plan.values())
    return Binding(tuple(positional), {}, None, reads, plan)


def _check_map(
    name: str, parameters: Sequence[Parameter], columns: Sequence[str], column_map: Mapping[str, str], takes_rest: bool
) -> None:
    known = [p.name for p in parameters]
    for key, source in column_map.items():
        if key not in known and not takes_rest:
            guess = nearest(key, known)
            hint = f" Did you mean {guess!r}?" if guess else ""
            raise BindingError(
                f"column_map of {name} names the argument {key!r}, which it does not take; "
                f"its arguments are: {', '.join(known) or 'none'}.{hint}"
            )
        if source not in columns and key != "output":
            guess = nearest(source, list(columns))
            hint = f" Did you mean {guess!r}?" if guess else ""
            raise BindingError(
                f"column_map of {name} maps {key!r} to the column {source!r}, which is not there; "
                f"the columns are: {_listed(columns)}.{hint}"
            )


def _missing(name: str, parameter: str, columns: Sequence[str]) -> str:
    guess = nearest(parameter, list(columns))
    remedy = f"column_map={{{parameter!r}: {guess or 'COLUMN'!r}}}"
    if parameter == "output":
        remedy = f"output={guess or 'COLUMN'!r} (--output-column), or give a model"
    elif parameter == "target":
        others = ", ".join(ALIASES["target"])
        remedy = f"target={guess or 'COLUMN'!r} (--target-column), or call the column target, {others}"
    hint = f" The nearest is {guess!r}." if guess else ""
    return (
        f"{name} needs {parameter!r}, and no column is called that. The columns are: {_listed(columns)}.{hint} "
        f"Say which one it is: {remedy}."
    )


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(sorted(columns)) or "none"


def _output_feed(wanted: str, columns: Sequence[str], warnings: list[str]) -> tuple[Feed, str, str]:
    if wanted not in columns:
        warnings.append(
            f"'output' is mapped to {wanted!r}, which is no column: "
            "where the output has no such field, the whole output is used"
        )
    return field_or_column(wanted, has_column=wanted in columns), f"output.{wanted}", "output"
