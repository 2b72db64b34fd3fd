"""Records: what the store keeps of a run, and how a value is written in one cell."""

import json
from typing import Any, Literal

import msgspec

__all__ = [
    "OutcomeRow",
    "RunRecord",
    "RunStatus",
    "ScoringRecord",
    "StoredSample",
    "decode_value",
    "encode_value",
]

RunStatus = Literal["started", "success", "error", "cancelled"]


class ScoringRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One application of one scorer to a run.

    Args:
        id: The store's number of it; None before it is stored.
        name: The scorer's name.
        spec: The scorer as name and non-default options.
        digest: Digest of spec, version and source text; None where the source cannot be read.
        version: The scorer's own version.
        kind: What sort of scorer it is.
        needs: The canonical columns that it reads.
        range: The least and the greatest value, where declared.
        higher_is_better: Direction; a dict where keys differ.
        metrics: The metrics that the scorer names, as specs; a dict of lists where keys differ.
        column_map: Scorer argument to column.
        metadata: What the scorer's author attached.
        portable: False when it cannot be rebuilt from its spec or imported.
        figures: Figures made by code that a reader may not have, as computed when the run ended.
    """

    id: int | None = None
    name: str
    spec: Any
    digest: str | None = None
    version: str = "1"
    kind: str = "custom"
    needs: tuple[str, ...] = ()
    range: tuple[float, float] | None = None
    higher_is_better: Any = True
    metrics: Any = None
    column_map: dict[str, str] = {}
    metadata: dict[str, Any] = {}
    portable: bool = True
    figures: dict[str, Any] = {}


class RunRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run was: everything but its samples, outputs and scores.

    Args:
        id: Twelve hex digits.
        name: What the user called it.
        created: When it began, UTC, ISO 8601.
        finished: When it ended.
        status: started, success, error or cancelled.
        source: Where the data came from, with the columns that were chosen and the rows that were skipped.
        columns: The names of the data's columns.
        dataset_version: Order-independent digest of the samples' content; None until the run ended.
        model: The model's name.
        provider: The model's provider.
        settings: Settings of the model and of the run.
        reducers: Names of the reducers over epochs.
        cluster: The column whose equal values make a cluster.
        by: The columns by which figures are also split.
        on_unscored: What a mean does with unscored samples: exclude, worst or raise.
        n_samples: Rows (samples times epochs) that are stored.
        n_epochs: The most repetitions that any sample has.
        git_sha: The commit of the working folder; None outside a repository.
        git_dirty: True when the working folder differed from that commit.
        versions: Versions of steelyard, Python and the platform.
        error: Why it ended in error.
    """

    id: str
    name: str
    created: str
    finished: str | None = None
    status: RunStatus = "started"
    source: dict[str, Any] = {}
    columns: tuple[str, ...] = ()
    dataset_version: str | None = None
    model: str | None = None
    provider: str | None = None
    settings: dict[str, Any] = {}
    reducers: tuple[str, ...] = ("mean",)
    cluster: str | None = None
    by: tuple[str, ...] = ()
    on_unscored: Literal["exclude", "worst", "raise"] = "exclude"
    n_samples: int = 0
    n_epochs: int = 1
    git_sha: str | None = None
    git_dirty: bool | None = None
    versions: dict[str, str] = {}
    error: str | None = None


class StoredSample(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a run: a sample with its output.

    Args:
        seq: Its place in the run, counted from 0.
        id: The sample's id.
        epoch: Which repetition, counted from 1.
        row: The sample's columns as they were given, canonical names included.
        output: What the model gave; None where there is none.
        extra: Usage, latency, cost, stop reason, and the error where the call failed.
    """

    seq: int
    id: str
    epoch: int
    row: dict[str, Any]
    output: Any = None
    extra: dict[str, Any] = {}


class OutcomeRow(msgspec.Struct, frozen=True, kw_only=True):
    """One stored outcome: where it belongs, and the outcome itself."""

    seq: int
    id: str
    epoch: int
    scorer: str
    outcome: Any


# A value in one SQL cell beside its type, so that True, 1, 1.0 and "1" stay what they are.
_FLOAT, _INT, _BOOL, _TEXT, _JSON, UNSCORED_TYPE = 0, 1, 2, 3, 4, 9


def encode_value(value: Any) -> tuple[int, Any]:
    """A value as (type, cell): numbers, truth values and text as they are, lists and dicts as JSON."""
    kind = type(value)
    if kind is float:
        return _FLOAT, value
    if kind is bool:
        return _BOOL, int(value)
    if kind is int:
        return (_INT, value) if -(2**63) <= value < 2**63 else (_JSON, str(value))
    if kind is str:
        return _TEXT, value
    try:
        return _JSON, msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8, but JSON can escape it
        return _JSON, json.dumps(value)


def decode_value(kind: int, cell: Any) -> Any:
    """The value that `encode_value` wrote."""
    if kind == _BOOL:
        return bool(cell)
    if kind == _FLOAT:
        return float(cell)
    if kind == _JSON:
        try:
            return msgspec.json.decode(cell)
        except msgspec.DecodeError:
            return json.loads(cell)
    return cell
