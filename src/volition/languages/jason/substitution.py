"""Substitution of variables in terms by their values, and functions that find or rename the
variables of a term, or add or remove annotations of a literal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Protocol, TypeVar, cast

from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.jason import arithmetic
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.terms import (
    ANY_NAMESPACE,
    FALSE,
    TRUE,
    And,
    Arithmetic,
    Bindings,
    BracedTerm,
    Compare,
    List,
    Literal,
    Negative,
    Not,
    Or,
    Term,
    Variable,
    is_fixed,
)
from volition.languages.jason.traversal import map_tree

__all__ = [
    "MAX_NESTED",
    "FunctionEvaluator",
    "apply",
    "is_ground",
    "join_annotations",
    "renamed",
    "variables",
    "without_annotations",
]

T = TypeVar("T", bound=Term)

MAX_NESTED = 100
"""Maximum nesting depth of terms. A deeper term has probably grown without bound."""


class FunctionEvaluator(Protocol):
    """Evaluator of functions whose values depend on more than their arguments: ``.count(q)`` and
    registered functions, which depend on beliefs."""

    def evaluate(self, call: Literal) -> Term | None:
        """Return the value of a function, or None if it is undefined or unknown."""


def apply(term: Term, bindings: Bindings, knowledge: FunctionEvaluator | None = None) -> Term:
    """Return a term with its variables replaced by their values. Arithmetic and functions are
    evaluated if their arguments are known.

    Functions that depend on beliefs (``.count(q)``, registered functions) are evaluated only if
    ``knowledge`` is given. Raises BoundExceeded if the term is nested too deeply.
    """
    return _Instance(bindings, knowledge).of(term, 0)


class _Instance:
    """Substitution that replaces the variables in terms by their values in ``bindings``. With
    ``once``, variables inside these values are not replaced in turn."""

    __slots__ = ("bindings", "knowledge", "once")

    def __init__(
        self, bindings: Bindings, knowledge: FunctionEvaluator | None = None, *, once: bool = False
    ) -> None:
        self.bindings = bindings
        self.knowledge = knowledge
        self.once = once

    def of(self, term: Term, level: int) -> Term:
        if is_fixed(term):
            return term
        if level > MAX_NESTED:
            raise _too_deep()
        match term:
            case Variable():
                return self._variable(term, level)
            case Literal():
                return self._literal(term, level)
            case List():
                return self._list(term, level)
            case Arithmetic(operator, left, right):
                left, right = self.of(left, level + 1), self.of(right, level + 1)
                value = arithmetic.calculate(operator, left, right)
                return Arithmetic(operator, left, right) if value is None else value
            case Negative(operand):
                operand = self.of(operand, level + 1)
                return -operand if isinstance(operand, int | float) else Negative(operand)
            case Compare(relation, left, right):
                return Compare(relation, self.of(left, level + 1), self.of(right, level + 1))
            case Not(operand):
                return Not(self.of(operand, level + 1))
            case And() | Or():
                return self._connected(term, level)
            case BracedTerm(content):
                return BracedTerm(
                    map_tree(
                        content,
                        lambda part: self.of(part, level + 1) if isinstance(part, Term) else part,
                        before=True,
                    )
                )
            case _:
                pass
        return term

    def _all(self, terms: tuple[Term, ...], level: int) -> tuple[Term, ...]:
        """Return several terms with their variables replaced by values. If no term changes, return
        the same tuple; this is frequent, because most terms are ground. ``level`` is the nesting
        depth of the terms."""
        changed = tuple([self.of(each, level) for each in terms])
        return terms if all(map(_is_same, changed, terms)) else changed

    def _variable(self, variable: Variable, level: int) -> Term:
        value = self.bindings.get(variable.name)
        annotations = variable.annotations
        if annotations is not None:
            annotations = self.of(annotations, level + 1)
        if value is None:
            return (
                variable
                if annotations == variable.annotations
                else replace(variable, annotations=annotations)
            )
        value = value if self.once else self.of(value, level)
        own = None if variable.namespace == ANY_NAMESPACE else variable.namespace
        if isinstance(value, Literal):
            if variable.negated or own is not None:
                has_none = value in (TRUE, FALSE) or value.is_internal
                namespace = value.namespace if has_none else own or value.namespace
                value = replace(
                    value, negated=variable.negated or value.negated, namespace=namespace
                )
            if isinstance(annotations, List):
                value = join_annotations(value, annotations)
        elif isinstance(value, Variable) and (
            annotations is not None or variable.negated or own is not None
        ):
            joined = annotations if value.annotations is None else value.annotations
            namespace = own or value.namespace
            value = Variable(value.name, joined, variable.negated or value.negated, namespace)
        return value

    def _literal(self, literal: Literal, level: int) -> Term:
        if not literal.arguments and not literal.annotations and "." not in literal.functor:
            return literal
        arguments = self._all(literal.arguments, level + 1) if literal.arguments else ()
        annotations = literal.annotations
        if isinstance(annotations, List):
            annotations = _annotations(self._list(annotations, level + 1))
        elif annotations:
            several = self._all(annotations, level + 1)
            annotations = annotations if several is annotations else annotation_set(several)
        if arguments is not literal.arguments or annotations is not literal.annotations:
            literal = Literal(
                literal.functor, arguments, annotations, literal.negated, literal.namespace
            )
            if literal.depth > MAX_NESTED:
                raise _too_deep()
        if literal.is_internal:
            value = self._function(literal)
            return literal if value is None else value
        return literal

    def _function(self, call: Literal) -> Term | None:
        if (
            call.functor in arithmetic.FUNCTIONS
            and (value := arithmetic.call(call.functor, call.arguments)) is not None
        ):
            return value
        return None if self.knowledge is None else self.knowledge.evaluate(call)

    def _list(self, term: List, level: int) -> List:
        items = self._all(term.items, level + 1)
        tail = term.tail
        if tail is not None:
            tail = self.of(tail, level)
            if isinstance(tail, List):
                items, tail = items + tail.items, tail.tail
        whole = term if items is term.items and tail is term.tail else List(items, tail)
        if whole.depth > MAX_NESTED:
            raise _too_deep()
        return whole

    def _connected(self, term: Term, level: int) -> Term:
        """Return a chain of ``&`` or ``|`` with its variables replaced by values. The chain is
        processed iteratively, so that its length does not count as nesting depth."""
        chain: list[And | Or] = []
        while isinstance(term, And | Or):
            chain.append(term)
            term = term.right
        last = self.of(term, level + 1)
        for each in reversed(chain):
            last = type(each)(self.of(each.left, level + 1), last)
        return last


def _too_deep() -> BoundExceeded:
    return BoundExceeded(
        "JSN051",
        f"a term is nested more than {MAX_NESTED} levels deep",
        "a term that keeps growing leads to infinitely many states",
    )


def _is_same(one: Term, other: Term) -> bool:
    return one is other


def _annotations(known: List) -> tuple[Term, ...] | List:
    return (
        annotation_set(known.items)
        if known.tail is None
        else List(annotation_set(known.items), known.tail)
    )


def join_annotations(literal: Literal, more: List | Iterable[Term]) -> Literal:
    """Return the literal with the annotations ``more`` added to its own."""
    more = more if isinstance(more, List) else List(tuple(more))
    own = (
        literal.annotations if isinstance(literal.annotations, List) else List(literal.annotations)
    )
    tail = own.tail if more.tail is None else more.tail
    return replace(literal, annotations=_annotations(List(own.items + more.items, tail)))


def without_annotations(literal: Literal) -> Literal:
    """Return the literal without its annotations."""
    return (
        Literal(literal.functor, literal.arguments, (), literal.negated, literal.namespace)
        if literal.annotations
        else literal
    )


# --- variables of terms ---------------------------------------------------------------------------


def variables(term: Term) -> Iterator[str]:
    """Yield the names of a term's variables, from left to right, with repetitions."""
    waiting: list[Any] = [term]
    while waiting:
        each = waiting.pop()
        if is_fixed(each):
            continue
        if isinstance(each, Variable):
            yield each.name
            waiting.append(each.annotations)
        elif isinstance(each, Literal):
            waiting += (each.annotations, each.arguments)
        elif isinstance(each, tuple):
            waiting.extend(reversed(each))
        elif is_dataclass(each):
            waiting.extend(
                getattr(each, field.name)
                for field in reversed(fields(each))
                if field.name != "span"
            )


def is_ground(term: Term) -> bool:
    """Return whether a term has no variables."""
    return next(variables(term), None) is None


def renamed(term: T, names: Mapping[str, str]) -> T:
    """Return the term with its variables renamed as ``names`` maps them, all at the same time, so
    that names can be swapped."""
    found = (
        {old: Variable(names[old]) for old in variables(term) if old in names} if names else None
    )
    return cast(T, _Instance(found, once=True).of(term, 0)) if found else term
