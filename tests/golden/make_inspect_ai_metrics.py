"""Write inspect_ai_metrics.jsonl: what inspect_ai's metrics and reducers give on small cases.

Usage: python tests/golden/make_inspect_ai_metrics.py   (in an environment with inspect-ai, which ours is not)
"""

import importlib
import json
import math
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

COLUMNS: dict[str, list[Any]] = {
    "letters": ["C", "I", "C", "P", "N", "C"],
    "right": ["C", "C", "C", "C"],
    "wrong": ["I", "I", "I"],
    "one": [0.7],
    "none": [],
    "bools": [True, False, True, True],
    "numbers": [0.25, 0.5, 0.125, 1.0, 0.75],
    "wide": [3, 17, 4, 4, 250, -2],
    "equal": [0.5, 0.5, 0.5],
    "text_numbers": ["0.25", "yes", "No", "TRUE", "1"],
    "unknown": ["C", "maybe", "I"],
    "shares": [1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 1.0, 0.25],
}
CLUSTERS: dict[str, list[Any]] = {
    "letters": ["a", "a", "b", "b", "c", "c"],
    "right": [1, 1, 2, 2],
    "numbers": ["x", "y", "x", "z", "z"],
    "wide": [1, 2, 3, 1, 2, 3],
    "shares": ["p", "p", "p", "q", "q", "r", "r", "r"],
    "bools": ["u", "u", "u", "u"],
}
METRICS: list[Any] = ["accuracy", "mean", "std", "var", "stderr", {"ci": {}}, {"ci": {"level": 0.8}}, {"ci_wilson": {}}]
CLUSTERED: list[Any] = [
    {"stderr": {"cluster": "g"}},
    {"ci": {"cluster": "g"}},
    {"ci_wilson": {"cluster": "g", "level": 0.9}},
    {"grouped": {"metric": "accuracy", "group_key": "g"}},
    {"grouped": {"metric": "accuracy", "group_key": "g", "all": "groups"}},
    {"grouped": {"metric": "mean", "group_key": "g", "all": False}},
]
EPOCHS: dict[str, list[Any]] = {
    "letters": ["C", "I", "P", "C"],
    "half": ["I", "I", "I", "C", "C", "C"],
    "numbers": [0.25, 0.75, 0.5],
    "even": [0.1, 0.4, 0.2, 0.9],
    "dicts": [{"a": 1, "b": 0.5}, {"a": 0, "b": 1.0}, {"a": 1, "b": 1.0}],
    "lists": [[1, 0], [0, 0], [1, 1]],
    "labels": ["red", "blue", "blue", "red"],
    "true_and_one": [1, True, True],
    "single": ["C"],
}
REDUCERS: list[Any] = [
    "mean",
    "median",
    "mode",
    "max",
    *({name: {"k": k}} for name in ("at_least", "pass_at", "pass_k") for k in (1, 2, 3)),
    {"at_least": {"k": 2, "value": 0.5}},
    {"pass_at": {"k": 2, "value": 0.5}},
]
# Where we differ on purpose: (what, case) to the reason. What we give instead is tested beside.
FEW = "too little data is undefined here, 0 or a point there"
UNREAD = "a value that is no number makes the figure undefined here; there it counts 0 with a warning"
DEPARTURES = {
    **{(f"{metric}", case): FEW for metric in ("std", "var", "stderr", "ci") for case in ("one", "none")},
    ("ci_wilson", "none"): FEW,
    **{(metric, "none"): FEW for metric in ("accuracy", "mean")},
    **{("ci", case): "equal values tell no error: no interval here, a point there" for case in ("right", "wrong", "equal")},
    **{(metric, "unknown"): UNREAD for metric in ("accuracy", "mean", "std", "var", "stderr", "ci", "ci_wilson")},
    ("stderr cluster", "bools"): "one cluster tells no error: undefined here, 0 there",
    ("ci cluster", "bools"): "one cluster tells no error: undefined here, a point there",
    ("ci cluster", "right"): "equal values tell no error: no interval here, a point there",
    ("ci_wilson cluster", "right"): "where all are right a cluster counts as one trial here, every row there",
    ("mean", "labels"): UNREAD,
    ("median", "labels"): UNREAD,
    ("max", "labels"): UNREAD,
    ("mode", "true_and_one"): "True and 1 are different values here",
    **{(name, "labels"): UNREAD for name in ("at_least", "pass_at", "pass_k")},
    **{(name, case): "fewer epochs than k is undefined here, NaN there"
       for name in ("pass_at", "pass_k") for case in ("single",)},
}  # fmt: skip


def main() -> None:
    """Run every case and write one line for each."""
    scorer = importlib.import_module("inspect_ai.scorer")
    source = f"inspect_ai {version('inspect_ai')}"
    rows = [*metric_rows(scorer), *reducer_rows(scorer)]
    lines = [json.dumps({"source": source, **row}) for row in rows]
    (HERE / "inspect_ai_metrics.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def metric_rows(scorer):
    """A row for each metric and column."""
    module = importlib.import_module("inspect_ai.scorer._metrics")
    for case, values in {**COLUMNS, "random": randoms()}.items():
        specs = METRICS + (CLUSTERED if case in CLUSTERS else [])
        clusters = CLUSTERS.get(case)
        scores = [
            scorer.SampleScore(
                score=scorer.Score(value=value), sample_id=i, sample_metadata={"g": clusters[i]} if clusters else None
            )
            for i, value in enumerate(values)
        ]
        for spec in specs:
            name, options = (spec, {}) if isinstance(spec, str) else next(iter(spec.items()))
            made = dict(options)
            if name == "grouped":
                made["metric"] = getattr(module, options["metric"], None) or getattr(scorer, options["metric"])
                made["metric"] = made["metric"]()
            factory = getattr(module, name, None) or getattr(scorer, name)
            key = f"{name} cluster" if "cluster" in options else name
            yield row(
                "metric",
                spec,
                case,
                values,
                clusters,
                DEPARTURES.get((key, case)),
                lambda f=factory, o=made, s=scores: f(**o)(s),
            )


def reducer_rows(scorer):
    """A row for each reducer and list of epochs."""
    module = importlib.import_module("inspect_ai.scorer._reducer.reducer")
    factories = {"mean": "mean_score", "median": "median_score", "mode": "mode_score", "max": "max_score"}
    for case, values in EPOCHS.items():
        scores = [scorer.Score(value=value) for value in values]
        for spec in REDUCERS:
            name, options = (spec, {}) if isinstance(spec, str) else next(iter(spec.items()))
            factory = getattr(module, factories.get(name, name))
            departure = DEPARTURES.get((name, case))
            if case == "single" and options.get("k", 1) == 1:
                departure = None
            yield row(
                "reducer", spec, case, values, None, departure, lambda f=factory, o=options, s=scores: f(**o)(s).value
            )


def row(kind, spec, case, values, clusters, departure, call):
    """One line: what was asked, and what came."""
    asked = {"kind": kind, "spec": spec, "case": case, "values": values, "clusters": clusters}
    try:
        answer = {"expected": plain(call())}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    return {**asked, **answer, **({"departure": departure} if departure else {})}


def plain(value):
    """A value as JSON."""
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [plain(member) for member in value]
    if isinstance(value, str | bool | int):
        return value
    return None if math.isnan(value) else float(value)  # NaN is no JSON


def randoms():
    """Forty letters, fixed."""
    draw = random.Random(20)
    return [draw.choice("CCCIPN") for _ in range(40)]


if __name__ == "__main__":
    main()
