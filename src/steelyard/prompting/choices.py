"""multiple_choice: a question with lettered options, and the line in which the answer is to stand."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, overload

import msgspec

from steelyard.core.columns import as_text
from steelyard.core.digest import canonical_json
from steelyard.core.message import ChatMessage
from steelyard.errors import ColumnNotFoundError, UsageError
from steelyard.prompting.prompt import Prompted
from steelyard.prompting.template import Template

__all__ = ["CHOICE_ORDER", "MultipleChoice", "letter_of", "multiple_choice", "position_of"]

CHOICE_ORDER = "choice_order"
"""The column that records a shuffle: for each option as it was presented, its place in the data, from 0."""

_JOIN = re.compile(r"\s*(?:[,;&/+]|\band\b|\bor\b|\s)\s*")

_ONE = "Choose the one right answer to the question below."
_SEVERAL = "Choose every right answer to the question below; there may be more than one."
_AT_ONCE = "Reply with one line"
_THINKING = "Reason step by step first. Then close with one line"
_FORM_ONE = " of the form 'ANSWER: $LETTER' (no quotes), where $LETTER is one of {letters}."
_FORM_SEVERAL = (
    " of the form 'ANSWER: $LETTERS' (no quotes), where $LETTERS are the letters of all right answers "
    "among {letters}, with commas between them."
)
_QUESTION = "\n\n{question}\n\n{choices}"


class MultipleChoice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How multiple-choice questions are presented: the recipe that `multiple_choice` makes.

    Reads the columns ``input`` and ``choices``. With a ``shuffle`` seed, each sample (and each epoch of it) gets an
    order of its own. The row that scorers and the store see then has its ``choices`` in the order in which they were
    presented and its ``target`` lettered to match, beside a column ``choice_order`` that leads back; so the model's
    words are kept as they are, and scoring the row again needs no knowledge of the shuffle.
    """

    several: bool = False
    reasoning: bool = False
    shuffle: int | None = None
    template: str | None = None

    def text(self, question: str, choices: Sequence[Any]) -> str:
        """The prompt for one question, its options in the order given."""
        letters = [letter_of(i) for i in range(len(choices))]
        options = "\n".join(f"{letter}) {as_text(choice)}" for letter, choice in zip(letters, choices, strict=True))
        values = {"question": question, "choices": options, "letters": ", ".join(letters)}
        return Template(self.template or self._standard()).fill(values)

    def check(self, columns: Sequence[str]) -> None:
        """Raise `ColumnNotFoundError` without the columns ``input`` and ``choices``."""
        for name in ("input", "choices"):
            if name not in columns:
                remedy = "multiple_choice() presents the column 'input' with the options in 'choices'."
                raise ColumnNotFoundError.naming(name, columns, remedy)

    def render(self, row: Mapping[str, Any], draw: int = 0) -> Prompted:
        """One row as a prompt."""
        choices = _options(row["choices"])
        order = self._order(row["input"], choices, draw)
        changes: dict[str, Any] = {}
        if order is not None:
            changes = {"choices": [choices[i] for i in order], CHOICE_ORDER: order}
            if row.get("target") is not None:
                changes["target"] = _relabel(row["target"], choices, order)
        return Prompted(self._present(row["input"], changes.get("choices", choices)), changes)

    def _present(self, question: Any, choices: Sequence[Any]) -> str | list[ChatMessage]:
        if isinstance(question, list | tuple) and question:
            *earlier, last = (msgspec.convert(turn, ChatMessage, from_attributes=True) for turn in question)
            return [*earlier, ChatMessage(last.role, self.text(last.content, choices))]
        if question is None:
            raise ValueError("there is no question: the column 'input' holds nothing in this row")
        return self.text(as_text(question), choices)

    def _order(self, question: Any, choices: Sequence[Any], draw: int) -> list[int] | None:
        if self.shuffle is None:
            return None
        order = list(range(len(choices)))
        random.Random(canonical_json([self.shuffle, question, choices, draw])).shuffle(order)
        return order

    def _standard(self) -> str:
        form = _FORM_SEVERAL if self.several else _FORM_ONE
        return f"{_SEVERAL if self.several else _ONE} {_THINKING if self.reasoning else _AT_ONCE}{form}{_QUESTION}"

    def __repr__(self) -> str:
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return (
            f"multiple_choice({', '.join(f'{k}={v!r}' for k, v in fields.items() if v is not None and v is not False)})"
        )


