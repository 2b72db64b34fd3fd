"""Live runs under failure: models that raise, hang, exit; scorers that break; stores that fail; data that ends badly; Ctrl-C."""

import asyncio
import threading
import time

import pytest

from steelyard.core.columns import Columns
from steelyard.core.sample import Output
from steelyard.core.score import Unscored
from steelyard.errors import BadRowError, ModelCallError, StoreError
from steelyard.running import live, tries
from steelyard.running.caller import make_caller
from steelyard.running.live import run_live
from steelyard.scoring.adapt import as_forms
from steelyard.scoring.bound import bind
from steelyard.scoring.decorate import scorer
from steelyard.scoring.form import Pair
from steelyard.scoring.scorer import Scorer
from steelyard.testing import FakeModel

COLUMNS = ["input", "target"]


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch):
    monkeypatch.setattr(tries, "_FIRST_DELAY", 0.001)


@pytest.fixture
def writer():
    return Writer()


class Writer:
    """Rows in a list; breaks or refuses when told to."""

    run_id = "0" * 12
    scorings = ()
    full = False

    def __init__(self):
        self.rows = {}
        self.error_at = None
        self.refused = ()

    @property
    def committed(self):
        return len(self.rows)

    def encoder(self, columns, scored, seqs):
        for cells in columns.data.values():
            if any(cell in self.refused for cell in cells if isinstance(cell, str)):
                raise ValueError("this cell cannot be encoded")
        return [(seqs[i], columns.outputs[i], [column.outcome(i) for column in scored]) for i in range(columns.n)]

    def write(self, block):
        for seq, output, outcomes in block:
            if self.error_at is not None and len(self.rows) >= self.error_at:
                raise StoreError("the disk is full")
            assert seq not in self.rows, f"row {seq} was written twice"
            self.rows[seq] = (output, outcomes)

    def output(self, seq):
        return self.rows[seq][0]

    def outcome(self, seq, k=0):
        return self.rows[seq][1][k]


@scorer(needs=("output", "target"))
def same(output, target):
    return output == target


@scorer
def awaiting() -> Scorer:
    async def score(output, target):
        await asyncio.sleep(0)
        return output == target

    return Pair(score)  # type: ignore[return-value]


def rows(n=10, size=4):
    for start in range(0, n, size):
        k = min(size, n - start)
        data = {"input": [f"q{start + i}" for i in range(k)], "target": ["a reply"] * k}
        yield Columns(data, k, start, [f"s{start + i}" for i in range(k)])


def bound(*scorers):
    return [bind(form, [*COLUMNS, "output"]) for form in as_forms(list(scorers))]


def go(model, writer, *scorers, data=None, **options):
    options.setdefault("concurrency", 2)
    return asyncio.run(
        run_live(data or rows(), make_caller(model, COLUMNS), bound(*(scorers or (same,))), writer, **options)
    )


