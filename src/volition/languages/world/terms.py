"""First-order terms as in Prolog: what agents believe and say, and what the world shows them.

Numbers are plain Python ``int`` (``Fraction`` where a decimal point makes them so), everything else
is one of the small classes here.  All terms are hashable, so they can be slot values of a
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
    """A name that starts with a capital letter or ``_``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Text:
    """A quotation, such as ``"hello"``."""

    value: str

    def __str__(self) -> str:
        return f'"{self.value}"'


@dataclass(frozen=True, slots=True)
class Structure:
    """A functor with arguments: ``bid(ag2, 4)``; without arguments a constant."""

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
"""Name of a variable ▶ its value, which may hold further variables of the same bindings."""

_PAIR = "[|]"
_NEGATED = "~"
EMPTY_LIST = Structure("[]")
TRUE, FALSE = Structure("true"), Structure("false")
MAX_NESTED, _MAX_PARTS = 100, 1000
_MAX_BITS = 1000
_EXACT = 2**53
TOO_LARGE = (
    f"is nested deeper than {MAX_NESTED}, has more than {_MAX_PARTS} parts, or contains a "
    f"number of more than {_MAX_BITS} bits"
)
"""What a term is told to do that has probably grown without end; a list nests as deep as it is
long."""


def constant(name: str) -> Structure:
    """A name without arguments."""
    return Structure(name)


def negation(structure: Structure) -> Structure:
    """``~p``, strongly negated: a functor of its own, since nothing is said of how it relates to
    ``p``."""
    return Structure(_NEGATED + structure.functor, structure.arguments)


def is_negated(structure: Structure) -> bool:
    """Whether a structure is strongly negated."""
    return structure.functor.startswith(_NEGATED)


def predicate(structure: Structure) -> str:
    """Name and arity, such as ``bid/2``: predicates with the same name and different arities are
    different."""
    return f"{structure.functor}/{len(structure.arguments)}"


def wildcard_atom(named: str) -> str:
    """A predicate by its name and arity as it is asked for: ``bid(_, _)`` for ``bid/2``."""
    functor, _, arity = named.rpartition("/")
    return f"{functor}({', '.join('_' * int(arity))})" if int(arity) else functor


def number(value: str | Number) -> Number:
    """The exact number that a literal or the result of a computation stands for; a whole one is an
    ``int``."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else exact


def list_of(items: Iterable[Term], tail: Term = EMPTY_LIST) -> Term:
    """``[a, b]``, or ``[a, b | tail]``."""
    for item in reversed(list(items)):
        tail = Structure(_PAIR, (item, tail))
    return tail


def list_items(term: Term) -> tuple[Term, ...] | None:
    """The items of a list, None if the term is not a list that is known to its end."""
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
    """The text of a term, as it is written in a program."""
    if isinstance(term, Fraction):
        decimal = format(float(term), "f").rstrip("0").rstrip(".") if abs(term) < _EXACT else ""
        return decimal if decimal and Fraction(decimal) == term else f"({term})"
    return str(term)


def variables(term: Term) -> Iterator[str]:
    """The names of a term's variables, from left to right, as often as they occur."""
    if isinstance(term, Variable):
        yield term.name
    elif isinstance(term, Structure):
        for each in term.arguments:
            yield from variables(each)


def is_ground(term: Term) -> bool:
    """Whether a term has no variables."""
    return next(variables(term), None) is None


def is_too_large(term: Term) -> bool:
    """Whether a term is larger than a system with finitely many states needs it: see
    :data:`TOO_LARGE`."""
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
    """Whether a number is larger or finer than a system with finitely many states needs it."""
    return (
        isinstance(term, Number)
        and max(abs(term.numerator), term.denominator).bit_length() > _MAX_BITS
    )


def substitute(term: Term, bindings: Bindings) -> Term:
    """The term with its bound variables replaced by their values, as deep as they are known."""
    if isinstance(term, Variable):
        return substitute(bindings[term.name], bindings) if term.name in bindings else term
    if isinstance(term, Structure) and term.arguments:
        return Structure(term.functor, tuple(substitute(each, bindings) for each in term.arguments))
    return term


def rename(term: Term, names: dict[str, str], prefix: str) -> Term:
    """The term with its variables called ``prefix1``, ``prefix2``, ...; ``names`` remembers who got
    which name.

    ``_`` stays as it is: each time it stands for something else.
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
    """The structure with each ``_`` in it called ``prefix1``, ``prefix2``, ..., from left to
    right."""
    numbers = count(1)

    def named(term: Term) -> Term:
        if isinstance(term, Structure) and term.arguments:
            return Structure(term.functor, tuple(map(named, term.arguments)))
        return Variable(f"{prefix}{next(numbers)}") if _is_anonymous(term) else term

    return Structure(structure.functor, tuple(map(named, structure.arguments)))


def matches(pattern: Term, term: Term) -> bool:
    """Whether a term is an instance of a pattern: variables of the pattern stand for anything,
    those of the term only for themselves.

    So ``find(_)`` matches a goal ``find(X)`` whose variable has no value yet, and ``find(3)`` does
    not.
    """
    return unify(pattern, _frozen(term), {}) is not None


def _frozen(term: Term) -> Term:
    if isinstance(term, Variable):
        return Structure(f"?{term.name}")
    if isinstance(term, Structure) and term.arguments:
        return Structure(term.functor, tuple(map(_frozen, term.arguments)))
    return term


def unify(left: Term, right: Term, bindings: Bindings) -> dict[str, Term] | None:
    """The bindings extended so that both terms become equal, None if that cannot be.

    The variable ``_`` agrees with everything and is never bound.  No variable becomes part of its
    own value.
    """
    extended = dict(bindings)
    return extended if _unify(left, right, extended) else None


def unifiable(one: Term, other: Term) -> bool:
    """Whether two terms have a common instance; their variables have nothing to do with each
    other."""
    if one == other:
        return True
    if isinstance(one, Structure) and isinstance(other, Structure):
        if one.functor != other.functor or len(one.arguments) != len(other.arguments):
            return False
        if is_ground(one) and is_ground(other):
            return False
    return unify(rename(one, {}, "?1."), rename(other, {}, "?2."), {}) is not None


def common_instance(one: Term, other: Term) -> Term | None:
    """What of a term is an instance of another term, too, None if nothing is: their variables are
    different ones.

    A ``_`` of the first stays as it is, whatever the other has in its place, so that this may be
    more than both have in common.
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
