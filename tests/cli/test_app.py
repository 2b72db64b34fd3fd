"""The command as a whole: its verbs, the options of all of them, exit codes and messages."""

import json
import signal
import subprocess
import sys
import time

import click
import pytest

from steelyard.cli import failure
from steelyard.cli.app import VERBS, App, app
from steelyard.errors import MissingExtraError, UsageError

COMMAND = [sys.executable, "-m", "steelyard"]


def test_help_names_every_verb_with_its_sentence(steelyard):
    shown = " ".join(steelyard("--help").stdout.split())
    for name, (_, sentence) in VERBS.items():
        assert f"{name} {sentence}" in shown


def test_no_words_show_the_help(steelyard):
    result = steelyard()
    assert result.exit_code == 0
    assert "Commands:" in result.output


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_has_a_short_help_with_an_example(name):
    command = app.get_command(click.Context(app), name)
    assert command is not None
    assert command.name == name
    assert f"steelyard {name}" in (command.help or "")
    assert {"store", "json", "no_color"} <= {parameter.name for parameter in command.params}


@pytest.mark.parametrize("name", VERBS)
def test_every_option_is_explained(name):
    command = app.get_command(click.Context(app), name)
    assert command is not None
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_version(steelyard):
    assert steelyard("--version").stdout == "steelyard 0.1.0\n"


def test_an_unknown_verb_gets_the_nearest(steelyard):
    result = steelyard("scor", "x.jsonl")
    assert result.exit_code == 2
    assert "no command 'scor'" in result.stderr
    assert "Did you mean 'score'?" in result.stderr


def test_a_misspelt_option_says_where_help_is(steelyard):
    result = steelyard("list", "--limits", "3")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "See: steelyard list --help" in result.stderr
    assert "Usage:" not in result.stderr


def test_the_store_is_named_before_or_after_the_verb(steelyard, answers):
    made = steelyard("--store", "here", "score", answers, "--scorer", "match", "--output-column", "first", "--json")
    run = json.loads(made.stdout)["runs"][0]["run"]["id"]
    for words in (
        ["--store", "here", "list"],
        ["list", "--store", "here"],
        ["--store", "x", "list", "--store", "here"],
    ):
        assert run in steelyard(*words).stdout
    assert run not in steelyard("list").stdout


def test_hints_name_the_store_that_was_given(steelyard, answers):
    made = steelyard("score", answers, "--scorer", "match", "--output-column", "first", "--store", "a place")
    assert made.stderr.count("--store 'a place'") == made.stderr.count("steelyard ")


def test_json_may_stand_before_the_verb(steelyard):
    result = steelyard("--json", "list")
    assert json.loads(result.stdout) == []
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (UsageError("give one"), 2, "error: give one\n"),
        (MissingExtraError.naming("Parquet", "parquet"), 1, 'error: Parquet needs an optional dependency. Install it with: pip install "steelyard[parquet]"\n'),
    ],
)  # fmt: skip
def test_an_error_of_ours_is_one_message(error, code, message, capsys):
    assert failure.report_failure(error) == code
    assert capsys.readouterr().err == message


def test_any_other_error_is_a_bug_of_ours_and_says_so(capsys, monkeypatch):
    monkeypatch.delenv("STEELYARD_DEBUG", raising=False)
    assert failure.report_failure(KeyError("nothing")) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: steelyard broke: KeyError: 'nothing'\n")
    assert "STEELYARD_DEBUG=1" in told
    assert "Traceback" not in told


def test_debug_shows_the_traceback(capsys, monkeypatch):
    monkeypatch.setenv("STEELYARD_DEBUG", "1")
    failure.report_failure(KeyError("nothing"))
    assert "KeyError" in capsys.readouterr().err


def test_a_verb_is_imported_when_it_is_called():
    program = "import sys; from steelyard.cli.app import app; print([m for m in sys.modules if 'steelyard.cli' in m])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['steelyard.cli', 'steelyard.cli.session', 'steelyard.cli.app']"
    assert isinstance(app, App)


def test_a_reader_that_leaves_ends_it_without_a_word(environment, steelyard, write, tmp_path):
    write("many.jsonl", "".join(json.dumps({"output": "x" * 200, "target": str(i)}) + "\n" for i in range(3000)))
    steelyard("score", "many.jsonl", "--scorer", "exact_match")
    shown = subprocess.Popen(
        [*COMMAND, "export", "latest"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path
    )
    assert shown.stdout is not None
    assert shown.stderr is not None
    shown.stdout.readline()
    shown.stdout.close()
    told = shown.stderr.read()
    shown.stderr.close()
    assert shown.wait(20) == 141
    assert told == b""


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(environment, write, tmp_path):
    write(
        "slow.py",
        "import time\nimport steelyard\n\n\ndef wait(input):\n    time.sleep(0.02)\n    return input\n\n\n"
        "rows = [{'input': str(i), 'target': str(i)} for i in range(5000)]\n"
        "print('begun', flush=True)\n"
        "steelyard.run(rows, ['exact_match'], model=wait, name='slow')\n",
    )
    running = subprocess.Popen(
        [*COMMAND, "run", "slow.py"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    assert running.stdout is not None
    assert running.stdout.readline() == "begun\n"
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=15)
    assert running.returncode == 130, told
    assert "interrupted" in told
    assert "rows of slow as run" in told
    assert "next: steelyard show" in told
    listed = subprocess.run([*COMMAND, "list", "--json"], capture_output=True, text=True, env=environment, check=True)
    kept = json.loads(listed.stdout)[0]
    assert kept["status"] == "cancelled"
    assert 0 < kept["rows"] < 5000
