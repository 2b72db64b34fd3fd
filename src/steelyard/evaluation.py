"""Evaluation and Model: a data set with its scorers, applied to one model after another, as Weave has it."""

from collections.abc import Callable, Mapping
from typing import Any

from steelyard._api import run_async
from steelyard._plan import StoreLike
from steelyard._run import Run
from steelyard.errors import UsageError
from steelyard.metrics import summarize
from steelyard.results.outcomes import read_outcomes
from steelyard.scoring.adapt import as_forms
from steelyard.scoring.declared import Declared

__all__ = ["Evaluation", "EvaluationResult", "Model"]


class Model(Declared):
    """A base for models under test: declared fields become keyword arguments, ``predict`` answers.

    The parameters of ``predict`` are named after columns; it may be a coroutine function.

    Source: Weave's class of this name.

    >>> class Shouter(Model):
    ...     mark: str = "!"
    ...     def predict(self, input: str) -> str:
    ...         return input.upper() + self.mark
    >>> Shouter(mark="?").predict("hello")
    'HELLO?'
    """

    def predict(self, *args: Any, **kwargs: Any) -> Any:
        """Answer one row; every model has its own."""
        raise NotImplementedError(f"{type(self).__name__} has no method predict(...), which a model needs")


class EvaluationResult(dict[str, Any]):
    """What `Evaluation.evaluate` returns: scorer to summary, and ``model_latency``; the run itself is at ``.run``."""

    def __init__(self, summaries: Mapping[str, Any], run: Run) -> None:
        super().__init__(summaries)
        self.run = run


class Evaluation:
    """A data set with its scorers.

    Args:
        dataset: The rows: a list of dicts, a path, a frame.
        scorers: Functions, instances of `Scorer` classes, names.
        name: The name of its runs.
        preprocess_model_input: Makes the model's arguments of a row; scorers see the row as it is.
        trials: How often each row is asked.
        store: Where the runs are kept, as in `steelyard.run`.

    Source: Weave's class of this name.

    >>> import asyncio
    >>> def shorter(output: str, input: str) -> dict:
    ...     return {"is_shorter": len(output) < len(input)}
    >>> evaluation = Evaluation(dataset=[{"input": "a long text"}, {"input": "b"}], scorers=[shorter], store=False)
    >>> result = asyncio.run(evaluation.evaluate(lambda input: input[:3]))
    >>> result["shorter"], len(result.run)
    ({'is_shorter': {'true_count': 1, 'true_fraction': 0.5}}, 2)
    """

    def __init__(
        self,
        dataset: Any,
        scorers: Any,
        name: str | None = None,
        *,
        preprocess_model_input: Callable[[dict[str, Any]], Mapping[str, Any]] | None = None,
        trials: int = 1,
        store: StoreLike = None,
    ) -> None:
        as_forms(scorers)  # what is no scorer is an error here, not after the first calls
        if trials < 1:
            raise UsageError(f"trials={trials}: each row is asked once or more")
        self.dataset = dataset
        self.scorers = scorers
        self.name = name
        self.preprocess_model_input = preprocess_model_input
        self.trials = trials
        self.store: StoreLike = store
        self.evaluated = False  # `steelyard run` evaluates what a file has defined and left

    async def evaluate(self, model: Any = None) -> EvaluationResult:
        """Call a model for every row and score what it gives; without a model, score the rows as they are.

        Args:
            model: A `Model`, an object with ``predict``, a function, sync or async, or a chat model. Arguments bind
                to columns by name.

        Returns:
            Scorer name to its summary: what its own ``summarize`` gave; else numbers as ``mean``, truth values as
            ``true_count`` and ``true_fraction`` over the rows that have them, labels counted, dicts key by key. With a
            model, ``model_latency`` is the mean in seconds, without queueing. The run, with error bars and counts, is
            at ``.run``.

        Raises:
            UsageError: For data, scorers or a model that do not fit, before the first call.
        """
        if model is None and self.trials > 1:
            raise UsageError(f"trials={self.trials} asks a model, and none was given: evaluate(model)")
        self.evaluated = True
        run = await run_async(
            self.dataset,
            self.scorers,
            name=self.name,
            model=model,
            epochs=self.trials,
            preprocess=self.preprocess_model_input,
            store=self.store,
        )
        return EvaluationResult(_page(run), run)

    def __repr__(self) -> str:
        scorers = ", ".join(form.name for form in as_forms(self.scorers))
        return f"<Evaluation {self.name or ''}: {scorers}>".replace(" :", ":")


def _page(run: Run) -> dict[str, Any]:
    """The dict that the Weave page shows."""
    page: dict[str, Any] = {}
    for scoring in run.reader.scorings:
        if scoring.name in run.summaries:
            page[scoring.name] = run.summaries[scoring.name]
        else:
            page[scoring.name] = summarize([value for _, value in read_outcomes(run.reader, scoring).cells])
    times = [sample.extra["latency"] for sample in run.samples() if "latency" in sample.extra]
    if times:
        page["model_latency"] = {"mean": sum(times) / len(times)}
    return page
