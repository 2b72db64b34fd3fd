"""Script: a user's Python file, executed, and its failure told as its own."""

import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from steelyard.cli.failure import FAILED, USAGE
from steelyard.errors import UsageError

__all__ = ["execute"]


def execute(file: str, arguments: Sequence[str] = ()) -> dict[str, Any]:
    """Run a file as ``python FILE ARGUMENTS`` would, and give the names that it leaves behind.

    Raises:
        UsageError: When there is no such file.
        click.exceptions.Exit: When the file fails; its traceback has been printed, without frames of ours.
    """
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{file} is a folder; name a Python file in it")
    if not path.is_file():
        raise UsageError(f"there is no file {file}")
    if path.suffix in _DATA:
        raise UsageError(f"{file} is no Python file; to score the outputs in it: steelyard score {file}")
    try:
        with _as_main(path, arguments):
            return runpy.run_path(str(path), run_name="__main__")
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            raise
        return {}
    except Exception as error:  # noqa: BLE001  a user's code fails in any way it likes
        click.echo(_trimmed(error), err=True, nl=False)
        raise click.exceptions.Exit(USAGE if isinstance(error, UsageError) else FAILED) from None


@contextmanager
def _as_main(path: Path, arguments: Sequence[str]) -> Iterator[None]:
    """``sys.argv`` and ``sys.path`` as the file expects them."""
    argv, paths = sys.argv, sys.path
    sys.argv, sys.path = [str(path), *arguments], [str(path.resolve().parent), *paths]
    try:
        yield
    finally:
        sys.argv, sys.path = argv, paths


def _trimmed(error: BaseException) -> str:
    """The traceback with the frames of the user's code alone."""
    told = traceback.TracebackException.from_exception(error)
    links: list[traceback.TracebackException] = [told]
    while (link := links[-1].__cause__ or links[-1].__context__) is not None:
        links.append(link)
    for each in links:
        own = [frame for frame in each.stack if not _is_machinery(frame.filename)]
        each.stack = traceback.StackSummary.from_list(own)
    return "".join(told.format())


def _is_machinery(filename: str) -> bool:
    """Frames of steelyard, of the standard library and of what runs the file."""
    return filename.startswith(("<frozen", _HOME, _STANDARD)) and "site-packages" not in filename.removeprefix(_HOME)


_DATA = {".jsonl", ".json", ".csv", ".tsv", ".gz", ".parquet"}
_HOME = str(Path(__file__).resolve().parents[1])
_STANDARD = str(Path(runpy.__file__).resolve().parent)
