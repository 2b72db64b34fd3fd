"""Live runs: every sample asked, scored and written; order, epochs, prompts, retries, progress, grouping."""

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest

from steelyard.core.columns import Columns
from steelyard.core.score import Unscored
from steelyard.errors import UsageError
from steelyard.prompting.choices import multiple_choice
from steelyard.running import tries
from steelyard.running.caller import make_caller
from steelyard.running.live import run_live
from steelyard.scoring.decorate import scorer
from steelyard.scoring.form import Pair
from steelyard.scoring.scorer import Scorer
from steelyard.testing import FakeModel

ROWS = [{"input": f"q{i}", "target": f"a{i}"} for i in range(10)]


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch):
    monkeypatch.setattr(tries, "_FIRST_DELAY", 0.001)


@scorer(needs=("output", "target"), range=(0, 1))
def same(output, target):
    """As built-in scorers are: text in, no I/O."""
    return float(output == target)


def equal(prediction, expected):
    """As users write them."""
    return float(prediction == expected)


@scorer
def patient() -> Scorer:
    """As judges are."""

    async def score(output, target):
        await asyncio.sleep(0.001)
        return output == target

    return Pair(score)  # type: ignore[return-value]


def go(rows, model, bounds, writer, chunks, prompt=None, columns=("input", "target"), **options):
    caller = make_caller(model, list(columns), prompt=prompt)
    return asyncio.run(run_live(chunks(rows), caller, bounds, writer, **options))


@pytest.mark.parametrize("one", [same, equal, patient()], ids=["text", "thread", "async"])
@pytest.mark.parametrize("concurrency", [1, 4, 50])
def test_every_sample_is_asked_scored_and_written(one, concurrency, writer, chunks, bound):
    model = FakeModel(lambda text: text.replace("q", "a"), latency=0.001)
    result = go(ROWS, model, bound(one), writer, chunks, concurrency=concurrency)
    assert (result.done, result.failed) == (10, 0)
    assert writer.outputs() == [f"a{i}" for i in range(10)]
    assert writer.values() == [1.0] * 10
    assert [row["seq"] for row in writer.by_seq()] == list(range(10))
    assert [row["id"] for row in writer.by_seq()] == [f"s{i}" for i in range(10)]
    assert {row["epoch"] for row in writer.rows} == {1}
    assert all(row["output"].latency >= 0.001 for row in writer.rows)
    assert [row["row"] for row in writer.by_seq()] == [{**r, "output": r["target"]} for r in ROWS]


def test_never_more_calls_at_once_than_asked_for(writer, chunks, bound):
    now, most = 0, 0

    async def model(input):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.002)
        now -= 1
        return input

    go(ROWS * 5, model, bound(same), writer, chunks, concurrency=7)
    assert most == 7


def test_the_data_may_be_a_stream_that_is_read_no_further_than_needed(writer, bound):
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield Columns({"input": ["q"], "target": ["a"]}, 1, read - 1, [f"s{read}"])

    async def main():
        caller = make_caller(FakeModel(latency=0.005), ["input", "target"])
        task = asyncio.create_task(run_live(endless(), caller, bound(same), writer, concurrency=3))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert 0 < read <= len(writer.rows) + 3


def test_two_names_of_one_column_stay_one_list(writer, bound, chunks):
    rows = [{"question": f"q{i}", "expected": "a"} for i in range(4)]
    seen = []

    def encoder(columns, scored, seqs):
        seen.append(columns["question"] is columns["input"] and columns["expected"] is columns["target"])
        return type(writer).encoder(columns, scored, seqs)

    writer.encoder = encoder
    caller = make_caller(FakeModel(), ["question", "input"])
    asyncio.run(run_live(chunks(rows, input="question", target="expected"), caller, bound(same), writer))
    assert seen
    assert all(seen)


class TestEpochs:
    def test_each_sample_is_asked_so_often_with_a_draw_of_its_own(self, writer, chunks, bound):
        model = FakeModel(["x", "y", "z"])
        result = go(ROWS[:4], model, bound(same), writer, chunks, epochs=3, concurrency=1)
        assert result.done == 12
        assert [(row["id"], row["epoch"]) for row in writer.by_seq()] == [
            (f"s{i}", e) for i in range(4) for e in (1, 2, 3)
        ]
        assert [call.draw for call in model.calls] == [0, 1, 2] * 4

    def test_epochs_of_the_data_are_kept_apart(self, writer, bound):
        columns = Columns({"input": ["q", "q"], "target": ["a", "a"]}, 2, 0, ["s", "s"], [1, 2])
        model = FakeModel()
        caller = make_caller(model, ["input", "target"])
        asyncio.run(run_live([columns], caller, bound(same), writer, epochs=2, concurrency=1))
        assert [row["epoch"] for row in writer.by_seq()] == [1, 2, 3, 4]
        assert [call.draw for call in model.calls] == [0, 1, 2, 3]


