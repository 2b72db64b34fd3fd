"""RowEncoder: from scored columns to cells of the database. It runs where the rows are, perhaps in another process."""

from collections.abc import Sequence
from typing import Any

import msgspec

from steelyard.core.columns import Columns, Detail, ScoreColumns
from steelyard.core.record import UNSCORED_TYPE, encode_value
from steelyard.core.sample import Output
from steelyard.errors import UsageError
from steelyard.store._block import EncodedBlock, LabelCells, ScoreCells
from steelyard.store._body import WORTH_COMPRESSING, pack, text_cell, text_cells, unpack

__all__ = ["ECHO", "OUTPUT", "OutcomeCells", "RowEncoder", "outcome_cells", "output_extra", "unpack_extra"]

ANSWER_LIMIT = 200
"""Characters. A longer answer is kept beside the score row, so that score rows stay narrow."""

OUTPUT = "output"
"""The column whose cells are kept with the run, and not with the samples."""

ECHO = "echo"
"""The key, in a detail's body, of the fields whose text is the output itself and is not stored twice."""

_FLOAT, _BOOL, _TEXT, _JSON = (encode_value(plain)[0] for plain in (0.0, True, "", list[Any]()))
_ONE_TYPE = {float: _FLOAT, bool: _BOOL, str: _TEXT}


OutcomeCells = tuple[list[int] | int, list[Any], list[Any] | None]
"""The types (or one type for all rows), the cells, and the reasons or notes, if any."""


_NOTHING_ELSE = Output(None)


class RowEncoder(msgspec.Struct, frozen=True):
    """Turns scored columns into an `EncodedBlock`.

    Args:
        left_out: Columns that hold outputs, which are kept with their own run instead of with the samples.
        labels: Columns by which figures are split or clustered, which are also kept as narrow cells.
        keep_samples: False where another run keeps the samples.
        keep_outputs: False where only outcomes are written.
    """

    left_out: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    keep_samples: bool = True
    keep_outputs: bool = True

    def __call__(self, columns: Columns, scored: Sequence[ScoreColumns], seqs: Sequence[int]) -> EncodedBlock:
        """The block of these rows."""
        if columns.ids is None:
            raise UsageError("rows can be stored only once their ids are known: set Columns.ids")
        kept, layout = self._split(columns)
        values, extras = _outputs(columns)
        return EncodedBlock(
            seqs if isinstance(seqs, range) else list(seqs),
            text_cells(columns.ids),
            columns.epochs,
            [_score_cells(of_one, values) for of_one in scored],
            _sample_bodies(columns, kept) if self.keep_samples else None,
            _output_cells(values, columns.n) if self.keep_outputs else None,
            extras if self.keep_outputs else None,
            self._labels(columns) if self.keep_samples else [],
            layout,
        )

    def _split(self, columns: Columns) -> tuple[list[str], dict[str, str]]:
        """The columns that are kept with the samples, and for every column under which name its cells are kept."""
        output = columns.data.get(OUTPUT)
        holders: dict[int, str] = {}
        layout: dict[str, str] = {}
        for name, cells in columns.data.items():
            if name == OUTPUT or cells is output:
                layout[name] = OUTPUT
            elif name not in self.left_out:
                layout[name] = holders.setdefault(id(cells), name)
        return list(holders.values()), layout

    def _labels(self, columns: Columns) -> list[LabelCells]:
        found: list[LabelCells] = []
        for name in self.labels:
            if name in columns:
                types, values = _cells(columns[name])
                found.append(LabelCells(name, [types] * columns.n if isinstance(types, int) else types, values))
        return found


def output_extra(output: Output) -> dict[str, Any]:
    """What is known of an output beside its value."""
    extra = _packed_extra(output)
    return {} if extra is None else unpack_extra(extra)


def unpack_extra(body: bytes) -> dict[str, Any]:
    """What is known of an output beside its value, from its packed form."""
    extra: dict[str, Any] = unpack(body)
    del extra["value"]
    return extra


def _packed_extra(output: Output) -> bytes | None:
    bare = msgspec.structs.replace(output, value=None)
    return None if bare == _NOTHING_ELSE else pack(bare)


def _sample_bodies(columns: Columns, kept: Sequence[str]) -> list[bytes]:
    if not kept:
        return [pack({})] * columns.n
    cells = zip(*(columns[name] for name in kept), strict=True)
    return [pack(dict(zip(kept, row, strict=True))) for row in cells]


def _outputs(columns: Columns) -> tuple[list[Any] | None, list[bytes | None] | None]:
    """The value of each row's output, and what else is known of it."""
    if columns.outputs is None:
        return columns.data.get(OUTPUT), None
    values = [output.value if isinstance(output, Output) else output for output in columns.outputs]
    extras = [_packed_extra(output) if isinstance(output, Output) else None for output in columns.outputs]
    return values, extras if any(extras) else None


