"""Score, Unscored and the values that a score may have."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from steelyard.errors import UndefinedMetric

__all__ = [
    "CORRECT",
    "INCORRECT",
    "NOANSWER",
    "PARTIAL",
    "UNSCORED_REASONS",
    "Outcome",
    "SampleScore",
    "Scalar",
    "Score",
    "Unscored",
    "UnscoredReason",
    "Value",
    "ValueToFloat",
    "value_to_float",
]

CORRECT = "C"
INCORRECT = "I"
PARTIAL = "P"
NOANSWER = "N"

Scalar = str | int | float | bool
"""One number, truth value or text."""

Value = str | int | float | bool | Sequence[Any] | Mapping[str, Any]
"""What a score may be: a scalar, a list of scalars, or a dict of values.

Dicts may nest; a None inside is that key unscored.
"""

UnscoredReason = Literal["no_output", "not_applicable", "malformed", "scorer_error", "timeout", "judge_failed"]
UNSCORED_REASONS: tuple[UnscoredReason, ...] = (
    "no_output",
    "not_applicable",
    "malformed",
    "scorer_error",
    "timeout",
    "judge_failed",
)
"""Why a sample may have no score. The last three are failures: something broke."""

_LETTERS = {CORRECT: 1.0, INCORRECT: 0.0, PARTIAL: 0.5, NOANSWER: 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a scorer says of one output.

    Args:
        value: The score: a number, a truth value, one of the letters C, I, P, N, a label, or a list or dict of those.
        answer: The answer as it was extracted from the output, so that a wrong score can be debugged.
        explanation: Why the value is what it is.
        metadata: Anything else worth keeping.
        reason: A note beside a value that was given all the same, such as ``"empty"`` or ``"malformed"``.

    >>> Score("C", answer="42").as_float()
    1.0
    >>> Score(True).text
    'True'
    """

    value: Value
    answer: str | None = None
    explanation: str | None = None
    metadata: dict[str, Any] | None = None
    reason: str | None = None

    @property
    def text(self) -> str:
        """The value read as text."""
        return self.as_str()

    def as_str(self) -> str:
        """Read the score as text. Raises TypeError for a list or dict."""
        return str(self._scalar("a string"))

    def as_int(self) -> int:
        """Read the score as an integer; the letters C, I, P, N read as their numbers."""
        return int(self._number("an integer"))

    def as_float(self) -> float:
        """Read the score as a float; the letters C, I, P, N read as 1, 0, 0.5, 0."""
        return float(self._number("a float"))

    def as_bool(self) -> bool:
        """Read the score as a truth value; a letter is true when its number is not 0."""
        value = self._scalar("a truth value")
        if isinstance(value, str):
            return bool(self._number("a truth value"))
        return bool(value)

    def as_list(self) -> list[Any]:
        """Read the score as a list. Raises TypeError when it is none."""
        if isinstance(self.value, list | tuple):
            return list(self.value)
        raise TypeError(f"this score is no list: {self.value!r}")

    def as_dict(self) -> dict[str, Any]:
        """Read the score as a dict. Raises TypeError when it is none."""
        if isinstance(self.value, Mapping):
            return dict(self.value)
        raise TypeError(f"this score is no dict: {self.value!r}")

    def _scalar(self, wanted: str) -> Scalar:
        if isinstance(self.value, str | int | float | bool):
            return self.value
        raise TypeError(f"a {type(self.value).__name__} score cannot be read as {wanted}: {self.value!r}")

    def _number(self, wanted: str) -> float:
        value = self._scalar(wanted)
        if not isinstance(value, str):
            return value
        if value in _LETTERS:
            return _LETTERS[value]
        try:
            return float(value)
        except ValueError:
            raise ValueError(f"the score {value!r} cannot be read as {wanted}") from None


