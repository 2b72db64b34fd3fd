"""What every test may count on: no network, a store of its own, and the real data where they are asked for."""

import itertools
import os
import socket
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
DATA_VARIABLE = "STEELYARD_TEST_DATA"
REQUIRE_VARIABLE = "STEELYARD_REQUIRE_DATA"

collect_ignore_glob = ["golden/make_*.py"]  # they ask other packages for the golden cases, and are run by hand

settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def _data_required() -> bool:
    return os.environ.get(REQUIRE_VARIABLE, "") not in ("", "0")


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of real data sets, which are not part of this repository: `STEELYARD_TEST_DATA`."""
    named = os.environ.get(DATA_VARIABLE, "")
    folder = Path(named).expanduser()
    if named and folder.is_dir():
        return folder
    problem = f"{DATA_VARIABLE}={named!r} is no folder" if named else f"{DATA_VARIABLE} is not set"
    if named or _data_required():
        pytest.fail(f"{problem}; it names the folder of real data sets", pytrace=False)
    pytest.skip(problem)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Paths that are not there yet. (A folder of its own for each of some thousand tests would take its time.)"""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) / ".steelyard" for number in itertools.count())


@pytest.fixture(autouse=True)
def store_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh `STEELYARD_HOME`, so that no test writes to ./.steelyard or reads what the user has there."""
    home = next(_homes)
    for name in [name for name in os.environ if name.startswith("STEELYARD_")]:
        if name not in (DATA_VARIABLE, REQUIRE_VARIABLE, "STEELYARD_VENV"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("STEELYARD_HOME", str(home))
    return home


@pytest.fixture
def own_registry() -> Iterator[None]:
    """What a test registers by name is gone after it."""
    from steelyard.scoring import registry

    before = {kind: dict(names) for kind, names in registry._registered.items()}
    yield
    for kind, names in before.items():
        registry._registered[kind].clear()
        registry._registered[kind].update(names)


@pytest.fixture(autouse=True)
def no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections beyond this machine fail at once, unless a test is marked ``network``."""
    if request.node.get_closest_marker("network") is None:
        for name in ("connect", "connect_ex"):
            monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))


def _guarded(original):
    def connect(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_loopback(address[0]):
            raise PermissionError(f"a test tried to connect to {address!r}: mark it `network` if that is meant")
        return original(self, address)

    return connect


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1", "0.0.0.0", "::", "") or host.startswith("127.")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that ask for the real data bear the marker `data`; slow ones run last, so that failures show early."""
    for item in items:
        if "test_data" in getattr(item, "fixturenames", ()):
            item.add_marker("data")
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where the real data are required, a test of theirs that is skipped has failed."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and _data_required() and item.get_closest_marker("data"):
        report.outcome = "failed"
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.longrepr = f"{item.nodeid}: {REQUIRE_VARIABLE} is set, so this may not be skipped ({reason})"
    return report
