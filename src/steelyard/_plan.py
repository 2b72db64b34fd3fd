"""Plan: from what a user asked for to bound scorers, a writer and a finished run."""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard._identify import Identity
from steelyard._provenance import git_state, new_run_id, now, scoring_record, versions
from steelyard._run import Run
from steelyard.core.columns import Columns
from steelyard.core.ports import RunStore, RunWriter, services
from steelyard.core.record import RunRecord
from steelyard.data import ColumnChoice, RowSource, choose_columns, paths_within
from steelyard.errors import BindingError, EmptyDataError, UnscoredError, UsageError, error_text
from steelyard.metrics import find_reducer, mean_score, reducer_name
from steelyard.results.custom import needs_code
from steelyard.results.figures import figures, stored_figures
from steelyard.results.outcomes import population
from steelyard.running.caller import Caller, make_caller
from steelyard.running.live import run_live
from steelyard.running.meter import LiveProgress
from steelyard.running.recorded import Progress, RunTask, bind_all, score_source, staying
from steelyard.scoring.adapt import as_forms
from steelyard.scoring.bound import Bound
from steelyard.scoring.feeds import CallContext
from steelyard.scoring.form import ScorerForm
from steelyard.store.memory import MemoryStore
from steelyard.store.sqlite import SqliteStore

__all__ = ["Calls", "Plan", "StoreLike", "open_store"]

StoreLike = str | os.PathLike[str] | RunStore | Literal[False] | None


def open_store(store: StoreLike) -> RunStore:
    """The store that a user means: a path, a store, False for memory, None for the default one."""
    if store is None:
        return services().store()
    if store is False:
        return MemoryStore()
    if isinstance(store, str | os.PathLike):
        return SqliteStore(Path(store))
    return store


class Calls(msgspec.Struct, frozen=True, kw_only=True):
    """How a live model is called."""

    concurrency: int = 8
    retries: int = 1
    epochs: int = 1
    timeout: float | None = None


