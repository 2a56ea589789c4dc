"""First-order terms as in Prolog, for the contents of beliefs, messages, actions and percepts.

Numbers are Python ``int``, or ``Fraction`` if they are not integers; all other terms are instances
of the classes in this module. All terms are hashable, so they can be slot values of a
:class:`volition.kernel.System`.

>>> str(Structure("bid", (constant("ag2"), 4)))
'bid(ag2,4)'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

__all__ = [
    "EMPTY_LIST",
    "FALSE",
    "MAX_NESTED",
    "TOO_LARGE",
    "TOO_LARGE_NUMBER",
    "TRUE",
    "Bindings",
    "Number",
    "Structure",
    "Term",
    "Text",
    "Variable",
    "common_instance",
    "constant",
    "is_ground",
    "is_large_number",
    "is_negated",
    "is_too_large",
    "list_items",
    "list_of",
    "matches",
    "name_anonymous",
    "negation",
    "number",
    "predicate",
    "rename",
    "show",
    "substitute",
    "unifiable",
    "unify",
    "variables",
    "wildcard_atom",
]  # fmt: skip

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Variable:
    """Variable of a term: a name that starts with a capital letter or ``_``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Text:
    """String term, such as ``"hello"``."""

    value: str

    def __str__(self) -> str:
        return f'"{self.value}"'


@dataclass(frozen=True, slots=True)
class Structure:
    """Functor with arguments, such as ``bid(ag2, 4)``; a constant if there are none."""

    functor: str
    arguments: tuple[Term, ...] = ()

    def __str__(self) -> str:
        if self.functor == _PAIR:
            return _show_list(self)
        if not self.arguments:
            return self.functor
        return f"{self.functor}({','.join(show(each) for each in self.arguments)})"


Term = int | Fraction | Variable | Text | Structure
Bindings = Mapping[str, Term]
"""Values of variables by name. A value may contain variables that are bound themselves."""

_PAIR = "[|]"
_NEGATED = "~"
EMPTY_LIST = Structure("[]")
TRUE, FALSE = Structure("true"), Structure("false")
MAX_NESTED, _MAX_PARTS = 100, 1000
_MAX_BITS = 1000
_EXACT = 2**53
TOO_LARGE_NUMBER = f"has more than {_MAX_BITS} bits"
"""End of an error message about a number that has probably grown without bound."""
TOO_LARGE = (
    f"is nested deeper than {MAX_NESTED}, has more than {_MAX_PARTS} parts, or contains a "
    f"number that {TOO_LARGE_NUMBER}"
)
"""End of an error message about a term that has probably grown without bound. The limit on nesting
is also a limit on the length of lists, because a list is nested as deeply as it is long."""


def constant(name: str) -> Structure:
    """Return a constant: a structure without arguments."""
    return Structure(name)


def negation(structure: Structure) -> Structure:
    """Return the strong negation ``~p`` of a structure ``p``. It is a separate functor, not related
    to ``p``."""
    return Structure(_NEGATED + structure.functor, structure.arguments)


def is_negated(structure: Structure) -> bool:
    """Return whether a structure is strongly negated."""
    return structure.functor.startswith(_NEGATED)


def predicate(structure: Structure) -> str:
    """Return the name and arity of a structure, such as ``bid/2``. Predicates with different
    arities are different."""
    return f"{structure.functor}/{len(structure.arguments)}"


def wildcard_atom(named: str) -> str:
    """Return a predicate such as ``bid/2`` as an atom with wildcards: ``bid(_, _)``."""
    functor, _, arity = named.rpartition("/")
    return f"{functor}({', '.join('_' * int(arity))})" if int(arity) else functor


def number(value: str | Number) -> Number:
    """Return the exact number that a literal or a result denotes, as an ``int`` if it is an
    integer."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else exact


def list_of(items: Iterable[Term], tail: Term = EMPTY_LIST) -> Term:
    """Return the term of a list ``[a, b]``, or ``[a, b | tail]`` if a tail is given."""
    for item in reversed(list(items)):
        tail = Structure(_PAIR, (item, tail))
    return tail


def list_items(term: Term) -> tuple[Term, ...] | None:
    """Return the items of a list, or None if the term is not a list or its tail is unbound."""
    items: list[Term] = []
    while isinstance(term, Structure) and term.functor == _PAIR:
        head, term = term.arguments
        items.append(head)
    return tuple(items) if term == EMPTY_LIST else None


def _show_list(pair: Structure) -> str:
    items: list[Term] = []
    rest: Term = pair
    while isinstance(rest, Structure) and rest.functor == _PAIR:
        head, rest = rest.arguments
        items.append(head)
    tail = "" if rest == EMPTY_LIST else f"|{show(rest)}"
    return f"[{','.join(show(each) for each in items)}{tail}]"


def show(term: Term) -> str:
    """Return the text of a term in the notation of programs."""
    if isinstance(term, Fraction):
        decimal = format(float(term), "f").rstrip("0").rstrip(".") if abs(term) < _EXACT else ""
        return decimal if decimal and Fraction(decimal) == term else f"({term})"
    return str(term)


def variables(term: Term) -> Iterator[str]:
    """Yield the names of a term's variables from left to right, including repetitions."""
    if isinstance(term, Variable):
        yield term.name
    elif isinstance(term, Structure):
        for each in term.arguments:
            yield from variables(each)


def is_ground(term: Term) -> bool:
    """Return whether a term has no variables."""
    return next(variables(term), None) is None