class TestPrompts:
    def test_a_scorer_is_told_what_was_sent(self, writer, chunks, bound):
        def told(prediction, _expected, *, prompt, model, provider):
            return f"{prompt} {model} {provider}"

        go(ROWS[:5], FakeModel(name="p/m"), bound(told), writer, chunks, prompt="Q: {input}")
        assert writer.values() == [f"Q: q{i} m p" for i in range(5)]

    def test_also_beside_rows_without_an_output(self, writer, chunks, bound):
        def told(prediction, expected, *, prompt):
            return prompt

        def model(prompt):
            return None if prompt.endswith("1") else prompt

        go(ROWS[:5], model, bound(told), writer, chunks, prompt="Q: {input}", concurrency=1)
        assert writer.values() == ["Q: q0", Unscored("no_output"), "Q: q2", "Q: q3", "Q: q4"]

    def test_a_shuffle_is_undone_for_the_scorer_and_recorded(self, writer, chunks, bound):
        rows = [
            {"input": f"Which is {i}?", "choices": [str(k) for k in range(5)], "target": "ABCDE"[i]} for i in range(5)
        ]

        def model(prompt):
            wanted = prompt.split("Which is ")[1][0]
            line = next(line for line in prompt.splitlines() if line.endswith(f") {wanted}"))
            return f"ANSWER: {line[0]}"

        def right(output, target, choices, input):
            letter = output.removeprefix("ANSWER: ")
            return letter == target and choices["ABCDE".index(letter)] == input[9]

        columns = ("input", "choices", "target", "output")
        go(
            rows,
            model,
            bound(right, columns=columns),
            writer,
            chunks,
            prompt=multiple_choice(shuffle=3),
            columns=columns,
        )
        assert writer.values() == [True] * 5
        orders = [tuple(row["row"]["choice_order"]) for row in writer.by_seq()]
        assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders)
        assert len(set(orders)) > 1
        for row, order in zip(writer.by_seq(), orders, strict=True):
            assert row["row"]["choices"] == [str(i) for i in order]


class TestProgress:
    def test_it_ends_with_the_last_count_and_is_not_told_too_often(self, writer, chunks, bound):
        told = []
        begun = time.monotonic()
        model = FakeModel(latency=0.01, faults={2: ValueError("no")})
        go(
            ROWS * 6,
            model,
            bound(same),
            writer,
            chunks,
            retries=0,
            concurrency=2,
            on_progress=lambda *now: told.append(now),
        )
        assert told[-1] == (60, 1, 0)
        assert len(told) <= 10 * (time.monotonic() - begun) + 3
        assert all(done <= later for (done, *_), (later, *_) in pairwise(told))
        assert all(0 <= in_flight <= 2 for *_, in_flight in told)

    def test_only_what_is_durable_is_done(self, writer, chunks, bound):
        writer.lag = 4
        told = []

        def catch_up(*now):
            told.append(now)

        async def main():
            caller = make_caller(FakeModel(), ["input", "target"])
            task = asyncio.create_task(run_live(chunks(ROWS), caller, bound(same), writer, on_progress=catch_up))
            await asyncio.sleep(0.1)
            assert not task.done()
            assert all(done <= 6 for done, *_ in told)
            writer.lag = 0
            return await task

        assert asyncio.run(main()).done == 10


def test_waiting_for_a_full_writer_blocks_no_one(writer, chunks, bound):
    writer.full_at = 3
    ticks = 0

    async def main():
        nonlocal ticks
        caller = make_caller(FakeModel(), ["input", "target"])
        task = asyncio.create_task(run_live(chunks(ROWS * 300), caller, bound(same), writer, concurrency=4))
        for _ in range(20):
            await asyncio.sleep(0.002)
            ticks += 1
        held = len(writer.rows)
        writer.full_at, writer.full = None, False
        return held, await task

    held, result = asyncio.run(main())
    assert held <= 400  # what waits is bounded
    assert ticks == 20
    assert result.done == 3000


def test_many_that_wait_are_written_together(writer, chunks, bound):
    go(ROWS * 100, FakeModel(), bound(same), writer, lambda rows: chunks(rows, size=500), concurrency=50)
    assert len(writer.rows) == 1000
    assert max(writer.sizes) > 100


def test_a_slow_judge_of_one_sample_keeps_no_other_from_being_written(writer, chunks, bound):
    release: Any = None
    written: list[str] = []

    @scorer
    def stuck() -> Scorer:
        async def score(output, target):
            if output == "q0":
                await release.wait()
            return True

        return Pair(score)  # type: ignore[return-value]

    async def main():
        nonlocal release
        release = asyncio.Event()
        caller = make_caller(FakeModel(lambda text: text), ["input", "target"])
        task = asyncio.create_task(run_live(chunks(ROWS), caller, bound(stuck()), writer, concurrency=2))
        await asyncio.sleep(0.05)
        written.extend(row["id"] for row in writer.rows)
        release.set()
        await task

    asyncio.run(main())
    assert sorted(written) == [f"s{i}" for i in range(1, 10)]
    assert len(writer.rows) == 10


def test_async_models_and_scorers_work_on_the_caller_s_own_loop(writer, chunks, bound):
    loops = set()

    async def model(input):
        loops.add(asyncio.get_running_loop())
        return input

    @scorer
    def judge() -> Scorer:
        async def score(output, target):
            loops.add(asyncio.get_running_loop())
            return 1.0

        return Pair(score)  # type: ignore[return-value]

    async def main():
        loops.add(asyncio.get_running_loop())
        await run_live(chunks(ROWS), make_caller(model, ["input", "target"]), bound(judge()), writer)

    asyncio.run(main())
    assert len(loops) == 1


@pytest.mark.parametrize("wrong", [{"concurrency": 0}, {"epochs": 0}, {"retries": -1}, {"timeout": 0}])
def test_what_makes_no_sense_is_refused_before_the_first_call(wrong, writer, chunks, bound):
    model = FakeModel()
    with pytest.raises(UsageError):
        go(ROWS, model, bound(same), writer, chunks, **wrong)
    assert model.calls == []


def test_nothing_to_ask(writer, chunks, bound):
    assert go([], FakeModel(), bound(same), writer, lambda rows: iter(())).done == 0
