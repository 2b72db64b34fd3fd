"""The peers' environment: made once, in a folder that is not committed."""

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["peers_python"]

HERE = Path(__file__).resolve().parent
PINS = HERE / "peers.txt"
VARIABLE = "STEELYARD_PEERS"


def peers_python() -> Path:
    """The interpreter of an environment with the peers; it is made where there is none.

    ``STEELYARD_PEERS`` names a folder with an environment that is there already.
    """
    folder = Path(os.environ.get(VARIABLE) or HERE / ".peers").expanduser().absolute()
    python = folder / "bin" / "python"
    stamp = folder / "pins.txt"
    if VARIABLE in os.environ or (stamp.exists() and stamp.read_text() == PINS.read_text()):
        return python
    print(f"making the peers' environment in {folder.relative_to(HERE.parent)}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", PINS], check=True)
    stamp.write_text(PINS.read_text())
    return python
