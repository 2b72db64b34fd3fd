"""Where a command writes: colour, width, streams. A true terminal is needed to see that."""

import os
import subprocess
import sys

import pytest

from steelyard.cli.session import Given, Session, command_line

pty = pytest.importorskip("pty")


def on_a_terminal(words, environment, folder, *, columns=80):
    """What a command writes to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "steelyard", *words],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder,
        env={**environment, "COLUMNS": str(columns)},
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed, as Linux tells it
            break
        if not part:
            break
        written += part
    os.close(ours)
    assert running.wait(20) == 0
    return written.decode()


@pytest.fixture
def stored(steelyard, answers):
    steelyard("score", answers, "--scorer", "match", "--output-column", "first")


def test_a_terminal_gets_colour(environment, stored, tmp_path):
    environment = {name: value for name, value in environment.items() if name != "NO_COLOR"}
    environment["TERM"] = "xterm-256color"
    shown = on_a_terminal(["list"], environment, tmp_path)
    assert "\x1b[1m" in shown
    assert "next:" in shown


@pytest.mark.parametrize(
    ("words", "refusal"), [(["--no-color", "list"], {}), (["list"], {"NO_COLOR": "1"}), (["list"], {"TERM": "dumb"})]
)
def test_colour_can_be_refused(environment, stored, tmp_path, words, refusal):
    environment = {**environment, "TERM": "xterm-256color", **refusal}
    assert "\x1b" not in on_a_terminal(words, environment, tmp_path)


def test_what_is_piped_has_neither_colour_nor_breaks(environment, stored, tmp_path):
    environment = {name: value for name, value in environment.items() if name != "COLUMNS"}
    done = subprocess.run(
        [sys.executable, "-m", "steelyard", "show"], env=environment, cwd=tmp_path, capture_output=True, check=True
    )
    assert b"\x1b" not in done.stdout
    assert b"method" in done.stdout


def test_an_option_after_the_verb_wins_over_one_before_it():
    assert Given("b").over(Given("a", True)) == Given("b", True)
    assert Given().over(Given("a")) == Given("a")


def test_words_are_quoted_as_a_shell_needs_them():
    assert command_line("steelyard", "show", ["--scorer", "my scorer"]) == "steelyard show --scorer 'my scorer'"


def test_json_silences_everything_else(capsys):
    session = Session(Given(json=True))
    session.show("a table")
    session.suggest("steelyard list")
    session.emit({"half": "\ud800"})
    captured = capsys.readouterr()
    assert captured.out == '{\n  "half": "\\ud800"\n}\n'
    assert captured.err == ""
