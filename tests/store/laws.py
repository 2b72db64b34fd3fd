"""The laws of every run store: what `RunStore`, `RunWriter` and `RunReader` promise, checked on a store of any kind."""

import itertools
import pickle
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from steelyard.core.columns import Columns, Detail, ScoreColumns
from steelyard.core.ports import RunReader, RunStore, RunWriter
from steelyard.core.record import UNSCORED_TYPE, RunRecord, ScoringRecord, decode_value
from steelyard.core.sample import Output, Usage
from steelyard.core.score import Score, Unscored
from steelyard.errors import ColumnNotFoundError, DuplicateIdError, RunNotFoundError, StoreError, UsageError

__all__ = ["LAWS", "check_store", "columns_of", "record", "scorings"]

MakeStore = Callable[[], RunStore]

_numbers = itertools.count(1)


def check_store(make_store: MakeStore) -> None:
    """Hold every law for the stores that ``make_store`` makes, each of them empty."""
    for law in LAWS:
        law(make_store())


def record(name: str = "run", **fields: Any) -> RunRecord:
    """A record with an id of its own; later ones are newer."""
    number = next(_numbers)
    made = {"id": f"{number * 7919:04x}{number:08x}", "created": f"2026-01-01T00:00:00.{number:06d}+00:00", **fields}
    return RunRecord(name=name, **made)


def scorings(*names: str) -> list[ScoringRecord]:
    """Scorings of these names."""
    return [ScoringRecord(name=name, spec={name: {}}) for name in names]


def columns_of(start: int = 0, n: int = 3, **changes: Any) -> Columns:
    """Rows with a question under two names, an output under two names, and a topic."""
    question = [f"question {i}" for i in range(start, start + n)]
    answer = [f"answer {i}" for i in range(start, start + n)]
    topic = ["law" if i % 2 else "art" for i in range(start, start + n)]
    data = {"question": question, "answer": answer, "topic": topic, "input": question, "output": answer}
    fields: dict[str, Any] = {"ids": [f"id-{i}" for i in range(start, start + n)], **changes}
    return Columns(data, n, start, **fields)


def write(
    writer: RunWriter, columns: Columns, scored: Sequence[ScoreColumns], seqs: Sequence[int] | None = None
) -> None:
    """Encode, send through pickle as from another process, and write."""
    encoder = pickle.loads(pickle.dumps(writer.encoder))
    writer.write(encoder(columns, scored, range(columns.start, columns.start + columns.n) if seqs is None else seqs))


def stored(store: RunStore, scored: Sequence[ScoreColumns], columns: Columns | None = None, **fields: Any) -> RunReader:
    """A finished run of one block."""
    run = record(**fields)
    writer = store.create(run, scorings(*(f"scorer {i}" for i in range(len(scored)))))
    write(writer, columns or columns_of(n=len(scored[0])), scored)
    writer.finish("success")
    return store.open(run.id)


def an_empty_store_reads_as_empty(store: RunStore) -> None:
    assert store.runs() == []
    for key in ("latest", "abcd", ""):
        with pytest.raises(RunNotFoundError):
            store.find(key)
        with pytest.raises(RunNotFoundError):
            store.open(key)


def what_was_written_is_read(store: RunStore) -> None:
    scored = ScoreColumns(["C", "I", "C"], ["a", None, "b"], {1: "empty"}, {2: Detail("because", {"k": [1]})})
    reader = stored(store, [scored])
    (scoring,) = reader.scorings
    assert [decode_value(kind, cell) for _, _, kind, cell, _ in reader.values(scoring)] == ["C", "I", "C"]
    outcomes = list(reader.outcomes(scoring))
    assert [row.outcome for row in outcomes] == list(scored)
    assert [(row.seq, row.id, row.epoch, row.scorer) for row in outcomes][1] == (1, "id-1", 1, "scorer 0")
    first = next(reader.samples())
    assert first.row == columns_of().row(0)
    assert list(first.row) == list(columns_of().data)
    assert (first.seq, first.id, first.epoch, first.output, first.extra) == (0, "id-0", 1, "answer 0", {})


