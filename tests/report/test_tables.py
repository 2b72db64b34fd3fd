"""Tables of figures: what stands in them at which width."""

import msgspec
import pytest

from steelyard.core.estimate import Counts, Estimate
from steelyard.core.record import RunRecord, ScoringRecord
from steelyard.report.grid import GridColumn, fit, natural_width
from steelyard.report.rows import figure_rows
from steelyard.report.side_by_side import difference_notes, difference_table, run_names, side_by_side
from steelyard.report.slices import slice_tables
from steelyard.report.table import bound_notes, count_notes, figure_table, html_table, text_table, to_text
from steelyard.results.figures import Figures
from steelyard.results.pairs import PairedDifference
from steelyard.results.slices import Slice
from steelyard.results.view import RunView

ACCURACY = Estimate(
    value=0.5168, stderr=0.041, low=0.4371, high=0.5951, level=0.95, n=149, method="wilson", worst=0.5133, best=0.52
)
MEAN = Estimate(value=17.25, stderr=2.5, low=12.3, high=22.2, level=0.95, n=150, method="t")
UNDEFINED = Estimate.undefined("all values are in one cluster", n=1, method="clustered t")


def make_view(name="answers", **changes):
    figures = Figures(
        metrics={
            "match": {"accuracy": ACCURACY, "stderr": Estimate(value=0.041, n=149)},
            "length": {"mean": MEAN},
            "odd": {"mean": UNDEFINED},
        },
        counts={
            "match": Counts(attempted=150, scored=149, unscored={"no_output": 1}),
            "length": Counts(attempted=150, scored=150, notes={"empty": 2}),
            "odd": Counts(attempted=150, scored=140, unscored={"no_output": 1, "scorer_error": 9}),
        },
        higher_is_better={"length": False},
    )
    record = RunRecord(
        id="0123456789ab", name=name, created="2026-01-02T03:04:05Z", status="success", n_samples=150, model="p/m"
    )
    view = RunView(record=record, scorings=(ScoringRecord(name="match", spec="match"),), figures=figures)
    return msgspec.structs.replace(view, record=msgspec.structs.replace(record, **changes))


WIDE = """\
run 0123456789ab · answers · p/m · 150 rows

scorer    metric     value      95% interval  stderr          bounds   scored  unscored  failed  method
────────────────────────────────────────────────────────────────────────────────────────────────────────────
match     accuracy   0.517    [0.437, 0.595]   0.041  0.513 to 0.520  149/150         1       -  wilson
length ↓  mean      17.250  [12.300, 22.200]                          150/150         -       -  t
odd       mean           -         undefined                          140/150         1       9  clustered t

odd mean: all values are in one cluster
1 without an output: match, odd
2 scored with the note 'empty': length
9 where the scorer failed: odd
bounds, had the unscored all been wrong or all right
↓ lower is better"""

NARROW = """\
run 0123456789ab · answers · p/m · 150 rows

scorer    metric     value      95% interval   scored  unscored  failed
───────────────────────────────────────────────────────────────────────
match     accuracy   0.517    [0.437, 0.595]  149/150         1       -
length ↓  mean      17.250  [12.300, 22.200]  150/150         -       -
odd       mean           -         undefined  140/150         1       9

95% interval: wilson (match); t (length)
odd mean: all values are in one cluster
1 without an output: match, odd
2 scored with the note 'empty': length
9 where the scorer failed: odd
bounds, had the unscored all been wrong or all right: match accuracy 0.513 to
  0.520
↓ lower is better"""


def test_a_wide_line_has_room_for_everything():
    assert text_table(make_view(), width=120) == WIDE


def test_what_gives_way_becomes_a_note():
    assert text_table(make_view(), width=80) == NARROW


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
def test_no_line_is_longer_than_asked(width):
    assert max(map(len, text_table(make_view(name="a name"), width=width).splitlines())) <= width


def test_interrupted_and_broken_runs_say_so():
    assert "cancelled: these are the samples that were finished" in text_table(make_view(status="cancelled"))
    shown = text_table(make_view(status="error", error="DataError: line 7"))
    assert shown.startswith("run 0123456789ab · answers · p/m · 150 rows · error\n")
    assert "ended early: DataError: line 7" in shown


def test_html_escapes_what_users_and_models_wrote():
    shown = html_table(make_view(name="<script>"))
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_a_name_cannot_steer_the_terminal():
    assert "\x1b" not in text_table(make_view(name="\x1b[31mred"))


