"""Probabilities that depend on parameters: exact rational functions such as ``1-pe``.

A system may give its outcomes such probabilities instead of numbers. It is then explored only once
for all parameter values, because the state space stores each distinct probability once, in
``space.weights``::

    pe = ParameterSpace({"pe": Fraction(1, 10)})["pe"]
    Choice("wrap", [(1 - pe, {"wrapped": True}), (pe, {"failed": True})])
    ...
    table = np.array([float(value_at(weight, {"pe": Fraction(1, 5)})) for weight in space.weights])
    probabilities = table[space.weight_ids]

SymPy's field of rational functions does the algebra. It cancels common factors, so that equal
functions have the same representation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any, NoReturn, TypeVar

from sympy.polys.domains import QQ
from sympy.polys.fields import FracElement, FracField
from sympy.polys.rings import PolyElement

__all__ = [
    "Exact",
    "FixedParameters",
    "ParameterSpace",
    "ParameterValueNeeded",
    "ParametricWeight",
    "Terms",
    "value_at",
]

Exact = int | Fraction
_Value = TypeVar("_Value")

Terms = Sequence[tuple[tuple[int, ...], Fraction]]
"""Polynomial as a list of terms. Each term has the exponent of each parameter, in the order of the
parameter names, and the coefficient."""


class ParameterValueNeeded(Exception):
    """Exception raised if the transitions of a system, and not only their probabilities, depend on
    a parameter whose value is left open during exploration."""

    def __init__(self, parameters: frozenset[str]) -> None:
        self.parameters = parameters
        super().__init__(f"the behaviour depends on the value of {', '.join(sorted(parameters))}")


class ParameterSpace(Mapping[str, "ParametricWeight"]):
    """Set of parameters whose values are left open during exploration, each with a nominal value.
    Probabilities can be combined if they have the same parameter names."""

    def __init__(self, nominal: Mapping[str, Exact]) -> None:
        self.names = tuple(sorted(nominal))
        self.nominal = dict(nominal)
        self.field = _field(self.names)

    def __getitem__(self, name: str) -> ParametricWeight:
        if name not in self.nominal:
            raise KeyError(name)
        return ParametricWeight(self, self.field.gens[self.names.index(name)])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def quotient(self, numerator: Terms, denominator: Terms) -> ParametricWeight | Fraction:
        """Return the quotient of two polynomials in these parameters, given by their terms."""
        return self.weight(self._polynomial(numerator) / self._polynomial(denominator))

    def _polynomial(self, terms: Terms) -> Any:
        ring = self.field.ring
        return self.field.new(
            ring.from_dict(
                {exponents: QQ(number.numerator, number.denominator) for exponents, number in terms}
            )
        )

    def weight(self, element: FracElement) -> ParametricWeight | Fraction:
        """Return the probability that an element of SymPy's field of rational functions represents;
        a plain fraction if no parameter occurs in it."""
        if element.numer.is_ground and element.denom.is_ground:
            return _constant(element.numer) / _constant(element.denom)
        return ParametricWeight(self, element)


class ParametricWeight:
    """Exact rational function of parameters, in lowest terms.

    It supports addition, subtraction, multiplication and division with numbers and other weights.
    ``float()`` gives its value for the nominal parameters. Two weights are equal if they are the
    same function. Order and remainders are undefined while parameters are open, so ``<``, ``%`` and
    similar operators raise :class:`ParameterValueNeeded`.
    """

    __slots__ = ("element", "space")

    def __init__(self, space: ParameterSpace, element: FracElement) -> None:
        self.space = space
        self.element = element

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the weight as the terms of its numerator and denominator. SymPy's rings cannot be
        pickled once they have been used, because their ``__getstate__`` deletes entries while it
        iterates over them."""
        return _restore_weight, (self.space.nominal, *self.terms())

    @property
    def parameters(self) -> frozenset[str]:
        """Names of the parameters on which the value of this function depends."""
        used = (
            powers
            for part in (self.element.numer, self.element.denom)
            for powers in part.itermonoms()
        )
        return frozenset(
            name
            for powers in used
            for name, exponent in zip(self.space, powers, strict=True)
            if exponent
        )

    def at(self, values: Mapping[str, Exact]) -> Fraction:
        """Return the value of this function for the given parameter values. Raise ZeroDivisionError
        if it is undefined there."""
        point = [
            Fraction(values[name]) if name in self.parameters else Fraction(0)
            for name in self.space
        ]
        return _evaluate(self.element.numer, point) / _evaluate(self.element.denom, point)

    def terms(self) -> tuple[Terms, Terms]:
        """Return the terms of the numerator and of the denominator: constants first, then by degree
        and parameter name."""
        return _terms(self.element.numer), _terms(self.element.denom)

    def factors(self) -> tuple[Fraction, tuple[tuple[ParametricWeight, int], ...]]:
        """Return a coefficient and irreducible polynomials with their exponents, whose product is
        this weight. Factors of the denominator have negative exponents.

        The first printed term of each factor is positive: ``1-pe``, not ``pe-1``.
        """
        coefficient, found = Fraction(1), []
        for part, sign in ((self.element.numer, 1), (self.element.denom, -1)):
            number, factors = part.factor_list()
            coefficient *= _fraction(number) ** sign
            for factor, exponent in factors:
                if _terms(factor)[0][1] < 0:
                    factor, coefficient = -factor, coefficient * (-1) ** exponent
                found.append(
                    (ParametricWeight(self.space, self.space.field.new(factor)), sign * exponent)
                )
        return coefficient, tuple(sorted(found, key=_reading_order))

    # --- arithmetic -------------------------------------------------------------------------------

    def _with(self, other: object, combine: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, int | Fraction):
            return self.space.weight(
                combine(
                    self.element,
                    self.space.field.ground_new(QQ(other.numerator, other.denominator)),
                )
            )
        if isinstance(other, ParametricWeight) and other.space.field is self.space.field:
            return self.space.weight(combine(self.element, other.element))
        return NotImplemented

    def __add__(self, other: object) -> Any:
        return self._with(other, lambda mine, its: mine + its)

    def __sub__(self, other: object) -> Any:
        return self._with(other, lambda mine, its: mine - its)

    def __rsub__(self, other: object) -> Any:
        return self._with(other, lambda mine, its: its - mine)

    def __mul__(self, other: object) -> Any:
        return self._with(other, lambda mine, its: mine * its)

    def __truediv__(self, other: object) -> Any:
        return self._with(other, lambda mine, its: mine / its)

    def __rtruediv__(self, other: object) -> Any:
        return self._with(other, lambda mine, its: its / mine)

    def __pow__(self, exponent: int) -> Any:
        return self.space.weight(self.element**exponent)

    def __neg__(self) -> ParametricWeight:
        return ParametricWeight(self.space, -self.element)

    __radd__ = __add__
    __rmul__ = __mul__

    def __float__(self) -> float:
        return float(self.at(self.space.nominal))

    # --- comparison -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ParametricWeight)
            and other.space.field is self.space.field
            and bool(self.element == other.element)
        )

    def __hash__(self) -> int:
        return hash(self.element)

    def _undecided(self, other: object) -> NoReturn:
        raise ParameterValueNeeded(
            self.parameters
            | (other.parameters if isinstance(other, ParametricWeight) else frozenset())
        )

    __lt__ = __le__ = __gt__ = __ge__ = __mod__ = __rmod__ = _undecided

    # --- text -------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"ParametricWeight({self})"

    def __str__(self) -> str:
        """Return the factorised form of this function, such as ``(1-pc)^2*(1-pe)^2``."""
        coefficient, factors = self.factors()
        above = _product(
            coefficient.numerator,
            [(factor, exponent) for factor, exponent in factors if exponent > 0],
        )
        below = _product(
            coefficient.denominator,
            [(factor, -exponent) for factor, exponent in factors if exponent < 0],
        )
        return above if below == "1" else f"{_bracketed(above, '+-')}/{_bracketed(below, '+-*')}"


