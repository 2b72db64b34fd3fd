"""check_scorer: the laws that every scorer keeps, tried on hostile texts."""

import pickle
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.core.score import Outcome, Unscored
from steelyard.errors import UnknownNameError, error_text
from steelyard.scoring.adapt import as_form, make_scorer
from steelyard.scoring.bound import Bound, bind
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.portal import run_in_portal
from steelyard.scoring.registry import find
from steelyard.testing._texts import HOSTILE_TEXTS

__all__ = ["check_scorer"]

_FILLERS: Mapping[str, Any] = {"input": "a question", "context": "a context", "choices": ["Rome", "Paris", "Oslo"]}
_TARGETS = ("Paris", "42", "A", ["Paris", "42"])
_STRUCTURED: tuple[Any, ...] = (42, -0.5, True, [], ["Paris"], {}, {"a": [1, None]}, [[["deep"]]])
_SLOWEST = 5.0


def check_scorer(scorer: Any, *, columns: Mapping[str, Any] | None = None) -> None:
    """Throw some 270 hostile texts, nulls and structured values at a scorer, as outputs and as targets.

    The laws: it never raises; its values keep to its declared range and are plain values; the same row gives the same
    outcome; its column kernel equals its function row by row; no row takes longer than five seconds; and where it can
    be pickled or rebuilt from its spec (``portable``), what comes back is equal and gives the same outcomes.

    A scorer that gets cells as they stand (a ``score`` method, a function whose parameters name columns) may count on
    what its data hold, and is given text only.

    Args:
        scorer: A scorer in any form, or a registered name.
        columns: A cell for each further column that it reads; what is left out is filled with a word.

    Raises:
        AssertionError: Naming the text and the law that it breaks.

    >>> check_scorer(lambda output, target: float(output == target))
    >>> check_scorer(lambda output, target: output.index(target) and 1.0)
    Traceback (most recent call last):
    AssertionError: ...
    """
    form = as_form(scorer)
    chunk = _chunk(form, columns or {})
    bound = bind(form, list(chunk.data))
    first = _run(bound, chunk)
    _check_outcomes(form, chunk, first)
    _check_same("gives another outcome when asked again", form, chunk, first, _run(bound, chunk))
    _check_rows(form, chunk, first)
    _check_kernel(form, bound, chunk)
    if form.portable:
        _check_copies(form, chunk, first)


def _pairs(form: ScorerForm) -> Iterator[tuple[Any, Any]]:
    """(output, target) of every row to try."""
    for i, text in enumerate(HOSTILE_TEXTS):
        yield text, _TARGETS[i % len(_TARGETS)]
        yield "Paris", text
        yield text, text
    for i in range(0, len(HOSTILE_TEXTS) - 1, 2):
        yield HOSTILE_TEXTS[i], [HOSTILE_TEXTS[i + 1], "Paris"]
    for target in _TARGETS:
        yield None, target
    if not _gets_cells(form):
        yield "Paris", None
        yield "Paris", []
        for value in _STRUCTURED:
            yield value, "Paris"
            yield "Paris", value


def _chunk(form: ScorerForm, columns: Mapping[str, Any]) -> Columns:
    pairs = list(_pairs(form))
    if _gets_cells(form):
        pairs = [(output, target) for output, target in pairs if isinstance(target, str)]
    constant = {**dict.fromkeys(_further_columns(form), "a word"), **_FILLERS, **columns}
    data: dict[str, list[Any]] = {name: [cell] * len(pairs) for name, cell in constant.items()}
    data["output"] = [output for output, _ in pairs]
    if "target" not in columns:
        data["target"] = [target for _, target in pairs]
    return Columns(data, len(pairs))


def _gets_cells(form: ScorerForm) -> bool:
    """Whether a scorer is handed cells as they stand, so that it may count on what its data hold."""
    return form.body.style == "named" or (form.body.style == "function" and not _by_position(form))


def _by_position(form: ScorerForm) -> bool:
    names = [p.name for p in form.body.parameters if not p.keyword_only]
    return form.body.style in ("state", "batch") or (len(names) == 2 and "output" not in names)


def _further_columns(form: ScorerForm) -> list[str]:
    """The columns beside output and target that a scorer cannot do without."""
    named = [] if _by_position(form) else [p.name for p in form.body.parameters if p.required and not p.keyword_only]
    return [*named, *form.column_map.values()]


def _run(bound: Bound, chunk: Columns) -> list[Outcome]:
    scored: ScoreColumns = run_in_portal(bound.score_async(chunk)) if bound.is_async else bound.score(chunk)
    return list(scored)


