"""The verbs: `score`, `run`, `run_async`, `load`. They compose parts, and have no logic of their own."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from steelyard._plan import Calls, Plan, StoreLike, open_store
from steelyard._run import Run, Runs
from steelyard._watch import watch_in_force
from steelyard.core.model_ref import ModelRef
from steelyard.data.opening import open_source
from steelyard.errors import UsageError, nearest
from steelyard.results.export import sample_rows
from steelyard.running.meter import LiveProgress
from steelyard.running.recorded import Progress
from steelyard.scoring.portal import run_in_portal

__all__ = ["load", "run", "run_async", "score"]

OnUnscored = Literal["exclude", "worst", "raise"]


def score(
    data: Any = None,
    scorers: Any = None,
    *,
    outputs: Sequence[Any] | None = None,
    targets: Sequence[Any] | None = None,
    output: str | Sequence[str] | None = None,
    target: str | None = None,
    input: str | None = None,
    context: str | None = None,
    choices: str | None = None,
    id: str | None = None,
    epoch: str | None = None,
    epochs: Literal["repeats"] | None = None,
    output_pattern: str | None = None,
    target_pattern: str | None = None,
    column_map: Mapping[str, str] | None = None,
    reducer: Any = None,
    cluster: str | None = None,
    by: str | Sequence[str] = (),
    on_unscored: OnUnscored = "exclude",
    name: str | None = None,
    model: str | None = None,
    limit: int | None = None,
    skip_bad_rows: bool = False,
    store: StoreLike = None,
    workers: int | None = None,
    concurrency: int = 100,
    progress: Progress | None = None,
) -> Any:
    """Score recorded outputs.

    Args:
        data: A path (JSONL, JSON, CSV, TSV, each also .gz; ``-`` for stdin; Parquet with the extra), a list of dicts,
            a pandas, polars or Arrow frame, any iterable of dicts, or a `Run`, whose outputs are scored again.
        scorers: One scorer or several, in any form: a function, ``"match"``, ``{"match": {"numeric": True}}``,
            ``match(numeric=True)``, an instance of a `Scorer` class.
        outputs: Outputs as a plain list, in place of ``data``.
        targets: Targets as a plain list, beside ``outputs``.
        output: The column of outputs; several make one run each.
        target: The column of references.
        input: The column of questions.
        context: The column of what an answer may draw on.
        choices: The column of options.
        id: The column that names samples.
        epoch: The column that numbers repetitions of a sample.
        epochs: ``"repeats"``: rows that repeat an id are its epochs.
        output_pattern: A regular expression that cuts the output: its last match's first group.
        target_pattern: The same for the target.
        column_map: Scorer argument to column.
        reducer: How a sample's epochs become one score: ``"mean"``, ``"pass_at_2"``, ...; several are allowed.
        cluster: The column whose equal values belong together, for clustered errors.
        by: A column, or several, by which figures are also wanted.
        on_unscored: What a mean does with unscored samples: leave them out, count them worst, or raise.
        name: The run's name; by default after the data.
        model: The name of the model that gave the outputs, for the record.
        limit: Only the first so many rows.
        skip_bad_rows: Count rows that cannot be read, instead of stopping.
        store: Where the run is kept: a folder or file, a store, or False to keep it in memory only. By default
            ``./.steelyard``, or ``STEELYARD_HOME``.
        workers: Processes that read and score a large file; by default as many as there are cores.
        concurrency: The most rows that an async scorer works on at once.
        progress: Is told how many rows are done.

    Returns:
        A `Run`; with several output columns a sequence of Runs, also indexed by name.

    Raises:
        UsageError: For data, columns or scorers that do not fit; the message says what would.

    >>> from steelyard.scorers import exact_match
    >>> run = score(outputs=["4", "5"], targets=["4", "4"], scorers=exact_match, store=False)
    >>> float(run.metrics["exact_match"]["mean"])
    0.5
    """
    columns = {
        "output": output, "target": target, "input": input, "context": context, "choices": choices,
        "id": id, "epoch": epoch, "output_pattern": output_pattern, "target_pattern": target_pattern,
    }  # fmt: skip
    if isinstance(data, Run):
        name, model = name or data.name, model or data.record.model
        data = sample_rows(data.reader)
    watch = watch_in_force()
    source = open_source(
        data, outputs=outputs, targets=targets, limit=watch.limit or limit, skip_bad_rows=skip_bad_rows
    )
    plan = Plan(
        scorers=scorers,
        columns={key: value for key, value in columns.items() if value is not None},
        epochs=epochs,
        column_map=dict(column_map or {}),
        reducer=reducer,
        cluster=cluster,
        by=_several(by),
        on_unscored=on_unscored,
        name=name,
        model=model,
        concurrency=concurrency,
    )
    runs = plan.score(
        source, open_store(store), workers=workers or os.cpu_count() or 1, progress=progress or watch.progress
    )
    watch.tell(runs)
    return runs[0] if output is None or isinstance(output, str) else Runs(runs)


def run(
    dataset: Any = None,
    scorers: Any = None,
    *,
    name: str | None = None,
    model: Any = None,
    provider: str | None = None,
    prompt: Any = None,
    concurrency: int = 8,
    retries: int = 1,
    epochs: int = 1,
    reducer: Any = None,
    timeout: float | None = None,
    output: str | None = None,
    target: str | None = None,
    input: str | None = None,
    context: str | None = None,
    choices: str | None = None,
    id: str | None = None,
    column_map: Mapping[str, str] | None = None,
    cluster: str | None = None,
    by: str | Sequence[str] = (),
    on_unscored: OnUnscored = "exclude",
    limit: int | None = None,
    skip_bad_rows: bool = False,
    store: StoreLike = None,
    preprocess: Any = None,
    progress: LiveProgress | None = None,
) -> Run:
    """Call a model for every sample, score what it gives, and store the run.

    Works in a script, in a notebook and inside a running event loop (which it blocks; `run_async` does not).

    Args:
        dataset: Anything that `score` takes as data, or a list of `Sample`.
        scorers: One scorer or several, in any form.
        name: The run's name.
        model: A function, sync or async, whose arguments are named after columns (one alone gets the input); an
            object with ``predict``; a chat model such as `steelyard.testing.FakeModel`; or the name of a model.
            Without one, the recorded output column is scored.
        provider: The model's provider; ``provider="p", model="m"`` is ``model="p/m"``.
        prompt: What is sent: a template with ``{columns}``, ``multiple_choice()``, or a function from a row to text.
        concurrency: Calls under way at once.
        retries: Further tries of a call that failed. A scorer's failure never calls the model again.
        epochs: How often each sample is asked.
        reducer: How a sample's epochs become one score: ``"mean"``, ``"pass_at_2"``, ...; several are allowed.
        timeout: Seconds that one try may take.
        output: The column of recorded outputs, where there is no model.
        target: The column of references.
        input: The column of questions.
        context: The column of what an answer may draw on.
        choices: The column of options.
        id: The column that names samples.
        column_map: Scorer argument to column.
        cluster: The column whose equal values belong together, for clustered errors.
        by: A column, or several, by which figures are also wanted.
        on_unscored: What a mean does with unscored samples: leave them out, count them worst, or raise.
        limit: Only the first so many samples.
        skip_bad_rows: Count rows that cannot be read, instead of stopping.
        store: Where the run is kept; False keeps it in memory only.
        preprocess: Makes the model's arguments of a row.
        progress: Is told how far it is.

    Returns:
        A `Run`.

    Raises:
        UsageError: For data, columns, scorers or a model that do not fit, before the first call.

    >>> from steelyard.scorers import exact_match
    >>> made = run([{"input": "2+2", "target": "4"}], exact_match, model=lambda input: str(eval(input)), store=False)
    >>> made.metrics["exact_match"]["mean"].value
    1.0
    """
    return run_in_portal(run_async(**locals()))


async def run_async(
    dataset: Any = None,
    scorers: Any = None,
    *,
    name: str | None = None,
    model: Any = None,
    provider: str | None = None,
    concurrency: int = 8,
    retries: int = 1,
    epochs: int = 1,
    timeout: float | None = None,
    limit: int | None = None,
    skip_bad_rows: bool = False,
    store: StoreLike = None,
    prompt: Any = None,
    preprocess: Any = None,
    progress: LiveProgress | None = None,
    column_map: Mapping[str, str] | None = None,
    by: str | Sequence[str] = (),
    reducer: Any = None,
    cluster: str | None = None,
    on_unscored: OnUnscored = "exclude",
    **columns: Any,
) -> Run:
    """The awaitable twin of `run`, with the same arguments; it works on the caller's own event loop."""
    columns = _known_columns(columns)
    watch = watch_in_force()
    source = open_source(dataset, limit=watch.limit or limit, skip_bad_rows=skip_bad_rows)
    label = model if isinstance(model, str) else None
    plan = Plan(
        scorers=scorers,
        columns=columns,
        column_map=dict(column_map or {}),
        reducer=reducer,
        cluster=cluster,
        by=_several(by),
        on_unscored=on_unscored,
        name=name,
        model=label,
        provider=provider,
        concurrency=concurrency,
    )
    if model is None:
        _refuse_without_model(
            epochs=epochs != 1, retries=retries != 1, timeout=timeout, prompt=prompt, preprocess=preprocess
        )
        told = watch.progress if progress is None else (lambda done: progress(done, 0, 0))
        runs = await asyncio.to_thread(plan.score, source, open_store(store), progress=told)
        watch.tell(runs)
        return runs[0]
    if label is not None:
        model = ModelRef(provider, label) if provider else ModelRef.parse(label)
    calls = Calls(concurrency=concurrency, retries=retries, epochs=epochs, timeout=timeout)
    made = await plan.run(
        source,
        open_store(store),
        model,
        calls,
        prompt=prompt,
        preprocess=preprocess,
        on_progress=progress or watch.progress,
    )
    watch.tell([made])
    return made


def _refuse_without_model(**asked: Any) -> None:
    """What says how a model is called has no meaning where the outputs are there already."""
    named = [name for name, value in asked.items() if value]
    if named:
        raise UsageError(
            f"{', '.join(f'{name}=' for name in named)} says how a model is called, and there is none: give model=..., "
            "or leave it out to score the recorded outputs"
        )


_COLUMNS = ("output", "target", "input", "context", "choices", "id", "epoch", "output_pattern", "target_pattern")


def _several(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _known_columns(given: Mapping[str, Any]) -> dict[str, Any]:
    """The column options among the arguments; any other name is a mistake that is named."""
    for key in given:
        if key not in _COLUMNS:
            guess = nearest(key, _COLUMNS)
            raise TypeError(f"run() has no argument {key!r}{f'; did you mean {guess!r}?' if guess else ''}")
    return {key: value for key, value in given.items() if value is not None}


def load(key: str | os.PathLike[str] | Run = "latest", *, store: StoreLike = None) -> Run:
    """A stored run, by id, unique id prefix, name (its newest run) or ``latest``."""
    if isinstance(key, Run):
        return key
    return Run(open_store(store).open(str(key)))
