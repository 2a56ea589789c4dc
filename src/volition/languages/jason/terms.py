"""Jason's terms: what agents believe, say and compute with, and the formulas that stand where terms
do.

A formula may be an argument (``.findall(X, p(X) & not q(X), L)``), so formulas are terms here:
:class:`And`, :class:`Or`, :class:`Not` and :class:`Compare` over literals, variables and internal
actions.  All terms are hashable, so they can be parts of a state; none knows where it was written.

Numbers are doubles in Jason: an ``int`` here where they are whole, else a ``float``.  Strings and
namespaces are as written.

>>> str(Literal("bid", (Literal("ag2"), 4), (Literal("source", (Literal("self"),)),)))
'bid(ag2,4)[source(self)]'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from typing import Literal as OneOf

from volition.languages.world.terms import Text

if TYPE_CHECKING:
    from volition.languages.jason.syntax import BeliefRule, Body, Plan, Trigger

__all__ = [
    "ANY_NAMESPACE",
    "FALSE",
    "PERCEPT",
    "SELF",
    "TRUE",
    "And",
    "Arithmetic",
    "Bindings",
    "BracedTerm",
    "Compare",
    "List",
    "Literal",
    "Negative",
    "Not",
    "Number",
    "Or",
    "Relation",
    "Term",
    "Text",
    "Variable",
    "atom",
    "indicator",
    "is_fixed",
    "source",
]

Number = int | float
Relation = OneOf["<", "<=", ">", ">=", "==", "\\==", "=", "=.."]
Operator = OneOf["+", "-", "*", "/", "div", "mod", "**"]


ANY_NAMESPACE = "*"
"""The namespace of a variable that stands for what is in any: in the plans for messages."""


@dataclass(frozen=True, slots=True)
class Variable:
    """``X``, ``~X`` or ``X[annotations]``.

    Each ``_`` and each ``_name`` is read as a variable of its own, called ``_`` and a number that
    its file does not use otherwise.
    """

    name: str
    annotations: Term | None = None
    negated: bool = False
    namespace: str | None = None

    def __str__(self) -> str:
        return f"{_prefix(self.namespace, self.negated)}{self.name}{'' if self.annotations is None else self.annotations}"  # noqa: E501


@dataclass(frozen=True, slots=True)
class List:
    """``[a, b | Tail]``; a list that is known to its end has no tail.  A tail is a variable: lists
    in its place are joined."""

    items: tuple[Term, ...] = ()
    tail: Term | None = None
    depth: int = field(init=False, repr=False, compare=False)
    """How deep it is nested if it is fixed, see :func:`is_fixed`, 0 otherwise."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _depth(self.items) if self.tail is None else 0)

    def __str__(self) -> str:
        return f"[{','.join(map(str, self.items))}{'' if self.tail is None else f'|{self.tail}'}]"


@dataclass(frozen=True, slots=True)
class Literal:
    """``~p(t1, .., tn)[a1, .., am]``: a belief, a goal, an action, a structure or an atom inside of
    a term.

    A functor with a dot is an internal action or a function.  Annotations that are known are a
    tuple, sorted and without doubles; with a tail (``p[a|T]``), as only programs have it, they are
    a :class:`List`.
    """

    functor: str
    arguments: tuple[Term, ...] = ()
    annotations: tuple[Term, ...] | List = ()
    negated: bool = False
    namespace: str | None = None
    depth: int = field(init=False, repr=False, compare=False)
    """How deep it is nested if it is fixed, see :func:`is_fixed`, 0 otherwise."""

    def __post_init__(self) -> None:
        is_open = "." in self.functor or isinstance(self.annotations, List)
        object.__setattr__(
            self,
            "depth",
            0 if is_open else _depth(self.arguments + self.annotations),  # type: ignore[operator]
        )

    def __str__(self) -> str:
        arguments = f"({','.join(map(str, self.arguments))})" if self.arguments else ""
        if isinstance(self.annotations, List):
            annotations = str(self.annotations)
        else:
            annotations = f"[{','.join(map(str, self.annotations))}]" if self.annotations else ""
        return f"{_prefix(self.namespace, self.negated)}{self.functor}{arguments}{annotations}"

    @property
    def known_annotations(self) -> tuple[Term, ...]:
        """Its annotations without the tail."""
        return self.annotations.items if isinstance(self.annotations, List) else self.annotations

    @property
    def is_internal(self) -> bool:
        """Whether it is an internal action, or a function: of the standard library if the dot comes
        first."""
        return "." in self.functor and not self.functor.startswith("'")


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``left operator right``, evaluated wherever the term is instantiated and its variables have
    values."""

    operator: Operator
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} {self.operator} {self.right})"


@dataclass(frozen=True, slots=True)
class Negative:
    """``- term``."""

    operand: Term

    def __str__(self) -> str:
        return f"-{self.operand}"


@dataclass(frozen=True, slots=True)
class Compare:
    """A relation between two terms."""

    relation: Relation
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True, slots=True)
class Not:
    """``not formula``: it cannot be proved."""

    operand: Term

    def __str__(self) -> str:
        return f"not ({self.operand})"


@dataclass(frozen=True, slots=True)
class And:
    """``left & right``."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} & {self.right})"


@dataclass(frozen=True, slots=True)
class Or:
    """``left | right``."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} | {self.right})"


@dataclass(frozen=True, slots=True)
class BracedTerm:
    """What stands in braces as a term: a body, a trigger, a plan, a rule, or nothing at all (an
    empty body)."""

    content: Body | Trigger | Plan | BeliefRule

    def __str__(self) -> str:
        inside = (
            "; ".join(map(str, self.content))
            if isinstance(self.content, tuple)
            else str(self.content)
        )
        return f"{{{inside}}}"


Term = (
    int
    | float
    | Variable
    | Text
    | List
    | Literal
    | Arithmetic
    | Negative
    | Compare
    | Not
    | And
    | Or
    | BracedTerm
)
Bindings = Mapping[str, Term]
"""Name of a variable ▶ its value, which may hold further variables of the same bindings."""


def is_fixed(term: Term) -> bool:
    """Whether a term is the same under all bindings: it has no variables, and nothing in it is
    evaluated."""
    kind = type(term)
    if kind is Literal or kind is List:
        return term.depth > 0  # type: ignore[union-attr]
    return kind is int or kind is float or kind is Text


def _depth(inner: tuple[Term, ...]) -> int:
    """How deep a term with these parts is nested; 0 if one of them is not fixed."""
    deepest = 0
    for each in inner:
        kind = type(each)
        if kind is Literal or kind is List:
            depth = each.depth  # type: ignore[union-attr]
            if not depth:
                return 0
            if depth > deepest:
                deepest = depth
        elif kind is not int and kind is not float and kind is not Text:
            return 0
    return deepest + 1


def atom(name: str) -> Literal:
    """A name without arguments."""
    return Literal(name)


def source(name: str) -> Literal:
    """The annotation that says who something comes from."""
    return Literal("source", (Literal(name),))


TRUE, FALSE = atom("true"), atom("false")
SELF, PERCEPT = source("self"), source("percept")


def indicator(literal: Literal) -> str:
    """Name and arity, with its sign and namespace: ``~locked/1``. Literals with different ones
    never unify."""
    return (
        f"{_prefix(literal.namespace, literal.negated)}{literal.functor}/{len(literal.arguments)}"
    )


def _prefix(namespace: str | None, negated: bool) -> str:
    return f"{'' if namespace is None else f'{namespace}::'}{'~' if negated else ''}"
