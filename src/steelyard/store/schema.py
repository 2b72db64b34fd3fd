"""The tables of the SQLite store. Their reasons are in ``docs/decisions/0005-store-layout.md``."""

__all__ = ["APPLICATION_ID", "FIRST_TABLES", "SEQ_BITS", "place"]

APPLICATION_ID = 0x5374_6C79
"""Marks the file as ours in the SQLite header: the letters Stly."""

SEQ_BITS = 32

FIRST_TABLES = (
    # A sample set is the rows of one call; runs over the same rows share it. `indexed` tells that sample_ids is filled.
    "CREATE TABLE sample_sets (id INTEGER PRIMARY KEY, indexed INTEGER NOT NULL DEFAULT 0)",
    """CREATE TABLE runs (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        created TEXT NOT NULL,
        sample_set INTEGER NOT NULL REFERENCES sample_sets (id),
        layout TEXT NOT NULL DEFAULT '{}',
        left_out TEXT NOT NULL DEFAULT '[]',
        record TEXT NOT NULL
    )""",
    "CREATE INDEX runs_by_time ON runs (created, number)",
    "CREATE INDEX runs_by_name ON runs (name, created, number)",
    """CREATE TABLE scorings (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (number),
        name TEXT NOT NULL,
        record TEXT NOT NULL
    )""",
    "CREATE INDEX scorings_by_run ON scorings (run, id)",
    # Narrow tables are clustered by their key, so that one run or one scoring is one stretch of the file. The big ones
    # declare no foreign keys: the check would cost a look-up a row, and one writer alone fills them.
    """CREATE TABLE samples (
        sample_set INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        id NOT NULL,
        epoch INTEGER NOT NULL,
        PRIMARY KEY (sample_set, seq)
    ) WITHOUT ROWID""",
    """CREATE TABLE sample_ids (
        sample_set INTEGER NOT NULL,
        id NOT NULL,
        epoch INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (sample_set, id, epoch)
    ) WITHOUT ROWID""",
    """CREATE TABLE labels (
        sample_set INTEGER NOT NULL,
        name TEXT NOT NULL,
        seq INTEGER NOT NULL,
        type INTEGER NOT NULL,
        value,
        PRIMARY KEY (sample_set, name, seq)
    ) WITHOUT ROWID""",
    # value has no declared type, so that 1, 1.0 and '1' stay what they are; `type` is that of core/record.py.
    """CREATE TABLE scores (
        scoring INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        epoch INTEGER NOT NULL,
        type INTEGER NOT NULL,
        value,
        answer,
        reason TEXT,
        PRIMARY KEY (scoring, seq)
    ) WITHOUT ROWID""",
    # Bodies are in rowid tables (a wide row in a WITHOUT ROWID table is slow), by `place`: owner << 32 | seq.
    "CREATE TABLE sample_bodies (place INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE outputs (place INTEGER PRIMARY KEY, value, extra BLOB)",
    "CREATE TABLE details (place INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    """CREATE TABLE totals (
        scoring INTEGER NOT NULL REFERENCES scorings (id),
        type INTEGER NOT NULL,
        value,
        reason TEXT,
        collapsed INTEGER NOT NULL,
        count INTEGER NOT NULL
    )""",
    "CREATE INDEX totals_by_scoring ON totals (scoring)",
)


def place(owner: int, seq: int = 0) -> int:
    """The row number of a body: its owner (a sample set, run or scoring) and its place there, in one integer.

    >>> place(1, 2)
    4294967298
    """
    return (owner << SEQ_BITS) + seq
