"""Options: those of a scorer, held against what its factory says of them."""

from collections.abc import Callable, Mapping
from typing import Any

from steelyard.scoring.spec import bind_options

__all__ = ["scorer_options"]

_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "bool": ("true or false", lambda value: isinstance(value, bool) or hasattr(value, "dtype")),
    "Callable": ("a function", callable),
}
"""The annotations whose values are easily mistaken: any text is true, and calls nothing."""


def scorer_options(
    maker: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """The options of a scorer that differ from their defaults, by name.

    Raises:
        UnknownNameError: For an option that the maker does not have.
        TypeError: For a missing or surplus option, and for one that is no truth value or no function where the maker
            asks for one. Two texts in the place of options are an output and its target: the message says so.
    """
    pair = len(args) == 2 and all(isinstance(arg, str) for arg in args)
    hint = f". To score one output: {name}(...)(output, target)" if pair else ""
    try:
        options = bind_options(maker, name, args, kwargs)
    except TypeError as error:
        raise type(error)(f"{error}{hint}") from None
    notes = getattr(maker, "__annotations__", {})
    for key, value in options.items():
        if wanted := _unfit(value, notes.get(key)):
            raise TypeError(f"{name}: {key} is {wanted}, and {value!r} is not{hint}")
    return options


def _unfit(value: Any, annotation: Any) -> str:
    """What an option should be, where its annotation is one of ours and the value does not fit; else empty."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    if value is None and text.endswith("| None"):
        return ""
    kind = text.removesuffix("| None").strip().partition("[")[0].rpartition(".")[2]
    word, fits = _KINDS.get(kind, ("", bool))
    return word if word and not fits(value) else ""