def values_keep_their_types(store: RunStore) -> None:
    values: list[Any] = [True, 1, 1.0, "1", "", 0, False, -0.5, 2**70, {"a": [1, {"b": None}]}, [1, 2.0], "π\ud800"]
    reader = stored(store, [ScoreColumns(values)])
    (scoring,) = reader.scorings
    read = [decode_value(kind, cell) for _, _, kind, cell, _ in reader.values(scoring)]
    assert [(type(value), value) for value in read] == [(type(value), value) for value in values]
    assert [row.outcome for row in reader.outcomes(scoring)] == [Score(value) for value in values]


def absence_has_its_reason(store: RunStore) -> None:
    scored = ScoreColumns([None, 1.0, None], None, {0: "no_output", 2: "scorer_error"}, {2: Detail(error="it broke")})
    reader = stored(store, [scored])
    (scoring,) = reader.scorings
    assert next(reader.values(scoring))[2:] == (UNSCORED_TYPE, None, "no_output")
    assert [row.outcome for row in reader.outcomes(scoring)] == [
        Unscored("no_output"),
        Score(1.0),
        Unscored("scorer_error", "it broke"),
    ]


def long_texts_come_back(store: RunStore) -> None:
    text = "word " * 1000
    columns = columns_of(n=2)
    columns.data["output"][0] = text
    details = {0: Detail(explanation=text), 1: Detail(explanation=text + "!")}
    scored = ScoreColumns(["C", "I"], [text, text[:-1]], None, details)
    reader = stored(store, [scored], columns)
    assert [row.outcome for row in reader.outcomes(reader.scorings[0])] == list(scored)
    assert next(reader.samples()).output == text


def rows_are_in_order_of_seq(store: RunStore) -> None:
    run = record()
    writer = store.create(run, scorings("a"))
    for start in (6, 0, 3):
        write(writer, columns_of(start), [ScoreColumns([start, start + 1, start + 2])])
    write(writer, columns_of(9, 2), [ScoreColumns([12, 10])], [12, 10])
    writer.finish("success")
    reader = store.open(run.id)
    (scoring,) = reader.scorings
    seqs = [*range(9), 10, 12]
    assert [(row[0], row[3]) for row in reader.values(scoring)] == [(seq, seq) for seq in seqs]
    assert [sample.seq for sample in reader.samples()] == seqs
    assert [sample.seq for sample in reader.samples(offset=2, limit=3)] == [2, 3, 4]
    assert [sample.seq for sample in reader.samples(offset=8)] == [8, 10, 12]
    assert [sample.seq for sample in reader.samples([12, 0, 11, 5])] == [12, 0, 5]
    assert [row.seq for row in reader.outcomes(scoring, [12, 0, 11, 5])] == [0, 5, 12]
    assert reader.sample_ids() == [*(f"id-{i}" for i in range(9)), "", "id-10", "", "id-9"]
    assert reader.labels("question")[9:] == [None, "question 10", None, "question 9"]


def blocks_of_one_row_are_as_good(store: RunStore) -> None:
    run = record()
    writer = store.create(run, scorings("a"))
    for i in (2, 0, 1):
        write(writer, columns_of(i, 1), [ScoreColumns([i / 2])])
    assert writer.finish("success").n_samples == 3
    reader = store.open(run.id)
    assert [row[3] for row in reader.values(reader.scorings[0])] == [0.0, 0.5, 1.0]


def epochs_share_an_id(store: RunStore) -> None:
    columns = columns_of(n=4, ids=["x", "y", "x", "y"], epochs=[1, 1, 2, 2])
    reader = stored(store, [ScoreColumns([1, 2, 3, 4])], columns)
    assert reader.record.n_epochs == 2
    assert [row[1] for row in reader.values(reader.scorings[0])] == [1, 1, 2, 2]
    assert reader.find_sample("x") == [0, 2]
    assert reader.find_sample("z") == []
    assert [row.epoch for row in reader.outcomes(reader.scorings[0], [2])] == [2]