def _check_outcomes(form: ScorerForm, chunk: Columns, outcomes: Sequence[Outcome]) -> None:
    for i, outcome in enumerate(outcomes):
        if not isinstance(outcome, Unscored):
            continue
        said = outcome.error or ""
        if outcome.failed:
            raise _broken(form, chunk, i, "raises", said)
        if outcome.reason == "malformed" and "outside the declared range" in said:
            raise _broken(form, chunk, i, "leaves its declared range", said)
        if outcome.reason == "malformed" and "the scorer returned" in said:
            raise _broken(form, chunk, i, "returns what is no value", said)


def _check_rows(form: ScorerForm, chunk: Columns, expected: Sequence[Outcome]) -> None:
    """Each row by itself: the same outcome as among others, in bounded time."""
    if form.body.style == "batch":
        return
    bound = bind(form, list(chunk.data))
    for i in range(chunk.n):
        begun = time.process_time()
        alone = _run(bound, chunk.take([i]))[0]
        seconds = time.process_time() - begun
        if seconds > _SLOWEST:
            raise _broken(form, chunk, i, f"takes {seconds:.1f} s", None)
        if not _same(alone, expected[i]):
            raise _broken(
                form, chunk, i, "gives another outcome alone than among others", f"{alone!r} against {expected[i]!r}"
            )


def _check_kernel(form: ScorerForm, bound: Bound, chunk: Columns) -> None:
    kernel = form.body.kernel
    if kernel is None:
        return
    plain = msgspec.structs.replace(form, body=msgspec.structs.replace(form.body, kernel=None))
    by_rows = _run(bind(plain, list(chunk.data)), chunk)
    missing = bound.missing(chunk)
    rows = [i for i in range(chunk.n) if i not in missing]
    try:
        scored = kernel(chunk.take(rows))
        if not isinstance(scored, ScoreColumns):
            scored = run_in_portal(_wait(scored))
    except Exception as error:
        raise AssertionError(f"{form.name}: its column kernel raises: {error_text(error)}") from error
    if len(scored) != len(rows):
        raise AssertionError(f"{form.name}: its column kernel gives {len(scored)} outcomes for {len(rows)} rows")
    for i, outcome in zip(rows, bound.noted(chunk.take(rows), scored), strict=True):
        if not _same(outcome, by_rows[i]):
            shown = f"{outcome!r} against {by_rows[i]!r}"
            raise _broken(form, chunk, i, "has a column kernel that differs from its function", shown)


async def _wait(awaitable: Any) -> ScoreColumns:
    scored: ScoreColumns = await awaitable
    return scored


def _check_copies(form: ScorerForm, chunk: Columns, expected: Sequence[Outcome]) -> None:
    copies = {"unpickled": pickle.loads(pickle.dumps(form.origin))}  # noqa: S301  our own bytes
    rebuilt = _from_spec(form)
    if rebuilt is not None:
        copies["rebuilt from its spec"] = rebuilt
    for how, copy in copies.items():
        if how == "rebuilt from its spec" and as_form(copy).column_map != form.column_map:
            continue  # the map of columns is no part of the spec
        if as_form(copy).spec != form.spec:
            raise AssertionError(f"{form.name}: {how}, it is {as_form(copy).spec!r} and no longer {form.spec!r}")
        _check_same(
            f"gives another outcome when {how}",
            form,
            chunk,
            expected,
            _run(bind(as_form(copy), list(chunk.data)), chunk),
        )


def _from_spec(form: ScorerForm) -> Any:
    """The scorer that its spec means to the registry; None where its name is not registered."""
    try:
        find(form.spec.name)
    except UnknownNameError:
        return None
    return make_scorer(msgspec.json.decode(msgspec.json.encode(form.spec.as_json())))


def _check_same(
    law: str, form: ScorerForm, chunk: Columns, expected: Sequence[Outcome], found: Sequence[Outcome]
) -> None:
    for i, (one, other) in enumerate(zip(expected, found, strict=True)):
        if not _same(one, other):
            raise _broken(form, chunk, i, law, f"{one!r}, then {other!r}")


def _same(one: Outcome, other: Outcome) -> bool:
    """Equal, and of one type: 1, 1.0 and True are three values."""
    return repr(one) == repr(other)


def _broken(form: ScorerForm, chunk: Columns, i: int, law: str, detail: str | None) -> AssertionError:
    output, target = _shown(chunk["output"][i]), _shown(chunk["target"][i])
    said = f": {_shown(detail, 500)}" if detail else ""
    return AssertionError(f"{form.name} {law} for output={output}, target={target}{said}")


def _shown(value: Any, limit: int = 120) -> str:
    text = value if isinstance(value, str) and limit > 120 else ascii(value)
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text)} characters)"