class TestFailingCalls:
    def test_a_row_without_an_output_says_why_and_the_others_are_scored(self, writer):
        result = go(FakeModel(faults={3: ModelCallError("no such model")}), writer, retries=0, concurrency=1)
        assert (result.done, result.failed) == (10, 1)
        assert writer.output(2) == Output(None, error="ModelCallError: no such model")
        assert writer.outcome(2) == Unscored("no_output")
        assert [writer.outcome(i).value for i in range(10) if i != 2] == [True] * 9

    @pytest.mark.parametrize("one", [same, awaiting()], ids=["text", "async"])
    def test_all_fail_alike_and_all_are_counted(self, writer, one):
        def model(input):
            return input.no_such_attribute

        result = go(model, writer, one, retries=5)
        assert (result.done, result.failed) == (10, 10)
        assert all(outcomes == [Unscored("no_output")] for _, outcomes in writer.rows.values())

    def test_a_further_try_may_help(self, writer):
        model = FakeModel(faults={1: ConnectionError("reset"), 2: TimeoutError()})
        result = go(model, writer, retries=2, concurrency=1)
        assert (result.failed, len(model.calls)) == (0, 12)
        assert writer.outcome(0).value is True

    def test_the_last_of_several_tries_is_told(self, writer):
        go(FakeModel(faults=1.0), writer, retries=2)
        assert writer.output(0).error.endswith("(the last of 3 tries)")

    @pytest.mark.parametrize("error", [TypeError, AttributeError, NameError, ImportError, NotImplementedError])
    def test_a_slip_in_the_program_is_not_tried_again(self, writer, error):
        model = FakeModel(faults=dict.fromkeys(range(1, 50), error("slip")))
        go(model, writer, retries=3)
        assert len(model.calls) == 10

    @pytest.mark.parametrize(
        ("status", "calls"), [(400, 1), (401, 1), (404, 1), (429, 3), (408, 3), (500, 3), (503, 3)]
    )
    def test_a_request_that_is_wrong_is_not_sent_again(self, writer, status, calls):
        class StatusError(Exception):
            status_code = status

        model = FakeModel(faults=dict.fromkeys(range(1, 50), StatusError("no")))
        go(model, writer, data=rows(1), retries=2)
        assert len(model.calls) == calls

    def test_a_scorer_s_failure_never_calls_the_model_again(self, writer):
        def broken(prediction, expected):
            raise ConnectionError("the judge is away")

        model = FakeModel()
        result = go(model, writer, broken, same, retries=5)
        assert (result.failed, len(model.calls)) == (0, 10)
        assert writer.outcome(0) == Unscored("scorer_error", "ConnectionError: the judge is away")
        assert writer.outcome(0, 1).value is True

    @pytest.mark.parametrize(
        "leave",
        [
            SystemExit(3),
            KeyboardInterrupt(),
            asyncio.CancelledError(),
            StopIteration(),
            GeneratorExit(),
            RecursionError(),
        ],
    )
    @pytest.mark.parametrize("is_async", [True, False])
    def test_a_model_that_would_take_the_run_with_it_does_not(self, writer, leave, is_async):
        if isinstance(leave, KeyboardInterrupt | GeneratorExit) and is_async:
            pytest.skip("on the loop's own thread that is a request to stop")

        def model(input):
            if input == "q3":
                raise leave
            return "a reply"

        async def async_model(input):
            return model(input)

        result = go(async_model if is_async else model, writer, retries=0)
        assert (result.done, result.failed) == (10, 1)
        assert writer.output(3).value is None

    def test_an_error_that_cannot_be_printed(self, writer):
        class Silent(Exception):
            def __str__(self):
                raise ValueError

        go(FakeModel(faults={1: Silent()}), writer, retries=0)
        assert "Silent" in (writer.output(0).error or "") + (writer.output(1).error or "")

    def test_a_row_that_makes_no_question(self, writer):
        columns = Columns({"input": [None, "q"], "target": ["a", "a reply"]}, 2, 0, ["s0", "s1"])
        result = go(FakeModel(), writer, data=[columns])
        assert (result.done, result.failed) == (2, 1)
        assert "holds nothing" in writer.output(0).error

    def test_faults_by_rate_depend_on_the_text_and_the_seed_alone(self, writer):
        def failed(concurrency):
            kept = Writer()
            go(FakeModel(faults=0.3, seed=5), kept, data=rows(60), retries=0, concurrency=concurrency)
            return {seq for seq, (output, _) in kept.rows.items() if output.error}

        assert failed(1) == failed(13)
        assert 5 < len(failed(1)) < 35


class TestTimeLimits:
    def test_a_call_that_takes_too_long_is_given_up(self, writer):
        async def model(input):
            await asyncio.sleep(60 if input == "q1" else 0)
            return "a reply"

        result = go(model, writer, timeout=0.05, retries=0)
        assert (result.done, result.failed) == (10, 1)
        assert writer.output(1).error == "TimeoutError: no reply within 0.05 s"

    def test_also_one_that_blocks_its_thread_and_takes_no_place_from_others(self, writer):
        release = threading.Event()

        def model(input):
            if input in ("q0", "q1", "q2"):
                release.wait(20)
            return "a reply"

        begun = time.monotonic()
        result = go(model, writer, timeout=0.05, retries=0, concurrency=2)
        release.set()
        assert (result.done, result.failed) == (10, 3)
        assert time.monotonic() - begun < 10

    def test_a_model_s_own_time_limit_keeps_its_words(self, writer):
        go(FakeModel(faults={1: TimeoutError("upstream")}), writer, timeout=5, retries=0, concurrency=1)
        assert writer.output(0).error == "TimeoutError: upstream"