def repeated_ids_are_an_error(store: RunStore) -> None:
    run = record()
    writer = store.create(run, scorings("a"))
    write(writer, columns_of(ids=["x", "y", "x"]), [ScoreColumns([1, 2, 3])])
    with pytest.raises(DuplicateIdError, match="'x' .2 rows of epoch 1."):
        writer.finish("success")
    assert store.find(run.id).status == "error"


def a_block_can_be_renamed(store: RunStore) -> None:
    run = record()
    writer = store.create(run, scorings("a"))
    block = writer.encoder(columns_of(ids=["x", "y", "x"]), [ScoreColumns([1, 2, 3])], range(3))
    writer.write(block.renamed(["x", "y", "x"], [1, 1, 2]))
    writer.finish("success")
    reader = store.open(run.id)
    assert reader.find_sample("x") == [0, 2]
    assert [row[1] for row in reader.values(reader.scorings[0])] == [1, 1, 2]


def live_outputs_keep_what_is_known_of_them(store: RunStore) -> None:
    outputs = [
        Output("text", Usage(3, 4), 0.5, 0.001, "stop", "m"),
        Output({"a": 1}),
        Output(None, error="ModelCallError: no answer"),
        None,
    ]
    data = {"question": ["a", "b", "c", "d"]}
    columns = Columns(data, 4, ids=list("abcd"), outputs=outputs)
    reader = stored(store, [ScoreColumns([1, 2, None, None])], columns)
    samples = list(reader.samples())
    assert [sample.output for sample in samples] == ["text", {"a": 1}, None, None]
    assert samples[0].extra["usage"] == {"input_tokens": 3, "output_tokens": 4}
    assert (samples[0].extra["latency"], samples[0].extra["cost"]) == (0.5, 0.001)
    assert (samples[0].extra["stop_reason"], samples[0].extra["model"]) == ("stop", "m")
    assert [sample.extra for sample in samples[1:]] == [{}, {"error": "ModelCallError: no answer"}, {}]
    assert samples[3].row == {"question": "d"}


def runs_may_share_samples(store: RunStore) -> None:
    question = ["q0", "q1"]
    answers: dict[str, list[Any]] = {"left": ["a", "b"], "right": ["c", None]}
    ours, theirs = record(), record()
    first = store.create(ours, scorings("a"), outputs=("left", "right"))
    second = store.create(theirs, scorings("a"), share_samples_with=ours.id, outputs=("left", "right"))
    for writer, name in ((first, "left"), (second, "right")):
        data: dict[str, list[Any]] = {"question": question, **answers, "input": question, "output": answers[name]}
        write(writer, Columns(data, 2, ids=["i", "j"]), [ScoreColumns(["C", "I"])])
    assert second.finish("success").n_samples == first.finish("success").n_samples == 2
    for run, name in ((ours, "left"), (theirs, "right")):
        reader = store.open(run.id)
        samples = list(reader.samples())
        assert [sample.output for sample in samples] == answers[name]
        assert [sample.row["question"] for sample in samples] == question
        assert [sample.row[name] for sample in samples] == answers[name]
        assert reader.sample_ids() == ["i", "j"]
        assert reader.find_sample("j") == [1]
    with pytest.raises(RunNotFoundError):
        store.create(record(), [], share_samples_with="no such run")


def labels_are_columns_by_seq(store: RunStore) -> None:
    reader = stored(store, [ScoreColumns([1, 2, 3])], cluster="topic", by=("topic", "absent"), columns=columns_of())
    topics = ["art", "law", "art"]
    assert reader.labels("topic") == topics
    assert reader.labels("question") == reader.labels("input") == ["question 0", "question 1", "question 2"]
    assert reader.labels("output") == reader.labels("answer") == ["answer 0", "answer 1", "answer 2"]
    with pytest.raises(ColumnNotFoundError, match="question"):
        reader.labels("questoin")


def labels_keep_their_types(store: RunStore) -> None:
    cells = ["1", 1, 1.0, True, None, ["a"]]
    columns = Columns({"level": cells}, 6, ids=list("abcdef"))
    reader = stored(store, [ScoreColumns([0.0] * 6)], columns, by=("level",))
    assert [(type(cell), cell) for cell in reader.labels("level")] == [(type(cell), cell) for cell in cells]


