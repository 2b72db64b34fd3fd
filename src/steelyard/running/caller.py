"""Caller: a model under test, in whichever form it comes, ready to be asked about rows."""

import inspect
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from steelyard.core.columns import Columns, as_text
from steelyard.core.message import ChatMessage
from steelyard.core.model_ref import ModelRef
from steelyard.core.ports import ChatModel, services
from steelyard.core.sample import Output
from steelyard.errors import BindingError, UsageError
from steelyard.prompting.prompt import Prompt, Prompted
from steelyard.prompting.template import as_prompt
from steelyard.running.arguments import Arguments
from steelyard.running.reply import as_output
from steelyard.running.threads import Threads
from steelyard.scoring.feeds import CallContext

__all__ = ["Ask", "Caller", "make_caller"]

METHODS = ("predict", "infer", "forward", "invoke")
"""The methods by which an object may be a model, in order of preference."""


class Ask(msgspec.Struct, frozen=True):
    """One question to a model, bound to one row.

    Args:
        send: Given the draw and the threads, asks and gives the output. Raises whatever the model raises.
        prompt: The text sent, where a prompt made it.
        changes: Cells of the row that the prompt changed.
    """

    send: Callable[[int, Threads], Awaitable[Output]]
    prompt: str | None = None
    changes: Mapping[str, Any] = {}


class Caller(Protocol):
    """A model under test. Made by `make_caller`.

    ``name`` and ``provider`` are what scorers and the store are told; ``plan`` says what fills each argument.
    """

    name: str | None
    provider: str | None
    plan: Mapping[str, str]

    def ask(self, columns: Columns, i: int, draw: int) -> Ask:
        """The question that row ``i`` is. Raises `ValueError` when the row makes none."""
        ...


def make_caller(
    model: Any,
    columns: Sequence[str],
    *,
    name: str | None = None,
    provider: str | None = None,
    prompt: Any = None,
    preprocess: Callable[[dict[str, Any]], Mapping[str, Any]] | None = None,
) -> Caller:
    """A model in any of its forms, bound to the columns of a data set before it is first called.

    Args:
        model: A function, sync or async, whose arguments are named after columns (one whose name is no column gets
            the input, or the prompt); an object with ``predict``, ``infer``, ``forward`` or ``invoke``, likewise; a
            `ChatModel`, which gets messages; a `ModelRef`, or its text.
        columns: The columns that exist, canonical names among them.
        name: The model's name; by default its own.
        provider: The model's provider.
        prompt: A template, a `Prompt` or a function from a row to text; by default the input as it stands.
        preprocess: Makes the model's arguments of a row, in place of the row's own columns.

    Raises:
        BindingError: When an argument has no column; it names the argument and the columns that exist.
        ColumnNotFoundError: When the prompt names a column that does not exist.
        UsageError: For anything that is no model.

    >>> make_caller(lambda question: question.upper(), ["question", "input", "target"]).plan
    {'question': 'question'}
    """
    chosen = as_prompt(prompt)
    if chosen is not None and preprocess is not None:
        raise UsageError("a prompt and a function that makes the model's arguments were both given: give one of them")
    if chosen is not None:
        chosen.check(columns)
    if isinstance(model, str):
        model = ModelRef.parse(model)
    if isinstance(model, ModelRef):
        name, provider = name or model.name, provider or model.provider
        model = services().chat(model) if model.handle is None else model.handle
    if isinstance(model, ChatModel) and not isinstance(model, type):
        if chosen is None and "input" not in columns and preprocess is None:
            raise BindingError(
                "a chat model reads the column 'input', and no column is that; the columns are: "
                f"{', '.join(sorted(columns)) or 'none'}. Say which one it is: input=COLUMN, or give a prompt."
            )
        return _ChatCaller(model, chosen, name, provider)
    fn = _function_of(model)
    name = name or _name_of(model)
    if preprocess is not None:
        return _PreparedCaller(fn, preprocess, name, provider)
    arguments = Arguments(name, fn, columns, prompted=chosen is not None)
    return _FunctionCaller(fn, arguments, chosen, name, provider)


class _ChatCaller:
    """A `ChatModel`, which gets messages."""

    def __init__(self, model: ChatModel, prompt: Prompt | None, name: str | None, provider: str | None) -> None:
        ref = ModelRef.parse(model.name)
        self.name: str | None = name or ref.name
        self.provider = provider or ref.provider
        self.plan: Mapping[str, str] = {"messages": "the prompt" if prompt else "input"}
        self._model = model
        self._prompt = prompt

    def ask(self, columns: Columns, i: int, draw: int) -> Ask:
        prompted = Prompted(columns["input"][i]) if self._prompt is None else self._prompt.render(columns.row(i), draw)
        messages = _messages(prompted.content)
        shown = None if self._prompt is None else as_text(prompted.content)
        return Ask(partial(self._send, messages), shown, prompted.changes)

    async def _send(self, messages: Sequence[ChatMessage], draw: int, _threads: Threads) -> Output:
        begun = time.perf_counter()
        reply = await self._model.chat(messages, draw=draw)
        return as_output(reply, time.perf_counter() - begun)


