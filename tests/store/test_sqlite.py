"""SqliteStore: where its file is and when it is made, what is in it, and what it says when it cannot work."""

import os
import shutil
import sqlite3
import stat
import sys
import threading
import time
from contextlib import closing

import pytest

from steelyard.core.columns import Columns, ScoreColumns
from steelyard.errors import StoreError
from steelyard.store import _connect, _faults, _rows, _writer
from steelyard.store.sqlite import SqliteStore

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def tables(path):
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def test_the_default_place_is_a_hidden_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STEELYARD_HOME", raising=False)
    assert SqliteStore().path == tmp_path / ".steelyard" / "steelyard.db"
    monkeypatch.setenv("STEELYARD_HOME", str(tmp_path / "elsewhere"))
    assert SqliteStore().path == tmp_path / "elsewhere" / "steelyard.db"
    assert SqliteStore("results").path == tmp_path / "results" / "steelyard.db"
    assert SqliteStore("mine.db").path == tmp_path / "mine.db"


def test_nothing_is_made_before_the_first_write(tmp_path, laws):
    store = SqliteStore(tmp_path / "deep" / "home")
    assert store.runs() == []
    assert list(tmp_path.iterdir()) == []
    store.create(laws.record(), []).finish("success")
    assert (tmp_path / "deep" / "home" / ".gitignore").read_text() == "*\n"
    assert [path.name for path in store.path.parent.iterdir() if path.name != ".gitignore"] == ["steelyard.db"]


def test_a_folder_that_was_there_gets_no_gitignore(tmp_path, laws):
    SqliteStore(tmp_path).create(laws.record(), []).finish("success")
    assert not (tmp_path / ".gitignore").exists()


def test_the_database_is_as_durable_as_sqlite_can(tmp_path):
    with closing(_connect.open_writing(tmp_path / "a.db")) as db:
        found = {
            name: db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 30_000}


def test_no_text_is_stored_twice(tmp_path, laws):
    marks = {name: f"<{name} of this row>" for name in ("question", "answer", "topic")}
    data = {name: [text] for name, text in marks.items()}
    data |= {"input": data["question"], "output": data["answer"]}
    scored = ScoreColumns(["C"], None, None, {0: laws.Detail(explanation=marks["answer"])})
    store = SqliteStore(tmp_path)
    laws.stored(store, [scored], Columns(data, 1, ids=["i"]))
    content = repr(tables(store.path))
    assert [content.count(text) for text in marks.values()] == [1, 1, 1]


def test_a_dict_is_one_row(tmp_path, laws):
    store = SqliteStore(tmp_path)
    laws.stored(store, [ScoreColumns([{"a": 1, "b": 2}])], laws.columns_of(n=1))
    assert [row[3:5] for row in tables(store.path)["scores"]] == [(4, '{"a":1,"b":2}')]


def test_shared_samples_are_stored_once(tmp_path, laws):
    store = SqliteStore(tmp_path)
    laws.runs_may_share_samples(store)
    found = tables(store.path)
    assert len(found["samples"]) == len(found["sample_bodies"]) == 2
    assert len(found["outputs"]) == 4


def test_small_commits_gather_into_one(tmp_path, laws, monkeypatch):
    sizes = []
    insert = _rows.insert_blocks
    first = threading.Event()

    def slow_insert(db, blocks, **where):
        sizes.append(sum(map(len, blocks)))
        first.wait(5)
        insert(db, blocks, **where)

    monkeypatch.setattr(_writer, "insert_blocks", slow_insert)
    writer = SqliteStore(tmp_path).create(laws.record(), laws.scorings("a"))
    for i in range(1200):
        laws.write(writer, laws.columns_of(i, 1), [ScoreColumns([i])])
    first.set()
    assert writer.finish("success").n_samples == 1200
    assert max(sizes) == _writer.GROUP_ROWS == 500
    assert len(sizes) <= 1 + 4


