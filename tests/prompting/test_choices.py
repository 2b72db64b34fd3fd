"""multiple_choice: the wording, the letters, and shuffles that lead back."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard import run
from steelyard.core.message import ChatMessage
from steelyard.errors import ColumnNotFoundError, UsageError
from steelyard.prompting.choices import letter_of, multiple_choice, position_of
from steelyard.scorers import choice

ROW: dict[str, Any] = {"input": "Which is a fruit?", "choices": ["Stone", "Pear", "Cloud"], "target": "B"}


class TestText:
    def test_one_answer(self):
        text = multiple_choice("Which is a fruit?", ["Stone", "Pear"])
        assert "\n\nWhich is a fruit?\n\nA) Stone\nB) Pear" in text
        assert "ANSWER: $LETTER'" in text
        assert "one of A, B." in text

    def test_several_answers(self):
        text = multiple_choice("Which?", ["x", "y", "z"], several=True)
        assert "ANSWER: $LETTERS'" in text
        assert "more than one" in text

    def test_reasoning_comes_first(self):
        assert "step by step" in multiple_choice("Which?", ["x", "y"], reasoning=True)
        assert "step by step" not in multiple_choice("Which?", ["x", "y"])

    def test_letters_go_on_with_numbers(self):
        text = multiple_choice("Which?", [f"option {i}" for i in range(28)])
        assert "\nZ) option 25\n1) option 26\n2) option 27" in text

    def test_braces_in_the_data_do_no_harm(self):
        text = multiple_choice("What is {choices}?", ["{question}", "{}"])
        assert "\n\nWhat is {choices}?\n\nA) {question}\nB) {}" in text

    def test_other_wording(self):
        text = multiple_choice("Q", ["x", "y"], template="{question}: {choices} ({letters})")
        assert text == "Q: A) x\nB) y (A, B)"
        with pytest.raises(UsageError, match=r"lacks \{choices\}"):
            multiple_choice(template="{question}")
        with pytest.raises(UsageError, match="colour"):
            multiple_choice(template="{question}{choices}{colour}")

    @pytest.mark.parametrize(
        "options",
        [
            {"question": "Q"},
            {"choices": ["x"]},
            {"question": "Q", "choices": ["x"], "shuffle": 1},
            {"shuffle": True},
            {"shuffle": "yes"},
        ],
    )
    def test_what_makes_no_sense(self, options):
        with pytest.raises(UsageError):
            multiple_choice(**options)


def test_letters_and_back():
    for n in (1, 4, 26, 30):
        labels = [letter_of(i) for i in range(n)]
        assert [position_of(label, n) for label in labels] == list(range(n))
    assert position_of("?", 4) is None
    assert position_of("0", 4) is None


class TestPrompt:
    def test_it_is_a_recipe(self):
        recipe = multiple_choice(several=True, shuffle=7)
        assert repr(recipe) == "multiple_choice(several=True, shuffle=7)"
        assert pickle.loads(pickle.dumps(recipe)) == recipe
        assert repr(multiple_choice()) == "multiple_choice()"

    def test_it_needs_its_columns(self):
        with pytest.raises(ColumnNotFoundError, match="'choices'.*choicse"):
            multiple_choice().check(["input", "choicse"])

    def test_without_a_shuffle_nothing_changes(self):
        prompted = multiple_choice().render(ROW)
        assert prompted.content == multiple_choice(ROW["input"], ROW["choices"])
        assert prompted.changes == {}

    def test_in_a_conversation_the_last_turn_asks(self):
        turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Which?"}]
        content = multiple_choice().render({**ROW, "input": turns}).content
        assert content == [
            ChatMessage("system", "Be brief."),
            ChatMessage("user", multiple_choice("Which?", ROW["choices"])),
        ]

    def test_choices_as_json_text(self):
        assert str(multiple_choice().render({**ROW, "choices": '["x", "y"]'}).content).endswith("A) x\nB) y")

    @pytest.mark.parametrize("cell", [None, "x, y", [], 42, {"A": "x"}])
    def test_a_row_without_choices(self, cell):
        with pytest.raises(ValueError, match="give a list of options"):
            multiple_choice().render({**ROW, "choices": cell})

    def test_a_row_without_a_question(self):
        with pytest.raises(ValueError, match="no question"):
            multiple_choice().render({**ROW, "input": None})


class TestShuffle:
    def test_the_order_is_recorded_and_drawn_again_alike(self):
        first = multiple_choice(shuffle=1).render(ROW)
        assert first == multiple_choice(shuffle=1).render(ROW)
        order = first.changes["choice_order"]
        assert first.changes["choices"] == [ROW["choices"][i] for i in order]
        assert first.changes["choices"][position_of(first.changes["target"], 3)] == "Pear"

    def test_seeds_epochs_and_samples_have_orders_of_their_own(self):
        def order(seed=1, draw=0, question="Which?"):
            row = {"input": question, "choices": [str(i) for i in range(9)], "target": "A"}
            return tuple(multiple_choice(shuffle=seed).render(row, draw).changes["choice_order"])

        assert len({order(), order(seed=2), order(draw=1), order(question="What?")}) == 4

    @pytest.mark.parametrize(
        ("target", "means"),
        [
            ("B", {1}),
            ("b", {1}),
            (" B ", {1}),
            ("2", {1}),
            (2, {1}),
            ("A,C", {0, 2}),
            ("A and C", {0, 2}),
            ("AC", {0, 2}),
            (["A", "C"], {0, 2}),
        ],
    )
    def test_targets_of_every_shape_are_lettered_anew(self, target, means):
        for seed in range(6):
            changes = multiple_choice(shuffle=seed).render({**ROW, "target": target}).changes
            shown = changes["target"] if isinstance(changes["target"], list) else changes["target"].split(", ")
            assert {changes["choice_order"][position_of(label, 3)] for label in shown} == means

    def test_the_text_of_an_option_stays(self):
        assert multiple_choice(shuffle=3).render({**ROW, "target": "pear"}).changes["target"] == "pear"

    def test_what_can_be_read_neither_way_is_an_error(self):
        with pytest.raises(ValueError, match="no letter of the 3 choices"):
            multiple_choice(shuffle=3).render({**ROW, "target": "E"})

    def test_no_target_no_trouble(self):
        assert "target" not in multiple_choice(shuffle=3).render({"input": "Which?", "choices": ["x", "y"]}).changes

    @given(st.integers(0, 10_000), st.integers(2, 30), st.data())
    def test_the_right_option_stays_right(self, seed, n, data):
        right = data.draw(st.integers(0, n - 1))
        row = {"input": "Which?", "choices": [f"option {i} of them" for i in range(n)], "target": letter_of(right)}
        changes = multiple_choice(shuffle=seed).render(row).changes
        presented = changes["choices"].index(f"option {right} of them")
        assert changes["target"] == letter_of(presented)
        score = choice()(f"ANSWER: {letter_of(presented)}", changes["target"], choices=changes["choices"])
        assert score.value == "C"


def test_in_a_run_the_scorer_reads_what_was_presented():
    rows = [{"input": f"Which is {i}?", "choices": [str(k) for k in range(5)], "target": "ABCDE"[i]} for i in range(5)]

    def model(prompt):
        wanted = prompt.split("Which is ")[1][0]
        return next(f"ANSWER: {line[0]}" for line in prompt.splitlines() if line.endswith(f") {wanted}"))

    made = run(rows, [choice()], model=model, prompt=multiple_choice(shuffle=11), store=False)
    assert made.metrics["choice"]["accuracy"].value == 1.0
    for sample in made.samples():
        order = sample.row["choice_order"]
        assert sample.row["choices"] == [str(i) for i in order]
