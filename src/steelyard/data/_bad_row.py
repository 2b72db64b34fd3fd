"""What becomes of a row that cannot be read: an error, or a count."""

from steelyard.errors import BadRowError

__all__ = ["Skips", "bad_row"]

_REMEDY = "Mend it, or leave such rows out with --skip-bad-rows (in Python: skip_bad_rows=True)."
_SHOWN = 60


class Skips:
    """Whether bad rows are left out, and how many were.

    Args:
        allowed: Count bad rows instead of raising.
    """

    __slots__ = ("allowed", "count")

    def __init__(self, allowed: bool) -> None:
        self.allowed = allowed
        self.count = 0

    def add(self, problem: BadRowError) -> None:
        """Count a bad row. Raises the problem where bad rows are not left out."""
        if not self.allowed:
            raise problem
        self.count += 1


def bad_row(where: str, problem: str, text: str | bytes | None = None, hint: str = "") -> BadRowError:
    """An error that says where, what is wrong, how the row begins, and the remedy."""
    if isinstance(text, bytes):
        text = text[: 4 * _SHOWN].decode("utf-8", "replace")
    shown = "" if text is None else f" It begins: {text[:_SHOWN] + '...' if len(text) > _SHOWN else text!s}."
    return BadRowError(f"{where}: {problem}.{shown} {hint + ' ' if hint else ''}{_REMEDY}")
