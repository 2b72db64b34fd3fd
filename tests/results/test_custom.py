"""Code of users that bears a built-in's name, or no name, and what a stored run shows where it is not at hand."""

import pytest

import steelyard
from steelyard import Metric, SampleScore, Score, Value, metric, score_reducer, scorer
from steelyard.errors import UsageError
from steelyard.scorers import token_f1
from steelyard.scoring import registry

ROWS = [{"output": "a", "target": "a"}, {"output": "b", "target": "a"}]
REPEATS = [{"id": 1, **row} for row in ROWS]


pytestmark = pytest.mark.usefixtures("own_registry")


def own_mean() -> None:
    @metric
    def mean() -> Metric:
        def metric(scores: list[SampleScore]) -> Value:
            return 42.0

        return metric


def figures(run):
    return {name: {one: estimate.value for one, estimate in found.items()} for name, found in run.metrics.items()}


def test_a_user_s_metric_shadows_a_built_in_in_scorers_of_users_alone():
    own_mean()

    @scorer(metrics=["mean", "std"])
    def half(output: str) -> float:
        return 0.5

    run = steelyard.score(ROWS, [half, token_f1], name="shadowed")
    assert figures(run) == {"half": {"mean": 42.0, "std": 0.0}, "token_f1": {"mean": 0.5, "stderr": 0.5}}
    assert figures(steelyard.load("shadowed")) == figures(run)
    registry._registered["metrics"].pop("mean")  # as in a session that has not defined it
    assert figures(steelyard.load("shadowed")) == figures(run)


def test_a_run_that_was_stored_before_a_name_was_taken_reads_as_it_did():
    run = steelyard.score(ROWS, token_f1, name="before")
    own_mean()
    assert figures(steelyard.load("before")) == figures(run) == {"token_f1": {"mean": 0.5, "stderr": 0.5}}


def test_a_reducer_is_the_one_that_was_given():
    for place, expected in ((-1, 0.0), (0, 1.0)):

        @score_reducer
        def one():
            def reduce(scores: list[Score]) -> Score:
                return scores[place]  # noqa: B023

            return reduce

        for given in (one(), "one", one, lambda scores, place=place: scores[place]):
            run = steelyard.score(REPEATS, "match", epochs="repeats", reducer=given, name="reduced")
            assert figures(run)["match"]["accuracy"] == expected
            assert figures(steelyard.load("reduced"))["match"]["accuracy"] == expected


def test_a_reducer_that_shadows_the_mean_is_used_where_it_is_named():
    @score_reducer(name="mean")
    def most():
        return lambda scores: max(scores, key=lambda score: score.as_float())

    assert figures(steelyard.score(REPEATS, "match", epochs="repeats", name="default"))["match"]["accuracy"] == 0.5
    assert figures(steelyard.load("default"))["match"]["accuracy"] == 0.5
    run = steelyard.score(REPEATS, "match", epochs="repeats", reducer="mean", name="named")
    assert figures(run)["match"]["accuracy"] == figures(steelyard.load("named"))["match"]["accuracy"] == 1.0


def test_a_reducer_over_more_epochs_than_there_will_be_is_said_before_the_first_call():
    calls: list[str] = []
    rows = [{"input": "a", "target": "a"}]
    with pytest.raises(UsageError, match="pass_at_9 needs 9 epochs, and epochs=4"):
        steelyard.run(rows, "match", model=calls.append, epochs=4, reducer="pass_at_9", store=False)
    with pytest.raises(UsageError, match="no reducers were given"):
        steelyard.run(rows, "match", model=calls.append, reducer=[], store=False)
    assert calls == []


def test_a_custom_metric_receives_a_dict_score_whole(own_registry):
    @steelyard.metric
    def answered():
        return lambda scores: sum(found.score.answer == "x" for found in scores)

    @steelyard.metric
    def keys():
        return lambda scores: sum(len(found.score.as_dict()) for found in scores)

    @steelyard.scorer(metrics=[answered(), keys(), "mean", {"b": [keys()], "zz": ["var"]}])
    def split(output):
        return steelyard.Score({"a": len(output), "b": len(output) > 1}, answer="x" if output == "abc" else None)

    run = steelyard.score(outputs=["abc", "z", "q"], scorers=split, name="whole")
    for found in (run, steelyard.load("whole")):
        assert {name: float(e) for name, e in found.metrics["split"].items()} == {"answered": 1.0, "keys": 6.0}
        assert set(found.metrics["split.a"]) == {"mean"}
        assert found.metrics["split.b"]["keys"].value is None  # a key's value is no dict
        assert "no score has the key 'zz'" in (found.metrics["split.zz"]["var"].reason or "")


def test_epochs_do_not_change_which_metric_fits(own_registry):
    rows = [{"id": "a", "output": text} for text in ("x", "yy", "zz")] + [{"id": "b", "output": "x"}]

    def long(output):
        return len(output) > 1

    run = steelyard.score(rows, long, epochs="repeats", store=False)
    assert list(run.metrics["long"]) == ["accuracy"]
    assert float(run.metrics["long"]["accuracy"]) == pytest.approx(1 / 3)
