"""Reading: how rows are read, and what becomes of one that cannot be: an error, or a count."""

from steelyard.errors import BadRowError

__all__ = ["Reading", "bad_row"]

_REMEDY = "Mend it, or leave such rows out with --skip-bad-rows (in Python: skip_bad_rows=True)."
_SHOWN = 60


class Reading:
    """How rows are read.

    Args:
        chunk_rows: Rows of a chunk, at most.
        limit: Rows to read, at most; None for all.
        skip_bad_rows: Count bad rows instead of raising.
    """

    __slots__ = ("chunk_rows", "limit", "skip_bad_rows", "skipped")

    def __init__(self, chunk_rows: int = 2000, limit: int | None = None, *, skip_bad_rows: bool = False) -> None:
        self.chunk_rows = chunk_rows if limit is None else min(chunk_rows, limit)
        self.limit = limit
        self.skip_bad_rows = skip_bad_rows
        self.skipped = 0

    def skip(self, problem: BadRowError) -> None:
        """Count a bad row. Raises the problem where bad rows are not left out."""
        if not self.skip_bad_rows:
            raise problem
        self.skipped += 1


def bad_row(where: str, problem: str, text: str | bytes | None = None, hint: str = "") -> BadRowError:
    """An error that says where, what is wrong, how the row begins, and the remedy."""
    if isinstance(text, bytes):
        text = text[: 4 * _SHOWN].decode("utf-8", "replace")
    shown = "" if text is None else f" It begins: {text[:_SHOWN] + '...' if len(text) > _SHOWN else text!s}."
    return BadRowError(f"{where}: {problem}.{shown} {hint + ' ' if hint else ''}{_REMEDY}")
