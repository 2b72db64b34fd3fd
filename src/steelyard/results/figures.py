"""The figures of a run: every metric of every scorer, with its error bar and its counts."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from steelyard.core.estimate import Counts, Estimate
from steelyard.core.ports import RunReader
from steelyard.core.record import ScoringRecord
from steelyard.errors import error_text
from steelyard.metrics import builtin_metric, compute, default_metrics, reduce_outcomes, select_metrics
from steelyard.results.custom import (
    code_digests,
    is_ours,
    meant,
    plain_custom,
    reducer_digest,
    stored_reducer,
    tables_of,
    unmet_keys,
)
from steelyard.results.outcomes import read_outcomes
from steelyard.results.scored import Reducer, higher_is_better, scored_columns, whole_column
from steelyard.results.slices import Slice, slice_column
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.spec import parse_spec

__all__ = ["LEVEL", "Figures", "figures", "stored_figures"]

LEVEL = 0.95


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What a run says.

    Args:
        metrics: Scorer (or ``scorer.key``) to metric to estimate.
        counts: Scorer (or ``scorer.key``) to what became of its samples.
        higher_is_better: Scorer (or ``scorer.key``) to direction.
        custom: Pairs of scorer and metric whose code is not built in.
        as_stored: Those of them that were not recomputed, since their code cannot be had here.
        summaries: Scorer to what its own ``summarize`` gave.
        texts: Keys whose values are texts, too various to be counted.
        slices: The headline figures for each value of the columns that the run is split by.
    """

    metrics: Mapping[str, Mapping[str, Estimate]]
    counts: Mapping[str, Counts]
    higher_is_better: Mapping[str, bool]
    custom: frozenset[tuple[str, str]] = frozenset()
    as_stored: frozenset[tuple[str, str]] = frozenset()
    summaries: Mapping[str, Any] = {}
    texts: Mapping[str, int] = {}
    slices: tuple[Slice, ...] = ()


class _Gathering:
    """The mutable inside of `figures`."""

    def __init__(self) -> None:
        self.metrics: dict[str, dict[str, Estimate]] = {}
        self.counts: dict[str, Counts] = {}
        self.directions: dict[str, bool] = {}
        self.custom: set[tuple[str, str]] = set()
        self.as_stored: set[tuple[str, str]] = set()
        self.summaries: dict[str, Any] = {}
        self.texts: dict[str, int] = {}
        self.slices: list[Slice] = []
        self.names: set[str] = set()


def figures(
    reader: RunReader,
    forms: Mapping[str, ScorerForm] | None = None,
    reducers: Mapping[str, Any] | None = None,
    *,
    level: float = LEVEL,
) -> Figures:
    """Every figure of a run, computed from its stored outcomes.

    Args:
        reader: The run.
        forms: The scorers by name, where they are at hand (when a run has just ended); their custom metrics and
            summaries are computed, else shown as they were stored.
        reducers: The reducers by name, where they are at hand.
        level: The confidence level of intervals.
    """
    gathering = _Gathering()
    gathering.names = {scoring.name for scoring in reader.scorings}
    for scoring in reader.scorings:
        form = (forms or {}).get(scoring.name)
        _add_scoring(gathering, reader, scoring, form, reducers, level=level)
    return Figures(
        metrics=gathering.metrics,
        counts=gathering.counts,
        higher_is_better=gathering.directions,
        custom=frozenset(gathering.custom),
        as_stored=frozenset(gathering.as_stored),
        summaries=gathering.summaries,
        texts=gathering.texts,
        slices=tuple(gathering.slices),
    )


def stored_figures(found: Figures, form: ScorerForm, reducers: Mapping[str, Any]) -> dict[str, Any]:
    """What has to be stored of one scoring's figures: those made by code that a reader may not have."""
    own = {name: reducer_digest(one) for name, one in reducers.items() if not one.built_in}
    name = form.name
    kept: dict[str, dict[str, Any]] = {}
    for key, metric in found.custom:
        if key == name or key.startswith(f"{name}."):
            kept.setdefault(key, {})[metric] = msgspec.to_builtins(found.metrics[key][metric])
    stored: dict[str, Any] = {"metrics": kept, "code": code_digests(form)} if kept else {}
    if own:
        stored["reducers"] = own
    if name in found.summaries:
        stored["summary"] = found.summaries[name]
    return stored