class Plan(msgspec.Struct, kw_only=True):
    """What a user asked for: scorers, columns, and how figures are wanted."""

    scorers: Any
    columns: dict[str, Any] = {}
    epochs: str | None = None
    column_map: dict[str, str] = {}
    reducer: Any = None
    cluster: str | None = None
    by: tuple[str, ...] = ()
    on_unscored: Any = "exclude"
    name: str | None = None
    model: str | None = None
    provider: str | None = None
    concurrency: int = 100
    settings: dict[str, Any] = {}

    def score(
        self, source: RowSource, store: RunStore, *, workers: int = 1, progress: Progress | None = None
    ) -> list[Run]:
        """Score recorded outputs: a run for every output column."""
        forms = tuple(as_forms(self.scorers))
        chosen = choose_columns(source.columns, peek=source.peek, labels=self._labels(), **self.columns)
        choices = chosen.choices_per_output()
        context = CallContext(self.model, self.provider)
        bounds = [self._bind(forms, choice, context, source) for choice in choices]
        records = [self._record(source, choice) for choice in choices]
        writers = self._writers(store, forms, records, chosen)
        tasks = [self._task(forms, choice, writer, context) for choice, writer in zip(choices, writers, strict=True)]
        book = self._book(choices[0], store)
        try:
            n = score_source(source, tasks, writers, book, workers=workers, progress=progress)
            _must_have_rows(n)
        except BaseException as error:
            _abandon(writers, error)
            raise
        end = _end(book, source, records[0])
        said = [*_why_one_process(forms, source, workers), *book.warnings]
        return [
            self._finish(store, writer, forms, [*_warnings(group), *said], end)
            for writer, group in zip(writers, bounds, strict=True)
        ]

    async def run(
        self,
        source: RowSource,
        store: RunStore,
        model: Any,
        calls: Calls,
        *,
        prompt: Any = None,
        preprocess: Any = None,
        on_progress: LiveProgress | None = None,
    ) -> Run:
        """Call a model for every sample, and score what it gives."""
        forms = tuple(as_forms(self.scorers))
        _check_epochs(_reducers(self.reducer), calls.epochs)
        choice = choose_columns(source.columns, peek=source.peek, has_model=True, labels=self._labels(), **self.columns)
        caller = make_caller(
            model, choice.names, name=self.model, provider=self.provider, prompt=prompt, preprocess=preprocess
        )
        context = CallContext(caller.name, caller.provider)
        bounds = self._bind(forms, choice, context, source)
        record = self._record(source, choice, caller)
        (writer,) = self._writers(store, forms, [record], choice)
        book = self._book(choice, store)
        try:
            result = await run_live(
                _identified(source, choice, book),
                caller,
                bounds,
                writer,
                context=context,
                concurrency=calls.concurrency,
                retries=calls.retries,
                epochs=calls.epochs,
                timeout=calls.timeout,
                on_progress=on_progress,
            )
            _must_have_rows(result.done)
        except BaseException as error:
            _abandon([writer], error)
            raise
        end = _end(book, source, record)
        end["n_epochs"] *= calls.epochs
        return self._finish(store, writer, forms, [*_warnings(bounds), *book.warnings], end)

    # -- parts of both ---------------------------------------------------------------------------------------------

    def _record(self, source: RowSource, choice: ColumnChoice, caller: Caller | None = None) -> RunRecord:
        sha, dirty = git_state()
        description = dict(source.description)
        return RunRecord(
            id=new_run_id(),
            name=_run_name(self.name, choice, description),
            created=now(),
            source={**description, "columns": choice.describe()},
            columns=tuple(choice.names),
            model=caller.name if caller is not None else self.model,
            provider=caller.provider if caller is not None else self.provider,
            settings={**self.settings, **({"column_map": self.column_map} if self.column_map else {})},
            reducers=tuple(_reducers(self.reducer)),
            cluster=self.cluster,
            by=self.by,
            on_unscored=self.on_unscored,
            git_sha=sha,
            git_dirty=dirty,
            versions=versions(),
        )

    def _bind(
        self, forms: Sequence[ScorerForm], choice: ColumnChoice, context: CallContext, source: RowSource
    ) -> list[Bound]:
        try:
            return bind_all(forms, choice.names, self.column_map, context)
        except BindingError as error:
            # Where the scorers would fit if a column had not several candidates, that is what has to be said.
            if not choice.ambiguous:
                within = "" if source.peek is None else ", ".join(paths_within(source.peek))
                if not within:
                    raise
                raise BindingError(f"{error} Columns within columns can be named too: {within}.") from None
            bind_all(forms, (*choice.names, *choice.ambiguous), self.column_map, context)
            for name in choice.ambiguous:
                choice.require(name)
            raise

    def _labels(self) -> dict[str, str]:
        return {**dict.fromkeys(self.by, "by"), **({self.cluster: "cluster"} if self.cluster else {})}

    def _task(
        self, forms: tuple[ScorerForm, ...], choice: ColumnChoice, writer: RunWriter, context: CallContext
    ) -> RunTask:
        return RunTask(
            prepare=choice.apply,
            forms=forms,
            columns=tuple(choice.names),
            column_map=self.column_map,
            context=context,
            encoder=writer.encoder,
            limit=self.concurrency,
        )

    def _writers(
        self, store: RunStore, forms: Sequence[ScorerForm], records: Sequence[RunRecord], choice: ColumnChoice
    ) -> list[RunWriter]:
        scorings = [scoring_record(form) for form in forms]
        first = store.create(records[0], scorings, outputs=choice.outputs)
        return [first, *(store.create(record, scorings, share_samples_with=first.run_id) for record in records[1:])]

    def _book(self, choice: ColumnChoice, store: RunStore) -> Identity:
        return Identity(choice, repeats=self.epochs == "repeats", versioned=not isinstance(store, MemoryStore))

    def _finish(
        self,
        store: RunStore,
        writer: RunWriter,
        forms: Sequence[ScorerForm],
        warnings: Sequence[str],
        end: Mapping[str, Any],
    ) -> Run:
        record = writer.finish("success", **end)
        reader = store.open(record.id)
        by_name = {form.name: form for form in forms}
        reducers = _reducers(self.reducer)
        built_in = all(one.built_in for one in reducers.values())
        if built_in and not any(needs_code(form) for form in forms):
            run = Run(reader, None, warnings)
        else:
            found = figures(reader, by_name, reducers)
            for scoring in reader.scorings:
                kept = stored_figures(found, by_name[scoring.name], reducers)
                if kept:
                    store.put_scoring(record.id, msgspec.structs.replace(scoring, figures=kept))
            run = Run(store.open(record.id), found, warnings)
        if self.on_unscored == "raise":
            _refuse_unscored(run)
        return run


