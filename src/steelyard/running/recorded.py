"""Scoring of recorded outputs: columns in, score columns out, in this process or in several."""

import contextlib
import pickle
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.ports import Chunk, Encoder, RunWriter, Source
from steelyard.errors import BindingError, nearest
from steelyard.running.workers import can_start, map_in_processes
from steelyard.scoring.adapt import as_form
from steelyard.scoring.bound import Bound, bind
from steelyard.scoring.feeds import CallContext
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.portal import run_in_portal

__all__ = ["Identify", "PartScorer", "Progress", "RunTask", "bind_all", "score_source", "staying"]

Progress = Callable[[int], None]
"""Is told how many rows are done."""


class Identify(Protocol):
    """Names samples. ``reader`` runs where the rows are (perhaps in another process), `admit` in order, in this one."""

    @property
    def reader(self) -> Callable[[Columns], Any]:
        """Reads what is needed to name the rows of a chunk. Picklable."""
        ...

    def admit(self, found: Any, start: int) -> tuple[list[str], list[int] | None]:
        """The ids and epochs of the chunk, after all earlier chunks. Raises `DuplicateIdError`."""
        ...


class RunTask(msgspec.Struct, frozen=True, kw_only=True):
    """One run to be: how its columns are made ready, and which scorers score them.

    Args:
        prepare: Adds the canonical columns to a chunk.
        forms: The scorers.
        columns: The columns that exist after `prepare`.
        column_map: Parameter to column, for the scorers that have such a parameter.
        context: What scorers may be told of the run.
        encoder: Makes blocks for the run's writer.
        limit: The most rows that an async scorer works on at once.
    """

    prepare: Callable[[Columns], Columns]
    forms: tuple[ScorerForm, ...]
    columns: tuple[str, ...]
    column_map: dict[str, str] = {}
    context: CallContext = CallContext()
    encoder: Encoder
    limit: int = 100

    def bind(self) -> list[Bound]:
        """Bind the scorers to the columns; raises `BindingError`."""
        return bind_all(self.forms, self.columns, self.column_map, self.context)

    def __reduce__(self) -> Any:
        # A form holds callables that cannot be pickled; the scorer that it was made of can, where it is portable.
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name != "forms"}
        return _remade, (tuple(form.origin for form in self.forms), fields)


def _remade(origins: Sequence[Any], fields: dict[str, Any]) -> RunTask:
    return RunTask(forms=tuple(map(as_form, origins)), **fields)


def bind_all(
    forms: Sequence[ScorerForm], columns: Sequence[str], column_map: Mapping[str, str], context: CallContext
) -> list[Bound]:
    """Bind every scorer, each with the part of the map whose arguments it takes.

    Raises:
        BindingError: When one does not fit; also when no scorer takes an argument that the map names.
    """
    taken = {form.name: {parameter.name for parameter in form.body.parameters} for form in forms}
    known = set().union(*taken.values())
    for key in column_map:
        if key not in known and not any(form.body.takes_rest for form in forms):
            guess = nearest(key, sorted(known))
            hint = f" Did you mean {guess!r}?" if guess else ""
            raise BindingError(f"no scorer takes an argument {key!r}; they take: {', '.join(sorted(known))}.{hint}")
    return [
        bind(
            form,
            columns,
            column_map={k: c for k, c in column_map.items() if k in taken[form.name] or form.body.takes_rest},
            context=context,
        )
        for form in forms
    ]


class PartScorer(msgspec.Struct, frozen=True):
    """Reads and scores one part of a source in another process."""

    tasks: tuple[RunTask, ...]
    read_ids: Callable[[Columns], Any]

    def __call__(self, part: Chunk) -> list[tuple[int, int, Any, list[Any]]]:
        """(first row, rows, what names them, a block for each run) of each chunk of the part."""
        bounds = [task.bind() for task in self.tasks]
        results: list[tuple[int, int, Any, list[Any]]] = []
        for raw in part.read():
            found: Any = None
            blocks: list[Any] = []
            for task, bound in zip(self.tasks, bounds, strict=True):
                columns = task.prepare(raw)
                if not blocks:
                    found = self.read_ids(columns)
                columns.ids, columns.epochs = [str(name) for name in found.ids], found.epochs
                blocks.append(
                    task.encoder(columns, score_chunk(bound, columns, task.limit), range(raw.start, raw.start + raw.n))
                )
            results.append((raw.start, raw.n, found, blocks))
        return results


def score_source(
    source: Source,
    tasks: Sequence[RunTask],
    writers: Sequence[RunWriter],
    identify: Identify,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> int:
    """Score every row of a source for every run, and write as it goes.

    Args:
        source: The rows.
        tasks: The runs.
        writers: Their writers, in the same order.
        identify: Names the samples.
        workers: Processes that read and score, where the source can be cut and the scorers can travel.
        progress: Is told how many rows are done.

    Returns:
        The number of rows.
    """
    work = _packed(tasks, identify) if workers > 1 else None
    parts = source.parts() if work is not None else None
    if parts and work is not None:
        blocks = _in_processes(parts, work, identify, workers)
    else:
        blocks = _in_place(source, tasks, identify)
    done = 0
    with contextlib.closing(blocks):  # processes end at once, whatever stops this
        for n, row_blocks in blocks:
            for writer, block in zip(writers, row_blocks, strict=True):
                writer.write(block)
            done += n
            if progress is not None:
                progress(done)
    return done


def score_chunk(bounds: Sequence[Bound], columns: Columns, limit: int) -> list[ScoreColumns]:
    """Score one chunk with every scorer; async ones through the portal."""
    return [
        run_in_portal(bound.score_async(columns, limit=limit)) if bound.is_async else bound.score(columns)
        for bound in bounds
    ]


def staying(forms: Sequence[ScorerForm]) -> list[str]:
    """The names of the scorers that no other process can have."""
    return [form.name for form in forms if form.body.is_async or not form.portable]


def _packed(tasks: Sequence[RunTask], identify: Identify) -> bytes | None:
    """What other processes do, pickled; None where they cannot."""
    if not can_start() or any(staying(task.forms) for task in tasks):
        return None
    try:
        return pickle.dumps(PartScorer(tuple(tasks), identify.reader))
    except (pickle.PicklingError, TypeError, AttributeError):  # an option of a scorer that is not what it seemed
        return None


def _in_place(
    source: Source, tasks: Sequence[RunTask], identify: Identify
) -> Generator[tuple[int, list[Any]], None, None]:
    bounds = [task.bind() for task in tasks]
    for raw in source.chunks():
        blocks: list[Any] = []
        ids: list[str] = []
        epochs: list[int] | None = None
        for task, bound in zip(tasks, bounds, strict=True):
            columns = task.prepare(raw)
            if not blocks:
                ids, epochs = identify.admit(identify.reader(columns), raw.start)
            columns.ids, columns.epochs = ids, epochs
            scored = score_chunk(bound, columns, task.limit)
            blocks.append(task.encoder(columns, scored, range(raw.start, raw.start + raw.n)))
        yield raw.n, blocks


def _in_processes(
    parts: Sequence[Chunk], work: bytes, identify: Identify, workers: int
) -> Generator[tuple[int, list[Any]], None, None]:
    with contextlib.closing(map_in_processes(work, parts, workers)) as mapped:
        for results in mapped:
            for start, n, found, blocks in results:
                ids, epochs = identify.admit(found, start)
                if ids != found.ids or epochs != found.epochs:
                    yield n, [block.renamed(ids, epochs) for block in blocks]
                else:
                    yield n, blocks
