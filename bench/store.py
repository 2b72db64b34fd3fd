"""What the store costs: rows a second and CPU a row for appends, milliseconds for what a viewer asks.

usage: python bench/store.py [--rows 1000000] [--folder DIR]
"""

import argparse
import gc
import hashlib
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from steelyard.core.columns import Columns, Detail, ScoreColumns
from steelyard.core.ports import RunStore, RunWriter
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.core.sample import Output, Usage
from steelyard.store.memory import MemoryStore
from steelyard.store.sqlite import SqliteStore

CHUNK = 2_000
SCORERS = ("exact", "includes", "f1", "edit")
FILL = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do "


def chunk(start: int, n: int) -> tuple[Columns, list[ScoreColumns]]:
    """Rows of about 300 bytes with four scores: letters, truth values, few and many distinct numbers."""
    rows = range(start, start + n)
    question = [f"Question {i}: {FILL * 2}" for i in rows]
    target = [f"answer {i % 97}" for i in rows]
    output = [f"I think that it is answer {i % 101}, {FILL}" for i in rows]
    topic = ["history", "physics", "law", "art"] * (n // 4 + 1)
    ids = [hashlib.blake2b(text.encode(), digest_size=8).hexdigest() for text in question]
    data = {"question": question, "input": question, "target": target, "output": output, "topic": topic[:n]}
    scored = [
        ScoreColumns(["C" if i % 3 else "I" for i in rows], target),
        ScoreColumns([i % 5 > 1 for i in rows]),
        ScoreColumns([i % 11 / 10 for i in rows]),
        ScoreColumns([i / 1e6 for i in rows]),
    ]
    return Columns(data, n, start, ids), scored


def cpu() -> float:
    """CPU seconds of this process, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def run_record(store: RunStore, **options: Any) -> RunWriter:
    """Begin a run of four scorers."""
    run = RunRecord(id=f"{time.time_ns():012x}"[-12:], name="bench", created=f"{time.time():.6f}", by=("topic",))
    return store.create(run, [ScoringRecord(name=name, spec=name) for name in SCORERS], **options)


def append(store: RunStore, rows: int) -> str:
    """Append chunks, with the encoder's and the writer's CPU apart (the rest of the loop makes the rows)."""
    writer = run_record(store)
    encoding = making = 0.0
    began, cpu_began = time.perf_counter(), cpu()
    for start in range(0, rows, CHUNK):
        t = time.thread_time()
        columns, scored = chunk(start, min(CHUNK, rows - start))
        making += time.thread_time() - t
        t = time.thread_time()
        block = writer.encoder(columns, scored, range(start, start + columns.n))
        encoding += time.thread_time() - t
        writer.write(block)
    t = time.perf_counter()
    writer.finish("success")
    ending = time.perf_counter() - t
    wall, spent = time.perf_counter() - began, cpu() - cpu_began
    each = 1e6 / rows
    print(
        f"append {rows:,} rows, {type(store).__name__}: {rows / wall:,.0f} rows/s in one process with the making of rows; "
        f"us a row: encode {encoding * each:.2f}, write {(spent - encoding - making) * each:.2f}; finish {ending:.2f} s"
    )
    return writer.run_id


def append_singly(store: RunStore, rows: int) -> None:
    """Append blocks of one row with a live output, as a run with a model does."""
    writer = run_record(store)
    columns, scored = chunk(0, rows)
    prepared = []
    for i in range(rows):
        one = columns.take([i])
        one.outputs = [Output(columns["output"][i], Usage(100, 20), 0.4, 0.0001, "stop", "fake/model")]
        cells = [ScoreColumns([of_one.values[i]]) for of_one in scored]
        cells[0].details[0] = Detail(explanation=f"{FILL} hence {i}")
        prepared.append((one, cells))
    gc.freeze()  # what was prepared is not the store's to look through
    began, cpu_began = time.perf_counter(), cpu()
    for i, (one, cells) in enumerate(prepared):
        writer.write(writer.encoder(one, cells, [i]))
    writer.finish("success")
    wall, spent = time.perf_counter() - began, cpu() - cpu_began
    print(f"append {rows:,} blocks of one row: {rows / wall:,.0f} rows/s, {spent / rows * 1e6:.1f} us of CPU a row")


def timed(label: str, ask: Callable[[], Any]) -> None:
    """Print how long a question takes, by the clock and in CPU time: the best of three."""
    wall, spent = (min(times) * 1e3 for times in zip(*(_seconds(ask) for _ in range(3))))
    print(f"  {label:48s}{wall:10.2f} ms, CPU {spent:10.2f} ms")


def _seconds(ask: Callable[[], Any]) -> tuple[float, float]:
    began, cpu_began = time.perf_counter(), cpu()
    ask()
    return time.perf_counter() - began, cpu() - cpu_began


def count(rows: Iterator[Any]) -> int:
    """How many there are, without keeping them."""
    return sum(1 for _ in rows)


def ask(store: RunStore, run_id: str, rows: int) -> None:
    """What a viewer and the figures ask."""
    reader = store.open(run_id)
    letters, _, few, many = reader.scorings
    middle = rows // 2
    known = next(reader.samples(offset=middle, limit=1)).id
    timed("an empty run, begun and ended", lambda: run_record(store).finish("success"))
    timed("runs", store.runs)
    timed("a page of 50 samples from the middle", lambda: list(reader.samples(offset=middle, limit=50)))
    timed("50 samples by place", lambda: list(reader.samples(range(0, rows, max(1, rows // 50)))))
    timed("outcomes of 50 samples", lambda: list(reader.outcomes(letters, range(middle, middle + 50))))
    timed("a sample by its id", lambda: reader.find_sample(known))
    timed("values of all rows, streamed", lambda: count(reader.values(letters)))
    timed("distinct letters", lambda: reader.distinct(letters))
    timed("distinct of 11 numbers", lambda: reader.distinct(few))
    timed("distinct of as many numbers as rows", lambda: reader.distinct(many))
    timed("totals", lambda: reader.totals(many))
    timed("sample ids", reader.sample_ids)
    timed("labels", lambda: reader.labels("topic"))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--folder", help="where to put the database; a temporary folder by default")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=options.folder))
    try:
        store = SqliteStore(folder)
        append_singly(store, 10_000)
        run_id = append(store, options.rows)
        print(f"  {store.path.stat().st_size / (options.rows + 10_000):.0f} bytes a row on disk")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
        print(f"  {peak:.0f} MB at most in memory")
        ask(store, run_id, options.rows)
        append(MemoryStore(), min(options.rows, 100_000))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
