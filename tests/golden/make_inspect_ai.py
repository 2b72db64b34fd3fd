"""Make `inspect_ai.jsonl`: what inspect_ai and steelyard say of the same outputs, and why where they differ.

Run it in an environment that has inspect-ai, regex and rapidfuzz, from the root of the repository:

    PYTHONPATH=src python tests/golden/make_inspect_ai.py

Each row has scorer, options, output, target, theirs, ours, same, reason and source. The script fails if the two differ
in a case without a reason, or agree in one that claims a difference.
"""

# mypy: disable-error-code="import-not-found,no-any-return"

from __future__ import annotations

import asyncio
import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessageUser, ModelName, ModelOutput
from inspect_ai.scorer import Target, answer, exact, f1, includes, match, pattern
from inspect_ai.solver import TaskState

from steelyard.scorers._answer import match_answer
from steelyard.scorers._match import match_number
from steelyard.scorers._match_text import includes_text, match_text
from steelyard.scorers._overlap import exact_tokens, f1_score
from steelyard.scorers._pattern import match_pattern

THEIRS = {"match": match, "includes": includes, "pattern": pattern, "answer": answer, "f1": f1, "exact": exact}

BOUNDARY = "a word boundary is required where target and neighbour are Latin letters or digits"
SIGN = "a sign or symbol that is part of the answer counts"
DECORATION = "decoration around the answer is removed"
UNICODE = "NFC, zero-width characters and white space are normalised, foreign punctuation is punctuation"
EMPTY = "an empty target matches nothing in a containment scorer"
EXACT = "numbers are compared exactly, not by five significant digits"
GRAMMAR = "one grammar of numbers reads this form"
ORDINARY = "what is no quantity (a time, a list) is not read as one number"
LABEL = "the label's line is read as a person reads it"
TOKENS = "f1 and exact keep signs, symbols and fractions, and articles where nothing else is left"

N = {"numeric": True}


def at(location: str, **more: Any) -> dict[str, Any]:
    return {"location": location, **more}


