"""Statistics over arrays: intervals, resampling, pairs. They have never heard of samples or files.

Arrays come first, everything else is a keyword; what has an error bar is an `Estimate`.
"""

from steelyard.core.door import door

TYPE_CHECKING = False
if TYPE_CHECKING:
    from steelyard.stats._average import average as average
    from steelyard.stats._bootstrap import bootstrap_mean as bootstrap_mean
    from steelyard.stats._bootstrap import bootstrap_rows as bootstrap_rows
    from steelyard.stats._factorize import factorize as factorize
    from steelyard.stats._interval import clustered_proportion as clustered_proportion
    from steelyard.stats._interval import clustered_t as clustered_t
    from steelyard.stats._interval import clustered_wilson as clustered_wilson
    from steelyard.stats._interval import t_interval as t_interval
    from steelyard.stats._interval import wilson as wilson
    from steelyard.stats._interval import within as within
    from steelyard.stats._paired import paired_t as paired_t
    from steelyard.stats._quantile import normal_quantile as normal_quantile
    from steelyard.stats._quantile import t_quantile as t_quantile
    from steelyard.stats._stderr import clustered_stderr as clustered_stderr
    from steelyard.stats._stderr import mean_stderr as mean_stderr
    from steelyard.stats._stderr import variance as variance

_HOMES = {
    "average": "_average",
    "bootstrap_mean": "_bootstrap",
    "bootstrap_rows": "_bootstrap",
    "clustered_proportion": "_interval",
    "clustered_stderr": "_stderr",
    "clustered_t": "_interval",
    "clustered_wilson": "_interval",
    "factorize": "_factorize",
    "mean_stderr": "_stderr",
    "normal_quantile": "_quantile",
    "paired_t": "_paired",
    "t_interval": "_interval",
    "t_quantile": "_quantile",
    "variance": "_stderr",
    "wilson": "_interval",
    "within": "_interval",
}

__all__ = [
    "average",
    "bootstrap_mean",
    "bootstrap_rows",
    "clustered_proportion",
    "clustered_stderr",
    "clustered_t",
    "clustered_wilson",
    "factorize",
    "mean_stderr",
    "normal_quantile",
    "paired_t",
    "t_interval",
    "t_quantile",
    "variance",
    "wilson",
    "within",
]


__getattr__ = door(globals(), _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
