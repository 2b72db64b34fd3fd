"""Metrics and reducers: the built-in ones, the decorators that make more, and what computes them.

Names are loaded at first use: a scorer names its metrics as text, and importing it loads no numpy.
"""

from steelyard.core.door import door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.metrics._ci import ci as ci
    from steelyard.metrics._ci import ci_wilson as ci_wilson
    from steelyard.metrics._compute import compute as compute
    from steelyard.metrics._find import builtin_metric as builtin_metric
    from steelyard.metrics._find import builtin_reducer as builtin_reducer
    from steelyard.metrics._find import find_metric as find_metric
    from steelyard.metrics._find import find_reducer as find_reducer
    from steelyard.metrics._find import reducer_name as reducer_name
    from steelyard.metrics._frequency import frequency as frequency
    from steelyard.metrics._grouped import grouped as grouped
    from steelyard.metrics._mean import accuracy as accuracy
    from steelyard.metrics._mean import mean as mean
    from steelyard.metrics._metric import metric as metric
    from steelyard.metrics._protocol import Metric as Metric
    from steelyard.metrics._protocol import MetricDeprecated as MetricDeprecated
    from steelyard.metrics._protocol import MetricProtocol as MetricProtocol
    from steelyard.metrics._protocol import ScoreReducer as ScoreReducer
    from steelyard.metrics._reduce import at_least as at_least
    from steelyard.metrics._reduce import max_score as max_score
    from steelyard.metrics._reduce import mean_score as mean_score
    from steelyard.metrics._reduce import median_score as median_score
    from steelyard.metrics._reduce import mode_score as mode_score
    from steelyard.metrics._reduce import pass_at as pass_at
    from steelyard.metrics._reduce import pass_k as pass_k
    from steelyard.metrics._reducer import reduce_outcomes as reduce_outcomes
    from steelyard.metrics._reducer import score_reducer as score_reducer
    from steelyard.metrics._select import default_metrics as default_metrics
    from steelyard.metrics._select import select_metrics as select_metrics
    from steelyard.metrics._spread import bootstrap_stderr as bootstrap_stderr
    from steelyard.metrics._spread import std as std
    from steelyard.metrics._spread import stderr as stderr
    from steelyard.metrics._spread import var as var
    from steelyard.metrics._summarize import summarize as summarize
    from steelyard.metrics._unscored import extremes as extremes

BUILTIN: dict[str, str] = {
    "accuracy": "steelyard.metrics._mean:accuracy",
    "bootstrap_stderr": "steelyard.metrics._spread:bootstrap_stderr",
    "ci": "steelyard.metrics._ci:ci",
    "ci_wilson": "steelyard.metrics._ci:ci_wilson",
    "frequency": "steelyard.metrics._frequency:frequency",
    "grouped": "steelyard.metrics._grouped:grouped",
    "mean": "steelyard.metrics._mean:mean",
    "std": "steelyard.metrics._spread:std",
    "stderr": "steelyard.metrics._spread:stderr",
    "var": "steelyard.metrics._spread:var",
}
"""Name of a built-in metric to where it is."""

BUILTIN_REDUCERS: dict[str, str] = {
    "at_least": "steelyard.metrics._reduce:at_least",
    "max": "steelyard.metrics._reduce:max_score",
    "mean": "steelyard.metrics._reduce:mean_score",
    "median": "steelyard.metrics._reduce:median_score",
    "mode": "steelyard.metrics._reduce:mode_score",
    "pass_at": "steelyard.metrics._reduce:pass_at",
    "pass_k": "steelyard.metrics._reduce:pass_k",
}
"""Name of a built-in reducer to where it is; ``pass_at_3`` is ``pass_at`` with k = 3."""

_HOMES = {
    "Metric": "_protocol",
    "MetricDeprecated": "_protocol",
    "MetricProtocol": "_protocol",
    "ScoreReducer": "_protocol",
    "accuracy": "_mean",
    "at_least": "_reduce",
    "bootstrap_stderr": "_spread",
    "builtin_metric": "_find",
    "builtin_reducer": "_find",
    "ci": "_ci",
    "ci_wilson": "_ci",
    "compute": "_compute",
    "default_metrics": "_select",
    "extremes": "_unscored",
    "find_metric": "_find",
    "find_reducer": "_find",
    "frequency": "_frequency",
    "grouped": "_grouped",
    "max_score": "_reduce",
    "mean": "_mean",
    "mean_score": "_reduce",
    "median_score": "_reduce",
    "metric": "_metric",
    "mode_score": "_reduce",
    "pass_at": "_reduce",
    "pass_k": "_reduce",
    "reduce_outcomes": "_reducer",
    "reducer_name": "_find",
    "score_reducer": "_reducer",
    "select_metrics": "_select",
    "std": "_spread",
    "stderr": "_spread",
    "summarize": "_summarize",
    "var": "_spread",
}

__all__ = [
    "BUILTIN",
    "BUILTIN_REDUCERS",
    "Metric",
    "MetricDeprecated",
    "MetricProtocol",
    "ScoreReducer",
    "accuracy",
    "at_least",
    "bootstrap_stderr",
    "builtin_metric",
    "builtin_reducer",
    "ci",
    "ci_wilson",
    "compute",
    "default_metrics",
    "extremes",
    "find_metric",
    "find_reducer",
    "frequency",
    "grouped",
    "max_score",
    "mean",
    "mean_score",
    "median_score",
    "metric",
    "mode_score",
    "pass_at",
    "pass_k",
    "reduce_outcomes",
    "reducer_name",
    "score_reducer",
    "select_metrics",
    "std",
    "stderr",
    "summarize",
    "var",
]


__getattr__ = door(globals(), _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
