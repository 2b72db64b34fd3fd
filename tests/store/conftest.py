"""The laws of run stores, for the tests of each store."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


def load_laws() -> ModuleType:
    """`laws.py`, from beside this file: the test tree is no package."""
    spec = importlib.util.spec_from_file_location("store_laws", Path(__file__).with_name("laws.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LAWS = load_laws()


@pytest.fixture
def laws() -> ModuleType:
    """The module of laws, with makers of records and columns."""
    return LAWS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``law`` is made once for each law."""
    if "law" in metafunc.fixturenames:
        metafunc.parametrize("law", LAWS.LAWS, ids=[law.__name__ for law in LAWS.LAWS])
