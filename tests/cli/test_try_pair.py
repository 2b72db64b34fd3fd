"""`steelyard try`: one pair, and why."""

import json

import pytest


def test_value_answer_and_call(steelyard):
    shown = steelyard("try", "match:numeric=true", "so it is 42.", "42").stdout
    assert shown.splitlines()[0] == "match(numeric=True)"
    assert "value     C" in shown
    assert "answer    42" in shown


def test_json(steelyard):
    document = json.loads(steelyard("try", "match:numeric=true", "so it is 42.", "42", "--json").stdout)
    assert (document["value"], document["answer"]) == ("C", "42")
    assert document["scorer"] == {"match": {"numeric": True}}


def test_several_targets_and_further_columns(steelyard):
    assert "value     1.0" in steelyard("try", "token_f1", "a dog", "a cat", "a dog").stdout
    shown = steelyard("try", "choice", "I pick blue.\n\nAnswer: B", "B", "--column", 'choices=["red", "blue"]').stdout
    assert "value     C" in shown


def test_the_output_may_come_from_standard_input(steelyard):
    assert "value     1.0" in steelyard("try", "exact_match", "-", "42", input="42\n").stdout


def test_it_needs_no_store(steelyard, store_home):
    steelyard("try", "exact_match", "a", "a")
    assert not store_home.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["try", "mach", "a", "b"], "Did you mean 'match'?"),
        (["try", "match", "a"], "Give the target after the output"),
        (["try", "match", "a", "b", "--column", "x"], "NAME=VALUE"),
        (["try", "match"], "OUTPUT"),
        (["try", "match:numeric=maybe", "4", "4"], "match: numeric is true or false, and 'maybe' is not. Its options:"),
        (["try", "pattern", "4", "4"], "pattern: missing a required option: 'pattern'. Its options: steelyard scorers"),
        (["try", '{"pattern": {"pattern": "("}}', "4", "4"], "Its options: steelyard scorers pattern"),
    ],
)
def test_mistakes(steelyard, words, told):
    result = steelyard(*words)
    assert result.exit_code == 2
    assert told in result.stderr
