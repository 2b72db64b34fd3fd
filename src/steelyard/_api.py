"""The verbs: `score`, `run`, `run_async`, `load`. They compose parts, and have no logic of their own."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from steelyard._plan import ScorePlan, StoreLike, open_store
from steelyard._run import Run, Runs
from steelyard.running.recorded import Progress

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
    by: Sequence[str] = (),
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
            a pandas, polars or Arrow frame, or any iterable of dicts.
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
        by: Columns by which figures are also wanted.
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
    plan = ScorePlan(
        scorers=scorers,
        columns=columns,
        epochs=epochs,
        column_map=dict(column_map or {}),
        reducer=reducer,
        cluster=cluster,
        by=tuple(by),
        on_unscored=on_unscored,
        name=name,
        model=model,
        concurrency=concurrency,
    )
    source = plan.open(data, outputs, targets, limit=limit, skip_bad_rows=skip_bad_rows)
    runs = plan.score(source, open_store(store), workers=workers or os.cpu_count() or 1, progress=progress)
    return Runs(runs) if isinstance(output, Sequence) and not isinstance(output, str) else runs[0]


def run(*args: Any, **kwargs: Any) -> Run:
    raise NotImplementedError


async def run_async(*args: Any, **kwargs: Any) -> Run:
    raise NotImplementedError


def load(key: str | os.PathLike[str] | Run = "latest", *, store: StoreLike = None) -> Run:
    """A stored run, by id, unique id prefix, name (its newest run) or ``latest``."""
    if isinstance(key, Run):
        return key
    return Run(open_store(store).open(str(key)))
