"""The version of a data set: of its content, not of its order or its cut."""

from hypothesis import given
from hypothesis import strategies as st

from steelyard.core.digest import content_id
from steelyard.data import ContentVersion

digests = st.lists(st.integers().map(lambda i: content_id((i,))))


def of(texts):
    version = ContentVersion()
    version.add(texts)
    return version


@given(digests, st.randoms(), st.integers(0, 100))
def test_order_and_cut_do_not_matter(texts, random, at):
    mixed = random.sample(texts, len(texts))
    assert str(of(mixed[:at]) + of(mixed[at:])) == str(of(texts))
    assert of([]) + of(texts) == of(texts)


@given(digests, digests)
def test_content_matters_and_repeats_count(one, other):
    assert (str(of(one)) == str(of(other))) == (sorted(one) == sorted(other))
    assert str(of([*one, *one])) != str(of(one)) or not one


def test_it_reads_as_twelve_digits_and_the_rows():
    text = str(of([content_id(("a",))] * 3))
    assert len(text) == 14
    assert text.endswith("-3")
    int(text[:12], 16)
