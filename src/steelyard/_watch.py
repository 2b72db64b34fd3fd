"""Watch: what `steelyard run` asks of the runs that a user's file makes, and hears of them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from steelyard._run import Run

__all__ = ["Watch", "watch_in_force", "watching"]


class Watch(msgspec.Struct, frozen=True):
    """What one invocation of `steelyard run` asks.

    Args:
        limit: Only the first so many rows, whatever the file says.
        progress: Is told how far a run is, where the file asked for nothing of its own.
        on_runs: Is given the runs that have ended, those of one call together.
    """

    limit: int | None = None
    progress: Callable[..., None] | None = None
    on_runs: Callable[[Sequence[Run]], None] | None = None

    def tell(self, runs: Sequence[Run]) -> None:
        """Runs have ended."""
        if self.on_runs is not None:
            self.on_runs(runs)


_NOBODY = Watch()
# A plain variable, and no context variable: the file's own threads make runs too, and a process runs one file.
_in_force: list[Watch] = [_NOBODY]


def watch_in_force() -> Watch:
    """The watch that is set, or one that asks nothing."""
    return _in_force[-1]


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Set a watch for a block."""
    _in_force.append(watch)
    try:
        yield
    finally:
        _in_force.pop()
