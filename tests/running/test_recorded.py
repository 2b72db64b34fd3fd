"""Recorded outputs scored in other processes give what this process gives."""

import json
import pickle

import pytest

import steelyard
from steelyard.data.choice import ColumnChoice
from steelyard.running.recorded import RunTask
from steelyard.scorers import exact_match, includes, match
from steelyard.scoring.adapt import as_forms
from steelyard.store.memory import MemoryEncoder


def test_a_task_travels_to_another_process():
    task = RunTask(prepare=ColumnChoice(("output", "target"), {}).apply, forms=tuple(as_forms([match(numeric=True), exact_match])), columns=("output", "target"),
                   encoder=MemoryEncoder())  # fmt: skip
    again = pickle.loads(pickle.dumps(task))
    assert [form.name for form in again.forms] == ["match", "exact_match"]
    assert [bound.form.spec for bound in again.bind()] == [form.spec for form in task.forms]


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_processes_give_what_one_gives(tmp_path):
    path = tmp_path / "large.jsonl"
    with path.open("w") as file:
        for i in range(60_000):
            file.write(json.dumps({"id": i, "output": f"{'so ' * 40}it is {i % 7}", "target": str(i % 5)}) + "\n")
    scorers = [match(numeric=True), includes(), exact_match]
    one, two = (steelyard.score(path, scorers, store=tmp_path / str(n), workers=n) for n in (1, 2))
    assert one.metrics == two.metrics
    assert one.record.dataset_version == two.record.dataset_version
    assert list(one.reader.sample_ids()) == list(two.reader.sample_ids())
    for scorer in ("match", "includes"):
        assert list(one.outcomes(scorer)) == list(two.outcomes(scorer))
