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
        """``columns`` with ids, epochs and (for live calls) outputs; a `ScoreColumns` for each scoring; each row's place."""
        ...


class RunWriter(Protocol):
    """Appends to one run. What `write` was given is durable once `committed` has counted it."""

    run_id: str

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
        """Commit everything, write the run's end with ``changes`` to its record, and close."""
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
        """(seq, epoch, value type, cell, reason) of every outcome, in order of seq and epoch."""
        ...

    def sample_ids(self) -> list[str]:
        """The id of each stored row, by seq."""
        ...

    def labels(self, column: str) -> list[Any]:
        """The cells of one column of the data, by seq."""
        ...

    def samples(self, seqs: Iterable[int] | None = None, *, offset: int = 0, limit: int | None = None) -> Iterator[StoredSample]:
        """Stored rows: those named by ``seqs``, or a page of all."""
        ...

    def outcomes(self, scoring: ScoringRecord, seqs: Iterable[int] | None = None) -> Iterator[OutcomeRow]:
        """Outcomes of one scoring with answer, explanation, metadata and error."""
        ...

    def find_sample(self, sample_id: str) -> list[int]:
        """The seqs of the rows that bear a sample id, one for each epoch."""
        ...


class RunStore(Protocol):
    """Keeps runs."""

    @property
    def encoder(self) -> "Encoder":
        """Turns scored columns into blocks for `RunWriter.write`."""
        ...

    def create(self, run: RunRecord, scorings: Sequence[ScoringRecord]) -> RunWriter:
        """Begin a run."""
        ...

    def add_scoring(self, run_id: str, scoring: ScoringRecord) -> ScoringRecord:
        """Begin another scoring of a stored run."""
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
