"""Texts that break scorers: what models, users and attackers have been seen to write, and what nobody should."""

__all__ = ["HOSTILE_TEXTS"]

_SPACES = (
    "", " ", "\t", "\n", "\r\n", "\r", "\x0b\x0c", "\u00a0", "\u2003", "\u2028", "\u2029", "\u3000", "\ufeff",
    "   a   ", "\n\n\n", "a\r\nb\rc\nd", "a" + " " * 10_000 + "b",
)  # fmt: skip

_INVISIBLE = (
    "\x00", "a\x00b", "\x07\x08\x1b[31mred\x1b[0m", "\x7f\x80\x9f", "\u200b", "4\u200b2", "\u200d\u200c\u2060",
    "\u00ad", "soft\u00adhyphen", "\ufe0f", "\u034f", "\u115f\u1160\u3164", "\U000e0041\U000e0042\U000e007f",
    "\u202eevil\u202c", "\u2066left\u2069", "\u202a" * 50 + "x", "\u061c", "\ufff9\ufffa\ufffb", "\ufffd", "\uffff",
    "\U0010ffff", "\ue000",
)  # fmt: skip

_SURROGATES = ("\ud800", "\udfff", "a\udc80b", "\ude00\ud83d", "42\ud800", "ANSWER: \udcff")

_SCRIPTS = (
    "\U0001f600", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f1eb\U0001f1f7",
    "\U0001f44d\U0001f3fd", "e\u0301", "\u00e9", "\u1e9b\u0323", "Z\u0351\u036b\u0343\u036a" * 20, "\u0301",
    "\ufb01nd", "\uff21\uff22\uff23\uff11\uff12\uff13", "\u0130stanbul", "\u0131", "stra\u00dfe", "STRASSE", "\u01c5",
    "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2", "\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627 123",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "\u4f60\u597d\u4e16\u754c", "\u3053\u3093\u306b\u3061",
    "\ud55c\uad6d\uc5b4",
    "\u1112\u1161\u11ab", "\u0928\u092e\u0938\u094d\u0924\u0947", "\u00bd \u00be \u215b", "\u0661\u0662\u0663",
    "\u2163", "\u2460\u2461", "\u00b2\u2075", "\U0001d7ce\U0001d7cf", "\U00020000", "na\u00efve caf\u00e9",
)  # fmt: skip

_LONG = (
    "a" * 100_000, "a " * 50_000, " " * 100_000, "\n" * 50_000, "1" * 100_000, "(" * 50_000, "." * 50_000,
    "\U0001f600" * 10_000, "e" + "\u0301" * 10_000, "word" * 25_000, "-" * 50_000, "," * 50_000, "*" * 50_000,
    "the cat sat on the mat. " * 2_000,
)  # fmt: skip

_NUMBERS = (
    "0", "-0", "+0", "00", "42", "-42", "\u221242", "\u201342", "+42", "42.", ".5", "-.5", "0.1", "1e5", "1E-5",
    "1e400", "-1e400", "1e-400", "1e999999999", "9" * 400, "0." + "0" * 400 + "1", "NaN", "nan", "inf", "-Infinity",
    "1,234", "1,234,567.89", "12,34", "1.234,56", "1 234", "1\u00a0234", "1_000", "1'000", "$42", "42 \u20ac", "60%",
    "0.6", "-5 %", "1/2", "1/0", "0/0", "1/2/3", "3 1/2", "\u00bd", "0x1F", "0b101", "1e", "e5", "--5", "+-5", "5-",
    "1..2", "1.2.3", "192.168.0.1", "2024-02-29", "12:34:56", "1st", "C3PO", "42km", "x=42", "x = -42.0", "10^6",
    "2**31", "\u00d7 10\u2075", "\u221a2", "\u03c0", "about 42 or 43", "between 1 and 2", "forty-two",
)  # fmt: skip

_ANSWERS = (
    "A", "a", "(A)", "A)", "**A**", "ANSWER: A", "answer: a", "**ANSWER:** A", "ANSWER:", "ANSWER: A and B",
    "ANSWER: A, C", "ANSWER: E", "ANSWER: A\nANSWER: B", "The answer is A.", "A man a plan", "I", "C", "P", "N",
    "GRADE: C", "GRADE: **C**", "GRADE: C/I", "yes", "No.", "True", "None", "null", "N/A", "-", "?", "...",
    "I do not know.", "I'm sorry, but I can't help with that.",
    "Paris", "Parisian", "paris, France", "not Paris", "C++", "C#", ".NET",
)  # fmt: skip

_MARKUP = (
    "$x^2$", r"\boxed{42}", r"\boxed{\frac{1}{2}}", r"\boxed{", r"\frac{1}{0}", r"\frac{}{}", r"\(a\)", "$" * 1000,
    r"\boxed{" * 2_000, "{" * 2_000 + "}" * 2_000, "# Title\n\n- a\n- b", '```json\n{"a": 1}\n```', "```", "`" * 999,
    "**bold", "[link](http://x)", "| a | b |\n|---|---|\n| 1 | 2 |", "> quote", "<b>bold</b>",
    "<script>alert(1)</script>", "<a" * 1_000, "<a>" * 1_000, "&lt;&#0;&bogus;", "<!--", "<![CDATA[ ]]>",
    '<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>',
    '<!DOCTYPE f [<!ENTITY x SYSTEM "file:///nowhere">]><f>&x;</f>', "<?xml version='1.0'?><root/>",
)  # fmt: skip

_JSON = (
    "{}", "[]", '"text"', '{"a": 1}', '{"a": 1, "a": 2}', '{"a": NaN}', "{'a': 1}", '{"a": 1,}', "{", "}",
    "[" * 5_000, "[" * 5_000 + "]" * 5_000, '{"a":' * 2_000 + "1" + "}" * 2_000, '"\\ud800"', '"\\u0000"',
    '{"a": 1e999}', "[1, 2", "{} {}", "// comment\n{}", "tru", "\\", '"',
)  # fmt: skip

_TRAPS = (
    "a" * 5_000 + "!", "a" * 3_000 + "b" * 3_000, "ab" * 5_000, "x" * 2_000 + "\n" + "y" * 2_000, "1" * 5_000 + "x",
    ("a," * 3_000) + "!", "(" * 300 + "a" + ")" * 300, "\t" * 3_000 + "x", "ANSWER: " * 2_000, ".*+?^${}()|[]\\",
    "(a+)+$", "%s%s%n", "{0} {} {x!r}", "${HOME} `id`", "../../etc", "'; DROP TABLE runs; --", "=1+1", "@x",
    "\\N{DIGIT ONE}",
)  # fmt: skip

HOSTILE_TEXTS: tuple[str, ...] = tuple(
    dict.fromkeys(
        (*_SPACES, *_INVISIBLE, *_SURROGATES, *_SCRIPTS, *_LONG, *_NUMBERS, *_ANSWERS, *_MARKUP, *_JSON, *_TRAPS)
    )
)
"""Some 270 texts: empty, huge, invisible, malformed, of many scripts, numbers of every shape, traps for parsers."""