def distinct_and_totals_agree_with_values(store: RunStore) -> None:
    values = ["C", "I", True, 1, 1.0, None, None, "C"]
    reader = stored(store, [ScoreColumns(values, None, {0: "empty", 5: "no_output", 6: "timeout"})])
    (scoring,) = reader.scorings
    rows = [row[2:] for row in reader.values(scoring)]
    assert {
        (kind, decode_value(kind, cell) if cell is not None else None, why): n
        for kind, cell, why, n in reader.distinct(scoring)
    } == {
        (kind, decode_value(kind, cell) if cell is not None else None, why): n
        for (kind, cell, why), n in Counter(rows).items()
    }
    assert sorted(reader.totals(scoring), key=repr) == sorted(
        ((kind, why, n) for (kind, why), n in Counter((kind, why) for kind, _, why in rows).items()), key=repr
    )
    assert reader.distinct(scoring, limit=2) == []


def too_many_distinct_values_are_not_listed(store: RunStore) -> None:
    n = 1500
    reader = stored(store, [ScoreColumns([i / n for i in range(n)])], columns_of(n=n))
    (scoring,) = reader.scorings
    assert reader.distinct(scoring) == []
    assert reader.totals(scoring) == [(0, None, n)]
    assert sum(1 for _ in reader.values(scoring)) == n


def an_unfinished_run_can_be_read(store: RunStore) -> None:
    run = record()
    writer = store.create(run, scorings("a"))
    reader = store.open(run.id)
    assert (reader.record.status, list(reader.samples()), reader.sample_ids()) == ("started", [], [])
    assert reader.distinct(reader.scorings[0]) == []
    assert reader.totals(reader.scorings[0]) == []
    write(writer, columns_of(), [ScoreColumns(["C", "I", "C"])])
    while writer.committed < 3:
        time.sleep(0.001)
    assert [row[0] for row in reader.values(reader.scorings[0])] == [0, 1, 2]
    assert reader.find_sample("id-1") == [1]
    assert sum(n for *_, n in reader.distinct(reader.scorings[0])) == 3
    writer.finish("cancelled")
    assert store.find(run.id).status == "cancelled"


def finish_writes_the_record(store: RunStore) -> None:
    run = record()
    writer = store.create(run, scorings("a"))
    write(writer, columns_of(), [ScoreColumns([1, 2, 3])])
    ended = writer.finish("success", dataset_version="abc", name="better name")
    assert (ended.status, ended.n_samples, ended.n_epochs, ended.dataset_version) == ("success", 3, 1, "abc")
    assert ended.finished is not None
    assert store.find(run.id) == store.find("better name") == ended
    assert writer.finish("error") == ended
    assert not writer.full
    with pytest.raises(StoreError, match="closed"):
        writer.write(writer.encoder(columns_of(3), [ScoreColumns([1, 2, 3])], range(3, 6)))


def runs_are_listed_newest_first(store: RunStore) -> None:
    made = [record(name) for name in ("one", "two", "one")]
    for run in made:
        store.create(run, []).finish("success")
    assert [run.id for run in store.runs()] == [run.id for run in reversed(made)]
    assert [run.id for run in store.runs(limit=2)] == [made[2].id, made[1].id]
    assert [run.id for run in store.runs(name="one")] == [made[2].id, made[0].id]
    assert store.find("latest").id == store.find("one").id == made[2].id
    with pytest.raises(UsageError, match="already"):
        store.create(made[0], [])


def a_run_is_found_by_its_beginning(store: RunStore) -> None:
    for name, run_id in (("one", "aaaa11110000"), ("two", "aaaa22220000"), ("aaaa1111", "bbbb00000000")):
        store.create(record(name, id=run_id), []).finish("success")
    assert store.find("aaaa2").name == "two"
    assert store.find("aaaa11110000").name == "one"
    assert store.find("aaaa1111").id == "bbbb00000000"
    assert store.open("bbbb").record.id == "bbbb00000000"
    with pytest.raises(RunNotFoundError, match=r"aaaa22220000 .*aaaa11110000"):
        store.find("aaaa")
    with pytest.raises(RunNotFoundError, match="'two'.*steelyard list"):
        store.find("tow")
    with pytest.raises(RunNotFoundError):
        store.find("bbb")


