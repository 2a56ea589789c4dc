"""Terms of Jason: the values in beliefs, messages and expressions.

Formulas are terms too, because they can be arguments (``.findall(X, p(X) & not q(X), L)``):
:class:`And`, :class:`Or`, :class:`Not` and :class:`Compare` over literals, variables and internal
actions. All terms are hashable, so that they can be parts of a state. Terms have no source
positions.

Numbers are doubles in Jason. They are stored as ``int`` if they are integral, otherwise as
``float``. Strings and namespaces are stored as written.

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
"""Namespace of variables that match literals of all namespaces. The default plans for messages use
it."""


@dataclass(frozen=True, slots=True)
class Variable:
    """Variable ``X``, ``~X`` or ``X[annotations]``.

    Each ``_`` and each ``_name`` is parsed as a new variable, named ``_`` and a number that is not
    otherwise used in the file.
    """

    name: str
    annotations: Term | None = None
    negated: bool = False
    namespace: str | None = None

    def __str__(self) -> str:
        return f"{_prefix(self.namespace, self.negated)}{self.name}{'' if self.annotations is None else self.annotations}"  # noqa: E501


@dataclass(frozen=True, slots=True)
class List:
    """List ``[a, b | Tail]``. A closed list has no tail. A tail is a variable; when it is bound to
    a list, the items of that list are appended."""

    items: tuple[Term, ...] = ()
    tail: Term | None = None
    depth: int = field(init=False, repr=False, compare=False)
    """Nesting depth of the list if it is fixed (see :func:`is_fixed`), otherwise 0."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _depth(self.items) if self.tail is None else 0)

    def __str__(self) -> str:
        return f"[{','.join(map(str, self.items))}{'' if self.tail is None else f'|{self.tail}'}]"


@dataclass(frozen=True, slots=True)
class Literal:
    """Literal ``~p(t1, .., tn)[a1, .., am]``: a belief, a goal, an action, or a structure or atom
    inside a term.

    A functor with a dot is an internal action or a function. Annotations are a sorted tuple without
    duplicates. With a tail (``p[a|T]``), which occurs only in programs, they are a :class:`List`.
    """

    functor: str
    arguments: tuple[Term, ...] = ()
    annotations: tuple[Term, ...] | List = ()
    negated: bool = False
    namespace: str | None = None
    depth: int = field(init=False, repr=False, compare=False)
    """Nesting depth of the literal if it is fixed (see :func:`is_fixed`), otherwise 0."""

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
        """Annotations of the literal, without the tail T of ``p[a|T]``."""
        return self.annotations.items if isinstance(self.annotations, List) else self.annotations

    @property
    def is_internal(self) -> bool:
        """Whether the literal is an internal action or a function: its functor contains a dot.
        Names of the standard library begin with the dot."""
        return "." in self.functor and not self.functor.startswith("'")


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Arithmetic expression ``left operator right``. It is evaluated when the variables of a term
    are replaced by their values."""

    operator: Operator
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} {self.operator} {self.right})"


@dataclass(frozen=True, slots=True)
class Negative:
    """Arithmetic negation ``- term``."""

    operand: Term

    def __str__(self) -> str:
        return f"-{self.operand}"


@dataclass(frozen=True, slots=True)
class Compare:
    """Relation between two terms, such as ``X < 2``."""

    relation: Relation
    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True, slots=True)
class Not:
    """Negation as failure: ``not formula``."""

    operand: Term

    def __str__(self) -> str:
        return f"not ({self.operand})"


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction ``left & right``."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} & {self.right})"


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction ``left | right``."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return f"({self.left} | {self.right})"


@dataclass(frozen=True, slots=True)
class BracedTerm:
    """Term in braces: a plan body, which may be empty, a trigger, a plan or a rule."""

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
"""Map from the name of a variable to its value. The value may contain variables that are bound in
the same map."""


def is_fixed(term: Term) -> bool:
    """Return whether a term is the same under all bindings: it has no variables, and no part of it
    is evaluated."""
    kind = type(term)
    if kind is Literal or kind is List:
        return term.depth > 0  # type: ignore[union-attr]
    return kind is int or kind is float or kind is Text


def _depth(inner: tuple[Term, ...]) -> int:
    """Return the nesting depth of a term with the subterms ``inner``, or 0 if a subterm is not
    fixed (see :func:`is_fixed`)."""
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
    """Return a literal without arguments."""
    return Literal(name)


def source(name: str) -> Literal:
    """Return the annotation ``source(name)``."""
    return Literal("source", (Literal(name),))


TRUE, FALSE = atom("true"), atom("false")
SELF, PERCEPT = source("self"), source("percept")


def indicator(literal: Literal) -> str:
    """Return the name and arity of a literal, with sign and namespace, such as ``~locked/1``.
    Literals with different indicators never unify."""
    return (
        f"{_prefix(literal.namespace, literal.negated)}{literal.functor}/{len(literal.arguments)}"
    )


def _prefix(namespace: str | None, negated: bool) -> str:
    return f"{'' if namespace is None else f'{namespace}::'}{'~' if negated else ''}"
