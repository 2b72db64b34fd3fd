"""Reducer objects, and the one lift that takes a reducer of leaves through lists and dicts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ParamSpec, overload

from steelyard.core.score import Outcome, Score, Unscored, Value
from steelyard.errors import UndefinedMetric
from steelyard.metrics._made import Made, factory_of
from steelyard.metrics._scores import scores_of

__all__ = ["Leaf", "LeafReducer", "MadeReducer", "named_leaf", "reduce_outcomes", "score_reducer"]

P = ParamSpec("P")

Leaf = Callable[[list[Any]], Any]
"""From the values of one leaf over the epochs that have it, at least one, to the reduced value."""


class MadeReducer(Made):
    """What ``mean_score()`` is: call it with the scores that a sample got over its epochs."""

    __slots__ = ()

    def __call__(self, scores: Sequence[Any]) -> Score:
        """One score of several Scores or plain values; those that are unscored are left out.

        Answer, explanation, metadata and reason are kept where all epochs agree on them.

        Raises:
            UndefinedMetric: There is nothing to reduce, or too little.
        """
        given = scores_of(scores)
        if not given:
            raise UndefinedMetric("no epoch is scored")
        found = self._body(given)
        return found if isinstance(found, Score) else Score(found)


def reduce_outcomes(reducer: MadeReducer, outcomes: Sequence[Outcome]) -> Outcome:
    """One outcome of a sample's epochs, where some may be unscored; what cannot be reduced is unscored itself.

    >>> from steelyard.metrics import pass_at
    >>> reduce_outcomes(pass_at(2), [Score("C"), Unscored("timeout")])
    Unscored('not_applicable', error='pass_at needs k = 2 scored epochs; there is 1')
    """
    scored = [one for one in outcomes if isinstance(one, Score)]
    if not scored:
        return next((one for one in outcomes if isinstance(one, Unscored)), Unscored("no_output"))
    try:
        return reducer(scored)
    except UndefinedMetric as error:
        return Unscored("not_applicable", str(error))


def lifted(leaf: Leaf, values: Sequence[Any]) -> Value:
    """Reduce values of one shape: dicts by key, lists by place, all else by ``leaf``.

    A key or place that some epochs lack, or where they have None, is reduced over the others; where ``leaf`` finds too
    little, that key is None, which is unscored.

    Raises:
        UndefinedMetric: The epochs do not have one shape, or ``leaf`` finds too little in scalars.
    """
    shapes = {_shape(value) for value in values}
    if len(shapes) > 1:
        raise UndefinedMetric(f"the epochs gave values of different shapes: {' and '.join(sorted(shapes))}")
    if shapes == {"dict"}:
        keys = dict.fromkeys(key for value in values for key in value)
        return {key: _member(leaf, [value.get(key) for value in values]) for key in keys}
    if shapes == {"list"}:
        longest = max(len(value) for value in values)
        return [_member(leaf, [value[i] if i < len(value) else None for value in values]) for i in range(longest)]
    found: Value = leaf(list(values))
    return found


def named_leaf(name: str) -> Callable[[Callable[P, Leaf]], Callable[P, MadeReducer]]:
    """Mark a factory of a built-in reducer, which returns a leaf. Not registered, as `figure`."""

    def decorate(maker: Callable[P, Leaf]) -> Callable[P, MadeReducer]:
        made: Callable[P, MadeReducer] = factory_of(LeafReducer, maker, name, None)
        return made

    return decorate


class LeafReducer(MadeReducer):
    """A built-in reducer: its body reduces the values of one leaf."""

    __slots__ = ()
    built_in = True

    def __call__(self, scores: Sequence[Any]) -> Score:
        """As `MadeReducer`; dict values are reduced by key, lists by place.

        Raises:
            UndefinedMetric: There is nothing to reduce, or too little.
        """
        given = scores_of(scores)
        if not given:
            raise UndefinedMetric("no epoch is scored")
        value = lifted(self._body, [one.value for one in given])
        return Score(value, *(_agreed([getattr(one, field) for one in given]) for field in _KEPT))


_KEPT = ("answer", "explanation", "metadata", "reason")


def _agreed(values: list[Any]) -> Any:
    return values[0] if all(value == values[0] for value in values[1:]) else None


def _member(leaf: Leaf, values: list[Any]) -> Any:
    there = [value for value in values if value is not None]
    if not there:
        return None
    try:
        return lifted(leaf, there)
    except UndefinedMetric:
        return None


def _shape(value: Any) -> str:
    if isinstance(value, Mapping):
        return "dict"
    return "list" if isinstance(value, list | tuple) else "scalar"


@overload
def score_reducer(func: Callable[P, Any]) -> Callable[P, MadeReducer]: ...
@overload
def score_reducer(
    func: None = None, *, name: str | None = None
) -> Callable[[Callable[P, Any]], Callable[P, MadeReducer]]: ...
def score_reducer(func: Any = None, *, name: str | None = None) -> Any:
    """Register a factory of reducers: bare ``@score_reducer`` or ``@score_reducer(name="name")``.

    The factory returns a function from a list of Scores to one Score.

    Args:
        func: The factory, when the decorator is bare.
        name: The name by which the reducer is found; by default the factory's.

    Returns:
        The factory. What it makes can be called with Scores or plain values.

    Source: inspect_ai's decorator of this name.

    >>> @score_reducer
    ... def last():
    ...     def reduce(scores: list[Score]) -> Score:
    ...         return scores[-1]
    ...     return reduce
    >>> last()([0.5, Score("C")]).value
    'C'
    """
    if func is None:

        def decorate(maker: Callable[..., Any]) -> Callable[..., Any]:
            return factory_of(MadeReducer, maker, name or maker.__name__, "reducers")

        return decorate
    return factory_of(MadeReducer, func, name or func.__name__, "reducers")
