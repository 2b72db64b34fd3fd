"""Which column is which: canonical names, aliases, paths, patterns, and what is printed."""

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.core.columns import ALIASES, Columns
from steelyard.data import choose_columns, content_ids, open_source
from steelyard.errors import BindingError, ColumnNotFoundError, UsageError


def chunk(**columns):
    return Columns(columns, len(next(iter(columns.values()))))


def test_the_canonical_name_wins_over_aliases():
    choice = choose_columns(["answer", "target", "prediction", "question", "colour"])
    assert choice.sources == {"input": "question", "target": "target", "output": "prediction"}
    assert choice.names == ("input", "target", "output", "answer", "prediction", "question", "colour")
    assert choice.require("output") == "prediction"
    assert choice.outputs == ("prediction",)


@pytest.mark.parametrize(("name", "alias"), [(name, alias) for name, others in ALIASES.items() for alias in others])
def test_every_alias_is_recognised(name, alias):
    assert choose_columns([alias, "other"]).sources == {name: alias}


def test_two_aliases_are_an_error_only_when_the_column_is_needed():
    choice = choose_columns(["output", "label", "answer"])
    assert choice.ambiguous == {"target": ("answer", "label")}
    assert "target" not in choice.names
    message = (
        "several columns could be the target: answer, label. "
        'Choose one: target="answer" (on the command line: --target-column answer).'
    )
    with pytest.raises(BindingError) as caught:
        choice.require("target")
    assert str(caught.value) == message
    assert choice.describe() == ["output", message]
    assert choose_columns(["output", "label", "answer"], target="label").ambiguous == {}


def test_a_column_that_is_missing_is_named_with_its_option():
    choice = choose_columns(["gold", "output"])
    with pytest.raises(ColumnNotFoundError) as caught:
        choice.require("target")
    assert str(caught.value) == (
        "no column is the target: there is none called target, expected, reference, answer, label, ground_truth. "
        'The columns are: gold, output. Choose one with target="COLUMN" (on the command line: --target-column COLUMN).'
    )


def test_a_wrong_name_gets_the_nearest_one():
    with pytest.raises(
        ColumnNotFoundError, match=r"no column 'goldd'; .*gold, output\. Did you mean 'gold'\?.*--target-column"
    ):
        choose_columns(["gold", "output"], target="goldd")


ROWS = [
    {"reply": {"text": "a", "parts": [{"t": "x"}]}, "a.b": 1, "a": {"b": 2, "c": 3}},
    {"reply": {"text": None, "parts": []}, "a.b": 4, "a": {"b": 5}},
    {"reply": None, "a.b": 6, "a": "text"},
]


@pytest.mark.parametrize(
    ("path", "cells"),
    [
        ("reply.text", ["a", None, None]),
        ("reply.parts.0.t", ["x", None, None]),
        ("a.b", [1, 4, 6]),
        ("a.c", [3, None, None]),
    ],
)
def test_dotted_paths_reach_into_rows(path, cells):
    source = open_source(ROWS)
    choice = choose_columns(source.columns, output=path, peek=source.peek)
    (found,) = map(choice.apply, source.chunks())
    assert found["output"] == cells
    assert found[path] == cells
    assert set(found.data) == set(choice.names)


@pytest.mark.parametrize("path", ["reply.txt", "reply.text.x", "reply.parts.7.t", "rpely.text"])
def test_a_path_that_leads_nowhere_is_told_what_there_is(path):
    source = open_source(ROWS)
    with pytest.raises(ColumnNotFoundError, match=r"reply\.text.*--output-column") as caught:
        choose_columns(source.columns, output=path, peek=source.peek)
    assert "reply.parts" in str(caught.value)


def test_apply_adds_the_same_lists():
    columns = chunk(question=["q"], answer=["a"], output=["o"])
    found = choose_columns(list(columns.data)).apply(columns)
    assert found["input"] is columns["question"]
    assert found["target"] is found["answer"] is columns["answer"]
    assert list(columns.data) == ["question", "answer", "output"]


def test_a_chunk_without_the_column_gives_nulls():
    choice = choose_columns(["output", "answer"])
    assert choice.apply(chunk(output=["o"]))["target"] == [None]


def test_patterns_cut_the_last_match_and_count_what_does_not_match():
    choice = choose_columns(
        ["output", "solution"], target="solution", output_pattern=r"\d+", target_pattern="A: (.*)|B: (.*)"
    )
    unmatched: Counter[str] = Counter()
    found = choice.apply(
        chunk(output=["1 and 2", "none", None, 34], solution=["A: 3\nA:  4 ", "B: 5", ["A: x", "-"], "no"]), unmatched
    )
    assert found["output"] == ["2", None, None, "34"]
    assert found["target"] == ["4", "5", ["x"], None]
    assert found["uncut_output"] == ["1 and 2", "none", None, 34]
    assert found["solution"][0] == "A: 3\nA:  4 "
    assert unmatched == {"output": 1, "target": 1}
    assert set(found.data) == set(choice.names)
    assert choice.describe() == [r"target = solution cut by 'A: (.*)|B: (.*)', output cut by '\\d+'"]


