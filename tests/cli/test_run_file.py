"""`steelyard run`: a file's runs, its Evaluations, its failures."""

import json

RUNS = """
import sys
import steelyard

rows = [{"input": f"{i}+{i}", "target": str(2 * i), "left": "0", "right": str(2 * i)} for i in range(6)]
print("words:", *sys.argv[1:])
steelyard.run(rows, ["exact_match"], model=lambda input: str(eval(input)), name="first")
steelyard.score(rows, ["exact_match"], output=["left", "right"])
"""

EVALUATION = """
from steelyard import Evaluation, Model


class Echo(Model):
    def predict(self, input: str) -> str:
        return input


def same(output: str, target: str) -> bool:
    return output == target


rows = [{"input": "a", "target": "a"}, {"input": "b", "target": "c"}]
echo = Echo()
evaluation = Evaluation(dataset=rows, scorers=[same], name="echoing")
"""


def test_every_run_of_a_file_is_shown(steelyard, write):
    result = steelyard("run", write("eval.py", RUNS), "one", "two")
    assert result.exit_code == 0
    assert "words: one two" in result.stdout
    assert " · first · " in result.stdout
    assert "right against left, paired by sample" in result.stdout
    assert "next: steelyard show" in result.stderr


def test_limit_overrides(steelyard, write):
    document = json.loads(steelyard("run", write("eval.py", RUNS), "--limit", "2", "--json").stdout)
    assert [each["run"]["n_samples"] for each in document["runs"]] == [2, 2, 2]


def test_what_the_file_prints_stays_out_of_the_document(steelyard, write):
    result = steelyard("run", write("eval.py", RUNS), "--json")
    json.loads(result.stdout)
    assert "words:" in result.stderr


def test_the_store_is_the_one_that_was_named(steelyard, write):
    steelyard("run", write("eval.py", RUNS), "--store", "there")
    assert len(json.loads(steelyard("list", "--json", "--store", "there").stdout)) == 3
    assert json.loads(steelyard("list", "--json").stdout) == []


def test_an_evaluation_that_was_left_is_evaluated(steelyard, write):
    document = json.loads(steelyard("run", write("eval.py", EVALUATION), "--json").stdout)
    (run,) = document["runs"]
    assert run["run"]["name"] == "echoing"
    assert run["metrics"]["same"]["accuracy"]["value"] == 0.5


def test_an_evaluation_that_the_file_evaluates_is_left_alone(steelyard, write):
    own = "\nimport asyncio\n\nasyncio.run(evaluation.evaluate(echo))\n"
    document = json.loads(steelyard("run", write("eval.py", EVALUATION + own), "--json").stdout)
    assert len(document["runs"]) == 1


def test_a_failing_file_shows_its_own_frames(steelyard, write):
    write("mine.py", "def divide(x):\n    return x / 0\n")
    result = steelyard("run", write("eval.py", "from mine import divide\n\ndivide(1)\n"))
    assert result.exit_code == 1
    assert 'eval.py", line 3' in result.stderr
    assert 'mine.py", line 2' in result.stderr
    assert "ZeroDivisionError" in result.stderr
    assert "runpy" not in result.stderr
    assert "steelyard/cli" not in result.stderr


def test_a_mistake_in_the_use_of_steelyard_points_at_the_users_line(steelyard, write):
    result = steelyard("run", write("eval.py", "import steelyard\n\nsteelyard.score([{'output': 'a'}], ['mach'])\n"))
    assert result.exit_code == 2
    assert 'eval.py", line 3' in result.stderr
    assert "Did you mean 'match'?" in result.stderr
    assert "_api.py" not in result.stderr


def test_what_is_no_python_file(steelyard, answers, tmp_path):
    assert f"steelyard score {answers}" in steelyard("run", answers).stderr
    assert steelyard("run", "none.py").exit_code == 2
    assert "folder" in steelyard("run", str(tmp_path)).stderr


def test_a_file_without_runs_is_told(steelyard, write):
    assert "made no run" in steelyard("run", write("eval.py", "x = 1\n")).stderr


def test_a_syntax_error_is_the_files(steelyard, write):
    result = steelyard("run", write("eval.py", "print(1\n"))
    assert result.exit_code == 1
    assert "SyntaxError" in result.stderr