class TestStoreAndData:
    def test_a_store_that_fails_ends_the_run_with_its_error(self, writer):
        writer.error_at = 4
        calls = 0

        async def model(input):
            nonlocal calls
            calls += 1
            await asyncio.sleep(0.001)
            return "a reply"

        with pytest.raises(StoreError, match="the disk is full"):
            go(model, writer, data=rows(10_000))
        assert calls < 2_000

    def test_also_while_scorers_are_at_work(self, writer):
        writer.error_at = 4
        with pytest.raises(StoreError):
            go(FakeModel(), writer, awaiting(), data=rows(10_000))

    def test_data_that_cannot_be_read_on_keeps_what_came_before(self, writer):
        def data():
            yield from rows(6, size=3)
            raise BadRowError("line 7 is no JSON")

        with pytest.raises(BadRowError, match="line 7"):
            go(FakeModel(latency=0.01), writer, data=data(), concurrency=4)
        assert sorted(writer.rows) == [0, 1, 2, 3, 4, 5]
        assert all(outcomes[0].value is True for _, outcomes in writer.rows.values())

    def test_a_cell_that_cannot_be_stored_is_the_trouble_of_its_row(self, writer):
        writer.refused = ("poison",)

        def model(input):
            return "poison" if input == "q2" else "a reply"

        result = go(model, writer)
        assert result.done == 10
        assert "cannot be stored" in writer.output(2).error
        assert writer.outcome(2).reason == "malformed"
        assert writer.output(3).value == "a reply"


class TestCancellation:
    @staticmethod
    async def cancelled(writer, model, *scorers, after, times=1, every=0.05, data=None, concurrency=4):
        caller = make_caller(model, COLUMNS)
        run = run_live(data or rows(1000), caller, bound(*scorers), writer, concurrency=concurrency)
        task = asyncio.create_task(run)
        await asyncio.sleep(after)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(every)
        with pytest.raises(asyncio.CancelledError):
            await task

    @pytest.mark.parametrize("one", [same, awaiting(), lambda p, e: p == e], ids=["text", "async", "thread"])
    def test_what_was_answered_is_scored_and_written(self, writer, one):
        answered = set()

        async def model(input):
            await asyncio.sleep(0.002)
            answered.add(int(input[1:]))
            return "a reply"

        asyncio.run(self.cancelled(writer, model, one, after=0.1))
        assert set(writer.rows) == answered
        assert len(answered) > 10
        assert all(outcomes[0].value is True for _, outcomes in writer.rows.values())

    def test_a_scorer_under_way_is_waited_for(self, writer):
        @scorer
        def slow() -> Scorer:
            async def score(output, target):
                await asyncio.sleep(0.3)
                return True

            return Pair(score)  # type: ignore[return-value]

        asyncio.run(self.cancelled(writer, FakeModel(latency=0.001), slow(), after=0.1))
        assert len(writer.rows) >= 4
        assert all(outcomes[0].value is True for _, outcomes in writer.rows.values())

    @pytest.mark.parametrize("by", ["a second cancellation", "the end of the grace"])
    def test_what_is_not_scored_in_time_is_written_without_a_score(self, writer, monkeypatch, by):
        if by == "the end of the grace":
            monkeypatch.setattr(live, "GRACE", 0.1)
        answered = []

        async def model(input):
            answered.append(int(input[1:]))
            return "a reply"

        @scorer
        def endless() -> Scorer:
            async def score(output, target):
                await asyncio.sleep(0 if output is None else 60)
                return True

            return Pair(score)  # type: ignore[return-value]

        begun = time.monotonic()
        asyncio.run(
            self.cancelled(writer, model, endless(), same, after=0.1, times=1 if "grace" in by else 2, data=rows(50))
        )
        assert set(writer.rows) == set(answered)
        cut = Unscored("timeout", "the run was cancelled before this was scored")
        assert all(outcomes[0] == cut for _, outcomes in writer.rows.values())
        assert all(output.value == "a reply" for output, _ in writer.rows.values())
        assert time.monotonic() - begun < 10

    def test_a_call_that_blocks_a_thread_does_not_hold_the_end_up(self, writer):
        release = threading.Event()
        begun = time.monotonic()
        asyncio.run(self.cancelled(writer, lambda _: release.wait(30), same, after=0.05))
        release.set()
        assert time.monotonic() - begun < 5

    def test_no_task_is_left_behind(self, writer):
        async def main():
            await self.cancelled(writer, FakeModel(latency=0.01), awaiting(), same, after=0.05)
            return asyncio.all_tasks() - {asyncio.current_task()}

        assert asyncio.run(main()) == set()


def test_a_display_that_breaks_costs_no_call(writer):
    def tell(*now):
        raise OSError("the terminal is gone")

    with pytest.warns(RuntimeWarning, match="the terminal is gone"):
        result = go(FakeModel(), writer, on_progress=tell)
    assert (result.done, len(writer.rows)) == (10, 10)
