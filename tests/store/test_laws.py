"""Every store keeps the laws of run stores."""

import pytest

from steelyard.core.ports import RunReader, RunStore, RunWriter
from steelyard.store.memory import MemoryStore
from steelyard.store.sqlite import SqliteStore


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
def test_the_store_keeps_the_law(law, kind, tmp_path):
    law(SqliteStore(tmp_path) if kind == "sqlite" else MemoryStore())


def test_the_laws_can_be_held_at_once(laws):
    laws.check_store(MemoryStore)


def test_types_agree_with_the_ports(laws, tmp_path):
    """What mypy checks by these annotations, said once for both stores."""
    stores: list[RunStore] = [SqliteStore(tmp_path), MemoryStore()]
    for store in stores:
        writer: RunWriter = store.create(laws.record(), laws.scorings("a"))
        writer.finish("success")
        reader: RunReader = store.open("latest")
        assert reader.record.status == "success"
