"""Exact numbers: fractions, and what logarithms and roots add to them, as text that anybody can evaluate.

A number is a sum of terms ``fraction * atom``; the atom of a fraction is empty, every other atom is a text of the
grammar: integers, ``+ - * / ( )``, ``log2(x)``, ``ln(n)``, ``root(n, x)``. Like terms are joined, so that what cancels
is gone; equality is by value, with more digits than any two numbers of the suite need to differ.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import TypeAlias

from cranfield._text import shown
from cranfield.errors import UsageError

LONGEST = 50_000
"""Characters of an exact text, at most; the longest of the suite has 815."""
TOKENS = re.compile(r"(?:[0-9]|log2(?=\()|ln(?=\()|root(?=\()|[-+*/(), ])+", re.ASCII)
"""The texts that an exact number may be made of."""
MOST_BITS = 4_096
"""Bits of a numerator or denominator, at most, so that no text takes long to evaluate."""
DIGITS = 80
"""Digits of all decimal arithmetic; the last ones may be lost to rounding."""
PRINTED_DIGITS = 30
"""Significant digits of a decimal beside an exact text."""
EQUAL = Decimal("1e-50")
"""Two numbers that are nearer than this, relative to the larger of them and 1, are equal."""

_context = Context(prec=DIGITS)
ExactNumber: TypeAlias = "Fraction | Decimal"


@dataclass(frozen=True, slots=True)
class Exact:
    """A sum of terms; ``terms`` maps an atom to its fraction, which is not zero."""

    terms: Mapping[str, Fraction]

    @property
    def text(self) -> str:
        """It as text of the grammar, fractions in lowest terms."""
        return " + ".join(_write_term(atom, factor) for atom, factor in self.terms.items()) or "0"

    @property
    def fraction(self) -> Fraction | None:
        """It as a fraction, if it is one."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get("") if len(self.terms) == 1 else None

    @property
    def value(self) -> Decimal:
        """It with as many digits as decimal arithmetic has here."""
        return sum_decimals(
            _context.multiply(_to_decimal(factor), _to_decimal(evaluate(atom))) if atom else _to_decimal(factor)
            for atom, factor in self.terms.items()
        )

    def __add__(self, addend: Exact) -> Exact:
        terms = dict(self.terms)
        for atom, factor in addend.terms.items():
            terms[atom] = terms.get(atom, Fraction(0)) + factor
        return Exact({atom: factor for atom, factor in terms.items() if factor})

    def __sub__(self, subtrahend: Exact) -> Exact:
        return self + subtrahend.scale(-1)

    def __mul__(self, factor: Exact) -> Exact:
        if factor.fraction is not None:
            return self.scale(factor.fraction)
        if self.fraction is not None:
            return factor.scale(self.fraction)
        return Exact({f"({self.text}) * ({factor.text})": Fraction(1)})

    def __truediv__(self, divisor: Exact) -> Exact:
        if divisor.fraction is not None:
            return self.scale(1 / divisor.fraction)
        if not self.terms:
            return self
        ratio = _proportion(self.terms, divisor.terms)
        if ratio is not None:
            return exact(ratio)
        return Exact({f"{_bracket(self.text)} / ({divisor.text})": Fraction(1)})

    def scale(self, factor: Fraction | int) -> Exact:
        """It times a fraction."""
        return Exact({atom: own * factor for atom, own in self.terms.items()} if factor else {})

    def equals(self, number: Exact) -> bool:
        """Return whether both are the same number, by value."""
        if self.fraction is not None and number.fraction is not None:
            return self.fraction == number.fraction
        return are_equal(self.value, number.value)

    def exceeds(self, number: Exact) -> bool:
        """Return whether it is larger."""
        if self.fraction is not None and number.fraction is not None:
            return self.fraction > number.fraction
        return not self.equals(number) and self.value > number.value


def exact(number: Fraction | int) -> Exact:
    """A fraction as an exact number."""
    return Exact({"": Fraction(number)} if number else {})


ZERO = exact(0)
ONE = exact(1)


def log2(number: Fraction | int) -> Exact:
    """The binary logarithm of a fraction above 0."""
    number = Fraction(number)
    power = _exponent_of_two(number)
    return exact(power) if power is not None else Exact({f"log2({number})": Fraction(1)})


def per_log2(number: int) -> Exact:
    """One divided by the binary logarithm of a whole number above 1."""
    power = _exponent_of_two(Fraction(number))
    return exact(Fraction(1, power)) if power else Exact({f"1/log2({number})": Fraction(1)})


def per_ln(number: int) -> Exact:
    """One divided by the natural logarithm of a whole number above 1."""
    return Exact({f"1/ln({number})": Fraction(1)})


def root(degree: int, number: Exact) -> Exact:
    """The root of a number that is not negative."""
    if degree == 1 or not number.terms:
        return number
    return Exact({f"root({degree}, {number.text})": Fraction(1)})