# scorer, options, output, target, reason ("" where both must agree)
CASES: list[tuple[str, dict[str, Any], str, str | list[str], str]] = [
    ("match", {}, "The capital is Paris.", "Paris", ""),
    ("match", {}, "The capital is PARIS", "paris", ""),
    ("match", {"ignore_case": False}, "The capital is PARIS", "paris", ""),
    ("match", {}, "Paris is the capital", "Paris", ""),
    ("match", at("begin"), "Paris is the capital", "Paris", ""),
    ("match", at("any"), "I say Paris, not Rome", "Paris", ""),
    ("match", at("exact"), " Paris. ", "Paris", ""),
    ("match", at("exact"), "Paris, France", "Paris", ""),
    ("match", {}, "either Rome", ["Paris", "Rome"], ""),
    ("match", {}, "**Paris**", "Paris", ""),
    ("match", {}, "It is 15", "5", BOUNDARY),
    ("match", at("begin"), "Parisian life", "Paris", BOUNDARY),
    ("match", at("any"), "Use of carpets", "pet", BOUNDARY),
    ("match", at("exact"), "C++", "C", SIGN),
    ("match", at("exact"), "C", "C++", SIGN),
    ("match", at("exact"), "5", "-5", SIGN),
    ("match", {}, "So it is -5.", "-5", ""),
    ("match", {}, "Write it in C#.", "C#", ""),
    ("match", at("begin"), "\\boxed{Paris} it is", "Paris", DECORATION),
    ("match", at("exact"), "**ANSWER:** Paris", "Paris", DECORATION),
    ("match", at("exact"), "“Paris”", "Paris", UNICODE),
    ("match", at("exact"), "New\n York", "New York", UNICODE),
    ("match", at("exact"), "cafe\u0301", "café", UNICODE),
    ("match", {}, "it is Par\u200bis", "Paris", UNICODE),
    ("match", {}, "答案是东京。", "东京", UNICODE),
    ("match", {}, "anything", "", EMPTY),
    ("match", at("any"), "anything", "...", EMPTY),
    ("match", at("exact"), "", "", ""),
    ("match", N, "The answer is 42.", "42", ""),
    ("match", N, "The answer is 1,234.", "1234", ""),
    ("match", N, "Total: $18.00", "18", ""),
    ("match", N, "It is −7", "-7", ""),
    ("match", N, "2½", "2.5", ""),
    ("match", N, "10³", "1000", ""),
    ("match", N, "1e3", "1000", ""),
    ("match", N, "no number", "42", ""),
    ("match", N, "The answer is 42. Let me know if you have 2 minutes.", "42", ""),
    ("match", N, "The answer is 25", "5", ""),
    ("match", at("begin", **N), "42 and then 7", "42", ""),
    ("match", at("any", **N), "7, or 42, or 9", "42", ""),
    ("match", at("exact", **N), "42", "42.0", ""),
    ("match", at("exact", **N), "(42)", "42", DECORATION),
    ("match", N, "123457", "123456", EXACT),
    ("match", N, "42.00001", "42", EXACT),
    ("match", N, "-0", "0", EXACT),
    ("match", N, "\\boxed{42}", "42", GRAMMAR),
    ("match", N, "\\(42\\)", "42", GRAMMAR),
    ("match", N, "x=42", "42", GRAMMAR),
    ("match", N, "ANSWER:42", "42", GRAMMAR),
    ("match", N, "60%", "60", GRAMMAR),
    ("match", N, "160%", "60%", GRAMMAR),
    ("match", N, "42kg", "42", GRAMMAR),
    ("match", N, "42nd", "42", ""),
    ("match", N, "¥500", "500", GRAMMAR),
    ("match", N, "1/2", "0.5", GRAMMAR),
    ("match", N, "\\frac{1}{2}", "0.5", GRAMMAR),
    ("match", N, "10^3", "1000", GRAMMAR),
    ("match", N, "–5", "-5", GRAMMAR),
    ("match", N, "1 234", "1234", GRAMMAR),
    ("match", N, "1.234,56", "1234.56", GRAMMAR),
    ("match", N, "1,2,3", "123", ORDINARY),
    ("match", N, "at 12:30", "30", ""),
    ("match", N, "-2²", "-4", "a power binds before the sign"),
    ("includes", {}, "The Parisian way", "paris", ""),
    ("includes", {"ignore_case": False}, "The Parisian way", "paris", ""),
    ("includes", {}, "Straße", "STRASSE", ""),
    ("includes", {}, "nothing here", ["this", "that"], ""),
    ("includes", {}, "anything", "", EMPTY),
    ("includes", {}, "cafe\u0301 au lait", "café", UNICODE),
    ("includes", {}, "New\nYork", "New York", UNICODE),
    ("pattern", {"pattern": r"(\d+) kg"}, "It is 42 kg.", "42", ""),
    ("pattern", {"pattern": r"\d+"}, "It is 42 kg.", "42", ""),
    ("pattern", {"pattern": r"(\w+) or (\w+)"}, "Rome or Paris", "Paris", ""),
    ("pattern", {"pattern": r"(\w+) or (\w+)", "match_all": True}, "Rome or Paris", "Paris", ""),
    ("pattern", {"pattern": r"(\w+) or (\w+)", "match_all": True}, "Rome or Paris", ["Rome", "Paris"], ""),
    ("pattern", {"pattern": r"is (\w+)"}, "it is PARIS", "paris", ""),
    ("pattern", {"pattern": r"is (\w+)", "ignore_case": False}, "it is PARIS", "paris", ""),
    ("pattern", {"pattern": r"is (\w+)"}, "nothing", "paris", ""),
    ("pattern", {"pattern": r"is (\w+)"}, "it is STRASSE", "straße", "texts are case folded"),
    ("pattern", {"pattern": r"is:(\w*)"}, "it is:", "", "a captured empty string equals an empty target"),
    ("answer", {"pattern": "letter"}, "ANSWER: B", "B", ""),
    ("answer", {"pattern": "letter"}, "ANSWER: A\nANSWER: B", "B", ""),
    ("answer", {"pattern": "letter"}, "Answer: b", "B", ""),
    ("answer", {"pattern": "letter"}, "the answer is B", "B", ""),
    ("answer", {"pattern": "letter"}, "ANSWER: A and B", "A", LABEL),
    ("answer", {"pattern": "letter"}, "ANSWER: **A**", "A", DECORATION),
    ("answer", {"pattern": "letter"}, "ANSWER: (A)", "A", DECORATION),
    ("answer", {"pattern": "letter"}, "ANSWER: $A$", "A", DECORATION),
    ("answer", {"pattern": "letter"}, "**ANSWER:** A", "A", DECORATION),
    ("answer", {"pattern": "word"}, "ANSWER: yes", "yes", ""),
    ("answer", {"pattern": "word"}, "ANSWER: Yes.", "yes", ""),
    ("answer", {"pattern": "word"}, "ANSWER: yes, it is", "yes", LABEL),
    ("answer", {"pattern": "word"}, "ANSWER: `yes`", "yes", DECORATION),
    ("answer", {"pattern": "line"}, "ANSWER: New York", "New York", ""),
    ("answer", {"pattern": "line"}, "ANSWER: New York.  ", "New York", DECORATION),
    ("answer", {"pattern": "line"}, "ANSWER: New York\nGood luck!", "New York", LABEL),
    ("f1", {}, "the cat sat", "a cat sat", ""),
    ("f1", {}, "cat cat dog", "cat dog dog dog", ""),
    ("f1", {}, "It costs $1,000", "1000", ""),
    ("f1", {}, "1e3", "1000", ""),
    ("f1", {}, "60%", "60", ""),
    ("f1", {}, "well-known man", "well known man", ""),
    ("f1", {}, "U.S. Army's", "us armys", ""),
    ("f1", {}, "red", ["blue", "red wine"], ""),
    ("f1", {"stop_words": ["very"]}, "a very good day", "very good", ""),
    ("f1", {}, "", "cat", ""),
    ("f1", {}, "-5", "5", TOKENS),
    ("f1", {}, "C++", "C", TOKENS),
    ("f1", {}, "the", "the", TOKENS),
    ("f1", {}, "1/2", "0.5", TOKENS),
    ("f1", {}, "“cat”", "cat", UNICODE),
    ("exact", {}, "The Cat!", "cat", ""),
    ("exact", {}, "cat dog", "dog cat", ""),
    ("exact", {}, "1,000.0", "1000", GRAMMAR),
    ("exact", {}, "cat", ["dog", "cat"], ""),
    ("exact", {}, "-5", "5", TOKENS),
    ("exact", {}, "C++", "C", TOKENS),
    ("exact", {}, "The", "the", TOKENS),
    ("exact", {}, "123457", "123456", ""),
]


