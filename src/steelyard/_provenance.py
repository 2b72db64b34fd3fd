"""Provenance: what a run remembers of where and by what it was made."""

import functools
import platform
import secrets
import subprocess
from datetime import UTC, datetime
from typing import Any

import steelyard
from steelyard.core.record import ScoringRecord
from steelyard.results.custom import metric_specs
from steelyard.scoring.form import ScorerForm
from steelyard.scoring.spec import is_json

__all__ = ["git_state", "new_run_id", "now", "scoring_record", "versions"]


def new_run_id() -> str:
    """Twelve random hex digits."""
    return secrets.token_hex(6)


def now() -> str:
    """The time, UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def versions() -> dict[str, str]:
    """Versions of steelyard, Python and the platform."""
    return {"steelyard": steelyard.__version__, "python": platform.python_version(), "platform": platform.system()}


@functools.lru_cache(maxsize=1)
def git_state() -> tuple[str | None, bool | None]:
    """The commit of the working folder and whether the folder differs from it; (None, None) outside a repository."""
    sha = _git("rev-parse", "HEAD")
    if sha is None:
        return None, None
    status = _git("status", "--porcelain", "--untracked-files=no")
    return sha, None if status is None else bool(status)


def scoring_record(form: ScorerForm) -> ScoringRecord:
    """What is stored of a scorer."""
    facts = form.facts
    higher: Any = facts.higher_is_better
    return ScoringRecord(
        name=form.name,
        spec=form.spec.as_json(),
        digest=form.digest(),
        version=facts.version,
        kind=facts.kind,
        needs=facts.needs or (),
        range=facts.range,
        higher_is_better=higher if isinstance(higher, bool) else dict(higher),
        metrics=metric_specs(form.metrics),
        column_map=dict(form.column_map),
        metadata={key: value if is_json(value) else repr(value) for key, value in form.metadata.items()},
        portable=form.portable,
    )


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  fixed words
            ["git", *words],  # noqa: S607  the user's own git
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