def is_too_large(term: Term) -> bool:
    """Return whether a term is so large that it has probably grown without bound: nested too
    deeply, with too many parts, or with a number of too many bits."""
    level: list[Term] = [term]
    parts = 0
    if is_large_number(term):
        return True
    for _ in range(MAX_NESTED):
        level = [inner for each in level if isinstance(each, Structure) for inner in each.arguments]
        parts += len(level)
        if not level or parts > _MAX_PARTS or any(map(is_large_number, level)):
            break
    return bool(level)


def is_large_number(term: Term) -> bool:
    """Return whether the numerator or denominator of a number has more bits than the limit. Other
    terms are not large numbers."""
    return (
        isinstance(term, Number)
        and max(abs(term.numerator), term.denominator).bit_length() > _MAX_BITS
    )


def substitute(term: Term, bindings: Bindings) -> Term:
    """Return the term with bound variables replaced by their values, recursively."""
    if isinstance(term, Variable):
        return substitute(bindings[term.name], bindings) if term.name in bindings else term
    if isinstance(term, Structure) and term.arguments:
        return Structure(term.functor, tuple(substitute(each, bindings) for each in term.arguments))
    return term


def rename(term: Term, names: dict[str, str], prefix: str) -> Term:
    """Return the term with its variables renamed to ``prefix1``, ``prefix2``, ... ``names`` maps
    the old names to the new ones and is extended by this call.

    ``_`` is not renamed: each occurrence is a different variable.
    """
    if isinstance(term, Variable):
        return (
            term
            if _is_anonymous(term)
            else Variable(names.setdefault(term.name, f"{prefix}{len(names) + 1}"))
        )
    if isinstance(term, Structure) and term.arguments:
        return Structure(
            term.functor, tuple(rename(each, names, prefix) for each in term.arguments)
        )
    return term


def name_anonymous(structure: Structure, prefix: str) -> Structure:
    """Return a structure in which each ``_`` is replaced by a variable of its own: ``prefix1``,
    ``prefix2``, ... from left to right."""
    numbers = count(1)

    def named(term: Term) -> Term:
        if isinstance(term, Structure) and term.arguments:
            return Structure(term.functor, tuple(map(named, term.arguments)))
        return Variable(f"{prefix}{next(numbers)}") if _is_anonymous(term) else term

    return Structure(structure.functor, tuple(map(named, structure.arguments)))


def matches(pattern: Term, term: Term) -> bool:
    """Return whether a term matches a pattern: it results from the pattern if values are put in
    place of the pattern's variables.

    Variables of the term match only themselves. So ``find(_)`` matches a goal ``find(X)`` whose
    variable is unbound, and ``find(3)`` does not.
    """
    return unify(pattern, _frozen(term), {}) is not None


def _frozen(term: Term) -> Term:
    if isinstance(term, Variable):
        return Structure(f"?{term.name}")
    if isinstance(term, Structure) and term.arguments:
        return Structure(term.functor, tuple(map(_frozen, term.arguments)))
    return term


def unify(left: Term, right: Term, bindings: Bindings) -> dict[str, Term] | None:
    """Return the bindings extended so that both terms become equal, or None if they do not unify.

    The variable ``_`` unifies with everything and is never bound. The occurs check is done, so a
    variable is never bound to a term that contains it.
    """
    extended = dict(bindings)
    return extended if _unify(left, right, extended) else None


def unifiable(one: Term, other: Term) -> bool:
    """Return whether two terms can be made equal by giving values to their variables. Variables
    with the same name in both terms are treated as different variables."""
    if one == other:
        return True
    if isinstance(one, Structure) and isinstance(other, Structure):
        if one.functor != other.functor or len(one.arguments) != len(other.arguments):
            return False
        if is_ground(one) and is_ground(other):
            return False
    return unify(rename(one, {}, "?1."), rename(other, {}, "?2."), {}) is not None


def common_instance(one: Term, other: Term) -> Term | None:
    """Return the first term, specialised as little as necessary to unify with the second term.
    Return None if the terms do not unify. Variables with the same name in both terms are treated as
    different variables.

    Exception: a ``_`` in the first term is not replaced, whatever the second term has in its
    position. The result may then be too general.
    """
    mine = rename(one, {}, "?1.")
    bindings = unify(mine, rename(other, {}, "?2."), {})
    return None if bindings is None else substitute(mine, bindings)


def _unify(left: Term, right: Term, bindings: dict[str, Term]) -> bool:
    left, right = _walk(left, bindings), _walk(right, bindings)
    if left == right or _is_anonymous(left) or _is_anonymous(right):
        return True
    if isinstance(left, Variable):
        return _bind(left, right, bindings)
    if isinstance(right, Variable):
        return _bind(right, left, bindings)
    if isinstance(left, Structure) and isinstance(right, Structure):
        if left.functor != right.functor or len(left.arguments) != len(right.arguments):
            return False
        return all(
            _unify(mine, yours, bindings)
            for mine, yours in zip(left.arguments, right.arguments, strict=True)
        )
    return False


def _bind(variable: Variable, value: Term, bindings: dict[str, Term]) -> bool:
    if isinstance(value, Structure) and variable.name in variables(substitute(value, bindings)):
        return False
    bindings[variable.name] = value
    return True


def _walk(term: Term, bindings: Bindings) -> Term:
    while isinstance(term, Variable) and term.name in bindings:
        term = bindings[term.name]
    return term


def _is_anonymous(term: Term) -> bool:
    return isinstance(term, Variable) and term.name == "_"
