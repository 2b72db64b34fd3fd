"""Every figure, beside the peers, in one run: python -m bench [PART ...] [--quick].

Writes results.json and RESULTS.md; parts that were not run keep their figures.
"""

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.files import files
from bench.measure import Figure
from bench.peers import PINS, peers_python
from bench.resampling import resampling
from bench.runs import runs
from bench.starting import starting
from bench.table import table
from bench.texts import functions, texts

HERE = Path(__file__).resolve().parent
PARTS: dict[str, Callable[[bool], Iterator[Figure]]] = {
    "starting": lambda quick: starting(1 if quick else 10),
    "texts": lambda quick: texts(peers_python(), *((1, 100) if quick else ())),
    "functions": lambda quick: functions(*((1, 100) if quick else ())),
    "resampling": lambda quick: resampling(peers_python(), *((1, 100) if quick else ())),
    "files": lambda quick: files((2_000,), 1) if quick else files(),
    "runs": lambda quick: runs(peers_python(), 1, (20,)) if quick else runs(peers_python()),
}


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one or more of: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one round, nothing is written")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part is called {', '.join(sorted(unknown))}; the parts are: {', '.join(PARTS)}")
    known = _known()
    for part in options.parts or PARTS:
        found = []
        for figure in PARTS[part](options.quick):
            print(_line(figure), flush=True)
            found.append(figure.record())
        known[part] = {"machine": _machine(), "figures": found}
        if not options.quick:
            _keep({part: known[part] for part in PARTS if part in known})


def _line(figure: Figure) -> str:
    word = "met" if figure.met else "MISSED"
    shown = "; ".join(text for text in (figure.ours, figure.beside) if text)
    return f"{word:6} {figure.part}: {figure.name}: {figure.value:,.3g} {figure.unit} ({figure.sense} {figure.target:g}) {shown}"


def _known() -> dict[str, Any]:
    path = HERE / "results.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _keep(known: dict[str, Any]) -> None:
    (HERE / "results.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    (HERE / "RESULTS.md").write_text(table(known), encoding="utf-8")


def _machine() -> dict[str, str]:
    """Where and when."""
    import numpy

    import steelyard

    pins = [line for line in PINS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "cores": str(len(os.sched_getaffinity(0))),
        "load": "/".join(f"{load:.1f}" for load in os.getloadavg()),
        "processor": _processor(),
        "python": platform.python_version(),
        "steelyard": steelyard.__version__,
        "numpy": numpy.__version__,
        "peers": ", ".join(pins),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    main()
