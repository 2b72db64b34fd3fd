"""Does an output match its target, as text or as a number."""

from __future__ import annotations

from collections.abc import Sequence

from steelyard.scorers._kernels import matching_pair
from steelyard.scorers._match_text import (
    Location,
    Matched,
    includes_text,
    includes_text_columns,
    match_text,
    match_text_columns,
)
from steelyard.scorers._normalize import as_targets
from steelyard.scorers._number import (
    Number,
    find_numbers,
    first_number,
    locate_last,
    numbers_equal,
    parse_number,
    parse_target,
)
from steelyard.scoring.decorate import scorer
from steelyard.scoring.scorer import Scorer

__all__ = ["includes", "match", "match_number", "match_number_columns"]


def match_number(
    output: str,
    target: str | Sequence[str],
    location: Location = "end",
    *,
    ignore_case: bool = True,
    tolerance: float = 0,
    rel_tolerance: float = 0,
) -> Matched:
    """Whether the number at `location` of the output equals the target (or one of several).

    "begin" and "end" read the first and the last number, "any" any of them, and "exact" wants the whole output to be
    one number with its decoration. The answer is the number as the output writes it; on a miss, the number that was
    read instead. A target that is no number is matched as text.

    >>> match_number("3 bags of 14, so $42.00.", "42")
    (True, '$42.00')
    >>> match_number("It is 160%.", "60%"), match_number("It is Paris.", "Paris")
    ((False, '160'), (True, 'Paris'))
    """
    read: str | None = None
    for one in as_targets(target):
        number = parse_target(one)
        if number is None:
            matched, answer = match_text(output, one, location, ignore_case=ignore_case)
        else:
            matched, answer = _match_one(output, number, location, tolerance, rel_tolerance)
        if matched:
            return True, answer
        read = read or answer
    return False, read


def match_number_columns(
    outputs: Sequence[str],
    targets: Sequence[str | Sequence[str]],
    location: Location = "end",
    *,
    ignore_case: bool = True,
    tolerance: float = 0,
    rel_tolerance: float = 0,
) -> tuple[list[bool], list[str | None]]:
    """`match_number` of every row: whether it matched, and the answers.

    >>> match_number_columns(["it is 1,000", "it is 6"], ["1e3", "5"])
    ([True, False], ['1,000', '6'])
    """
    exact_end = location == "end" and not tolerance and not rel_tolerance
    matched: list[bool] = []
    answers: list[str | None] = []
    for output, target in zip(outputs, targets, strict=True):
        number = parse_target(target) if exact_end and isinstance(target, str) else None
        if number is None:
            hit, answer = match_number(
                output, target, location, ignore_case=ignore_case, tolerance=tolerance, rel_tolerance=rel_tolerance
            )
        else:
            found = locate_last(output)
            hit = found is not None and found[0] == number
            answer = output[found[1] : found[2]] if found is not None else None
        matched.append(hit)
        answers.append(answer)
    return matched, answers


def _match_one(output: str, number: Number, location: Location, tolerance: float, rel_tolerance: float) -> Matched:
    """Whether the number at `location` equals one target."""
    if location == "exact":
        value = parse_number(output)
        hit = value is not None and numbers_equal(value, number, tolerance=tolerance, rel_tolerance=rel_tolerance)
        return hit, output.strip() if value is not None else None
    if location == "any":
        numbers = find_numbers(output)
        for each in numbers:
            if numbers_equal(each.value, number, tolerance=tolerance, rel_tolerance=rel_tolerance):
                return True, each.written
        return False, numbers[-1].written if numbers else None
    if location == "end":
        last = locate_last(output)
        if last is None:
            return False, None
        return numbers_equal(last[0], number, tolerance=tolerance, rel_tolerance=rel_tolerance), output[
            last[1] : last[2]
        ]
    if location != "begin":
        raise ValueError(f"location must be one of 'begin', 'end', 'any', 'exact', not {location!r}")
    first = first_number(output)
    if first is None:
        return False, None
    return numbers_equal(first.value, number, tolerance=tolerance, rel_tolerance=rel_tolerance), first.written


@scorer(metrics=["accuracy", "stderr"], kind="text", needs=("output", "target"))
def match(
    location: Location = "end",
    *,
    ignore_case: bool = True,
    numeric: bool = False,
    tolerance: float = 0,
    rel_tolerance: float = 0,
) -> Scorer:
    r"""Does the output match the target (or one of several), as text or as a number? C or I.

    As text: trimmed, decoration and outer punctuation off unless it is part of the target, whole words only, so
    ``5`` is not in ``15``. As a number: the number at that place equals the target exactly (``1,000`` is ``1e3``,
    ``60%`` is 60, ``\boxed{1/2}`` is 0.5); a target that is no number is matched as text. An empty target matches
    nothing but an empty output at ``location="exact"``.

    Args:
        location: Where: at the begin, at the end, anywhere, or all of the output.
        ignore_case: Case does not count.
        numeric: Compare numbers.
        tolerance: Numbers this far apart are equal.
        rel_tolerance: The same, as a share of the target.

    Source: inspect_ai's scorer of this name, without the defects that its trackers name.

    >>> match(numeric=True)("3 bags of 14, so it is $42.00.", "42")
    Score(value='C', answer='$42.00', explanation=None, metadata=None, reason=None)
    >>> match()("The capital is Paris.", ["Lyon", "Paris"]).value
    'C'
    """
    if location not in ("begin", "end", "any", "exact"):
        raise ValueError(f"location must be one of 'begin', 'end', 'any', 'exact', not {location!r}")
    if not numeric:
        return matching_pair(  # type: ignore[return-value]  # the decorator makes a Scorer of it
            lambda output, target: match_text(output, target, location, ignore_case=ignore_case),
            lambda outputs, targets: match_text_columns(outputs, targets, location, ignore_case=ignore_case),
        )
    return matching_pair(  # type: ignore[return-value]
        lambda output, target: match_number(
            output, target, location, ignore_case=ignore_case, tolerance=tolerance, rel_tolerance=rel_tolerance
        ),
        lambda outputs, targets: match_number_columns(
            outputs, targets, location, ignore_case=ignore_case, tolerance=tolerance, rel_tolerance=rel_tolerance
        ),
    )


@scorer(metrics=["accuracy", "stderr"], kind="text", needs=("output", "target"))
def includes(ignore_case: bool = True) -> Scorer:
    """Is the target (or one of several) contained in the output, as it is written? C or I.

    Args:
        ignore_case: Case does not count.

    Source: inspect_ai's scorer of this name; an empty target is contained in nothing.

    >>> includes()("It was Paris, I think", "paris")
    Score(value='C', answer='Paris', explanation=None, metadata=None, reason=None)
    """
    return matching_pair(  # type: ignore[return-value]  # the decorator makes a Scorer of it
        lambda output, target: includes_text(output, target, ignore_case=ignore_case),
        lambda outputs, targets: includes_text_columns(outputs, targets, ignore_case=ignore_case),
    )
