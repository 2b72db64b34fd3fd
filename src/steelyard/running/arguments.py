"""Arguments: which column feeds which argument of a model under test."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steelyard.core.columns import Columns, canonical_of
from steelyard.errors import BindingError, nearest
from steelyard.scoring.bind import INJECTED, bind_parameters
from steelyard.scoring.feeds import CallContext
from steelyard.scoring.form import Parameter
from steelyard.scoring.scorer import parameters_of

__all__ = ["Arguments"]

_PROMPT = "the prompt"  # no column of a user's data is called so by chance, and if one is it is left alone


class Arguments:
    """How the arguments of a model are filled, row by row.

    An argument is filled by the column of its name (aliases count). With a prompt, the argument called ``prompt``
    takes it, else one that means the input, else the only one that nothing fills. Without one, an only argument
    that nothing fills takes the input. ``**kwargs`` takes every column when there is no other argument.

    Args:
        label: What the model is called in errors.
        fn: The model.
        columns: The columns that exist.
        prompted: Whether a prompt is made of each row.

    Raises:
        BindingError: When an argument has no column.
    """

    __slots__ = ("_binding", "_cells", "_chunk", "_prompts", "plan")

    def __init__(self, label: str, fn: Callable[..., Any], columns: Sequence[str], *, prompted: bool = False) -> None:
        parameters, takes_all = _parameters(fn)
        column_map = _map(label, parameters, columns, prompted)
        names = [*columns, _PROMPT] if prompted else columns
        self._binding = bind_parameters(label, parameters, names, column_map, takes_rest=takes_all)
        self.plan: Mapping[str, str] = self._binding.plan
        self._chunk: Columns | None = None
        self._cells: tuple[list[Sequence[Any]], dict[str, Sequence[Any]], Sequence[Any] | None] = ([], {}, None)
        self._prompts: list[Any] = []

    def of(self, columns: Columns, i: int, content: Any, context: CallContext) -> tuple[list[Any], dict[str, Any]]:
        """(args, kwargs) of row ``i``, with ``content`` for the argument that takes the prompt."""
        if self._chunk is not columns:
            self._open(columns, context)
        positional, keywords, rest = self._cells
        self._prompts[i] = content
        args = [cells[i] for cells in positional]
        kwargs = {name: cells[i] for name, cells in keywords.items()}
        self._prompts[i] = None
        if rest is not None:
            kwargs.update(rest[i])
        return args, kwargs

    def _open(self, columns: Columns, context: CallContext) -> None:
        """Look the cells of every argument up, once for a chunk; the prompts are written in as they are made."""
        self._chunk = columns
        self._prompts = [None] * columns.n
        binding = self._binding
        names = [name for name in binding.plan if name not in binding.keywords]
        feeds = dict(zip(names, binding.positional, strict=True)) | dict(binding.keywords)
        cells = {
            name: self._prompts if binding.plan[name] == _PROMPT else feed(columns, context)
            for name, feed in feeds.items()
        }
        rest = binding.rest(columns, context) if binding.rest is not None else None
        self._cells = [cells[name] for name in names], {name: cells[name] for name in binding.keywords}, rest


def _parameters(fn: Callable[..., Any]) -> tuple[tuple[Parameter, ...], bool]:
    """The model's parameters, and whether it takes every column; one positional argument where it will not say."""
    try:
        kinds = [p.kind for p in inspect.signature(fn).parameters.values()]
    except (TypeError, ValueError):
        return (Parameter("prompt", True),), False
    parameters, takes_rest = parameters_of(fn)
    if inspect.Parameter.VAR_POSITIONAL in kinds and not any(p.required for p in parameters):
        return (Parameter("prompt", True),), False
    return parameters, takes_rest and not parameters


def _map(label: str, parameters: Sequence[Parameter], columns: Sequence[str], prompted: bool) -> dict[str, str]:
    """The arguments that are filled otherwise than by name: by the prompt, or by the input."""
    unfilled = [p.name for p in parameters if p.required and not _by_name(p, columns)]
    mapped: dict[str, str] = {}
    if prompted:
        taker = _taker(parameters, unfilled)
        if taker is None:
            listed = ", ".join(p.name for p in parameters) or "none"
            raise BindingError(
                f"{label} has no argument for the prompt: call one 'prompt'. Its arguments are: {listed}."
            )
        mapped[taker] = _PROMPT
    elif len(unfilled) == 1 and "input" in columns and not any(canonical_of(p.name) == "input" for p in parameters):
        mapped[unfilled[0]] = "input"
    for name in unfilled:
        if name not in mapped:
            raise BindingError(_missing(label, name, columns))
    return mapped


def _by_name(parameter: Parameter, columns: Sequence[str]) -> bool:
    if parameter.name in columns or (parameter.keyword_only and parameter.name in INJECTED):
        return True
    return canonical_of(parameter.name) in columns


def _taker(parameters: Sequence[Parameter], unfilled: Sequence[str]) -> str | None:
    names = [p.name for p in parameters]
    if "prompt" in names:
        return "prompt"
    inputs = [name for name in names if canonical_of(name) == "input"]
    if inputs:
        return inputs[0]
    if len(unfilled) == 1:
        return unfilled[0]
    required = [p.name for p in parameters if p.required]
    return required[0] if len(required) == 1 else None


def _missing(label: str, name: str, columns: Sequence[str]) -> str:
    guess = nearest(name, list(columns))
    hint = f" Did you mean {guess!r}?" if guess else ""
    return (
        f"the model {label} needs {name!r}, and no column is called that; the columns are: "
        f"{', '.join(sorted(columns)) or 'none'}.{hint} Name its arguments after columns, or give it one argument, "
        f"which gets the column 'input'."
    )
