"""SqliteWriter: a thread that commits what has gathered as soon as its last commit ended."""

import sqlite3
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import msgspec

from steelyard.core.record import RunRecord, RunStatus, ScoringRecord
from steelyard.errors import SteelyardError, StoreError, error_text
from steelyard.store._block import EncodedBlock
from steelyard.store._connect import transaction
from steelyard.store._encode import RowEncoder
from steelyard.store._faults import store_faults
from steelyard.store._rows import insert_blocks
from steelyard.store._totals import Tally

__all__ = ["GROUP_ROWS", "RunTarget", "SqliteWriter"]

GROUP_ROWS = 500
"""The most rows of one commit: what a kill can lose."""

BACKLOG_ROWS = 5_000
BACKLOG_BYTES = 32 * 1024 * 1024
"""How much may wait for its commit before `write` waits too."""


class RunTarget(msgspec.Struct, frozen=True):
    """Where a writer's rows belong.

    Args:
        path: The database file.
        run_id: The run.
        run: Its number.
        sample_set: The number of its rows' sample set.
        scorings: The scorings that are written.
        turn: Held for the length of a commit, so that the writers of one process take turns instead of polling.
    """

    path: Path
    run_id: str
    run: int
    sample_set: int
    scorings: tuple[ScoringRecord, ...]
    turn: Any

    @property
    def numbers(self) -> tuple[int, ...]:
        """The store's numbers of the scorings."""
        return tuple(scoring.id for scoring in self.scorings if scoring.id is not None)


class Written(msgspec.Struct):
    """What a writer has made durable: rows, their last epoch, where cells are found, and a tally for each scoring."""

    rows: int = 0
    last_epoch: int = 1
    layout: dict[str, str] = {}
    tallies: list[Tally] = []


class End(Protocol):
    """Writes the end of a run."""

    def __call__(
        self, db: sqlite3.Connection, written: Written, status: RunStatus, changes: dict[str, Any], /
    ) -> RunRecord:
        """The end of a run whose rows are all durable."""
        ...

    def failed(self, db: sqlite3.Connection, error: str, /) -> None:
        """The end of a run of which something could not be written."""
        ...


class SqliteWriter:
    """Appends to one run of a `SqliteStore`, which makes it in `create` and `open_writer`.

    Args:
        db: A connection that is the writer's alone.
        target: Where the rows belong.
        encoder: Makes the blocks.
        end: Writes the run's end.
    """

    def __init__(self, db: sqlite3.Connection, target: RunTarget, encoder: RowEncoder, end: End) -> None:
        self.run_id = target.run_id
        self.encoder = encoder
        self._db = db
        self._target = target
        self._end = end
        self._written = Written(tallies=[Tally() for _ in target.scorings])
        self._backlog: deque[tuple[EncodedBlock, int]] = deque()
        self._waiting_rows = 0
        self._waiting_bytes = 0
        self._error: SteelyardError | None = None
        self._ending = False
        self._ended: RunRecord | None = None
        self._changed = threading.Condition()
        # A daemon: a program that forgets `finish` still ends, with what was committed.
        self._thread = threading.Thread(target=self._work, name=f"steelyard-writer-{self.run_id}", daemon=True)
        self._thread.start()

    @property
    def scorings(self) -> tuple[ScoringRecord, ...]:
        """The scorings that it writes, with the store's numbers."""
        return self._target.scorings

    @property
    def committed(self) -> int:
        """Rows that are durable."""
        return self._written.rows

    @property
    def full(self) -> bool:
        """True while the backlog is full, so that `write` would wait."""
        return self._waiting_rows >= BACKLOG_ROWS or self._waiting_bytes >= BACKLOG_BYTES

    def write(self, block: EncodedBlock) -> None:
        """Append a block that `encoder` made. Waits while the backlog is full.

        Raises:
            StoreError: an earlier block could not be written, or the writer is closed.
        """
        for piece in block.pieces(GROUP_ROWS):
            weight = piece.weight
            with self._changed:
                self._changed.wait_for(lambda: not self.full or self._error is not None)
                self._raise_error()
                if self._ending:
                    raise StoreError(f"the writer of run {self.run_id} is closed; open another with open_writer")
                self._backlog.append((piece, weight))
                self._waiting_rows += len(piece)
                self._waiting_bytes += weight
                self._changed.notify_all()

    def finish(self, status: RunStatus, **changes: Any) -> RunRecord:
        """Commit everything, write the run's end with ``changes`` to its record, and close.

        Raises:
            DuplicateIdError: ids repeat within an epoch; the rows are stored, and the run's status is error.
            StoreError: something could not be written.
        """
        if self._ended is not None:
            return self._ended
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        self._thread.join()
        try:
            if self._error is not None:
                with suppress(StoreError), self._target.turn, store_faults(self._target.path):
                    self._end.failed(self._db, str(self._error))  # as far as the disk still takes it
                raise self._error
            with self._target.turn, store_faults(self._target.path):
                self._ended = self._end(self._db, self._written, status, changes)
            return self._ended
        except SteelyardError as error:
            self._error = error
            raise
        finally:
            self._db.close()

    def _raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        """The thread: gather, commit, count, until the end."""
        try:
            while group := self._gather():
                blocks = [block for block, _ in group]
                self._commit(blocks)
                self._count(blocks, sum(weight for _, weight in group))
        except BaseException as error:  # noqa: BLE001  (handed to the next write or finish)
            with self._changed:
                self._error = _as_ours(error, self._target)
                self._backlog.clear()
                self._changed.notify_all()

    def _gather(self) -> list[tuple[EncodedBlock, int]]:
        """What waits, up to one commit's worth; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._backlog) or self._ending)
            group: list[tuple[EncodedBlock, int]] = []
            rows = 0
            while self._backlog and rows + len(self._backlog[0][0]) <= GROUP_ROWS:
                rows += len(self._backlog[0][0])
                group.append(self._backlog.popleft())
            return group

    def _commit(self, blocks: Sequence[EncodedBlock]) -> None:
        target = self._target
        with target.turn, store_faults(target.path), transaction(self._db):
            insert_blocks(self._db, blocks, run=target.run, sample_set=target.sample_set, scorings=target.numbers)
            self._note_layout(blocks)

    def _note_layout(self, blocks: Sequence[EncodedBlock]) -> None:
        """Keep with the run where the cells of a column are found: the same for all blocks, mostly."""
        known = self._written.layout
        new = {name: place for block in blocks for name, place in block.layout.items() if name not in known}
        if new:
            known.update(new)
            text = msgspec.json.encode(known).decode()
            self._db.execute("UPDATE runs SET layout = ? WHERE number = ?", (text, self._target.run))

    def _count(self, blocks: Sequence[EncodedBlock], weight: int) -> None:
        for index, tally in enumerate(self._written.tallies):
            for block in blocks:
                block.scores[index].count_into(tally)
        rows = sum(map(len, blocks))
        epochs = [max(block.epochs) for block in blocks if block.epochs]
        with self._changed:
            self._written.last_epoch = max([self._written.last_epoch, *epochs])
            self._written.rows += rows
            self._waiting_rows -= rows
            self._waiting_bytes -= weight
            self._changed.notify_all()


def _as_ours(error: BaseException, target: RunTarget) -> SteelyardError:
    if isinstance(error, SteelyardError):
        return error
    ours = StoreError(f"run {target.run_id} cannot be written to {target.path}: {error_text(error)}")
    ours.__cause__ = error
    return ours
