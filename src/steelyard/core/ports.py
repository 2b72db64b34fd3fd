"""Ports: what a part needs from outside, as protocols; and the services that fill them."""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Protocol, runtime_checkable

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.message import ChatMessage
from steelyard.core.model_ref import ModelRef
from steelyard.core.record import OutcomeRow, RunRecord, RunStatus, ScoringRecord, StoredSample
from steelyard.core.sample import Output

__all__ = [
    "Catalog",
    "ChatModel",
    "Chunk",
    "Encoder",
    "RunReader",
    "RunStore",
    "RunWriter",
    "Services",
    "Source",
    "services",
    "use_services",
]


@runtime_checkable
class ChatModel(Protocol):
    """Something that answers a conversation."""

    name: str

    async def chat(self, messages: Sequence[ChatMessage], *, draw: int = 0) -> Output:
        """Answer; ``draw`` numbers repeated calls with equal messages. Raises `ModelCallError` when it cannot."""
        ...


class Chunk(Protocol):
    """A part of a source that another process can read by itself. Picklable."""

    def read(self) -> Iterator[Columns]:
        """The rows of this part, in chunks."""
        ...


class Source(Protocol):
    """Rows to be scored, read in chunks and at most once."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, known before the first chunk is asked for."""
        ...

    @property
    def description(self) -> dict[str, Any]:
        """Where the rows come from, for the run's provenance."""
        ...

    @property
    def skipped(self) -> int:
        """Bad rows that were skipped so far."""
        ...

    def chunks(self) -> Iterator[Columns]:
        """The rows, in chunks of a bounded size."""
        ...

    def parts(self) -> Sequence[Chunk] | None:
        """The source cut into parts for several processes; None when it is small or cannot be cut."""
        ...


class Encoder(Protocol):
    """Turns scored columns into a block for `RunWriter.write`. Picklable, for use in other processes."""

    def __call__(self, columns: Columns, scored: Sequence[ScoreColumns], seqs: Sequence[int]) -> Any:
        """``columns`` with ids, epochs and (live) outputs; a `ScoreColumns` for each scoring; each row's place.

        The block has ``renamed(ids, epochs)``: the same block under other ids.
        """
        ...


class RunWriter(Protocol):
    """Appends to one run. What `write` was given is durable once `committed` has counted it."""

    run_id: str

    @property
    def encoder(self) -> Encoder:
        """Turns scored columns into blocks for `write`."""
        ...

    @property
    def scorings(self) -> Sequence[ScoringRecord]:
        """The scorings that it writes, with the store's numbers, in the order that the encoder is given them."""
        ...

    @property
    def committed(self) -> int:
        """Rows that are durable."""
        ...

    @property
    def full(self) -> bool:
        """True while the backlog is full, so that `write` would wait."""
        ...

    def write(self, block: Any) -> None:
        """Append a block that the store's encoder made. Waits while the backlog is full."""
        ...

    def finish(self, status: RunStatus, **changes: Any) -> RunRecord:
        """Commit everything, write the run's end with ``changes`` to its record, and close.

        ``finished``, ``n_samples`` and ``n_epochs`` are filled in where ``changes`` does not say. A writer of outcomes
        only leaves the run's status and times as they are.
        """
        ...


