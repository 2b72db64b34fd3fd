"""exact_match: are two texts the same."""

from collections.abc import Sequence

from steelyard.scorers._kernels import value_kernel
from steelyard.scorers._normalize import as_targets
from steelyard.scoring.decorate import scorer

__all__ = ["exact_match", "exact_match_columns"]


def exact_match_columns(
    outputs: Sequence[str],
    targets: Sequence[str | Sequence[str]],
    *,
    strip: bool = True,
    case_sensitive: bool = True,
) -> list[float]:
    """`exact_match` of every row."""
    if strip and case_sensitive:
        return [
            (1.0 if output.strip() == target.strip() else 0.0)
            if isinstance(target, str)
            else _same(output, target, strip, case_sensitive)
            for output, target in zip(outputs, targets, strict=True)
        ]
    return [_same(output, target, strip, case_sensitive) for output, target in zip(outputs, targets, strict=True)]


@scorer(
    metrics=["mean", "stderr"],
    needs=("output", "target"),
    range=(0.0, 1.0),
    kind="text",
    columns=value_kernel(exact_match_columns),
)
def exact_match(output: str, target: str | Sequence[str], *, strip: bool = True, case_sensitive: bool = True) -> float:
    """1.0 when the output equals the target (or one of several), else 0.0.

    Args:
        output: The output.
        target: The reference or references.
        strip: White space at both ends does not count (Arthur Bench's scorer of this name is ``strip=False``).
        case_sensitive: Case counts.

    Source: aieval's scorer of this name.

    >>> exact_match(" Paris ", "Paris"), exact_match("paris", "Paris")
    (1.0, 0.0)
    >>> exact_match.with_options(strip=False)("Paris ", "Paris").value
    0.0
    """
    return _same(output, target, strip, case_sensitive)


def _same(output: str, target: str | Sequence[str], strip: bool, case_sensitive: bool) -> float:
    text = _plain(output, strip, case_sensitive)
    return float(any(text == _plain(one, strip, case_sensitive) for one in as_targets(target)))


def _plain(text: str, strip: bool, case_sensitive: bool) -> str:
    text = text.strip() if strip else text
    return text if case_sensitive else text.casefold()
