"""Session: what every verb was told (--store, --json, --no-color), and where it writes."""

import functools
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

__all__ = ["Given", "Session", "command_line", "shared_options", "verb"]

NARROWEST = 40
UNBOUNDED = 200
"""The width of output that goes to a file or a pipe: room for every table's natural width."""
READABLE = 100


class Given(NamedTuple):
    """The options that may stand before the verb as well as after it."""

    store: str | None = None
    json: bool = False
    no_color: bool = False

    def over(self, earlier: "Given | None") -> "Given":
        """These, and where these say nothing, the earlier ones."""
        if earlier is None:
            return self
        return Given(self.store or earlier.store, self.json or earlier.json, self.no_color or earlier.no_color)


class Session:
    """One invocation: results go to stdout, all else to stderr; with --json stdout gets one document and no more.

    Args:
        given: The shared options.
    """

    def __init__(self, given: Given) -> None:
        self.store = given.store
        self.json = given.json
        self._no_color = given.no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"

    @property
    def width(self) -> int:
        """How many columns a line may have."""
        if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
            return UNBOUNDED
        return max(NARROWEST, shutil.get_terminal_size().columns)

    @property
    def reading_width(self) -> int:
        """How long a line of text may be: no longer than is read with ease."""
        return min(self.width, READABLE)

    @property
    def watched(self) -> bool:
        """True when somebody sees stderr as it is written, so that progress can be shown."""
        return sys.stderr.isatty()

    def colored(self, stream: Any) -> bool:
        """True when a stream is a terminal and colour was not refused."""
        return bool(stream.isatty()) and not self._no_color

    def show(self, *things: Any) -> None:
        """Print results: texts, or what `rich` can draw. Nothing with --json."""
        if self.json:
            return
        for thing in things:
            if isinstance(thing, str):
                click.echo(thing)
            else:
                self._draw(thing)

    def emit(self, document: Any) -> None:
        """Print the one JSON document, if --json was given."""
        if self.json:
            click.echo(_as_json(document))

    def say(self, text: str) -> None:
        """Tell the user something that is no result."""
        sys.stdout.flush()
        click.echo(text, err=True)

    def warn(self, text: str) -> None:
        """Tell the user what they should know before they trust the result."""
        label = click.style("warning:", fg="yellow") if self.colored(sys.stderr) else "warning:"
        self.say(f"{label} {text}")

    def suggest(self, *commands: str) -> None:
        """Say which commands are worth typing next."""
        if self.json or not commands:
            return
        suffix = f" --store {_quoted(self.store)}" if self.store else ""
        label = click.style("next:", dim=True) if self.colored(sys.stderr) else "next:"
        lines = [f"{label if place == 0 else '     '} {command}{suffix}" for place, command in enumerate(commands)]
        self.say("\n" + "\n".join(lines))

    def _draw(self, renderable: Any) -> None:
        from rich.console import Console

        console = Console(
            file=sys.stdout,
            width=self.width,
            color_system="auto" if self.colored(sys.stdout) else None,
            markup=False,
            highlight=False,
            emoji=False,
            legacy_windows=False,
        )
        with console.capture() as capture:
            console.print(renderable)
        click.echo("\n".join(line.rstrip() for line in capture.get().splitlines()), color=True)


def shared_options(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that all of them have."""
    for option in (
        click.option("--no-color", is_flag=True, help="No colour, also on a terminal; NO_COLOR=1 does the same."),
        click.option("--json", is_flag=True, help="One JSON document on standard output."),
        click.option("--store", metavar="PATH", help="Where runs are kept, in place of ./.steelyard."),
    ):
        fn = option(fn)
    return fn


def verb(name: str, **attributes: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command of a function ``(session, **options)``, and give it the shared options."""

    def decorate(fn: Callable[..., Any]) -> click.Command:
        def call(ctx: click.Context, /, store: str | None, json: bool, no_color: bool, **options: Any) -> Any:
            earlier = ctx.obj if isinstance(ctx.obj, Given) else None
            return fn(Session(Given(store, json, no_color).over(earlier)), **options)

        functools.update_wrapper(call, fn)
        make: Callable[[Any], click.Command] = click.command(name, **attributes)
        command = make(click.pass_context(shared_options(call)))
        # Options are decorators, so the verb's own have come first; the shared ones belong after them.
        own = [p for p in command.params if p.name not in Given._fields]
        command.params = own + [p for p in command.params if p.name in Given._fields]
        return command

    return decorate


def _as_json(document: Any) -> str:
    import msgspec

    try:
        return msgspec.json.format(msgspec.json.encode(document, enc_hook=str), indent=2).decode()
    except UnicodeEncodeError:  # half of a surrogate pair has no UTF-8, but JSON can escape it
        import json

        return json.dumps(msgspec.to_builtins(document, enc_hook=str), indent=2)


def _quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)


def command_line(*words: str | Sequence[str]) -> str:
    """Words as they would be typed.

    >>> command_line("steelyard", "show", "two words")
    "steelyard show 'two words'"
    """
    return " ".join(_quoted(word) for part in words for word in ([part] if isinstance(part, str) else part))