class RunReader(Protocol):
    """Reads one run."""

    @property
    def record(self) -> RunRecord:
        """The run."""
        ...

    @property
    def scorings(self) -> Sequence[ScoringRecord]:
        """The latest scoring of each name, in the order in which they were given."""
        ...

    def values(self, scoring: ScoringRecord) -> Iterator[tuple[int, int, int, Any, str | None]]:
        """(seq, epoch, value type, cell, reason or note) of every outcome, in order of seq."""
        ...

    def distinct(self, scoring: ScoringRecord, *, limit: int = 1000) -> list[tuple[int, Any, str | None, int]]:
        """(value type, cell, reason or note, count) of each distinct outcome; empty beyond ``limit`` of them."""
        ...

    def totals(self, scoring: ScoringRecord) -> list[tuple[int, str | None, int]]:
        """(value type, reason or note, count): how many outcomes of each sort. Stored when a run ends."""
        ...

    def sample_ids(self) -> list[str]:
        """The id of the row at each seq; an empty text where no row is stored, as after a run that was killed."""
        ...

    def labels(self, column: str) -> list[Any]:
        """The cell of one column of the data at each seq; None where no row is stored. Raises `ColumnNotFoundError`."""
        ...

    def samples(
        self, seqs: Iterable[int] | None = None, *, offset: int = 0, limit: int | None = None
    ) -> Iterator[StoredSample]:
        """Stored rows: those named by ``seqs``, in that order, or a page of all."""
        ...

    def outcomes(self, scoring: ScoringRecord, seqs: Iterable[int] | None = None) -> Iterator[OutcomeRow]:
        """Outcomes of one scoring with answer, explanation, metadata and error."""
        ...

    def find_sample(self, sample_id: str) -> list[int]:
        """The seqs of the rows that bear a sample id, one for each epoch."""
        ...


class RunStore(Protocol):
    """Keeps runs."""

    def create(
        self,
        run: RunRecord,
        scorings: Sequence[ScoringRecord],
        *,
        share_samples_with: str | None = None,
        outputs: Sequence[str] = (),
    ) -> RunWriter:
        """Begin a run.

        ``share_samples_with`` is the id of a run over the same rows, whose samples are not stored a second time.
        ``outputs`` names the columns that hold outputs, of this run and of others over the same rows: they are left
        out of the samples, as are ``output`` and the columns that are the same list.
        """
        ...

    def add_scoring(self, run_id: str, scoring: ScoringRecord) -> ScoringRecord:
        """Begin another scoring of a stored run; the record with its number."""
        ...

    def put_scoring(self, run_id: str, scoring: ScoringRecord) -> None:
        """Write the record of a stored scoring anew, with the figures that were computed."""
        ...

    def open_writer(self, run_id: str, scorings: Sequence[ScoringRecord], *, outcomes_only: bool = True) -> RunWriter:
        """A writer for a stored run: of the outcomes of scorings that it has, or (to resume it) of rows too."""
        ...

    def runs(self, *, limit: int | None = None, name: str | None = None) -> list[RunRecord]:
        """Stored runs, the newest first."""
        ...

    def find(self, key: str) -> RunRecord:
        """The run of that id, unique id prefix or name (its newest), or ``latest``. Raises `RunNotFoundError`."""
        ...

    def open(self, key: str) -> RunReader:
        """A reader of the run that `find` finds."""
        ...


class Catalog(Protocol):
    """Named parts that come with the package: name to the module that holds it."""

    def __call__(self, kind: str) -> Mapping[str, str]:
        """The table of one kind: ``"scorers"``, ``"metrics"`` or ``"reducers"``."""
        ...


class Services:
    """What the parts get from outside while they run.

    Args:
        catalog: Where built-in scorers, metrics and reducers are found.
        chat: Makes a `ChatModel` from a `ModelRef`.
        store: Opens the store in use.
    """

    __slots__ = ("catalog", "chat", "store")

    def __init__(
        self,
        catalog: Catalog,
        chat: Callable[[ModelRef], ChatModel],
        store: Callable[[], RunStore],
    ) -> None:
        self.catalog = catalog
        self.chat = chat
        self.store = store


DEFAULT = "steelyard._services:default"
"""The one upward reference of the house: who composes the ports when nobody else did."""

_current: ContextVar[Services | None] = ContextVar("steelyard_services", default=None)
_defaults: dict[str, Services] = {}


def services() -> Services:
    """The services in force: those that the runner set, else the default ones."""
    current = _current.get()
    if current is not None:
        return current
    if DEFAULT not in _defaults:
        module, _, name = DEFAULT.partition(":")
        _defaults[DEFAULT] = getattr(importlib.import_module(module), name)()
    return _defaults[DEFAULT]


class use_services:  # noqa: N801  (a context manager, read as a verb)
    """Put other services in force for a block: ``with use_services(mine): ...``."""

    def __init__(self, chosen: Services) -> None:
        self._chosen = chosen

    def __enter__(self) -> Services:
        self._token = _current.set(self._chosen)
        return self._chosen

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)
