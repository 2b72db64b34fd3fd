"""A database of any age becomes one of today, whole or not at all; one from the future is left alone."""

import sqlite3
from contextlib import closing

import pytest

from steelyard.errors import StoreError
from steelyard.store.migrations import MIGRATIONS, migrate, pending
from steelyard.store.sqlite import SqliteStore


def m002_add_colour(db):
    db.execute("ALTER TABLE runs ADD COLUMN colour TEXT DEFAULT 'grey'")


def m003_broken(db):
    db.execute("CREATE TABLE half (done)")
    raise RuntimeError("no")


@pytest.fixture
def db():
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield connection


def tables(db):
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_an_empty_database_gets_all_tables(db):
    migrate(db)
    assert {"migrations", "runs", "scorings", "samples", "scores", "outputs", "details", "totals"} <= tables(db)
    assert pending(db) == []
    migrate(db)
    assert [name for (name,) in db.execute("SELECT name FROM migrations")] == [step.__name__ for step in MIGRATIONS]


def test_an_older_database_gets_what_it_lacks(db):
    migrate(db, MIGRATIONS[:1])
    db.execute("INSERT INTO sample_sets DEFAULT VALUES")
    db.execute("INSERT INTO runs (id, name, created, sample_set, record) VALUES ('a', 'old', '2026', 1, '{}')")
    migrate(db, (*MIGRATIONS, m002_add_colour))
    assert db.execute("SELECT name, colour FROM runs").fetchall() == [("old", "grey")]


def test_a_migration_that_fails_leaves_all_as_it_was(db):
    migrate(db)
    before = tables(db)
    with pytest.raises(RuntimeError):
        migrate(db, (*MIGRATIONS, m002_add_colour, m003_broken))
    assert tables(db) == before
    assert pending(db, (*MIGRATIONS, m002_add_colour)) == [m002_add_colour]


def test_a_newer_database_is_refused(tmp_path, laws):
    store = SqliteStore(tmp_path)
    store.create(laws.record(), []).finish("success")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("INSERT INTO migrations VALUES ('m999_from_the_future', '2099')")
    for attempt in (store.runs, lambda: store.find("latest"), lambda: store.create(laws.record(), [])):
        with pytest.raises(
            StoreError, match=r"steelyard\.db.*newer steelyard.*m999_from_the_future.*pip install --upgrade"
        ):
            attempt()


def test_a_database_of_another_program_is_refused(tmp_path, laws):
    store = SqliteStore(tmp_path)
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("CREATE TABLE bookmarks (address)")
    for attempt in (store.runs, lambda: store.create(laws.record(), [])):
        with pytest.raises(StoreError, match=r"steelyard\.db.*another program.*bookmarks"):
            attempt()
    with closing(sqlite3.connect(store.path)) as db:
        assert tables(db) == {"bookmarks"}


def test_a_file_of_the_first_release_is_read(tmp_path, laws):
    """The tables as first released, with a run in them: what later releases have to read."""
    reader = laws.stored(
        SqliteStore(tmp_path), [laws.ScoreColumns(["C", "I", None], ["a", None, None], {2: "timeout"})]
    )
    with closing(sqlite3.connect(SqliteStore(tmp_path).path)) as db:
        script = list(db.iterdump())
        found = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    with closing(sqlite3.connect(tmp_path / "copy.db")) as db:
        db.executescript("\n".join(script))
    assert len(found) >= 14
    copy = SqliteStore(tmp_path / "copy.db")
    assert list(copy.open("latest").samples()) == list(reader.samples())
