"""`steelyard scorers`: the catalogue."""

import json

from steelyard import scorer
from steelyard.cli.card import card
from steelyard.scoring import registry


def test_the_list_names_what_is_built_in(steelyard):
    result = steelyard("scorers")
    for name in ("match", "exact_match", "choice", "json_valid", "rouge_l"):
        assert f"  {name} " in result.stdout
    assert "next: steelyard scorers match" in result.stderr


def test_options_have_their_defaults(steelyard):
    cards = {each["name"]: each for each in json.loads(steelyard("scorers", "--json").stdout)}
    assert cards["match"]["options"]["numeric"] == "false"
    assert cards["match"]["options"]["location"] == "end"
    assert cards["token_f1"]["options"] == {"case_sensitive": "false"}
    assert cards["exact_match"]["needs"] == ["output", "target"]


def test_only_those_that_read_a_column(steelyard):
    names = [each["name"] for each in json.loads(steelyard("scorers", "--needs", "choices", "--json").stdout)]
    assert "choice" in names
    assert "match" not in names
    assert "no scorer reads a column 'moon'" in steelyard("scorers", "--needs", "moon").stdout


def test_one_of_them_in_full(steelyard):
    shown = steelyard("scorers", "match").stdout
    assert "numeric=false" in shown
    assert "Args:" in shown
    assert "Did you mean 'match'?" in steelyard("scorers", "macth").stderr


def test_a_users_own_scorer_has_a_card(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {"scorers": {}, "metrics": {}, "reducers": {}})

    @scorer
    def politeness(output: str, tone: str, *, word: str = "please") -> bool:
        """Does it say please?

        More words.
        """
        return word in output

    found = card("politeness")
    assert found.needs == ("output", "tone")
    assert [(option.name, option.default) for option in found.options] == [("word", "please")]
    assert found.sentence == "Does it say please?"
