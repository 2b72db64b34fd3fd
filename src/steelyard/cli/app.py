"""App: the command `steelyard`, whose verbs are imported when they are called."""

import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from steelyard.cli.session import Given, shared_options

__all__ = ["VERBS", "App", "app", "main"]

VERBS = {
    "demo": ("demo", "Score the example data that come with steelyard, and compare two sets of answers."),
    "score": ("score", "Score the outputs in a file."),
    "try": ("try_pair", "Score one output, and see why."),
    "run": ("run_file", "Run an evaluation that is written in Python."),
    "list": ("listing", "List the stored runs."),
    "show": ("show", "Show a run: its figures, then its worst samples."),
    "export": ("export", "Write a run's rows, with their scores, to a file."),
    "scorers": ("scorers", "List the scorers, or explain one of them."),
}
"""Verb to the module that holds it (as the object `command`), and what it does."""

HELP = """Score the outputs of language models, and see how far to trust the score.

\b
  steelyard demo                            a tour in ten seconds
  steelyard score answers.jsonl --scorer match:numeric=true
  steelyard show latest --wrong
"""

INTERRUPTED, BROKEN_PIPE = 130, 141


class App(click.Group):
    """A group that knows its verbs by name and one sentence, and imports the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order in which a newcomer meets them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name, imported now."""
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"steelyard.cli.{VERBS[cmd_name][0]}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the first word names. A word that is none gets the nearest one in answer."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from steelyard.errors import UnknownNameError

            raise UnknownNameError.naming("command", args[0], VERBS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs with a sentence each, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in VERBS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Call the verb. A reader of our output that leaves, as ``| head`` does, ends it without a word."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # What is still buffered must not be written either, when Python closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(BROKEN_PIPE) from None
        return result

    def main(self, args: Sequence[str] | None = None, **extra: Any) -> NoReturn:  # type: ignore[override]
        """Run, and end the process: 0 ok, 1 the tool failed, 2 usage, 3 too many failures, 130 interrupted."""
        try:
            code = super().main(args, **{**extra, "standalone_mode": False})
        except (KeyboardInterrupt, click.Abort):
            click.echo("interrupted", err=True)
            code = INTERRUPTED
        except Exception as error:  # noqa: BLE001  the roof's own boundary: a message instead of a traceback
            from steelyard.cli.failure import report_failure

            code = report_failure(error)
        sys.exit(code if isinstance(code, int) else 0)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from steelyard import __version__

        click.echo(f"steelyard {__version__}")
        ctx.exit()


@click.command(cls=App, help=HELP, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
@shared_options
@click.pass_context
def app(ctx: click.Context, /, **given: Any) -> None:
    """The command; its verbs do the work."""
    ctx.obj = Given(**given)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """The entry point of the installed command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets it written out, instead of an error.
            stream.reconfigure(errors="backslashreplace")
    app.main(args, prog_name="steelyard")