def _run_name(given: str | None, choice: ColumnChoice, description: Mapping[str, Any]) -> str:
    """What a run is called: as the user says, and after its output where there are several; else after the data."""
    if choice.run_name is not None:
        return f"{given}/{choice.run_name}" if given else choice.run_name
    path = description.get("path")
    if given or not path:
        return given or "run"
    return "stdin" if path == "-" else Path(path).name.split(".")[0] or "run"


def _warnings(bounds: Sequence[Bound]) -> list[str]:
    return [f"{bound.form.name}: {warning}" for bound in bounds for warning in bound.binding.warnings]


def _why_one_process(forms: Sequence[ScorerForm], source: RowSource, workers: int) -> list[str]:
    """Says which scorers kept a large file from being scored in several processes."""
    names = staying(forms) if workers > 1 and source.is_large else []
    if not names:
        return []
    said = (
        f"all rows were scored in one process, since no other can have {', '.join(names)}: what can be had elsewhere "
        "is built in, or stands at the top level of a module that can be imported, and does not await"
    )
    return [said]


def _reducers(given: Any) -> dict[str, Any]:
    """The reducers that a user gave, one or several, by name; the mean where there is none."""
    several = given if isinstance(given, list | tuple) else [mean_score() if given is None else given]
    if not several:
        raise UsageError("no reducers were given; name at least one, such as 'mean', or leave reducer out")
    return {reducer_name(found): found for found in map(find_reducer, several)}


def _check_epochs(reducers: Mapping[str, Any], epochs: int) -> None:
    """A reducer over more epochs than there will be is an error before the first call."""
    for name, reducer in reducers.items():
        k = reducer.spec.options.get("k")
        if reducer.built_in and isinstance(k, int) and k > epochs:
            raise UsageError(f"{name} needs {k} epochs, and epochs={epochs}: ask each sample more often, epochs={k}")


def _identified(source: RowSource, choice: ColumnChoice, book: Identity) -> Iterator[Columns]:
    for raw in source.chunks():
        columns = choice.apply(raw)
        columns.ids, columns.epochs = book.admit(book.reader(columns), raw.start)
        yield columns


def _end(book: Identity, source: RowSource, record: RunRecord) -> dict[str, Any]:
    end: dict[str, Any] = {"n_epochs": book.n_epochs, "dataset_version": book.version, "finished": now()}
    if source.skipped:
        end["source"] = {**record.source, "skipped": source.skipped}
    return end


def _must_have_rows(n: int) -> None:
    if n == 0:
        raise EmptyDataError("the data set is empty: there is nothing to score")


def _abandon(writers: Sequence[RunWriter], error: BaseException) -> None:
    """Keep what was done: a run that was interrupted or broke is stored with its state."""
    stopped = isinstance(error, KeyboardInterrupt | asyncio.CancelledError)
    for writer in writers:
        writer.finish("cancelled" if stopped else "error", error=None if stopped else error_text(error))


def _refuse_unscored(run: Run) -> None:
    for name, counts in run.counts.items():
        counts = population(counts)  # noqa: PLW2901
        if counts.missing:
            why = ", ".join(f"{n} {reason}" for reason, n in counts.unscored.items())
            raise UnscoredError(
                f"{counts.missing} of {counts.attempted} samples have no score by {name}: {why} (run {run.id})"
            )
