"""inspect_ai's side of the figures; runs in the peers' environment: python -m bench.inspect_peer."""

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from bench.inputs import pairs
from bench.resampled import drawn
from bench.serving import serve, timed_once

States = list[tuple[Any, Any]]


def build(kind: str, n: int | None) -> States:
    """A state and a target for each pair, as inspect_ai's scorers want them."""
    from inspect_ai.model import ChatMessageUser, ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    return [
        (
            TaskState(
                model=ModelName("mockllm/model"),
                sample_id=i,
                epoch=1,
                input="q",
                messages=[ChatMessageUser(content="q")],
                output=ModelOutput.from_content("mockllm/model", output),
            ),
            Target(target),
        )
        for i, (output, target) in enumerate(pairs(kind, n))
    ]


def _scorer(name: str) -> Any:
    from inspect_ai.scorer import f1, includes, match

    return {"includes": includes, "match": lambda: match(numeric=True), "f1": f1}[name]()


def score(scorer: str, kind: str, n: int | None = None, *, building: bool = False) -> Callable[[], Any]:
    """Await a scorer on states that are there already, or that have to be built."""
    found = _scorer(scorer)
    pairs(kind, n)  # reading the texts is nobody's cost
    states = None if building else build(kind, n)

    async def go() -> None:
        for state, target in build(kind, n) if states is None else states:
            await found(state, target)

    return lambda: asyncio.run(go())


def bootstrap(n: int, distinct: int | None) -> Callable[[], Any]:
    """Their `bootstrap_stderr` over scores that are there already."""
    from inspect_ai.scorer import SampleScore, Score, bootstrap_stderr

    scores = [SampleScore(score=Score(value=value)) for value in drawn(n, distinct)]
    metric = bootstrap_stderr(num_samples=1000)
    return lambda: metric(scores)


def live(n: int) -> dict[str, float]:
    """A task of so many samples with a mock model; the whole of `eval`, its log written."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    def reply(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", "Working it out now. The answer is 42.")
        output.usage = ModelUsage(input_tokens=20, output_tokens=10, total_tokens=30)
        return output

    samples = [
        Sample(id=i, input=f"Question {i}: what is {i % 60} + {i % 7}?", target=str(i % 60 + i % 7)) for i in range(n)
    ]
    task = Task(dataset=samples, solver=generate(), scorer=match(numeric=True))
    model = get_model("mockllm/model", custom_outputs=reply)
    with tempfile.TemporaryDirectory() as folder:
        return timed_once(
            lambda: evaluate(
                task,
                model=model,
                display="none",
                log_dir=folder,
                log_level="error",
                max_samples=100,
                max_connections=100,
            )
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["live"]:
        print(json.dumps(live(int(sys.argv[2]))))
    else:
        serve({"score": score, "bootstrap": bootstrap})