class Unscored(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of a sample that has no score, with the reason.

    ``no_output`` (nothing to score: the call failed, the cell is null), ``not_applicable`` (the scorer does not
    apply), ``malformed`` (the value is no value), ``scorer_error``, ``timeout``, ``judge_failed`` (something broke).

    >>> Unscored("not_applicable")
    Unscored('not_applicable')
    """

    reason: UnscoredReason
    error: str | None = None

    @property
    def failed(self) -> bool:
        """True when something broke, rather than there being nothing to score."""
        return self.reason in ("scorer_error", "timeout", "judge_failed")

    def __repr__(self) -> str:
        return f"Unscored({self.reason!r}{', error=' + repr(self.error) if self.error else ''})"


Outcome = Score | Unscored


class SampleScore(msgspec.Struct, frozen=True):
    """A score with the sample that it belongs to: what a metric receives.

    Args:
        score: The score.
        sample_id: The sample's id.
        sample_metadata: Every column of the sample that is not canonical, and the canonical ones too.
        scorer: The name of the scorer that gave it.
    """

    score: Score
    sample_id: str | int | None = None
    sample_metadata: dict[str, Any] | None = None
    scorer: str | None = None

    def as_float(self) -> float:
        """The score read as a float."""
        return self.score.as_float()


ValueToFloat = Callable[[Any], float]


class _ToFloat(msgspec.Struct, frozen=True):
    correct: Any
    incorrect: Any
    partial: Any
    noanswer: Any
    on_unknown: str

    def __call__(self, value: Any) -> float:
        if isinstance(value, bool | int | float) and not isinstance(value, str):
            number = self._custom(value)
            return float(value) if number is None else number
        if isinstance(value, str):
            number = self._custom(value)
            if number is None:
                number = _word_or_number(value)
            if number is not None:
                return number
        if self.on_unknown == "zero":
            warnings.warn(f"the value {value!r} is no number; it counts as 0", stacklevel=2)
            return 0.0
        raise UndefinedMetric(f"the value {_short(value)} cannot be read as a number")

    def _custom(self, value: Scalar) -> float | None:
        # True == 1 must not make the truth value a numeric sentinel: types have to agree.
        for sentinel, number in (
            (self.correct, 1.0),
            (self.partial, 0.5),
            (self.incorrect, 0.0),
            (self.noanswer, 0.0),
        ):
            if value == sentinel and isinstance(value, str) == isinstance(sentinel, str):
                return number
        return None

    def __repr__(self) -> str:
        default = value_to_float()
        fields = ("correct", "incorrect", "partial", "noanswer", "on_unknown")
        changed = [f"{f}={getattr(self, f)!r}" for f in fields if getattr(self, f) != getattr(default, f)]
        return f"value_to_float({', '.join(changed)})"


def value_to_float(
    correct: Scalar = CORRECT,
    incorrect: Scalar = INCORRECT,
    partial: Scalar = PARTIAL,
    noanswer: Scalar = NOANSWER,
    *,
    on_unknown: Literal["undefined", "zero"] = "undefined",
) -> ValueToFloat:
    """Make the function by which metrics read values as numbers.

    C is 1, P is 0.5, I and N are 0; numbers and truth values are themselves; yes/true and no/false are 1 and 0;
    numeric text is its number.

    Args:
        correct: The value that counts 1.
        incorrect: The value that counts 0.
        partial: The value that counts 0.5.
        noanswer: The value that counts 0.
        on_unknown: What any other value does: make that one figure undefined (the default), or warn and count as 0.

    Returns:
        A function from a value to a float, which raises `UndefinedMetric` where there is no number.

    Source: the behaviour of inspect_ai's function of that name, without its silent zeros.

    >>> to_float = value_to_float()
    >>> [to_float(v) for v in ("C", "P", "I", True, "yes", "0.25")]
    [1.0, 0.5, 0.0, 1.0, 1.0, 0.25]
    """
    if on_unknown not in ("undefined", "zero"):
        raise ValueError(f"on_unknown must be 'undefined' or 'zero', not {on_unknown!r}")
    return _ToFloat(correct, incorrect, partial, noanswer, on_unknown)


def _word_or_number(text: str) -> float | None:
    word = text.strip().casefold()
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
