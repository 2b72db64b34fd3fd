"""Which run a key means, and what the error says when it means none."""

import pytest

from steelyard.errors import RunNotFoundError
from steelyard.store._find import find_id

RUNS = [("abcd00000003", "third", "2026-03"), ("abcd00000002", "gsm", "2026-02"), ("ffff00000001", "gsm", "2026-01")]


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("latest", "abcd00000003"),
        ("ffff00000001", "ffff00000001"),
        ("ffff", "ffff00000001"),
        ("abcd00000002", "abcd00000002"),
        ("gsm", "abcd00000002"),
    ],
)
def test_a_key_finds_its_run(key, found):
    assert find_id(key, RUNS, "here") == found


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("abcd", "'abcd' is the beginning of 2 run ids: abcd00000003 (third, 2026-03); abcd00000002 (gsm, 2026-02)."),
        ("fff", "no run 'fff' in here; ffff00000001 begins so, and of an id at least 4 digits are wanted"),
        ("eeee", "no run 'eeee' in here; the newest names are: third, gsm. List runs with: steelyard list"),
        ("latets", "Did you mean 'latest'?"),
        ("gms", "Did you mean 'gsm'?"),
        ("", "no run ''"),
    ],
)
def test_the_error_says_what_there_is(key, message):
    with pytest.raises(RunNotFoundError) as caught:
        find_id(key, RUNS, "here")
    assert message in str(caught.value)


def test_the_error_of_an_empty_store_says_how_to_fill_it():
    with pytest.raises(RunNotFoundError, match="no runs yet; make one with 'steelyard score'"):
        find_id("latest", [], "here")