def _output_cells(values: list[Any] | None, n: int) -> list[Any]:
    return [None] * n if values is None else [_output_cell(value) for value in values]


def _output_cell(value: Any) -> Any:
    """Short text as it is, None as NULL, all else packed."""
    if value is None:
        return None
    if type(value) is str and len(value) <= WORTH_COMPRESSING and isinstance(text_cell(value), str):
        return value
    return pack(value)


def outcome_cells(scored: ScoreColumns) -> OutcomeCells:
    """The (types, cells, reasons or notes) of what one scorer says."""
    types, values = _cells(scored.values)
    if None in scored.values:
        return _mark_unscored(types, scored.values), values, _reasons(scored)
    return types, values, _reasons(scored) if scored.reasons else None


def _score_cells(scored: ScoreColumns, outputs: list[Any] | None) -> ScoreCells:
    types, values, reasons = outcome_cells(scored)
    answers, beside = _split_answers(scored.answers)
    if not beside and not scored.details:
        return ScoreCells(types, values, answers, reasons)
    details = [
        (row, _detail_body(scored.details.get(row), beside.get(row), outputs[row] if outputs else None))
        for row in sorted(beside.keys() | scored.details.keys())
    ]
    return ScoreCells(types, values, answers, reasons, details)


def _cells(cells: list[Any]) -> tuple[list[int] | int, list[Any]]:
    """`encode_value` of a whole column; one type for all rows where they agree."""
    if len(cells) == 1:
        only, cell = _cell(cells[0])
        return only, [cell]
    kinds = set(map(type, cells))
    if len(kinds) == 1:
        kind = next(iter(kinds))
        if kind is str:
            return _TEXT, text_cells(cells)
        if kind in _ONE_TYPE:
            return _ONE_TYPE[kind], cells
    if len(kinds) == 2 and type(None) in kinds and not kinds.isdisjoint(_ONE_TYPE):
        return _cells_with_gaps(cells, *(kinds - {type(None)}))
    pairs = [_cell(value) for value in cells]
    return [kind for kind, _ in pairs], [cell for _, cell in pairs]


def _cells_with_gaps(cells: list[Any], kind: type) -> tuple[list[int], list[Any]]:
    """A column of one plain type and None."""
    types = [_JSON if cell is None else _ONE_TYPE[kind] for cell in cells]
    return types, [None if cell is None else text_cell(cell) for cell in cells] if kind is str else cells


def _cell(value: Any) -> tuple[int, Any]:
    if value is None:
        return _JSON, None
    try:
        kind, cell = encode_value(value)
    except Exception:  # noqa: BLE001  (what JSON cannot hold is packed in the way that never fails)
        kind, cell = encode_value(unpack(pack(value)))
    return kind, text_cell(cell) if isinstance(cell, str) else cell


def _mark_unscored(types: list[int] | int, values: list[Any]) -> list[int]:
    kinds = [types] * len(values) if isinstance(types, int) else types
    return [UNSCORED_TYPE if value is None else kind for kind, value in zip(kinds, values, strict=True)]


def _reasons(scored: ScoreColumns) -> list[Any]:
    reasons = [scored.reasons.get(i) for i in range(len(scored))]
    return [
        (reason or "malformed") if value is None else reason
        for reason, value in zip(reasons, scored.values, strict=True)
    ]


def _split_answers(answers: Sequence[str | None] | None) -> tuple[list[Any] | None, dict[int, str]]:
    """Short answers for the score rows, and the long ones by row."""
    if answers is None:
        return None, {}
    beside = {row: text for row, text in enumerate(answers) if text is not None and len(text) > ANSWER_LIMIT}
    kept = [None if text is None or row in beside else text_cell(text) for row, text in enumerate(answers)]
    return kept, beside


def _detail_body(detail: Detail | None, answer: str | None, output: Any) -> bytes:
    """What is kept beside a score row; a text that is the output itself is only named."""
    explanation = None if detail is None else detail.explanation
    echoes: list[str] = []
    if isinstance(output, str):  # any other object may have its own idea of equality
        echoes = [name for name, text in (("answer", answer), ("explanation", explanation)) if text == output]
    if detail is not None and answer is None and not echoes:
        return pack(detail)
    fields: dict[str, Any] = {} if detail is None else msgspec.structs.asdict(detail)
    fields["answer"] = answer
    body = {name: field for name, field in fields.items() if field is not None and name not in echoes}
    return pack({**body, ECHO: echoes} if echoes else body)
