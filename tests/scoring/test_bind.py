"""Which column feeds which parameter, and what is said when none does."""

from typing import Any

import pytest

from steelyard.errors import BindingError
from steelyard.scoring.adapt import as_form
from steelyard.scoring.bind import bind_form
from steelyard.scoring.scorer import Scorer


def plan(thing: Any, columns: list[str], **column_map: str) -> dict[str, str]:
    return dict(bind_form(as_form(thing), columns, column_map).plan)


def test_two_parameters_without_output_bind_by_position() -> None:
    assert plan(lambda prediction, expected: 1, ["output", "target"]) == {
        "prediction": "output (by position)",
        "expected": "target (by position)",
    }


def test_two_parameters_that_are_columns_bind_by_name() -> None:
    assert plan(lambda question, colour: 1, ["output", "target", "question", "colour"]) == {
        "question": "question",
        "colour": "colour",
    }


def test_exactly_one_column_is_an_error_that_names_both_readings() -> None:
    with pytest.raises(BindingError, match=r"two ways: by position.*or by name, since 'colour' is a column"):
        plan(lambda colour, expected: 1, ["output", "target", "colour"])


def test_the_map_settles_it() -> None:
    assert plan(lambda colour, size: 1, ["output", "target", "colour", "big"], size="big") == {
        "colour": "colour",
        "size": "big",
    }


def test_one_or_three_parameters_bind_by_name() -> None:
    assert plan(lambda output: 1, ["output"]) == {"output": "output"}
    assert plan(lambda output, a, b: 1, ["output", "a", "b"]) == {"output": "output", "a": "a", "b": "b"}


def test_an_alias_finds_the_canonical_column() -> None:
    assert plan(lambda output, expected: 1, ["output", "target"])["expected"] == "target"


def test_an_argument_with_a_default_stays_optional() -> None:
    assert plan(lambda output, size=3: size, ["output"]) == {"output": "output"}


def test_a_missing_column_says_what_exists_the_nearest_and_the_remedy() -> None:
    with pytest.raises(BindingError) as caught:
        plan(lambda output, labels: 1, ["output", "label"])
    text = str(caught.value)
    assert "needs 'labels'" in text
    assert "The columns are: label, output" in text
    assert "The nearest is 'label'" in text
    assert "column_map={'labels': 'label'}" in text


def test_a_map_of_an_unknown_argument_or_column_is_an_error() -> None:
    class Named(Scorer):
        def score(self, output: str, text: str) -> int:
            return 1

    with pytest.raises(BindingError, match=r"names the argument 'txt', which it does not take.*Did you mean 'text'"):
        plan(Named(column_map={"txt": "a"}), ["output", "a"])
    with pytest.raises(
        BindingError, match=r"maps 'text' to the column 'articel', which is not there.*Did you mean 'article'"
    ):
        plan(Named(column_map={"text": "articel"}), ["output", "article"])


def test_an_explicit_map_wins_over_a_column_of_the_same_name() -> None:
    class Named(Scorer):
        def score(self, output: str, text: str) -> int:
            return 1

    assert plan(Named(column_map={"text": "article"}), ["output", "text", "article"])["text"] == "article"


def test_output_in_the_map_names_a_field_else_the_whole_output_with_a_warning() -> None:
    class Named(Scorer):
        def score(self, output: str) -> int:
            return 1

    found = bind_form(as_form(Named(column_map={"output": "other_col"})), ["output"])
    assert found.plan == {"output": "output.other_col"}
    assert "no column" in found.warnings[0]


def test_a_column_called_like_an_injected_parameter_is_said() -> None:
    def scorer(prediction: str, expected: str, *, model: str) -> int:
        return 1

    found = bind_form(as_form(scorer), ["output", "target", "model"])
    assert found.plan["model"] == "the run's model"
    assert "'model' is filled in by the runner" in found.warnings[0]