@functools.lru_cache(100_000)
def evaluate(text: str) -> ExactNumber:
    """The value of an exact text: a fraction if it is one, else with about 80 digits.

    Raises:
        UsageError: the text is not of the grammar, divides by zero, has a root or logarithm of what has none, or is too
            long, too deep or too large.
    """
    try:
        if len(text) > LONGEST:
            raise ValueError(f"it has {len(text):,} characters, more than {LONGEST:,}")
        if not TOKENS.fullmatch(text):
            raise ValueError(GRAMMAR)
        return _evaluate(ast.parse(text.strip(), mode="eval").body)
    except (RecursionError, MemoryError):
        raise UsageError(f"the exact text '{shown(text, 200)}' cannot be evaluated: it is nested too deep") from None
    except (SyntaxError, ValueError, ArithmeticError) as error:
        reason = shown(str(error), 200)
        raise UsageError(f"the exact text '{shown(text, 200)}' cannot be evaluated: {reason}") from None


def are_equal(left: ExactNumber, right: ExactNumber) -> bool:
    """Return whether two values differ by less than any two numbers of the suite do."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    a, b = _to_decimal(left), _to_decimal(right)
    return abs(_context.subtract(a, b)) <= EQUAL * max(Decimal(1), abs(a), abs(b))


def write_decimal(number: ExactNumber) -> str:
    """A value with 30 significant digits."""
    return str(_to_decimal(number).normalize(Context(prec=PRINTED_DIGITS)))


def sum_decimals(numbers: Iterable[Decimal]) -> Decimal:
    """The sum with all digits of the arithmetic here."""
    return functools.reduce(_context.add, numbers, Decimal(0))


def _write_term(atom: str, factor: Fraction) -> str:
    if not atom:
        return str(factor)
    if factor == 1:
        return atom
    if atom.startswith(("1/log2(", "1/ln(")) and atom.count("(") == 1:
        denominator = atom.removeprefix("1/")
        scaled = denominator if factor.denominator == 1 else f"({factor.denominator}*{denominator})"
        return f"{factor.numerator}/{scaled}"
    return f"({factor}) * ({atom})"


def _bracket(text: str) -> str:
    return text if text.isdigit() else f"({text})"


def _proportion(numerator: Mapping[str, Fraction], denominator: Mapping[str, Fraction]) -> Fraction | None:
    """The fraction that one sum is of another whose terms are the same, if it is one."""
    if numerator.keys() != denominator.keys():
        return None
    ratios = {numerator[atom] / denominator[atom] for atom in numerator}
    return ratios.pop() if len(ratios) == 1 else None


def _exponent_of_two(number: Fraction) -> int | None:
    for whole, sign in ((number.numerator, 1), (number.denominator, -1)):
        if number == Fraction(whole) ** sign and whole & (whole - 1) == 0 and whole > 0:
            return sign * (whole.bit_length() - 1)
    return None


def _to_decimal(number: ExactNumber) -> Decimal:
    if isinstance(number, Decimal):
        return number
    return _context.divide(Decimal(number.numerator), Decimal(number.denominator))


GRAMMAR = "only whole numbers, + - * / ( ), log2(x), ln(n) and root(n, x) may stand in it"


def _evaluate(node: ast.expr) -> ExactNumber:
    """The value of a part; of what is too large to be exact nothing is computed further."""
    value = _evaluate_node(node)
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise ValueError(f"a fraction in it has more than {MOST_BITS:,} bits")
    return value


def _evaluate_node(node: ast.expr) -> ExactNumber:
    match node:
        case ast.Constant(value=int() as whole) if not isinstance(whole, bool):
            return Fraction(whole)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand)
        case ast.BinOp(left=left, op=operator, right=right):
            return _combine(_evaluate(left), operator, _evaluate(right))
        case ast.Call(func=ast.Name(id="log2"), args=[argument], keywords=[]):
            return _log2(_evaluate(argument))
        case ast.Call(func=ast.Name(id="ln"), args=[argument], keywords=[]):
            return _ln(_to_decimal(_evaluate(argument)))
        case ast.Call(func=ast.Name(id="root"), args=[degree, argument], keywords=[]):
            return _root(_evaluate(degree), _evaluate(argument))
    raise ValueError(GRAMMAR)


def _combine(left: ExactNumber, operator: ast.operator, right: ExactNumber) -> ExactNumber:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        match operator:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
        raise ValueError(GRAMMAR)
    functions = {
        ast.Add: _context.add,
        ast.Sub: _context.subtract,
        ast.Mult: _context.multiply,
        ast.Div: _context.divide,
    }
    if type(operator) not in functions:
        raise ValueError(GRAMMAR)
    return functions[type(operator)](_to_decimal(left), _to_decimal(right))


def _log2(number: ExactNumber) -> ExactNumber:
    power = _exponent_of_two(number) if isinstance(number, Fraction) and number > 0 else None
    if power is not None:
        return Fraction(power)
    return _context.divide(_ln(_to_decimal(number)), _ln(Decimal(2)))


@functools.cache
def _ln(number: Decimal) -> Decimal:
    if number <= 0:
        raise ValueError("it has the logarithm of a number that is not above 0")
    return _context.ln(number)


def _root(degree: ExactNumber, number: ExactNumber) -> Decimal:
    if number < 0:
        raise ValueError("it has the root of a negative number")
    if not isinstance(degree, Fraction) or degree.denominator != 1 or degree < 1:
        raise ValueError("the degree of a root should be a whole number above 0")
    if not number:
        return Decimal(0)
    try:
        return _context.exp(_context.divide(_ln(_to_decimal(number)), Decimal(degree.numerator)))
    except InvalidOperation as error:
        raise ValueError(str(error)) from None