def rescoring_adds_a_scoring(store: RunStore) -> None:
    reader = stored(store, [ScoreColumns(["C", "I", "C"]), ScoreColumns([1, 2, 3])])
    run = reader.record
    again = store.add_scoring(run.id, scorings("scorer 0")[0])
    writer = store.open_writer(run.id, [again])
    assert list(writer.scorings) == [again]
    write(writer, columns_of(), [ScoreColumns(["I", "I", "I"])])
    assert writer.finish("success", settings={"rescored": True}).finished == run.finished
    reader = store.open(run.id)
    assert (reader.record.n_samples, reader.record.settings) == (3, {"rescored": True})
    assert reader.scorings[0].id == again.id
    assert [scoring.name for scoring in reader.scorings] == ["scorer 0", "scorer 1"]
    assert [row[3] for row in reader.values(again)] == ["I", "I", "I"]
    assert [row.outcome.value for row in reader.outcomes(reader.scorings[1])] == [1, 2, 3]
    assert reader.totals(again) == [(3, None, 3)]
    assert len(list(reader.samples())) == 3


def figures_can_be_put_into_a_scoring(store: RunStore) -> None:
    reader = stored(store, [ScoreColumns([1, 2, 3])])
    (scoring,) = reader.scorings
    changed = ScoringRecord(id=scoring.id, name=scoring.name, spec=scoring.spec, figures={"mine": 1.5})
    store.put_scoring(reader.record.id, changed)
    assert store.open(reader.record.id).scorings[0] == changed
    with pytest.raises(UsageError):
        store.put_scoring(reader.record.id, ScoringRecord(id=10**6, name="x", spec="x"))


def a_run_can_be_resumed(store: RunStore) -> None:
    run = record(by=("topic",))
    writer = store.create(run, scorings("a"))
    write(writer, columns_of(0), [ScoreColumns([1, 2, 3])])
    writer.finish("error")
    resumed = store.open_writer(run.id, writer.scorings, outcomes_only=False)
    write(resumed, columns_of(3), [ScoreColumns([4, 5, 6])])
    assert resumed.finish("success").n_samples == 6
    reader = store.open(run.id)
    (scoring,) = reader.scorings
    assert [row[3] for row in reader.values(scoring)] == [1, 2, 3, 4, 5, 6]
    assert reader.totals(scoring) == [(1, None, 6)]
    assert reader.find_sample("id-4") == [4]
    assert len(reader.labels("topic")) == 6


def ids_must_be_known(store: RunStore) -> None:
    writer = store.create(record(), scorings("a"))
    with pytest.raises(UsageError, match="ids"):
        writer.encoder(columns_of(ids=None), [ScoreColumns([1, 2, 3])], range(3))
    writer.finish("cancelled")


LAWS: tuple[Callable[[RunStore], None], ...] = (
    an_empty_store_reads_as_empty,
    what_was_written_is_read,
    values_keep_their_types,
    absence_has_its_reason,
    long_texts_come_back,
    rows_are_in_order_of_seq,
    blocks_of_one_row_are_as_good,
    epochs_share_an_id,
    repeated_ids_are_an_error,
    a_block_can_be_renamed,
    live_outputs_keep_what_is_known_of_them,
    runs_may_share_samples,
    labels_are_columns_by_seq,
    labels_keep_their_types,
    distinct_and_totals_agree_with_values,
    too_many_distinct_values_are_not_listed,
    an_unfinished_run_can_be_read,
    finish_writes_the_record,
    runs_are_listed_newest_first,
    a_run_is_found_by_its_beginning,
    rescoring_adds_a_scoring,
    figures_can_be_put_into_a_scoring,
    a_run_can_be_resumed,
    ids_must_be_known,
)