def _restore_weight(
    nominal: Mapping[str, Exact], numerator: Terms, denominator: Terms
) -> ParametricWeight | Fraction:
    return ParameterSpace(nominal).quotient(numerator, denominator)


class FixedParameters(Mapping[str, _Value]):
    """Mapping from parameter names to values, for all uses of parameters other than in
    probabilities. Access to a parameter whose value is left open during exploration raises
    :class:`ParameterValueNeeded`."""

    def __init__(self, values: Mapping[str, _Value | ParametricWeight]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> _Value:
        value = self._values[name]
        if isinstance(value, ParametricWeight):
            raise ParameterValueNeeded(value.parameters)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values


def value_at(weight: Any, values: Mapping[str, Exact]) -> Any:
    """Return the value of a probability for the given parameter values. A plain number is returned
    unchanged."""
    return weight.at(values) if isinstance(weight, ParametricWeight) else weight


# --- SymPy's polynomials --------------------------------------------------------------------------


@cache
def _field(names: tuple[str, ...]) -> Any:
    return FracField(names, QQ)


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def _constant(polynomial: PolyElement) -> Fraction:
    return _fraction(polynomial.LC) if polynomial else Fraction(0)


def _evaluate(polynomial: PolyElement, point: list[Fraction]) -> Fraction:
    powers = (
        (prod(map(pow, point, exponents), start=Fraction(1)), _fraction(number))
        for exponents, number in polynomial.terms()
    )
    return sum((number * product for product, number in powers), start=Fraction(0))


def _terms(polynomial: PolyElement) -> Terms:
    """Return the terms of a polynomial: constants first, then by degree and parameter name."""
    terms = [(exponents, _fraction(number)) for exponents, number in polynomial.terms()]
    return sorted(terms, key=lambda term: (sum(term[0]), [-exponent for exponent in term[0]]))


def _reading_order(factor: tuple[ParametricWeight, int]) -> tuple[bool, bool, str]:
    """Return a sort key for a factor of a printed weight: factors of the numerator first, single
    parameters before sums, then alphabetically."""
    polynomial = factor[0].element.numer
    return factor[1] < 0, len(polynomial) > 1, _sum(polynomial)


def _sum(polynomial: PolyElement) -> str:
    text = ""
    for exponents, number in _terms(polynomial):
        letters = "*".join(
            _power(str(name), exponent)
            for name, exponent in zip(polynomial.ring.symbols, exponents, strict=True)
            if exponent
        )
        size = "*".join(
            part
            for part in (str(abs(number)) if abs(number) != 1 or not letters else "", letters)
            if part
        )
        text += ("-" if number < 0 else "+" if text else "") + size
    return text


def _product(number: int, factors: list[tuple[ParametricWeight, int]]) -> str:
    if number == 1 and len(factors) == 1 and factors[0][1] == 1:
        return _sum(factors[0][0].element.numer)
    parts = [
        _power(_bracketed(_sum(factor.element.numer), "+-*"), exponent)
        for factor, exponent in factors
    ]
    if abs(number) != 1 or not parts:
        parts.insert(0, str(abs(number)))
    return ("-" if number < 0 else "") + "*".join(parts)


def _power(base: str, exponent: int) -> str:
    return base if exponent == 1 else f"{base}^{exponent}"


def _bracketed(text: str, operators: str) -> str:
    """Return the text, in round brackets if one of the operators occurs outside of brackets."""
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and character in operators:
            return f"({text})"
    return text