def _add_scoring(
    gathering: _Gathering,
    reader: RunReader,
    scoring: ScoringRecord,
    form: ScorerForm | None,
    reducers: Mapping[str, Any] | None,
    *,
    level: float,
) -> None:
    record = reader.record
    own = scoring.figures.get("reducers", {})
    # "raise" is an error when a run ends; a run that is stored all the same can be read.
    policy: Literal["exclude", "worst"] = "worst" if record.on_unscored == "worst" else "exclude"
    for place, reducer in enumerate(record.reducers if record.n_epochs > 1 else (None,)):
        suffix = "" if place == 0 else f"[{reducer}]"
        reduce: Reducer | None = None
        custom = False
        if reducer is not None:
            made = reducers[reducer] if reducers is not None else stored_reducer(reducer, own)
            if made is None:
                continue  # a custom reducer that cannot be had here: its figures are stored
            reduce = functools.partial(reduce_outcomes, made)
            custom = not made.built_in
        parts = scored_columns(reader, scoring, reduce)
        for scored, counts, raw in parts:
            key = scored.name.removeprefix(f"{scoring.name}.") if scored.name != scoring.name else ""
            # A key that reads like another scorer's name must not take its place.
            taken = scored.name != scoring.name and scored.name in gathering.names
            column = scored.replace(name=f"{scored.name} (key)") if taken else scored
            chosen = _chosen(scoring, form, key, raw)
            if not chosen and not scoring.figures:
                gathering.texts[column.name] = column.counts.scored
            found = compute(chosen, column, level=level, on_unscored=policy)
            _put(gathering, scoring, column.name, found, suffix, custom=custom)
            gathering.counts.setdefault(column.name, counts)
            for by in record.by if place == 0 else ():
                gathering.slices += slice_column(column, by, chosen, level=level, on_unscored=policy)
        over_all = (
            _at_hand(scoring, form, plain_custom(form, scoring))
            if any(part.column.name != scoring.name for part in parts)
            else []
        )
        if over_all:
            whole = whole_column(reader, scoring, reduce)
            found = compute(over_all, whole.column, level=level, on_unscored="exclude")
            _put(gathering, scoring, scoring.name, found, suffix, custom=custom)
            gathering.counts.setdefault(scoring.name, whole.counts)
    _add_unmet_keys(gathering, scoring)
    _add_custom(gathering, reader, scoring, form)


def _chosen(scoring: ScoringRecord, form: ScorerForm | None, key: str, raw: Sequence[Any]) -> list[Any]:
    """The metrics of one column: those that the scorer names and whose code is at hand, else what fits the values.

    Custom metrics that are named for no key receive a dict score whole.
    """
    declared = scoring.metrics if form is None else form.metrics
    named = select_metrics(declared, key)
    if not named:
        return list(default_metrics(raw))
    whole = plain_custom(form, scoring) if key else []
    keyed = select_metrics(tables_of(declared), key)
    return _at_hand(scoring, form, [metric for metric in named if metric in keyed or metric not in whole])


def _at_hand(scoring: ScoringRecord, form: ScorerForm | None, named: Sequence[Any]) -> list[Any]:
    if form is not None:
        return [builtin_metric(metric) for metric in named] if is_ours(form) else list(named)
    return [found for found in (meant(metric, scoring.figures) for metric in named) if found is not None]


def _add_unmet_keys(gathering: _Gathering, scoring: ScoringRecord) -> None:
    """Metrics named for a key that no score has: said, rather than silently missing."""
    for key in unmet_keys(scoring.metrics, [name.removeprefix(f"{scoring.name}.") for name in gathering.metrics]):
        undefined = Estimate.undefined(f"no score has the key {key!r}")
        named = [parse_spec(metric).name for metric in select_metrics(tables_of(scoring.metrics), key)]
        gathering.metrics[f"{scoring.name}.{key}"] = dict.fromkeys(named, undefined)


def _put(
    gathering: _Gathering,
    scoring: ScoringRecord,
    name: str,
    found: Mapping[str, Estimate],
    suffix: str,
    *,
    custom: bool,
) -> None:
    estimates = gathering.metrics.setdefault(name, {})
    for metric, estimate in found.items():
        estimates[metric + suffix] = estimate
        if custom or estimate.method.startswith("custom"):
            gathering.custom.add((name, metric + suffix))
    gathering.directions[name] = higher_is_better(scoring, name)


def _add_custom(gathering: _Gathering, reader: RunReader, scoring: ScoringRecord, form: ScorerForm | None) -> None:
    """The scorer's own summary, and stored figures whose code is not at hand."""
    if form is not None:
        if form.summarize is not None:
            gathering.summaries[scoring.name] = _summary(reader, scoring, form.summarize)
        return
    if "summary" in scoring.figures:
        gathering.summaries[scoring.name] = scoring.figures["summary"]
    for key, stored in scoring.figures.get("metrics", {}).items():
        estimates = gathering.metrics.setdefault(key, {})
        for metric, estimate in stored.items():
            if metric not in estimates:
                estimates[metric] = msgspec.convert(estimate, Estimate)
                gathering.as_stored.add((key, metric))
            gathering.custom.add((key, metric))


def _summary(reader: RunReader, scoring: ScoringRecord, summarize: Callable[[Sequence[Any]], Any]) -> Any:
    """What a user's ``summarize`` gives; its exception is its result."""
    rows = [value for _, value in read_outcomes(reader, scoring).cells]
    try:
        return summarize(rows)
    except Exception as error:  # noqa: BLE001  a user's code fails alone
        return {"error": error_text(error)}
