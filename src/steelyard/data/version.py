"""ContentVersion: what names the content of a data set, whatever the order of its rows."""

import hashlib
from collections.abc import Sequence

import msgspec

from steelyard.core.digest import content_sum

__all__ = ["ContentVersion"]


class ContentVersion(msgspec.Struct):
    """A sum over the questions of a data set, which parts of it add up to.

    The sum of the digests of all rows modulo 2**128 does not depend on their order, and counts repeats, which an
    exclusive or would cancel.

    Args:
        total: The sum.
        rows: The number of rows in it.

    >>> one, two = ContentVersion(), ContentVersion()
    >>> one.add(["0a", "ff"])
    >>> two.add(["ff"])
    >>> str(two + ContentVersion(10, 1)) == str(one), one.rows
    (True, 2)
    """

    total: int = 0
    rows: int = 0

    def add(self, digests: Sequence[str]) -> None:
        """Count rows in, by the digests of their questions: those of `content_ids`."""
        self.total = (self.total + content_sum(digests)) % (1 << 128)
        self.rows += len(digests)

    def __add__(self, other: "ContentVersion") -> "ContentVersion":
        """The version of two parts together."""
        return ContentVersion((self.total + other.total) % (1 << 128), self.rows + other.rows)

    def __str__(self) -> str:
        """Twelve hex digits and the number of rows: ``"3f9a0c41d27e-1000"``."""
        whole = hashlib.blake2b(f"{self.total}/{self.rows}".encode(), digest_size=6)
        return f"{whole.hexdigest()}-{self.rows}"
