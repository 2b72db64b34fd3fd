"""Print docs/cli.md: the help of every verb of the command line.

Usage: python scripts/cli_reference.py > docs/cli.md
"""

import click

from steelyard.cli.app import VERBS, app

WIDTH = 100
HEADER = """\
# The command line

`steelyard VERB --help` says the same.
"""


def page() -> str:
    """The page, as Markdown."""
    root = click.Context(app, info_name="steelyard", terminal_width=WIDTH, **app.context_settings)
    parts = [HEADER, _block(app.get_help(root))]
    for verb in VERBS:
        command = app.get_command(root, verb)
        if command is None:
            raise LookupError(verb)
        context = click.Context(command, info_name=verb, parent=root, terminal_width=WIDTH)
        parts += [f"## {verb}\n", _block(command.get_help(context))]
    return "\n".join(parts)


def _block(text: str) -> str:
    return "```text\n" + "\n".join(line.rstrip() for line in text.splitlines()) + "\n```\n"


if __name__ == "__main__":
    print(page(), end="")
