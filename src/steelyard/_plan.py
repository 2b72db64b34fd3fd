"""ScorePlan: from what a user asked for to tasks, writers and runs."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from steelyard._provenance import git_state, new_run_id, now, scoring_record, versions
from steelyard._run import Run
from steelyard.core.ports import RunStore, RunWriter, Source, services
from steelyard.core.record import RunRecord
from steelyard.data.choice import ColumnChoice, choices_per_output
from steelyard.data.identity import IdBook
from steelyard.data.source import open_source
from steelyard.errors import ColumnNotFoundError, EmptyDataError
from steelyard.metrics import reducer_names
from steelyard.running.recorded import Progress, RunTask, score_source
from steelyard.scoring.adapt import as_forms
from steelyard.scoring.bind import CallContext
from steelyard.scoring.form import ScorerForm

__all__ = ["ScorePlan", "StoreLike", "open_store"]

StoreLike = str | os.PathLike[str] | RunStore | Literal[False] | None


def open_store(store: StoreLike) -> RunStore:
    """The store that a user means: a path, a store, False for memory, None for the default one."""
    if store is None:
        return services().store()
    if store is False:
        from steelyard.store.memory import MemoryStore

        return MemoryStore()
    if isinstance(store, str | os.PathLike):
        from steelyard.store.sqlite import SqliteStore

        return SqliteStore(Path(store))
    return store


class ScorePlan(msgspec.Struct, kw_only=True):
    """What a user asked for when scoring recorded outputs."""

    scorers: Any
    columns: dict[str, Any]
    epochs: str | None = None
    column_map: dict[str, str] = {}
    reducer: Any = None
    cluster: str | None = None
    by: tuple[str, ...] = ()
    on_unscored: Any = "exclude"
    name: str | None = None
    model: str | None = None
    concurrency: int = 100

    def open(self, data: Any, outputs: Any, targets: Any, **options: Any) -> Source:
        """The source of rows."""
        return open_source(data, outputs=outputs, targets=targets, **options)

    def score(
        self, source: Source, store: RunStore, *, workers: int = 1, progress: Progress | None = None
    ) -> list[Run]:
        """Score every row for every output column, and store a run each."""
        forms = tuple(as_forms(self.scorers))
        pairs = choices_per_output(source.columns, **self.columns)
        for _, choice in pairs:
            self._check_labels(choice)
        records = [self._record(source, name, choice) for name, choice in pairs]
        tasks = [self._task(forms, choice, record, store) for (_, choice), record in zip(pairs, records, strict=True)]
        warnings = [[w for bound in task.bind() for w in bound.binding.warnings] for task in tasks]
        writers = self._writers(store, forms, records)
        book = IdBook(pairs[0][1], epochs=self.epochs)
        try:
            n = score_source(source, tasks, writers, book, workers=workers, progress=progress)
            if n == 0:
                raise EmptyDataError("the data set is empty: there is nothing to score")
        except BaseException as error:
            self._abandon(writers, book, source, error)
            raise
        runs = [
            finish_run(store, writer, forms, warning, self._end(book, source, n))
            for writer, warning in zip(writers, warnings, strict=True)
        ]
        return runs

    def _check_labels(self, choice: ColumnChoice) -> None:
        for option, columns in (("cluster", (self.cluster,) if self.cluster else ()), ("by", self.by)):
            for column in columns:
                if column not in choice.names:
                    raise ColumnNotFoundError.naming(column, choice.names, f"It was asked for by {option}.")

    def _record(self, source: Source, name: str | None, choice: ColumnChoice) -> RunRecord:
        sha, dirty = git_state()
        return RunRecord(
            id=new_run_id(),
            name=name or self.name or source.description.get("name") or "scores",
            created=now(),
            source={**source.description, "columns": choice.describe()},
            columns=tuple(choice.names),
            model=self.model,
            settings={"column_map": self.column_map} if self.column_map else {},
            reducers=reducer_names(self.reducer),
            cluster=self.cluster,
            by=self.by,
            on_unscored=self.on_unscored,
            git_sha=sha,
            git_dirty=dirty,
            versions=versions(),
        )

    def _task(self, forms: tuple[ScorerForm, ...], choice: ColumnChoice, record: RunRecord, store: RunStore) -> RunTask:
        return RunTask(
            prepare=choice.apply,
            forms=forms,
            columns=tuple(choice.names),
            column_map=self.column_map,
            context=CallContext(model=self.model),
            encoder=store.encoder(record),
            limit=self.concurrency,
        )

    def _writers(self, store: RunStore, forms: Sequence[ScorerForm], records: Sequence[RunRecord]) -> list[RunWriter]:
        context = CallContext(model=self.model)
        scorings = [scoring_record(form, context) for form in forms]
        writers = [store.create(records[0], scorings)]
        writers += [store.create(record, scorings, share_samples_with=records[0].id) for record in records[1:]]
        return writers

    def _end(self, book: IdBook, source: Source, n: int) -> dict[str, Any]:
        return {
            "n_samples": n,
            "n_epochs": book.n_epochs,
            "dataset_version": book.version,
            "skipped": source.skipped,
        }

    def _abandon(self, writers: Sequence[RunWriter], book: IdBook, source: Source, error: BaseException) -> None:
        """Keep what was done: a run that was interrupted or broke is stored with its state."""
        status: Any = "cancelled" if isinstance(error, KeyboardInterrupt) else "error"
        for writer in writers:
            writer.finish(status, error=f"{type(error).__name__}: {error}", finished=now(), n_samples=writer.committed)
