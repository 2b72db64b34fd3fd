"""Reading one run of digits and separators: which numerals it holds, and what they are worth, exactly."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

__all__ = ["MAX_DIGITS", "MAX_EXPONENT", "Number", "Piece", "exact", "exponent_of", "negated", "raised", "read_run"]

Number: TypeAlias = int | Decimal | Fraction
"""An exact value; the three types compare and hash as the same number."""

Piece: TypeAlias = tuple[str | Fraction, int, int]
"""A plain numeral or a fraction, and where it stands."""

MAX_DIGITS = 1_000
MAX_EXPONENT = 9_999

_DECIMAL = re.compile(r"[0-9]++\.[0-9]++")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:(,|_|\{,\}|,\\!|\\,)[0-9]{3}(?:\1[0-9]{3})*+)(?:\.[0-9]++)?")
_EUROPEAN = re.compile(r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})++,[0-9]++|(?:\.[0-9]{3}){2,}+)")
_FRACTION = re.compile(r"[0-9]++/[0-9]++")
_LAST_GROUP = re.compile(r"[0-9]{3}(?:\.[0-9]++|,(?![0-9]{3}$)[0-9]++)?")
_NUMERAL = re.compile(r"[0-9]++(?:\.[0-9]++)?")
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


def exact(numeral: str, exponent: int = 0) -> Number | None:
    """The exact value of a plain numeral times a power of ten, or None beyond the limits.

    >>> exact("1.50", 3)
    Decimal('1.50E+3')
    """
    if len(numeral) > MAX_DIGITS or abs(exponent) > MAX_EXPONENT:
        return None
    if exponent:
        return Decimal(f"{numeral}E{exponent}")
    return Decimal(numeral) if "." in numeral else int(numeral)


def raised(numeral: str, exponent: int) -> Number | None:
    """A numeral to a whole power, where the result stays within the limits."""
    if numeral == "10":
        return exact("1", exponent)
    base = exact(numeral)
    if base is None or abs(exponent) * len(numeral) > MAX_DIGITS or (exponent < 0 and base == 0):
        return None
    return base**exponent if isinstance(base, int) and exponent >= 0 else Fraction(base) ** exponent


def exponent_of(digits: str) -> int:
    plain = digits.translate(_SUPERSCRIPT)
    return int(plain) if len(plain) < 8 else MAX_EXPONENT + 1


def read_run(run: str, offset: int) -> list[Piece]:
    """Split a run into the numerals and fractions it holds; what is no number is left out."""
    if run.isdigit():
        return [(run, offset, offset + len(run))]
    atoms = run.split(" ")
    if len(atoms) == 1:
        return _atom(run, offset)
    end = offset + len(run)
    if len(atoms) == 2 and atoms[0].isdigit() and _FRACTION.fullmatch(atoms[1]):
        part = _quotient(atoms[1])
        if part is not None and part < 1 and len(atoms[0]) <= MAX_DIGITS:
            return [(int(atoms[0]) + part, offset, end)]
    if _spaced_groups(atoms):
        return [("".join(atoms).replace(",", "."), offset, end)]
    pieces: list[Piece] = []
    for atom in atoms:
        pieces += _atom(atom, offset)
        offset += len(atom) + 1
    return pieces


def _spaced_groups(atoms: list[str]) -> bool:
    """Whether the atoms are one number grouped by spaces: `1 234 567,8`."""
    first = atoms[0]
    return (
        first.isdigit()
        and len(first) <= 3
        and first[0] != "0"
        and all(len(atom) == 3 and atom.isdigit() for atom in atoms[1:-1])
        and _LAST_GROUP.fullmatch(atoms[-1]) is not None
    )


def _atom(atom: str, offset: int) -> list[Piece]:
    """The numerals of a run without spaces."""
    end = offset + len(atom)
    if atom.isdigit() or _DECIMAL.fullmatch(atom):
        return [(atom, offset, end)]
    grouped = _GROUPED.fullmatch(atom)
    if grouped:
        return [(atom.replace(grouped[1], ""), offset, end)]
    if _EUROPEAN.fullmatch(atom):
        return [(atom.replace(".", "").replace(",", "."), offset, end)]
    if _FRACTION.fullmatch(atom):
        value = _quotient(atom)
        return [] if value is None else [(value, offset, end)]
    if ":" in atom or "_" in atom or (atom.count("/") > 1 and "," not in atom):
        return []
    return [
        (part[0], offset + part.start(), offset + part.end())
        for part in re.finditer(r"[0-9]++(?:\.[0-9]++)*+", atom)
        if _NUMERAL.fullmatch(part[0])
    ]


def _quotient(written: str) -> Fraction | None:
    """The value of `1/2`; None if it has none or is beyond the limits."""
    above, _, below = written.partition("/")
    if len(written) > MAX_DIGITS or not below.strip("0"):
        return None
    return Fraction(int(above), int(below))


def negated(value: Number) -> Number:
    # Unary minus would round a Decimal to the precision of the context.
    return value.copy_negate() if isinstance(value, Decimal) else -value