@overload
def multiple_choice(
    question: str,
    choices: Sequence[Any],
    *,
    several: bool = ...,
    reasoning: bool = ...,
    shuffle: int | None = ...,
    template: str | None = ...,
) -> str: ...
@overload
def multiple_choice(
    *, several: bool = ..., reasoning: bool = ..., shuffle: int | None = ..., template: str | None = ...
) -> MultipleChoice: ...
def multiple_choice(
    question: str | None = None,
    choices: Sequence[Any] | None = None,
    *,
    several: bool = False,
    reasoning: bool = False,
    shuffle: int | None = None,
    template: str | None = None,
) -> str | MultipleChoice:
    """Present a question with lettered options, and ask for the answer as ``ANSWER: $LETTER``.

    With a question and its choices it gives the text; without them, a prompt for a run:
    ``steelyard.run(dataset, [choice()], model=..., prompt=multiple_choice())``.

    Args:
        question: The question.
        choices: Its options; lettered A to Z, then 1, 2, ...
        several: More than one option may be right.
        reasoning: The model is to reason before it answers.
        shuffle: Seed of a shuffle of the options, for a run; see `MultipleChoice`.
        template: Other wording, with ``{question}``, ``{choices}`` and ``{letters}``.

    Raises:
        UsageError: For a question without choices, a shuffle of a single text, or a template that lacks a part.

    >>> print(multiple_choice("Which is a fruit?", ["Stone", "Pear"]))
    Choose the one right answer to the question below. Reply with one line of the form 'ANSWER: $LETTER' (no quotes),
    where $LETTER is one of A, B.
    <BLANKLINE>
    Which is a fruit?
    <BLANKLINE>
    A) Stone
    B) Pear
    >>> multiple_choice(shuffle=7)
    multiple_choice(shuffle=7)
    """
    _check_template(template)
    if shuffle is not None and (isinstance(shuffle, bool) or not isinstance(shuffle, int)):
        raise UsageError(f"shuffle takes a seed, a whole number, not {shuffle!r}: the order has to be drawn again")
    recipe = MultipleChoice(several=several, reasoning=reasoning, shuffle=shuffle, template=template)
    if question is None and choices is None:
        return recipe
    if not isinstance(question, str) or choices is None:
        raise UsageError("give a question as text with its choices, or neither: prompt=multiple_choice()")
    if shuffle is not None:
        raise UsageError("a text cannot record its order; shuffle is for a run: prompt=multiple_choice(shuffle=...)")
    return recipe.text(question, _options(choices))


def letter_of(i: int) -> str:
    """The letter of option ``i``, counted from 0: A to Z, then 1, 2, ...

    >>> [letter_of(i) for i in (0, 25, 26, 27)]
    ['A', 'Z', '1', '2']
    """
    return chr(ord("A") + i) if i < 26 else str(i - 25)


def position_of(label: str, n: int) -> int | None:
    """The option, counted from 0, that a letter or number names among ``n``; None when it names none.

    Up to 26 options a number counts from 1; beyond, numbers are labels, and 1 is the 27th.

    >>> position_of("c", 4), position_of("E", 4), position_of("1", 4), position_of("1", 27)
    (2, None, 0, 26)
    """
    text = label.strip().upper()
    if len(text) == 1 and "A" <= text <= "Z":
        i = ord(text) - ord("A")
    elif text.isdecimal() and text.isascii() and not text.startswith("0"):
        i = int(text) + (25 if n > 26 else -1)
    else:
        return None
    return i if i < n else None


def _options(cell: Any) -> list[Any]:
    if isinstance(cell, str):
        try:
            cell = msgspec.json.decode(cell)
        except msgspec.DecodeError:
            raise ValueError(f"the choices are the text {cell[:60]!r}: give a list of options") from None
    if not isinstance(cell, list | tuple) or not cell:
        raise ValueError(f"the choices are {cell!r}: give a list of options")
    return [getattr(item, "value", item) for item in cell]


def _relabel(target: Any, choices: Sequence[Any], order: Sequence[int]) -> Any:
    """The target's labels as the options were presented; a target that is an option's text stays.

    What can be read neither way is an error: left as it is, it might name another option than was meant.
    """
    if isinstance(target, list | tuple):
        return [_relabel(item, choices, order) for item in target]
    text = as_text(target).strip()
    is_letter = len(text) == 1 and text.isascii() and text.isalpha()
    if not is_letter and text.casefold() in {as_text(choice).strip().casefold() for choice in choices}:
        return target
    found = [position_of(label, len(choices)) for label in _labels(text)]
    if not found or None in found:
        raise ValueError(f"the target {target!r} is no letter of the {len(choices)} choices, nor the text of one")
    return ", ".join(sorted(letter_of(order.index(i)) for i in found if i is not None))


def _labels(text: str) -> list[str]:
    """The labels that a target lists: ``B``, ``B, C``, ``B and C``, or ``BC`` in the order of the alphabet."""
    parts = [part for part in _JOIN.split(text) if part]
    if len(parts) == 1 and text.isascii() and text.isupper() and list(text) == sorted(set(text)):
        return list(text)
    return parts


def _check_template(template: str | None) -> None:
    if template is not None:
        lacking = [name for name in ("question", "choices") if name not in Template(template).paths]
        if lacking:
            raise UsageError(f"the template lacks {{{'}, {'.join(lacking)}}}; it may also use {{letters}}")
        Template(template).check(("question", "choices", "letters"))