def their_value(scorer: str, options: dict[str, Any], output: str, target: str | list[str]) -> str | float:
    state = TaskState(
        model=ModelName("mockllm/model"),
        sample_id=1,
        epoch=1,
        input="q",
        messages=[ChatMessageUser(content="q")],
        output=ModelOutput.from_content("mockllm/model", output),
    )
    score = asyncio.run(THEIRS[scorer](**options)(state, Target(target)))
    return score.value


def our_value(scorer: str, options: dict[str, Any], output: str, target: str | list[str]) -> str | float:
    if scorer == "f1":
        return round(f1_score(output, target, **options), 2)  # theirs is rounded
    if scorer == "exact":
        matched = exact_tokens(output, target)
    elif scorer == "includes":
        matched = includes_text(output, target, **options)[0]
    elif scorer == "pattern":
        matched = match_pattern(output, target, **options)[0]
    elif scorer == "answer":
        matched = match_answer(output, target, options["pattern"])[0]
    else:
        rest = {key: value for key, value in options.items() if key != "numeric"}
        matched = (match_number if options.get("numeric") else match_text)(output, target, **rest)[0]
    return "C" if matched else "I"


def main() -> int:
    source = f"inspect_ai {version('inspect_ai')}"
    rows, wrong = [], []
    for scorer, options, output, target, reason in CASES:
        theirs, ours = their_value(scorer, options, output, target), our_value(scorer, options, output, target)
        row = {"scorer": scorer, "options": options, "output": output, "target": target, "theirs": theirs, "ours": ours,
               "same": theirs == ours, "reason": reason, "source": source}  # fmt: skip
        rows.append(row)
        if (theirs == ours) != (not reason):
            wrong.append(row)
    for row in wrong:
        print("unexplained:", json.dumps(row, ensure_ascii=False), file=sys.stderr)
    if not wrong:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        Path(__file__).with_name("inspect_ai.jsonl").write_text(text, encoding="utf-8")
    return len(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
