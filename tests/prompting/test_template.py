"""Templates: columns in braces, inserted as they stand."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import ColumnNotFoundError, UsageError
from steelyard.prompting.prompt import Prompted
from steelyard.prompting.template import FunctionPrompt, Template, as_prompt

ROW = {"input": "Why?", "meta": {"lang": "French", "tags": ["a", "b"]}, "n": 42, "a.b": "dotted", "none": None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{input}", "Why?"),
        ("{ input }", "Why?"),
        ("{question}", "Why?"),  # another name of the input
        ("Q: {input}\nA:", "Q: Why?\nA:"),
        ("{{input}} {{}}", "{input} {}"),
        ("{meta.lang} {meta.tags.1}", "French b"),
        ("{n} {meta.tags}", '42 ["a","b"]'),
        ("{a.b}", "dotted"),
        ("{input}{input}", "Why?Why?"),
        ("nothing", "nothing"),
        ("", ""),
    ],
)
def test_filled(text, expected):
    assert Template(text).fill(ROW) == expected


@given(st.text())
def test_cells_are_inserted_as_they_stand(cell):
    assert Template("<{input}>{{x}}").fill({"input": cell, "x": "never"}) == f"<{cell}>{{x}}"


@given(st.text(alphabet="ab{}", max_size=8), st.text())
def test_any_template_fills_or_says_why(text, cell):
    try:
        template = Template(text)
        template.check(["ab"])
    except UsageError:
        return
    assert isinstance(template.fill({"ab": cell, "": cell}), str)


@pytest.mark.parametrize("text", ["{", "}", "{input", "{}", "{input!r}", "{input:>10}", '{"score": 0}', "{ }"])
def test_what_cannot_be_read_is_an_error_that_tells_of_braces(text):
    with pytest.raises(UsageError, match=r"\{\{ and \}\}"):
        Template(text)


def test_a_column_that_is_not_there():
    with pytest.raises(ColumnNotFoundError, match=r"no column 'inptu'.*input, target.*Did you mean 'input'"):
        Template("{inptu.x}").check(["input", "target"])
    with pytest.raises(ColumnNotFoundError, match="colour"):
        Template("{colour}").fill(ROW)
    Template("{question} {a.b} {meta.anything}").check(list(ROW))


@pytest.mark.parametrize(
    ("text", "said"),
    [("{none}", "holds nothing"), ("{meta.x}", "no 'x'"), ("{n.x}", "no 'x'"), ("{meta.tags.7}", "no '7'")],
)
def test_a_cell_that_holds_nothing(text, said):
    with pytest.raises(ValueError, match=said):
        Template(text).fill(ROW)


def test_a_template_is_a_value():
    assert Template("{a}") == Template("{a}") != Template("{b}")
    assert {Template("{a}"), Template("{a}")} == {Template("{a}")}
    assert pickle.loads(pickle.dumps(Template("{a}"))) == Template("{a}")
    assert repr(Template("{a}")) == "Template('{a}')"
    assert Template("{a} {b.c} {a}").paths == ("a", "b.c")


def test_prompts_of_every_sort():
    assert as_prompt(None) is None
    assert as_prompt("{a}") == Template("{a}")
    assert as_prompt(Template("{a}")) == Template("{a}")
    made = as_prompt(lambda row: row["a"] * 2)
    assert isinstance(made, FunctionPrompt)
    assert made.render({"a": "x"}) == Prompted("xx")
    with pytest.raises(UsageError, match="cannot use 42 as a prompt"):
        as_prompt(42)
