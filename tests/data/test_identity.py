"""Ids and epochs: unique in the end, and an error that shows the way where they are not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.core.columns import Columns
from steelyard.core.digest import content_id
from steelyard.data import IdBook, content_ids
from steelyard.errors import DataError, DuplicateIdError, UsageError


def test_content_ids_are_those_of_core():
    columns = Columns({"input": ["a", ["b"]], "target": [1, None]}, 2)
    assert content_ids(columns, ("input", "target")) == [content_id(("a", 1)), content_id((["b"], None))]
    assert content_ids(columns, ("input", "context")) == [content_id(("a", None)), content_id((["b"], None))]
    assert content_ids(columns, ()) == [content_id(())] * 2


def test_repeats_of_content_are_numbered_across_chunks():
    book = IdBook(given=False)
    assert book.settle(["a", "b", "a"]) == (["a", "b", "a#2"], None)
    assert book.settle(["c", "a", "b"]) == (["c", "a#3", "b#2"], None)
    assert book.settle(["d"]) == (["d"], None)


def test_given_ids_become_text():
    assert IdBook(given=True).settle([1, "a", 2.5]) == (["1", "a", "2.5"], None)
    assert IdBook(given=True).settle([1, 2]) == (["1", "2"], None)


def test_repeats_of_given_ids_are_named_with_their_rows():
    book = IdBook(given=True)
    book.settle(["a", "b"])
    book.settle(["c", "d"], start=4)
    with pytest.raises(DuplicateIdError) as caught:
        book.settle(["d", "e", "a", "e", *"abcd"], start=6)
    assert "'d' (rows 6 and 7), 'a' (rows 1 and 9), 'e' (rows 8 and 10), 'a' (rows 1 and 11)" in str(caught.value)
    assert "and 2 more" in str(caught.value)
    assert 'epochs="repeats" (on the command line: --epochs repeats)' in str(caught.value)
    assert "a column named epoch" in str(caught.value)


def test_a_number_and_its_text_are_one_id():
    with pytest.raises(DuplicateIdError, match=r"'1' \(rows 1 and 2\).*compared as text: 1 and \"1\" are the same id"):
        IdBook(given=True).settle([1, "1"])
    with pytest.raises(DuplicateIdError) as caught:
        IdBook(given=True).settle(["1", "1"])
    assert "compared as text" not in str(caught.value)


@pytest.mark.parametrize("missing", [None, "", float("nan")])
def test_a_missing_id_is_named_by_its_row(missing):
    with pytest.raises(DataError, match=r"row 12 has no id.*--id-column COLUMN"):
        IdBook(given=True).settle(["a", missing], start=10)


def test_repeats_as_epochs():
    book = IdBook(given=True, epochs="repeats")
    assert book.settle(["a", "b", "a"]) == (["a", "b", "a"], [1, 1, 2])
    assert book.settle(["a", "c"]) == (["a", "c"], [3, 1])
    assert IdBook(given=False, epochs="repeats").settle(["a", "a"]) == (["a", "a"], [1, 2])


def test_epochs_of_a_column():
    book = IdBook(given=True, epochs="column")
    assert book.settle(["a", "a", "b"], [1, "2", 1.0]) == (["a", "a", "b"], [1, 2, 1])
    with pytest.raises(DuplicateIdError, match=r"'a' in epoch 2 \(rows 2 and 4\)"):
        book.settle(["a"], [2], start=3)
    assert IdBook(given=False, epochs="column").settle(["a"] * 4, [1, 2, 1, 2]) == (
        ["a", "a", "a#2", "a#2"],
        [1, 2, 1, 2],
    )


@pytest.mark.parametrize("epoch", [0, -1, 1.5, "x", None, True, float("nan"), "1.5", [1]])
def test_an_epoch_is_a_whole_number_from_1(epoch):
    with pytest.raises(DataError, match=r"row 8: an epoch is a whole number from 1, and .*--epoch-column COLUMN"):
        IdBook(given=True, epochs="column").settle(["a", "b"], [1, epoch], start=6)


def test_epochs_are_repeats_or_nothing():
    three: Any = 3
    with pytest.raises(UsageError, match=r"epochs is \"repeats\", or left out, and 3 was given"):
        IdBook(given=True, epochs=three)


@given(st.lists(st.lists(st.sampled_from("abcde"), min_size=1), max_size=5), st.sampled_from([None, "repeats"]))
def test_ids_from_content_are_unique_however_they_come_in_chunks(chunks, epochs):
    book, whole = IdBook(given=False, epochs=epochs), IdBook(given=False, epochs=epochs)
    found = [pair for chunk in chunks for pair in pairs(*book.settle(chunk))]
    assert len(set(found)) == len(found)
    assert found == pairs(*whole.settle([text for chunk in chunks for text in chunk]))


def pairs(ids, epochs):
    return list(zip(ids, epochs or [1] * len(ids), strict=True))


@given(st.lists(st.integers(0, 30) | st.text("abc", min_size=1, max_size=2), min_size=1), st.integers(1, 5))
def test_given_ids_pass_exactly_when_they_are_unique(ids, size):
    book = IdBook(given=True)
    unique = len(set(map(str, ids))) == len(ids)
    try:
        found = [text for i in range(0, len(ids), size) for text in book.settle(ids[i : i + size], start=i)[0]]
    except DuplicateIdError:
        assert not unique
    else:
        assert unique
        assert found == list(map(str, ids))
