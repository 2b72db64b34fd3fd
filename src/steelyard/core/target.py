"""Target: one or more acceptable references."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

__all__ = ["Target"]


class Target(Sequence[str]):
    r"""One or more acceptable references for a sample.

    A sequence of texts. ``text`` joins them by newline for display only: no scorer reads it,
    so two references are never glued into one.

    >>> Target("Paris")
    Target('Paris')
    >>> Target(["Paris", "paris, France"]).text
    'Paris\nparis, France'
    >>> Target(42)[0]
    '42'
    """

    __slots__ = ("_texts",)

    def __init__(self, target: Any = ()) -> None:
        if isinstance(target, Target):
            self._texts: tuple[str, ...] = target._texts
        elif isinstance(target, str) or not isinstance(target, Iterable):
            self._texts = (_text(target),)
        else:
            self._texts = tuple(_text(item) for item in target)

    @property
    def text(self) -> str:
        """All references, one a line, for display."""
        return "\n".join(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._texts[index]

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Target):
            return self._texts == other._texts
        if isinstance(other, str):
            return self._texts == (other,)
        if isinstance(other, list | tuple):
            return self._texts == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._texts)

    def __reduce__(self) -> tuple[type["Target"], tuple[tuple[str, ...]]]:
        return Target, (self._texts,)

    def __repr__(self) -> str:
        inner = self._texts[0] if len(self._texts) == 1 else list(self._texts)
        return f"Target({inner!r})"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