def test_columns_give_way_by_rank():
    columns = [GridColumn(title=name, cells=("x" * 8,), rank=rank) for name, rank in (("a", 0), ("b", 2), ("c", 1))]
    assert natural_width(columns) == 28
    assert [column.title for column in fit(columns, 28)] == ["a", "b", "c"]
    assert [column.title for column in fit(columns, 27)] == ["a", "c"]
    assert [column.title for column in fit(columns, 3)] == ["a"]


def test_wide_characters_count_as_what_they_take():
    assert GridColumn(title="名前", cells=("x",)).width == 4


def test_runs_are_groups_of_columns_or_rows_as_the_line_allows():
    views = [make_view("demo/one"), make_view("demo/two")]
    headings, wide, notes = side_by_side(views, 120)
    assert len(headings) == 2
    assert to_text(wide, width=120).splitlines()[0].split() == ["scorer", "metric", "one", "scored", "two", "scored"]
    _, narrow, _ = side_by_side(views, 70)
    shown = to_text(narrow, width=70)
    assert shown.splitlines()[0].split() == ["scorer", "metric", "run", "value", "95%", "interval", "scored"]
    assert max(map(len, shown.splitlines())) <= 70
    assert notes.count("1 without an output: match, odd") == 1


def test_runs_are_told_apart():
    records = [make_view(name).record for name in ("demo/a", "demo/b")]
    assert run_names(records) == ["a", "b"]
    assert run_names([make_view("x/a").record, make_view("y/b").record]) == ["x/a", "y/b"]
    same = [make_view("a").record, make_view("a", id="ffff").record]
    assert run_names(same) == ["0123456789ab", "ffff"]


def _difference(low, high, *, value=0.1, higher=True, alone=0):
    estimate = Estimate(value=value, low=low, high=high, level=0.95, n=9, method="paired t")
    return PairedDifference(
        scorer="match", estimate=estimate, pairs=9, only_baseline=alone, only_candidate=0, higher_is_better=higher
    )


@pytest.mark.parametrize(
    ("difference", "verdict"),
    [
        (_difference(0.05, 0.15), "better"),
        (_difference(0.05, 0.15, higher=False), "worse"),
        (_difference(-0.15, -0.05, value=-0.1), "worse"),
        (_difference(-0.05, 0.15), "no clear difference"),
        (_difference(None, None), "not defined"),
    ],
)
def test_the_verdict_on_a_difference(difference, verdict):
    shown = to_text(difference_table([difference], "a", "b", 100), width=100).splitlines()[2]
    assert verdict in shown
    assert ("+0.100" if difference.estimate.value > 0 else "-0.100") in shown


def test_samples_without_a_pair_are_counted():
    method = "95% interval: paired t"
    told = "left out, since the other run has no score for it: 2 of old (match)"
    assert difference_notes([_difference(0.0, 0.1, alone=2)], "old", "new") == [method, told]
    assert difference_notes([_difference(0.0, 0.1)], "old", "new") == [method]


def test_counts_of_one_reason_are_one_note():
    counts = {
        "a": Counts(attempted=9, scored=6, unscored={"not_applicable": 3}),
        "b": Counts(attempted=9, scored=6, unscored={"not_applicable": 3}, notes={"empty": 1}),
        "c": Counts(attempted=9, scored=5, unscored={"not_applicable": 4}),
    }
    assert count_notes(counts) == ["not applicable: 3 (a, b), 4 (c)", "1 scored with the note 'empty': b"]


def test_many_bounds_are_one_line():
    view = make_view()
    rows = figure_rows(view)
    assert bound_notes(rows) == ["bounds, had the unscored all been wrong or all right: match accuracy 0.513 to 0.520"]
    assert bound_notes(rows * 4) == [
        "had the unscored all been wrong, or all right, no figure would move by more than 0.004"
    ]


def test_slices_fit_the_line():
    counts = Counts(attempted=10, scored=9)
    slices = tuple(
        Slice(column="kind", value=value, scorer=scorer, metric="accuracy", estimate=ACCURACY, counts=counts)
        for scorer in ("match", "choice")
        for value in ("math", "fact")
    )
    view = make_view()
    view = msgspec.structs.replace(view, figures=msgspec.structs.replace(view.figures, slices=slices))
    (wide,) = slice_tables(view, 100)
    assert to_text(wide, width=100).splitlines()[2] == "math  0.517 [0.437, 0.595]  9/10  0.517 [0.437, 0.595]  9/10"
    (narrow,) = slice_tables(view, 58)
    shown = to_text(narrow, width=58).splitlines()
    assert shown[0].split() == ["kind", "scorer", "metric", "value", "interval", "scored"]
    assert max(map(len, shown)) <= 58


def test_the_table_is_never_empty_handed():
    table, notes = figure_table(make_view(), 40)
    assert to_text(table, width=40)
    assert notes
