"""steelyard scores the outputs of language models, and says how far to trust the score.

The one door: every public name is here or in `steelyard.scorers`, `steelyard.metrics`, `steelyard.errors` and
`steelyard.testing`. Names are loaded at first use, so that importing steelyard costs nothing.
"""

from steelyard.core.door import door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard._api import load as load
    from steelyard._api import run as run
    from steelyard._api import run_async as run_async
    from steelyard._api import score as score
    from steelyard._run import Run as Run
    from steelyard.core.columns import Columns as Columns
    from steelyard.core.columns import ScoreColumns as ScoreColumns
    from steelyard.core.estimate import Counts as Counts
    from steelyard.core.estimate import Estimate as Estimate
    from steelyard.core.message import ChatMessage as ChatMessage
    from steelyard.core.sample import Output as Output
    from steelyard.core.sample import Sample as Sample
    from steelyard.core.score import CORRECT as CORRECT
    from steelyard.core.score import INCORRECT as INCORRECT
    from steelyard.core.score import NOANSWER as NOANSWER
    from steelyard.core.score import PARTIAL as PARTIAL
    from steelyard.core.score import SampleScore as SampleScore
    from steelyard.core.score import Score as Score
    from steelyard.core.score import Unscored as Unscored
    from steelyard.core.score import Value as Value
    from steelyard.core.score import ValueToFloat as ValueToFloat
    from steelyard.core.score import value_to_float as value_to_float
    from steelyard.core.state import TaskState as TaskState
    from steelyard.core.target import Target as Target
    from steelyard.errors import SteelyardError as SteelyardError
    from steelyard.errors import UndefinedMetric as UndefinedMetric
    from steelyard.evaluation import Evaluation as Evaluation
    from steelyard.evaluation import Model as Model
    from steelyard.metrics import Metric as Metric
    from steelyard.metrics import MetricDeprecated as MetricDeprecated
    from steelyard.metrics import MetricProtocol as MetricProtocol
    from steelyard.metrics import ScoreReducer as ScoreReducer
    from steelyard.metrics import metric as metric
    from steelyard.metrics import score_reducer as score_reducer
    from steelyard.prompting.choices import multiple_choice as multiple_choice
    from steelyard.scoring.decorate import op as op
    from steelyard.scoring.decorate import scorer as scorer
    from steelyard.scoring.form import Pair as Pair
    from steelyard.scoring.scorer import Scorer as Scorer

__version__ = "0.1.0"

_HOMES = {
    "CORRECT": "core.score",
    "ChatMessage": "core.message",
    "Columns": "core.columns",
    "Counts": "core.estimate",
    "Estimate": "core.estimate",
    "Evaluation": "evaluation",
    "INCORRECT": "core.score",
    "Metric": "metrics",
    "MetricDeprecated": "metrics",
    "MetricProtocol": "metrics",
    "Model": "evaluation",
    "NOANSWER": "core.score",
    "Output": "core.sample",
    "PARTIAL": "core.score",
    "Pair": "scoring.form",
    "Run": "_run",
    "Sample": "core.sample",
    "SampleScore": "core.score",
    "Score": "core.score",
    "ScoreColumns": "core.columns",
    "ScoreReducer": "metrics",
    "Scorer": "scoring.scorer",
    "SteelyardError": "errors",
    "Target": "core.target",
    "TaskState": "core.state",
    "UndefinedMetric": "errors",
    "Unscored": "core.score",
    "Value": "core.score",
    "ValueToFloat": "core.score",
    "load": "_api",
    "metric": "metrics",
    "multiple_choice": "prompting.choices",
    "op": "scoring.decorate",
    "run": "_api",
    "run_async": "_api",
    "score": "_api",
    "score_reducer": "metrics",
    "scorer": "scoring.decorate",
    "value_to_float": "core.score",
}

__all__ = [  # noqa: RUF022  (sorted as text, which a test holds)
    "CORRECT",
    "ChatMessage",
    "Columns",
    "Counts",
    "Estimate",
    "Evaluation",
    "INCORRECT",
    "Metric",
    "MetricDeprecated",
    "MetricProtocol",
    "Model",
    "NOANSWER",
    "Output",
    "PARTIAL",
    "Pair",
    "Run",
    "Sample",
    "SampleScore",
    "Score",
    "ScoreColumns",
    "ScoreReducer",
    "Scorer",
    "SteelyardError",
    "Target",
    "TaskState",
    "UndefinedMetric",
    "Unscored",
    "Value",
    "ValueToFloat",
    "load",
    "metric",
    "multiple_choice",
    "op",
    "run",
    "run_async",
    "score",
    "score_reducer",
    "scorer",
    "value_to_float",
]


__getattr__ = door(globals(), _HOMES)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