def test_a_full_backlog_makes_write_wait(tmp_path, laws, monkeypatch):
    monkeypatch.setattr(_writer, "BACKLOG_ROWS", 10)
    writer = SqliteStore(tmp_path).create(laws.record(), laws.scorings("a"))
    block = writer.encoder(laws.columns_of(0, 10), [ScoreColumns([0] * 10)], range(10))
    with closing(sqlite3.connect(SqliteStore(tmp_path).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        writer.write(block)
        assert writer.full
        assert writer.committed == 0
        late = threading.Thread(
            target=laws.write, args=(writer, laws.columns_of(10, 10), [ScoreColumns([0] * 10)]), daemon=True
        )
        late.start()
        late.join(0.05)
        assert late.is_alive()
        other.execute("COMMIT")
    late.join()
    assert writer.finish("success").n_samples == 20


def test_a_place_written_twice_is_an_error_at_the_next_call(tmp_path, laws):
    writer = SqliteStore(tmp_path).create(laws.record(), laws.scorings("a"))
    laws.write(writer, laws.columns_of(), [ScoreColumns([1, 2, 3])])
    laws.write(writer, laws.columns_of(), [ScoreColumns([1, 2, 3])])
    with pytest.raises(StoreError, match="twice"):
        writer.finish("success")
    with pytest.raises(StoreError, match="twice"):
        writer.write(writer.encoder(laws.columns_of(), [ScoreColumns([1, 2, 3])], range(3)))
    assert SqliteStore(tmp_path).find("latest").status == "error"
    assert "twice" in (SqliteStore(tmp_path).find("latest").error or "")


def test_a_full_disk_is_an_error_with_a_remedy_and_keeps_what_was_committed(tmp_path, laws):
    store = SqliteStore(tmp_path)
    writer = store.create(laws.record(), laws.scorings("a"))
    laws.write(writer, laws.columns_of(0, 100), [ScoreColumns([0] * 100)])
    while writer.committed < 100:
        time.sleep(0.001)
    pages = writer._db.execute("PRAGMA page_count").fetchone()[0]
    writer._db.execute(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(StoreError, match=r"steelyard\.db.*disk is full.*committed is safe"):
        for start in range(100, 100_000, 100):
            laws.write(writer, laws.columns_of(start, 100), [ScoreColumns([0] * 100)])
    with pytest.raises(StoreError, match="disk is full"):
        writer.finish("error")
    reader = store.open("latest")
    assert sum(1 for _ in reader.values(reader.scorings[0])) == writer.committed >= 100


def test_a_locked_database_is_an_error_with_a_remedy(tmp_path, laws, monkeypatch):
    store = SqliteStore(tmp_path)
    store.create(laws.record(), []).finish("success")
    monkeypatch.setattr(_connect, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"steelyard\.db.*another process has held it"):
            store.create(laws.record(), [])
        assert len(store.runs()) == 1
        other.execute("ROLLBACK")


def test_a_file_that_is_no_database_is_an_error_with_a_remedy(tmp_path, laws):
    path = tmp_path / "steelyard.db"
    path.write_text("These are not the bytes that you are looking for. " * 100)
    for attempt in (SqliteStore(path).runs, lambda: SqliteStore(path).create(laws.record(), [])):
        with pytest.raises(StoreError, match=r"steelyard\.db.*no SQLite database: move the file away"):
            attempt()


def test_a_damaged_file_is_an_error_with_a_remedy(tmp_path, laws):
    store = SqliteStore(tmp_path)
    laws.stored(store, [ScoreColumns([0] * 5000)], laws.columns_of(n=5000))
    content = bytearray(store.path.read_bytes())
    content[8192:] = os.urandom(len(content) - 8192)
    store.path.write_bytes(content)
    with pytest.raises(StoreError, match=r"steelyard\.db.*(damaged|no SQLite database)"):
        list(store.open("latest").samples())


def test_a_folder_in_the_way_is_an_error(tmp_path, laws):
    (tmp_path / "steelyard.db").mkdir()
    for attempt in (SqliteStore(tmp_path).runs, lambda: SqliteStore(tmp_path).create(laws.record(), [])):
        with pytest.raises(StoreError, match=r"steelyard\.db"):
            attempt()


def test_a_file_where_the_folder_should_be_is_an_error(tmp_path, laws):
    (tmp_path / "home").write_text("")
    with pytest.raises(StoreError, match="STEELYARD_HOME"):
        SqliteStore(tmp_path / "home" / "deeper").create(laws.record(), [])


@pytest.mark.skipif(AS_ROOT or sys.platform == "win32", reason="permissions do not bind this user")
def test_a_folder_that_may_not_be_written_is_an_error(tmp_path, laws):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(StoreError, match=r"permission|Permission"):
            SqliteStore(tmp_path).create(laws.record(), [])
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_store_that_may_only_be_read_is_read(tmp_path, laws, monkeypatch):
    made = SqliteStore(tmp_path / "made")
    laws.stored(made, [ScoreColumns([1, 2, 3])])
    copy = SqliteStore(shutil.copytree(tmp_path / "made", tmp_path / "copy"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert [sample.id for sample in copy.open("latest").samples()] == ["id-0", "id-1", "id-2"]
    assert sorted(path.name for path in copy.path.parent.iterdir()) == [".gitignore", "steelyard.db"]


def test_a_reader_of_a_store_that_is_gone_says_so(tmp_path, laws):
    reader = laws.stored(SqliteStore(tmp_path), [ScoreColumns([1])], laws.columns_of(n=1))
    reader._path.unlink()
    with pytest.raises(StoreError, match="gone"):
        reader.sample_ids()


def test_a_stream_that_is_left_early_closes_its_connection(tmp_path, laws):
    reader = laws.stored(SqliteStore(tmp_path), [ScoreColumns([0] * 2000)], laws.columns_of(n=2000))
    values = reader.values(reader.scorings[0])
    next(values)
    values.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["steelyard.db"]


def test_every_error_of_sqlite_has_words(tmp_path):
    path = tmp_path / "a.db"
    with (
        closing(sqlite3.connect(":memory:")) as memory,
        pytest.raises(StoreError, match=r"a\.db cannot be used: no such table"),
        _faults.store_faults(path),
    ):
        memory.execute("SELECT * FROM nowhere")
    with pytest.raises(StoreError, match=r"a\.db cannot be used: No space left"), _faults.store_faults(path):
        raise OSError(28, "No space left on device")
