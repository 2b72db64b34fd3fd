"""Run: what users hold."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from steelyard.core.estimate import Counts, Estimate
from steelyard.core.ports import RunReader
from steelyard.core.record import OutcomeRow, RunRecord, StoredSample
from steelyard.errors import MissingExtraError, UnknownNameError
from steelyard.report.side_by_side import comparison_text
from steelyard.report.table import html_table, text_table
from steelyard.results.export import joined_rows
from steelyard.results.figures import Figures, figures
from steelyard.results.pairs import PairedDifference, paired_differences
from steelyard.results.view import view

__all__ = ["Run", "Runs"]


class Run:
    """A run: its figures with error bars and counts, its samples, its outcomes.

    Printing it shows the table. ``run.metrics["match"]["accuracy"]`` is an `Estimate`, and ``float(...)`` of that is
    the number; the keys of a dict score are scorers of their own there (``run.metrics["name.key"]``).
    """

    def __init__(self, reader: RunReader, found: Figures | None = None, warnings: Sequence[str] = ()) -> None:
        self._reader = reader
        self._figures = found
        self.warnings = tuple(warnings)

    @property
    def id(self) -> str:
        """Twelve hex digits; a unique prefix of them finds the run."""
        return self.record.id

    @property
    def name(self) -> str:
        """What the run is called."""
        return self.record.name

    @property
    def record(self) -> RunRecord:
        """Everything that is known of the run but its rows."""
        return self._reader.record

    @property
    def reader(self) -> RunReader:
        """Where the rows are read from."""
        return self._reader

    @property
    def figures(self) -> Figures:
        """Every figure, computed at the first look."""
        if self._figures is None:
            self._figures = figures(self._reader)
        return self._figures

    @property
    def metrics(self) -> Mapping[str, Mapping[str, Estimate]]:
        """Scorer (or ``scorer.key``) to metric to `Estimate`."""
        return self.figures.metrics

    @property
    def counts(self) -> Mapping[str, Counts]:
        """Scorer (or ``scorer.key``) to `Counts`."""
        return self.figures.counts

    @property
    def summaries(self) -> Mapping[str, Any]:
        """Scorer to what its own ``summarize`` gave."""
        return self.figures.summaries

    def __len__(self) -> int:
        return self.record.n_samples

    def samples(self, *, limit: int | None = None) -> Iterator[StoredSample]:
        """The stored rows: each a sample with its output."""
        return self._reader.samples(limit=limit)

    def outcomes(self, scorer: str | None = None) -> Iterator[OutcomeRow]:
        """The outcomes of one scorer, or of all.

        Raises:
            UnknownNameError: When the run has no such scorer.
        """
        scorings = list(self._reader.scorings)
        names = [scoring.name for scoring in scorings]
        if scorer is not None and scorer not in names:
            raise UnknownNameError.naming("scorer", scorer, names, "These are in the run.")
        wanted = [scoring for scoring in scorings if scorer in (None, scoring.name)]
        return (row for scoring in wanted for row in self._reader.outcomes(scoring))

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dict a row: columns, output, and of each scorer the value, answer and reason."""
        return joined_rows(self._reader)

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame."""
        return _frame("pandas", lambda pandas: pandas.DataFrame, self.rows())

    def to_polars(self) -> Any:
        """The rows as a polars DataFrame."""
        return _frame(
            "polars",
            lambda polars: lambda rows: polars.DataFrame(rows, infer_schema_length=None, strict=False),
            self.rows(),
        )

    def to_arrow(self) -> Any:
        """The rows as an Arrow table."""
        return _frame("pyarrow", lambda arrow: arrow.Table.from_pylist, self.rows())

    def __repr__(self) -> str:
        return text_table(view(self._reader, self.figures))

    def _repr_html_(self) -> str:
        return html_table(view(self._reader, self.figures))


class Runs(Sequence[Run]):
    """Several runs side by side, such as one for each output column. Indexed by place or by name.

    Printing them shows one table, and of two runs also their paired differences.
    """

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = tuple(runs)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for run in self._runs:
                if key == run.name:
                    return run
            raise KeyError(f"no run {key!r} here; there are: {', '.join(run.name for run in self._runs)}")
        return self._runs[key]

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def differences(self) -> list[PairedDifference]:
        """Of two runs, how much the second differs from the first by each scorer, sample by sample; else empty."""
        if len(self._runs) != 2:
            return []
        return paired_differences(*(run.reader for run in self._runs))

    def __repr__(self) -> str:
        views = [view(run.reader, run.figures) for run in self._runs]
        return comparison_text(views, self.differences) if len(views) > 1 else "\n\n".join(map(repr, self._runs))

    def _repr_html_(self) -> str:
        return "".join(run._repr_html_() for run in self._runs)


def _frame(
    package: str, maker: Callable[[Any], Callable[[list[dict[str, Any]]], Any]], rows: Iterable[dict[str, Any]]
) -> Any:
    import importlib

    try:
        module = importlib.import_module(package)
    except ImportError:
        raise MissingExtraError(f"this needs {package}. Install it with: pip install {package}") from None
    return maker(module)(list(rows))
