"""The two commands say what is missing, and harm nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ["scripts/test", "scripts/demo"]


def _run(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / script], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("script", [*SCRIPTS, ".ci/run"])
def test_a_command_can_be_run_and_is_right(script):
    path = ROOT / script
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
    assert "set -euo pipefail" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_folder_of_something_else_is_not_made_an_environment(script, tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("dear")
    done = _run(script, tmp_path, STEELYARD_VENV=str(tmp_path))
    assert done.returncode == 1
    assert "folder of something else" in done.stderr
    assert kept.read_text() == "dear"


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_python_that_is_too_old_is_named(script, tmp_path):
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.1"\nexit 1\n')
    old.chmod(0o755)
    done = _run(script, tmp_path, STEELYARD_VENV=str(tmp_path / "venv"), STEELYARD_PYTHON=str(old))
    assert done.returncode == 1
    assert "3.11 or newer" in done.stderr
    assert str(old) in done.stderr


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_python_without_venv_is_told_what_to_install(script, tmp_path):
    crippled = tmp_path / "python3"
    crippled.write_text(
        f'#!/bin/sh\n[ "$2" = venv ] && {{ echo "ensurepip is not available"; exit 1; }}\nexec {sys.executable} "$@"\n'
    )
    crippled.chmod(0o755)
    done = _run(script, tmp_path, STEELYARD_VENV=str(tmp_path / "venv"), STEELYARD_PYTHON=str(crippled))
    assert done.returncode == 1
    assert "python3-venv" in done.stderr


def test_the_constraints_are_exact_versions_and_nothing_else():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    names = [line.partition("==")[0] for line in pins]
    assert names == sorted(set(names))
    assert all(line.count("==") == 1 and not set(line) & set(" @/;<>~") for line in pins)
