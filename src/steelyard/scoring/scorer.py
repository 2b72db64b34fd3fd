"""Scorer: the annotation of scorer factories, and the base of class scorers."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from steelyard.core.score import Score
from steelyard.core.state import TaskState
from steelyard.scoring.declared import Declared
from steelyard.scoring.direct import score_pair, score_pair_async, score_state
from steelyard.scoring.form import Body, Facts, Parameter, ScorerForm
from steelyard.scoring.spec import Spec, importable, is_json

__all__ = ["Scorer", "is_async", "parameters_of"]


class Scorer(Declared):
    """A scorer.

    Three things at once, as the pages that users come from have it:

    - the annotation ``-> Scorer`` of a factory under `scorer`;
    - what such a factory returns: ``match(numeric=True)`` is a Scorer, scores a pair directly
      (``match(numeric=True)("so it is 42.", "42")`` is a `Score`) and a `TaskState` when awaited;
    - a base for class scorers: declared fields become keyword arguments, ``score(...)`` names columns by its
      parameters, ``summarize(score_rows)`` may replace the summary, ``column_map`` maps parameters to columns.

    A scorer is a frozen recipe: it prints as the call that makes it, compares by what it is, and holds no result.
    ``metrics``, ``range``, ``higher_is_better``, ``version`` and ``metadata`` may be set on a subclass.

    >>> class Shorter(Scorer):
    ...     limit: int = 5
    ...     def score(self, output, text):
    ...         return {"shorter": len(output) < len(text), "within": len(output) <= self.limit}
    >>> Shorter(limit=3, column_map={"text": "article"})
    Shorter(limit=3, column_map={'text': 'article'})
    >>> Shorter()("ab", text="abc").value
    {'shorter': True, 'within': True}
    """

    __steelyard_fields__: ClassVar[dict[str, Any]] = {"name": None, "column_map": None}
    name: str | None = None  # values too, for a class whose own __init__ does not call ours
    column_map: Mapping[str, str] | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _make_static(cls)

    # -- what a scorer does ------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **columns: Any) -> Any:
        """Score one output: ``scorer(output, target, context=...)``; with a `TaskState`, an awaitable `Score`."""
        if args and isinstance(args[0], TaskState):
            return score_state(self.__steelyard_form__(), *args, **columns)
        return score_pair(self.__steelyard_form__(), args, columns)

    async def score_async(self, *args: Any, **columns: Any) -> Score:
        """The awaitable twin of calling the scorer with an output and a target."""
        return await score_pair_async(self.__steelyard_form__(), args, columns)

    # -- what a scorer is --------------------------------------------------------------------------------------

    def __steelyard_form__(self) -> ScorerForm:
        """The internal form of this scorer."""
        cls = type(self)
        score = getattr(self, "score", None)
        if not callable(score):
            raise TypeError(f"{cls.__name__} has no method score(...), which a class scorer needs")
        parameters, takes_rest = parameters_of(score)
        fields = {key: getattr(self, key) for key in cls.__steelyard_fields__}
        changed = self._changed_fields()
        options = {key: value for key, value in changed.items() if key not in ("name", "column_map")}
        own_summary = cls.summarize is not Scorer.summarize
        own_init = cls.__init__ is not Scorer.__init__
        return ScorerForm(
            name=fields["name"] or cls.__name__,
            spec=Spec(cls.__name__, options),
            facts=Facts(
                range=getattr(cls, "range", None),
                higher_is_better=getattr(cls, "higher_is_better", True),
                version=str(getattr(cls, "version", "1")),
            ),
            body=Body(
                fn=score,
                style="named",
                parameters=parameters,
                takes_rest=takes_rest,
                is_async=is_async(score),
            ),
            metrics=getattr(cls, "metrics", None),
            metadata=getattr(cls, "metadata", None) or {},
            column_map=fields["column_map"] or {},
            summarize=self.summarize if own_summary else None,
            code=None if own_init else cls,  # what it was made with is not known: it equals nothing
            origin=self,
            portable=not own_init
            and importable(cls)
            and all(is_json(value) or importable(value) for value in fields.values()),
        )

    def summarize(self, score_rows: Sequence[Any]) -> Any:
        """Summarise the values of the scored rows; replace it to give a summary of your own."""
        raise NotImplementedError(f"{type(self).__name__} has no summary of its own; the run summarises it")

    @property
    def spec(self) -> Spec:
        """Name and non-default options."""
        return self.__steelyard_form__().spec

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scorer):
            return NotImplemented
        if type(self).__init__ is not Scorer.__init__:
            return self is other
        mine, theirs = self.__steelyard_form__(), other.__steelyard_form__()
        return type(self) is type(other) and (mine.name, mine.spec, mine.column_map, mine.code) == (
            theirs.name,
            theirs.spec,
            theirs.column_map,
            theirs.code,
        )

    def __hash__(self) -> int:
        form = self.__steelyard_form__()
        return hash((form.name, form.spec))


def parameters_of(fn: Callable[..., Any]) -> tuple[tuple[Parameter, ...], bool]:
    """A callable's parameters, and whether it takes ``**kwargs``."""
    found: list[Parameter] = []
    takes_rest = False
    for parameter in inspect.signature(fn).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            takes_rest = True
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            required = parameter.default is parameter.empty
            found.append(Parameter(parameter.name, required, parameter.kind is parameter.KEYWORD_ONLY))
    return tuple(found), takes_rest


def is_async(fn: Callable[..., Any]) -> bool:
    """True when calling it gives an awaitable: a coroutine function, or an object whose ``__call__`` is one."""
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(type(fn).__call__)


def _make_static(cls: type[Scorer]) -> None:
    """A ``score`` that leaves ``self`` out is a static method: two classes on the Weave page are written so."""
    score = cls.__dict__.get("score")
    if inspect.isfunction(score):
        names = list(inspect.signature(score).parameters)
        if not names or names[0] != "self":
            cls.score = staticmethod(score)  # type: ignore[attr-defined]
