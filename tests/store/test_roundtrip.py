"""Whatever a data set, a model or a scorer gives comes out of the database as it went in."""

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.core.columns import Columns, Detail, ScoreColumns
from steelyard.core.record import RunRecord, ScoringRecord, decode_value
from steelyard.store.sqlite import SqliteStore

ANY_TEXT = st.text(st.characters(codec=None, categories=None, exclude_categories=()), max_size=10)
LONG_TEXT = st.builds(lambda text, n: (text or "-") * n, ANY_TEXT, st.integers(20, 300))
SCALARS = st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT | LONG_TEXT
JSON_ABLE = st.recursive(
    st.none() | SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=5,
)
VALUES = SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(ANY_TEXT, JSON_ABLE, max_size=4)


def typed(value):
    """The value with the type of every part of it, so that True, 1 and 1.0 differ."""
    if isinstance(value, dict):
        return {key: typed(member) for key, member in value.items()}
    return [typed(item) for item in value] if isinstance(value, list) else (type(value).__name__, value)


@st.composite
def outcomes(draw, n):
    """Score columns of n rows, of one type or of many."""
    kinds = draw(
        st.sampled_from([SCALARS, VALUES, st.booleans(), st.floats(allow_nan=False), ANY_TEXT, st.integers(-9, 9)])
    )
    values = draw(st.lists(st.none() | kinds if draw(st.booleans()) else kinds, min_size=n, max_size=n))
    answers = draw(st.none() | st.lists(st.none() | ANY_TEXT | LONG_TEXT, min_size=n, max_size=n))
    reasons = {i: draw(st.sampled_from(["no_output", "timeout"])) for i in range(n) if values[i] is None}
    reasons |= {i: "empty" for i in range(n) if values[i] is not None and draw(st.integers(0, 5)) == 0}
    text = st.none() | ANY_TEXT | LONG_TEXT
    details = {
        i: Detail(error=draw(text))
        if values[i] is None
        else Detail(draw(text), draw(st.none() | st.dictionaries(ANY_TEXT, JSON_ABLE, max_size=2)))
        for i in range(n)
        if draw(st.integers(0, 3)) == 0
    }
    return ScoreColumns(values, answers, reasons, details)


@st.composite
def chunks(draw):
    """Columns of up to five rows, with what two scorers say of them."""
    n = draw(st.integers(1, 5))
    cells = st.lists(JSON_ABLE, min_size=n, max_size=n)
    question, output = draw(cells), draw(cells)
    data = {"question": question, "input": question, "level": draw(cells), "output": output, "said": output}
    ids = draw(st.lists(ANY_TEXT, min_size=n, max_size=n, unique=True))
    return Columns(data, n, ids=ids), [draw(outcomes(n)), draw(outcomes(n))]


def facts(outcome):
    """An outcome as a value that keeps types apart."""
    return type(outcome).__name__, {name: typed(getattr(outcome, name)) for name in outcome.__struct_fields__}


@settings(max_examples=60)
@given(chunks())
def test_a_run_comes_back_as_it_was_given(tmp_path_factory, chunk):
    columns, scored = chunk
    store = SqliteStore(tmp_path_factory.getbasetemp() / "roundtrip")
    run = RunRecord(id=f"{len(store.runs()):012x}", name="any", created=f"{len(store.runs()):06d}", by=("level",))
    writer = store.create(run, [ScoringRecord(name="a", spec={}), ScoringRecord(name="b", spec={})])
    writer.write(pickle.loads(pickle.dumps(writer.encoder(columns, scored, range(columns.n)))))
    writer.finish("success")
    reader = store.open(run.id)
    samples = list(reader.samples())
    assert [typed(sample.row) for sample in samples] == [typed(columns.row(i)) for i in range(columns.n)]
    assert [typed(sample.output) for sample in samples] == [typed(cell) for cell in columns["output"]]
    assert reader.sample_ids() == columns.ids
    assert [reader.find_sample(name) for name in columns.ids] == [[i] for i in range(columns.n)]
    assert typed(reader.labels("level")) == typed(columns["level"])
    for scoring, given_outcomes in zip(reader.scorings, scored, strict=True):
        assert [facts(row.outcome) for row in reader.outcomes(scoring)] == [
            facts(outcome) for outcome in given_outcomes
        ]
        present = [typed(decode_value(row[2], row[3])) for row in reader.values(scoring) if row[2] != 9]
        assert present == [typed(value) for value in given_outcomes.values if value is not None]
        assert sum(n for *_, n in reader.totals(scoring)) == columns.n
