"""Spec: a scorer (or metric, or reducer) as its name and the options that differ from their defaults."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from steelyard.core.digest import canonical_json
from steelyard.errors import UnknownNameError, UsageError, nearest

__all__ = ["Spec", "bind_options", "importable", "is_json", "parse_option", "parse_spec", "resolve_import"]


class Spec(msgspec.Struct, frozen=True):
    """A name and its options, as JSON ``"match"`` or ``{"match": {"numeric": true}}``.

    >>> Spec("match", {"numeric": True})
    match(numeric=True)
    >>> Spec("match", {"numeric": True}).as_json()
    {'match': {'numeric': True}}
    >>> Spec("exact").as_json()
    'exact'
    """

    name: str
    options: Mapping[str, Any] = {}

    def as_json(self) -> Any:
        """The spec as JSON; an option that is no JSON is written as the place it can be imported from, or its repr."""
        if not self.options:
            return self.name
        return {self.name: {key: _plain(value) for key, value in self.options.items()}}

    @property
    def rebuildable(self) -> bool:
        """True when every option is JSON, or can be imported."""
        return all(is_json(value) or importable(value) for value in self.options.values())

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={_shown(value)}' for key, value in self.options.items())})"

    def __hash__(self) -> int:
        return hash((self.name, canonical_json(dict(self.options))))


def parse_spec(given: Any) -> Spec:
    """Read a spec: ``"match"``, ``"match:numeric=true,location=any"``, ``'{"match": {...}}'`` or such a dict.

    >>> parse_spec("match:numeric=true,location=any")
    match(numeric=True, location='any')
    >>> parse_spec({"token_f1": {"case_sensitive": True}})
    token_f1(case_sensitive=True)
    """
    if isinstance(given, Spec):
        return given
    if isinstance(given, str):
        text = given.strip()
        if text.startswith("{"):
            try:
                return parse_spec(msgspec.json.decode(text))
            except msgspec.DecodeError as error:
                raise UsageError(f"cannot read the scorer {given!r} as JSON: {error}") from None
        return _parse_text(text)
    if isinstance(given, Mapping) and len(given) == 1:
        name, options = next(iter(given.items()))
        if options is None:
            options = {}
        if isinstance(name, str) and isinstance(options, Mapping):
            return Spec(name, dict(options))
    raise UsageError(
        f"cannot read {given!r} as a name with options; "
        "write 'match', 'match:numeric=true' or {'match': {'numeric': True}}"
    )


def _parse_text(text: str) -> Spec:
    name, colon, rest = text.partition(":")
    if not colon and name.endswith(")") and "(" in name:
        raise UsageError(f"{text!r} is a call in Python: as text, write NAME:option=value,option=value")
    if not name:
        raise UsageError(f"no name in {text!r}; write NAME or NAME:option=value,option=value")
    options: dict[str, Any] = {}
    for item in _split(rest) if colon else []:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"cannot read {item!r} in {text!r}; write NAME:option=value,option=value")
        options[key.strip()] = parse_option(value)
    return Spec(name, options)


def _split(text: str) -> list[str]:
    """Split at commas outside quotes and brackets, and only where the next piece is an option."""
    pieces: list[str] = []
    depth, quote, start = 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[{(":
            depth += 1
        elif char in "]})":
            depth = max(0, depth - 1)
        elif char == "," and not depth and "=" in text[i:]:
            pieces.append(text[start:i])
            start = i + 1
    return [*pieces, text[start:]]


def parse_option(text: str) -> Any:
    """Read an option's value: JSON where it is JSON, ``true``/``True``, otherwise the text itself."""
    text = text.strip()
    if text in ("True", "False"):
        return text == "True"
    if text in ("None", "null"):
        return None
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
        return text[1:-1] if quoted else text


def bind_options(
    maker: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a call that differ from their defaults, by name.

    Raises:
        UnknownNameError: For an option that the maker does not have.
        TypeError: For a missing or surplus argument.
    """
    signature = inspect.signature(maker)
    known = [p.name for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    takes_any = len(known) < len(signature.parameters)
    for key in kwargs:
        if key not in known and not takes_any:
            guess = nearest(key, known)
            hint = f" Did you mean {guess!r}?" if guess else ""
            raise UnknownNameError(f"{name} has no option {key!r}; it has: {', '.join(known) or 'none'}.{hint}")
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    options: dict[str, Any] = {}
    for key, value in bound.arguments.items():
        parameter = signature.parameters[key]
        if parameter.kind is parameter.VAR_KEYWORD:
            options.update(value)
        elif not _same(value, parameter.default):
            options[key] = value
    return options


def is_json(value: Any) -> bool:
    """True for what JSON can hold exactly."""
    if value is None or isinstance(value, str | bool | int | float):
        return True
    if isinstance(value, list | tuple):
        return all(is_json(item) for item in value)
    return isinstance(value, Mapping) and all(isinstance(k, str) and is_json(v) for k, v in value.items())


def importable(thing: Any) -> bool:
    """True when a function or class can be imported by its module and qualified name in another process."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__":
        return False
    try:
        return resolve_import(f"{module}:{name}") is thing
    except (ImportError, AttributeError):
        return False


def resolve_import(place: str) -> Any:
    """The object at ``module:qualname``."""
    module, _, name = place.partition(":")
    thing: Any = importlib.import_module(module)
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


def _same(value: Any, default: Any) -> bool:
    if type(value) is not type(default):
        return False
    try:
        return bool(value == default)
    except Exception:  # noqa: BLE001  a user's type may compare as it likes; then it is not the default
        return False


def _plain(value: Any) -> Any:
    if is_json(value):
        return list(value) if isinstance(value, tuple) else value
    inner = getattr(value, "spec", None)
    if isinstance(inner, Spec):
        return inner.as_json()
    if importable(value):
        return f"{value.__module__}:{value.__qualname__}"
    return repr(value)


def _shown(value: Any) -> str:
    if callable(value) and hasattr(value, "__qualname__"):
        return str(value.__qualname__)
    return repr(value)
