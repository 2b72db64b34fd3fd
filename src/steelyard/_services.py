"""The default composition of the ports: which parts fill them when nobody else chose."""

from collections.abc import Mapping

from steelyard.core.model_ref import ModelRef
from steelyard.core.ports import ChatModel, RunStore, Services
from steelyard.errors import UsageError

__all__ = ["default"]


def default() -> Services:
    """The services of a plain installation."""
    return Services(_catalog, _chat, _store)


def _catalog(kind: str) -> Mapping[str, str]:
    from steelyard import metrics, scorers

    tables = {"scorers": scorers.BUILTIN, "metrics": metrics.BUILTIN, "reducers": metrics.BUILTIN_REDUCERS}
    return tables[kind]


def _chat(ref: ModelRef) -> ChatModel:
    if isinstance(ref.handle, ChatModel):
        return ref.handle
    raise UsageError(
        f"no model {ref.full_name!r}: give a callable, an object with predict, or steelyard.testing.FakeModel"
    )


def _store() -> RunStore:
    from steelyard.store.sqlite import SqliteStore

    return SqliteStore()