class _FunctionCaller:
    """A function or method whose arguments are bound to columns."""

    def __init__(
        self, fn: Callable[..., Any], arguments: Arguments, prompt: Prompt | None, name: str, provider: str | None
    ) -> None:
        self.name: str | None = name
        self.provider = provider
        self.plan = arguments.plan
        self._fn = fn
        self._send = _sender(fn)
        self._arguments = arguments
        self._prompt = prompt
        self._context = CallContext(name, provider)

    def ask(self, columns: Columns, i: int, draw: int) -> Ask:
        if self._prompt is None:
            args, kwargs = self._arguments.of(columns, i, None, self._context)
            return Ask(partial(self._send, partial(self._fn, *args, **kwargs)))
        prompted = self._prompt.render(columns.row(i), draw)
        args, kwargs = self._arguments.of(columns, i, prompted.content, self._context)
        return Ask(partial(self._send, partial(self._fn, *args, **kwargs)), as_text(prompted.content), prompted.changes)


class _PreparedCaller:
    """A function or method whose arguments a user's function makes of each row."""

    def __init__(
        self,
        fn: Callable[..., Any],
        preprocess: Callable[[dict[str, Any]], Mapping[str, Any]],
        name: str,
        provider: str | None,
    ) -> None:
        self.name: str | None = name
        self.provider = provider
        self.plan: Mapping[str, str] = {}
        self._label = name
        self._fn = fn
        self._send = _sender(fn)
        self._preprocess = preprocess
        self._context = CallContext(name, provider)

    def ask(self, columns: Columns, i: int, draw: int) -> Ask:
        row = self._preprocess(columns.row(i))
        if not isinstance(row, Mapping):
            kind = type(row).__name__
            raise TypeError(f"preprocess_model_input returned a {kind}; it returns a dict of the model's arguments")
        made = Columns({str(key): [cell] for key, cell in row.items()}, 1)
        args, kwargs = Arguments(self._label, self._fn, list(made.data)).of(made, 0, None, self._context)
        return Ask(partial(self._send, partial(self._fn, *args, **kwargs)))


def _sender(fn: Callable[..., Any]) -> Callable[..., Any]:
    is_async = inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004
    return _send_async if is_async else _send_sync


async def _send_async(call: Callable[[], Any], _draw: int, _threads: Threads) -> Output:
    begun = time.perf_counter()
    reply = await call()
    return as_output(reply, time.perf_counter() - begun)


async def _send_sync(call: Callable[[], Any], _draw: int, threads: Threads) -> Output:
    reply, seconds = await threads.call(call)
    if inspect.isawaitable(reply):  # a plain function that hands on a coroutine
        begun = time.perf_counter()
        reply = await reply
        seconds += time.perf_counter() - begun
    return as_output(reply, seconds)


def _function_of(model: Any) -> Callable[..., Any]:
    if isinstance(model, type):
        raise UsageError(f"{model.__name__} is a class: give an instance, {model.__name__}(...)")
    if not inspect.isroutine(model):
        for method in METHODS:
            found = getattr(model, method, None)
            if callable(found):
                return found  # type: ignore[no-any-return]
    if callable(model):
        return model  # type: ignore[no-any-return]
    raise UsageError(f"{model!r} is no model: give a function, an object with predict, or a chat model")


def _name_of(model: Any) -> str:
    """The name by which a function or object goes: its ``name``, its own name, or that of its class."""
    for name in (getattr(model, "name", None), getattr(model, "__name__", None)):
        if isinstance(name, str) and name:
            return name
    inner = getattr(model, "func", None)  # of a partial
    return _name_of(inner) if inner is not None else type(model).__name__


def _messages(content: Any) -> Sequence[ChatMessage]:
    """Text as one user turn; a list of turns as it is."""
    if isinstance(content, str):
        return (ChatMessage("user", content),)
    if content is None:
        raise ValueError("there is nothing to ask: the column 'input' holds nothing in this row")
    turns = content if isinstance(content, list | tuple) else ()
    if turns and all(isinstance(turn, ChatMessage | Mapping) for turn in turns):
        return [_turn(turn) for turn in turns]
    return (ChatMessage("user", as_text(content)),)


def _turn(turn: Any) -> ChatMessage:
    if isinstance(turn, ChatMessage):
        return turn
    if turn.get("role") not in ("system", "user", "assistant", "tool") or "content" not in turn:
        raise ValueError(
            f"the input is a list, but {turn!r} is no message: "
            "a message has a role (system, user, assistant, tool) and content"
        )
    rest = {key: value for key, value in turn.items() if key not in ("role", "content")}
    return ChatMessage(turn["role"], as_text(turn["content"]), rest or None)
