"""Arithmetic operators and functions of Jason whose value depends only on their arguments.

Numbers are doubles; integral values are stored as ``int``. If an operation has no numeric result
(an operand is not a number, ``1 div 0``, ``0 / 0``), it returns None and the expression stays
unevaluated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import reduce

from volition.languages.jason.terms import List, Number, Operator, Term, Text

__all__ = ["FUNCTIONS", "calculate", "call", "number", "show_number"]


def number(value: float) -> Number | None:
    """Return the canonical representation of a number: ``int`` if it is integral, None for NaN."""
    if isinstance(value, int) and abs(value) < _EXACT:
        return value
    double = float(value)
    if math.isnan(double):
        return None
    return int(double) if double.is_integer() else double


def show_number(value: Number) -> str:
    """Return a number as Jason prints it and concatenates it to strings: integers without decimals,
    very large and very small numbers with an exponent."""
    if isinstance(value, int) and abs(value) < _LONG:
        return str(value)
    double = float(value)
    if math.isinf(double):
        return "Infinity" if double > 0 else "-Infinity"
    if 1e-3 <= abs(double) < 1e7:
        return repr(double)
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    first, *others = map(str, digits)
    return f"{'-' if sign else ''}{first}.{''.join(others) or '0'}E{int(exponent) + len(others)}"


def calculate(operator: Operator, left: Term, right: Term) -> Number | None:
    """Return the value of the expression ``left operator right``, or None if it is not a number."""
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return None
    try:
        return number(_OPERATORS[operator](float(left), float(right)))
    except (ArithmeticError, ValueError):
        return None


def _divide(left: float, right: float) -> float:
    if right:
        return left / right
    return math.nan if not left else math.copysign(math.inf, left)


def _truncated_division(left: float, right: float) -> float:
    """Return the value of ``left div right``: both operands are truncated to integers, and their
    quotient is rounded towards zero."""
    dividend, divisor = int(left), int(right)
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 else math.inf
    except ValueError:  # a root of a negative number, or a negative power of zero
        return math.nan if base else math.inf


_OPERATORS: Mapping[Operator, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divide,
    "div": _truncated_division,
    "mod": math.fmod,
    "**": _power,
}
_EXACT, _LONG = 2**53, 2**63


# --- arithmetic functions -------------------------------------------------------------------------


def call(name: str, arguments: Sequence[Term]) -> Number | None:
    """Return the value of the function ``name`` of :data:`FUNCTIONS`, or None if it is undefined
    for these arguments."""
    arities, function = FUNCTIONS[name]
    if len(arguments) not in arities:
        return None
    try:
        value = function(*arguments)
        return None if value is None else number(value)
    except (ArithmeticError, ValueError):
        return None


def _of_number(function: Callable[[float], float]) -> Callable[..., float | None]:
    return lambda argument: function(argument) if isinstance(argument, int | float) else None


def _of_numbers(function: Callable[[Sequence[Number]], float]) -> Callable[..., float | None]:
    """Return a function of a list term that applies ``function`` to the numbers in the list. Items
    that are not numbers are ignored."""

    def of_list(argument: Term) -> float | None:
        if not isinstance(argument, List) or argument.tail is not None:
            return None
        return function([each for each in argument.items if isinstance(each, int | float)])

    return of_list


def _extreme(choose: Callable[[Sequence[Number]], float]) -> Callable[..., float | None]:
    """Return a function that applies ``choose`` (``min`` or ``max``) to its two numbers, or to the
    numbers in a single list."""

    def extreme(*arguments: Term) -> float | None:
        if len(arguments) == 1:
            return _of_numbers(choose)(*arguments)
        numbers = [each for each in arguments if isinstance(each, int | float)]
        return choose(numbers) if len(numbers) == len(arguments) else None

    return extreme


def _sum(numbers: Sequence[Number]) -> float:
    """Return the sum of numbers, added from left to right in double precision."""
    return reduce(lambda total, each: total + each, numbers, 0.0)


def _average(numbers: Sequence[Number]) -> float:
    return _sum(numbers) / len(numbers)


def _deviation(numbers: Sequence[Number]) -> float:
    """Return the sample standard deviation of numbers; 0 for an empty list."""
    if not numbers:
        return 0
    mean = _average(numbers)
    return math.sqrt(_sum([(each - mean) ** 2 for each in numbers]) / (len(numbers) - 1))


def _median(argument: Term) -> float | None:
    """Return the median of a list that contains only numbers, otherwise None."""
    if not isinstance(argument, List) or argument.tail is not None:
        return None
    numbers = sorted(each for each in argument.items if isinstance(each, int | float))
    if not numbers or len(numbers) != len(argument.items):
        return None
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else (numbers[middle - 1] + numbers[middle]) / 2


def _length(argument: Term) -> float | None:
    """Return the length of a list or string, or None for any other term."""
    if isinstance(argument, Text):
        return len(argument.value)
    return len(argument.items) if isinstance(argument, List) and argument.tail is None else None


def _round(value: float) -> float:
    """Return a number rounded to the nearest integer. Halves are rounded up, for negative numbers
    too."""
    return math.floor(value + 0.5)


def _logarithm(value: float) -> float:
    return math.log(value) if value else -math.inf


FUNCTIONS: Mapping[str, tuple[tuple[int, ...], Callable[..., float | None]]] = {
    "math.abs": ((1,), _of_number(abs)),
    "math.acos": ((1,), _of_number(math.acos)),
    "math.asin": ((1,), _of_number(math.asin)),
    "math.atan": ((1,), _of_number(math.atan)),
    "math.average": ((1,), _of_numbers(_average)),
    "math.ceil": ((1,), _of_number(math.ceil)),
    "math.cos": ((1,), _of_number(math.cos)),
    "math.e": ((0,), lambda: math.e),
    "math.floor": ((1,), _of_number(math.floor)),
    "math.log": ((1,), _of_number(_logarithm)),
    "math.max": ((1, 2), _extreme(max)),
    "math.mean": ((1,), _of_numbers(_average)),
    "math.median": ((1,), _median),
    "math.min": ((1, 2), _extreme(min)),
    "math.pi": ((0,), lambda: math.pi),
    "math.round": ((1,), _of_number(_round)),
    "math.sin": ((1,), _of_number(math.sin)),
    "math.sqrt": ((1,), _of_number(math.sqrt)),
    "math.std_dev": ((1,), _of_numbers(_deviation)),
    "math.sum": ((1,), _of_numbers(_sum)),
    "math.tan": ((1,), _of_number(math.tan)),
    ".length": ((1,), _length),
}
"""Map from the name of an arithmetic function to its permitted numbers of arguments and its
implementation. ``math.random`` and ``system.time`` are not included, because their values do not
depend only on their arguments."""
