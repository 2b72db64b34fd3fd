"""Rows a second into columns, by source; and the cost of ids. Run: python bench/data.py [ROWS]."""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from steelyard.core.columns import Columns
from steelyard.data import IdBook, content_ids, open_source, write_rows

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000


def row(i):
    return {"id": f"q{i}", "output": f"{i} " + "answer " * 20, "target": f"{i} " + "reference " * 10}


def timed(name, work, n=ROWS):
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:<28}{n / seconds:>12,.0f} rows/s{seconds / n * 1e6:>9.3f} us a row   peak {peak:,.0f} MB")


def drain(data, **options):
    for _ in open_source(data, **options).chunks():
        pass


def main():
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for suffix in ("jsonl", "jsonl.gz", "json", "csv", "parquet"):
            timed(f"write {suffix}", lambda s=suffix: write_rows(home / f"a.{s}", map(row, range(ROWS))))
        print(f"{(home / 'a.jsonl').stat().st_size / ROWS:.0f} bytes a row")
        for suffix in ("jsonl", "jsonl.gz", "json", "csv", "parquet"):
            timed(f"read {suffix}", lambda s=suffix: drain(home / f"a.{s}"))
        source = open_source(home / "a.jsonl")
        timed("cut jsonl", source.parts)
        timed("read parts", lambda: [None for part in source.parts() or () for _ in part.read()])
        list(source.chunks())
        rows = list(map(row, range(ROWS)))
        timed("list of dicts", lambda: drain(rows))
        timed("generator", lambda: drain(iter(rows)))
        import pandas
        import polars

        for frame in (pandas.DataFrame(rows), polars.DataFrame(rows)):
            timed(f"{type(frame).__module__.split('.')[0]} frame", lambda f=frame: drain(f))
        del rows, frame
        chunks = list(open_source(home / "a.jsonl").chunks())
        timed("content ids", lambda: [content_ids(c, ("output", "target")) for c in chunks])
        book = IdBook(given=True)
        timed("given ids", lambda: [book.settle(c["id"], start=c.start) for c in chunks])
        named = [content_ids(c, ("id",)) for c in chunks]
        book = IdBook(given=False)
        timed("ids from content", lambda: [book.settle(ids) for ids in named])
        book = IdBook(given=True, epochs="repeats")
        timed("repeats as epochs", lambda: [book.settle(c["id"], start=c.start) for c in chunks])


if __name__ == "__main__":
    main()
