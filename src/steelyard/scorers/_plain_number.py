r"""Numbers whose neighbours leave no doubt: the patterns by which most numbers never meet the full grammar.

A plain number is ASCII digits, perhaps with a decimal part, standing between characters that can take no part in any
number. Each pattern must read exactly what `_number_grammar` would, or nothing; property tests hold them equal.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞↉"
_SUPER = "⁰¹²³⁴-⁹"

# What may follow: no digit, letter, power or fraction, and no `x 10^3`.
_AFTER = rf"""
    (?= [\n!?;)=<>"'%+*] | [,.:](?![0-9\\]) | /(?![0-9]) | -(?![0-9]{{2}}-)
      | [ ](?![\s0-9\\π√{_VULGAR}×·⋅]) | [ ][ ](?=[A-Za-wyz]) | \Z )
    (?! [ ]{{0,2}} [*x] [ ]{{0,2}} 10[\^{_SUPER}⁻⁺] )
"""

PLAIN_BEGIN = re.compile(
    rf"""
    [0-9\\{_VULGAR}]
    (?:
      (?: (?<= [ \n(:=*><]\$. ) () | (?: (?<! [^ \n(:=*><"'] . ) | (?<= [0-9]-. ) ) () )
      [0-9]{{0,14}}+ (?: \.[0-9]{{1,15}}+ )?+
      {_AFTER}
    )?+
    """,
    re.VERBOSE | re.DOTALL,
)
r"""Where a number may begin and, if it is plain, all of it. Group 1 is set after a `$`, group 2 after anything else."""

NO_DIGIT = frozenset("\\" + _VULGAR)

# For ASCII text only. Not after a digit and a space or colon, where a run or a time would go on; not within a date.
PLAIN_ANYWHERE = re.compile(
    rf"""
    (
      [0-9.]  # first, so that the search skips to it
      (?:
        (?<! \. )
        (?: (?<= [ :\n(=*><"']. ) (?<! [0-9][ :]. ) | (?<= [ \n(:=*><]\$. )
          | (?<= [0-9)\x1f][-+]. ) (?<! [0-9]{{4}}-. ) (?<! [0-9]{{4}}-[0-9]{{2}}-. ) | (?<! (?s:.) . ) )
        (?: [0-9]{{0,14}}+ (?: [./][0-9]{{1,15}}+ )?+ | (?<= [1-9] ) [0-9]{{0,2}} (?: ,[0-9]{{3}} ){{1,4}} )
        | (?<= [ \n(:=*><]\. ) [0-9]{{1,15}}+
      )
    )
    {_AFTER}
    """,
    re.VERBOSE,
)

PLAIN_LAST = re.compile(
    rf"""
    (?s: .* )
    (?: \A | (?<= [ \n(:=*>"'#] ) (?s: (?<! \d. ) ) )
    (-?) \$?
    ( [1-9][0-9]{{0,2}} (?: ,[0-9]{{3}} ){{1,4}} (?: \.[0-9]{{1,9}} )? | [0-9]{{1,15}} (?: \.[0-9]{{1,9}} )? )
    (?= [\s.!,)*"'$%;:?] | \Z )
    [^\d\\π√{_SUPER}{_VULGAR}]* \Z
    """,
    re.VERBOSE,
)
"""The last number where it is plain, and after it nothing that could be part of a number."""


@lru_cache(maxsize=16_384)
def plain_value(numeral: str) -> int | Decimal | Fraction | None:
    """The value of a plain numeral of at most 31 characters; None for a fraction without one.

    >>> plain_value("1,000"), plain_value("1/4"), plain_value("1.50")
    (1000, Fraction(1, 4), Decimal('1.50'))
    """
    if numeral.isdigit():
        return int(numeral)
    if numeral[0] == ".":
        return Decimal("0" + numeral)
    if "/" in numeral:
        above, _, below = numeral.partition("/")
        if not below.strip("0"):
            return None
        quotient = Fraction(int(above), int(below))
        return quotient if quotient.denominator > 1 else quotient.numerator  # an int is the faster to compare
    numeral = numeral.replace(",", "")
    return Decimal(numeral) if "." in numeral else int(numeral)