def test_a_pattern_that_is_none_or_has_nothing_to_cut():
    with pytest.raises(
        UsageError, match=r"target_pattern is no regular expression: 'a\(' \(missing \), .* at character 2\)"
    ):
        choose_columns(["target"], target_pattern="a(")
    with pytest.raises(ColumnNotFoundError, match="output_pattern has nothing to cut"):
        choose_columns(["target"], output_pattern="a")
    with pytest.raises(BindingError, match="several columns"):
        choose_columns(["answer", "label"], target_pattern="a")


def test_choices_in_csv_are_json_lists_and_a_target_stays_text():
    choice = choose_columns(["choices", "target"])
    found = choice.apply(chunk(choices=['["a", "b"]', "A|B", "[not json", ["c"], None], target=['["a"]'] * 5))
    assert found["choices"] == [["a", "b"], "A|B", "[not json", ["c"], None]
    assert found["target"] == ['["a"]'] * 5


def test_with_a_model_no_column_is_the_output():
    choice = choose_columns(["question", "prediction"], has_model=True)
    assert "output" not in choice.sources
    assert choice.names == ("input", "output", "question", "prediction")
    with pytest.raises(UsageError, match="a model is given"):
        choose_columns(["question", "prediction"], output="prediction", has_model=True)


def test_several_outputs_are_a_choice_each():
    names = ["question", "6b.solution", "175b_finetuning.solution", "ground_truth"]
    choice = choose_columns(names, output=["6b.solution", "175b_finetuning.solution"])
    assert choice.describe() == [
        "input = question, target = ground_truth, output = 6b.solution | 175b_finetuning.solution"
    ]
    one, two = choice.choices_per_output()
    assert (one.run_name, two.run_name) == ("6b", "175b_finetuning")
    assert two.sources["output"] == "175b_finetuning.solution"
    assert one.question == two.question == ("question", "ground_truth")
    assert choose_columns(["output"]).choices_per_output() == (choose_columns(["output"]),)


@pytest.mark.parametrize(
    ("outputs", "names"),
    [
        (["a", "b"], ["a", "b"]),
        (["m.a", "m.b"], ["a", "b"]),
        (["r.a.text", "r.b.text"], ["a", "b"]),
        (["a.x", "a"], ["a.x", "a"]),
        (["a.a", "b.a"], ["a", "b"]),
    ],
)
def test_runs_are_named_by_what_tells_them_apart(outputs, names):
    choice = choose_columns(
        ["a", "b", "m", "r"] if "b" in outputs else ["a", "b", "m", "r", "a.x", "a.a", "b.a"], output=outputs
    )
    assert [c.run_name for c in choice.choices_per_output()] == names


@pytest.mark.parametrize("output", [[], ["a", "a"]])
def test_outputs_that_make_no_sense(output):
    with pytest.raises(UsageError, match="output names"):
        choose_columns(["a"], output=output)


@pytest.mark.parametrize(
    ("names", "options", "question"),
    [
        (["id", "input", "target", "output", "choices", "other"], {}, ("input", "target", "choices")),
        (["query", "gold", "output"], {"target": "gold", "target_pattern": "a"}, ("query", "gold")),
        (["target", "output"], {"target_pattern": "a"}, ("uncut_target",)),
        (["colour", "size", "prediction", "id", "epoch"], {}, ("colour", "size")),
        (["prompt", "query", "output", "target"], {}, ("target", "prompt", "query")),
        (["one", "two", "x"], {"output": ["one", "two"]}, ("x",)),
        (["output"], {}, ()),
    ],
)
def test_the_question_is_what_was_asked_uncut(names, options, question):
    choice = choose_columns(names, **options)
    assert choice.question == question
    assert set(question) <= set(choice.names)
    assert len(content_ids(choice.apply(Columns({name: ["x"] for name in names}, 1)), choice.question)) == 1


def test_an_id_does_not_change_with_the_pattern_or_the_name_of_the_column():
    def ids(names, cells, **options):
        choice = choose_columns(names, **options)
        return content_ids(choice.apply(Columns(dict(zip(names, cells, strict=True)), 1)), choice.question)

    cells = [["what?"], ["A: 4"]]
    plain = ids(["input", "target"], cells)
    assert ids(["question", "answer"], cells) == plain
    assert ids(["input", "target"], cells, target_pattern="A: (.*)") == plain


names = st.lists(
    st.sampled_from([*ALIASES, *(a for o in ALIASES.values() for a in o), "id", "epoch", "x", "a.b"]), unique=True
)


@given(names, st.booleans())
def test_any_columns_can_be_chosen_from(names, has_model):
    choice = choose_columns(names, has_model=has_model)
    assert pickle.loads(pickle.dumps(choice)) == choice
    found = choice.apply(Columns({name: ["x"] for name in names}, 1))
    assert set(choice.names) - {"output"} == set(found.data) - {"output"}
    assert set(choice.question) <= set(found.data)
    assert all(isinstance(line, str) for line in choice.describe())
    for name in ("input", "target", "output"):
        if name in choice.sources:
            assert choice.sources[name] in (name, *ALIASES[name])
