"""A run's writer in a list, and columns as a run makes them."""

import pytest

from steelyard.core.columns import Columns
from steelyard.scoring.adapt import as_forms
from steelyard.scoring.bound import bind


class ListWriter:
    """A `RunWriter` whose blocks are lists of rows, durable at once unless told otherwise."""

    run_id = "0" * 12
    scorings = ()

    def __init__(self):
        self.rows = []
        self.sizes = []
        self.full = False
        self.full_at = None
        self.lag = 0
        self.error = None

    @property
    def committed(self):
        return max(0, len(self.rows) - self.lag)

    @staticmethod
    def encoder(columns, scored, seqs):
        return [
            {
                "seq": seqs[i],
                "id": columns.ids[i],
                "epoch": columns.epochs[i],
                "row": columns.row(i),
                "output": columns.outputs[i],
                "scores": [column.outcome(i) for column in scored],
            }
            for i in range(columns.n)
        ]

    def write(self, block):
        if self.error is not None:
            raise self.error
        self.sizes.append(len(block))
        self.rows.extend(block)
        if self.full_at is not None and len(self.rows) >= self.full_at:
            self.full = True

    def by_seq(self):
        return sorted(self.rows, key=lambda row: row["seq"])

    def outputs(self):
        return [row["output"].value for row in self.by_seq()]

    def values(self, k=0):
        return [getattr(row["scores"][k], "value", row["scores"][k]) for row in self.by_seq()]


@pytest.fixture
def writer():
    return ListWriter()


@pytest.fixture
def chunks():
    """Chunks of rows, with the names of the data and the canonical ones as the same lists, and ids."""

    def make(rows, size=3, **aliases):
        for start in range(0, len(rows), size):
            part = rows[start : start + size]
            data = {name: [row.get(name) for row in part] for name in part[0]}
            data.update({canonical: data[name] for canonical, name in aliases.items()})
            yield Columns(data, len(part), start, [f"s{start + i}" for i in range(len(part))])

    return make


@pytest.fixture
def bound():
    def make(*scorers, columns=("input", "target", "output")):
        return [bind(form, columns) for form in as_forms(list(scorers))]

    return make
