"""Failure: what is printed of an error, and the exit code that it means."""

import os
import sys
import traceback

import click

from steelyard.errors import SteelyardError, UsageError

__all__ = ["FAILED", "TOO_MANY_FAILED", "USAGE", "report_failure"]

FAILED, USAGE, TOO_MANY_FAILED = 1, 2, 3


def report_failure(error: Exception) -> int:
    """Print an error for a user, and return the exit code.

    What is wrong with the request (`UsageError`, or click's) is 2; any other failure is 1. An error that is none of
    ours is a bug: one line and how to see more.
    """
    if os.environ.get("STEELYARD_DEBUG") and not isinstance(error, click.ClickException):
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message())
        return 0
    if isinstance(error, click.UsageError):
        _print(error.format_message())
        if error.ctx is not None:
            click.echo(f"See: {error.ctx.command_path} --help", err=True)
        return USAGE
    if isinstance(error, click.ClickException):
        _print(error.format_message())
        return FAILED
    if isinstance(error, SteelyardError):
        _print(str(error))
        return USAGE if isinstance(error, UsageError) else FAILED
    _print_bug(error)
    return FAILED


def _print(message: str) -> None:
    sys.stdout.flush()
    no_color = os.environ.get("NO_COLOR") or "--no-color" in sys.argv or not sys.stderr.isatty()
    label = "error:" if no_color else click.style("error:", fg="red", bold=True)
    click.echo(f"{label} {message}", err=True)


def _print_bug(error: Exception) -> None:
    text = str(error).partition("\n")[0]
    _print(f"steelyard broke: {type(error).__name__}{': ' + text if text else ''}")
    if not os.environ.get("STEELYARD_DEBUG"):
        hint = "This is a bug in steelyard. Please report it with the traceback that STEELYARD_DEBUG=1 prints."
        click.echo(hint, err=True)
