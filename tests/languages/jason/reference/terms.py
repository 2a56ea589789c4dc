"""Unification with annotations, substitution with arithmetic, and the standard order, as plainly as
they can be said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cmp_to_key, lru_cache
from itertools import count
from typing import Any

from volition.languages.jason.terms import (
    Arithmetic,
    List,
    Literal,
    Negative,
    Term,
    Text,
    Variable,
)

__all__ = [
    "Substitution",
    "Unspecified",
    "annotated",
    "applied",
    "changed",
    "compared",
    "free_variables",
    "fresh",
    "is_ground",
    "items_of",
    "renamed",
    "sources",
    "unified",
    "unifiers",
    "with_annotations",
]

Substitution = dict[str, Term]
_names = count(1)


class Unspecified(Exception):
    """The program does something of which the description of the language says nothing."""


def fresh() -> Variable:
    """A variable that is used nowhere else."""
    return Variable(f"~{next(_names)}")


# --- walking over terms and steps -----------------------------------------------------------------


def changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A term, a step or a tuple of them, with each of its direct parts changed."""
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        return tuple(change(each) for each in node)
    if isinstance(node, tuple):
        return type(node)(*(change(each) for each in node))
    if is_dataclass(node) and not isinstance(node, type):
        return replace(
            node, **{each.name: change(getattr(node, each.name)) for each in _parts(node)}
        )
    return node


def _parts(node: Any) -> list[Any]:
    """The fields that say what a node is."""
    return [each for each in fields(node) if each.compare and each.init]


@lru_cache(50_000)
def free_variables(node: Any) -> tuple[str, ...]:
    """The names of the variables of a term or step, in the order in which they first appear."""
    if isinstance(node, Variable):
        parts: tuple[Any, ...] = (node.annotations,)
        found = [node.name]
    elif isinstance(node, tuple):
        parts, found = node, []
    elif is_dataclass(node):
        parts, found = tuple(getattr(node, each.name) for each in _parts(node)), []
    else:
        return ()
    for part in parts:
        found += free_variables(part)
    return tuple(dict.fromkeys(found))


def is_ground(node: Any) -> bool:
    return not free_variables(node)


def renamed(node: Any, names: dict[str, Variable] | None = None) -> Any:
    """The node with fresh variables; the same ones for the same names."""
    names = {} if names is None else names
    for name in free_variables(node):
        names.setdefault(name, fresh())
    return applied(node, dict(names)) if names else node


# --- substitution ---------------------------------------------------------------------------------


def applied(node: Any, bindings: Substitution) -> Any:
    """The node with the values of its variables, and with arithmetic computed where its operands
    are known."""
    return (
        _applied(node, bindings)
        if any(name in bindings for name in free_variables(node))
        else _evaluated(node)
    )


@lru_cache(50_000)
def _evaluated(node: Any) -> Any:
    return _applied(node, {})


def _applied(node: Any, bindings: Substitution) -> Any:
    match node:
        case Variable(name, annotations, negated, _):
            if name not in bindings:
                return (
                    node
                    if annotations is None
                    else replace(node, annotations=applied(annotations, bindings))
                )
            value = applied(bindings[name], bindings)
            if isinstance(value, Variable):
                if annotations is not None and value.annotations is not None:
                    raise Unspecified("a variable with annotations for another one")
                return (
                    value
                    if annotations is None
                    else replace(value, annotations=applied(annotations, bindings), negated=negated)
                )
            if annotations is None and not negated:
                return value
            if not isinstance(value, Literal):
                raise Unspecified(f"annotations for {value}")
            more = () if annotations is None else items_of(applied(annotations, bindings))
            return annotated(replace(value, negated=value.negated != negated), *more)
        case Literal():
            literal = changed(
                node,
                lambda each: (
                    applied(each, bindings)
                    if not isinstance(each, str | bool | type(None))
                    else each
                ),
            )
            if not isinstance(literal.annotations, List):
                literal = with_annotations(literal, literal.annotations)
            elif literal.annotations.tail is None:
                literal = with_annotations(literal, literal.annotations.items)
            return function_value(literal) if literal.is_internal else literal
        case List(items, tail):
            items = tuple(applied(each, bindings) for each in items)
            tail = None if tail is None else applied(tail, bindings)
            return (
                List((*items, *tail.items), tail.tail)
                if isinstance(tail, List)
                else List(items, tail)
            )
        case Arithmetic(operator, left, right):
            left, right = applied(left, bindings), applied(right, bindings)
            if isinstance(left, int | float) and isinstance(right, int | float):
                return computed(operator, left, right)
            return Arithmetic(operator, left, right)
        case Negative(operand):
            value = applied(operand, bindings)
            return -value if isinstance(value, int | float) else Negative(value)
    if isinstance(node, str | int | float | bool | type(None) | Text):
        return node
    return changed(node, lambda each: applied(each, bindings))


def whole(value: float) -> int | float:
    return int(value) if value == int(value) else value


def computed(operator: str, left: float, right: float) -> int | float:
    """Doubles throughout."""
    if right == 0 and operator in ("/", "div", "mod"):
        raise Unspecified("division by nought")
    match operator:
        case "+":
            return whole(left + right)
        case "-":
            return whole(left - right)
        case "*":
            return whole(left * right)
        case "/":
            return whole(left / right)
        case "div":
            return whole(int(int(left) / int(right)))
        case "mod":
            return whole(math.fmod(left, right))
    return whole(float(left) ** right)


def function_value(literal: Literal) -> Term:
    """Functions of numbers and lists, where their arguments are known."""
    arguments = literal.arguments
    if (
        literal.functor == ".length"
        and len(arguments) == 1
        and isinstance(arguments[0], List)
        and arguments[0].tail is None
    ):
        return len(arguments[0].items)
    if literal.functor.startswith("math.") and all(
        isinstance(each, int | float) for each in arguments
    ):
        functions: dict[str, Callable[..., Any]] = {
            "math.abs": abs,
            "math.max": max,
            "math.min": min,
            "math.floor": math.floor,
        }
        return whole(functions[literal.functor](*arguments))
    return literal


# --- annotations ----------------------------------------------------------------------------------


def items_of(annotations: Any) -> tuple[Term, ...]:
    if isinstance(annotations, List):
        if annotations.tail is not None:
            raise Unspecified("annotations that are not known to their end")
        return annotations.items
    return tuple(annotations)


def with_annotations(literal: Literal, annotations: tuple[Term, ...]) -> Literal:
    """With exactly these: a sorted set."""
    unique: list[Term] = []
    for each in sorted(annotations, key=cmp_to_key(compared)):
        if each not in unique:
            unique.append(each)
    return replace(literal, annotations=tuple(unique))


def annotated(literal: Literal, *more: Term) -> Literal:
    return with_annotations(literal, (*items_of(literal.annotations), *more))


def sources(literal: Literal) -> list[Term]:
    return [
        each
        for each in items_of(literal.annotations)
        if isinstance(each, Literal) and (each.functor, len(each.arguments)) == ("source", 1)
    ]


# --- the standard order ---------------------------------------------------------------------------


def compared(left: Term, right: Term) -> int:
    """Numbers < strings and lists < atoms and structures < variables."""

    def rank(term: Term) -> int:
        return (
            0
            if isinstance(term, int | float)
            else 1
            if isinstance(term, Text | List)
            else 3
            if isinstance(term, Variable)
            else 2
        )

    def sign(left: Any, right: Any) -> int:
        return int(left > right) - int(left < right)

    if rank(left) != rank(right):
        return sign(rank(left), rank(right))
    match left, right:
        case Text(mine), Text(yours):
            return sign(mine, yours)
        case List(mine, _), List(yours, _):
            return next(
                (found for a, b in zip(mine, yours, strict=False) if (found := compared(a, b))),
                sign(len(mine), len(yours)),
            )
        case Literal(), Literal():
            if found := sign(left.functor, right.functor) or sign(left.negated, right.negated):
                return found
            pairs = [*zip(left.arguments, right.arguments, strict=False)]
            if found := next(
                (found for a, b in pairs if (found := compared(a, b))),
                sign(len(left.arguments), len(right.arguments)),
            ):
                return found
            return compared(List(items_of(left.annotations)), List(items_of(right.annotations)))
        case Variable(), Variable():
            return sign(left.name, right.name)
    if rank(left) == 0:
        return sign(left, right)
    if rank(left) == 1:
        raise Unspecified("strings and lists against each other")
    return sign(str(left), str(right))


# --- unification ----------------------------------------------------------------------------------


def unified(left: Term, right: Term, bindings: Substitution) -> Substitution | None:
    """The first unifier."""
    return next(unifiers(left, right, bindings), None)


def unifiers(left: Term, right: Term, bindings: Substitution) -> Iterator[Substitution]:
    """All unifiers: several only where annotations of the left match several ones of the right."""
    left, right = applied(left, bindings), applied(right, bindings)
    if isinstance(left, Variable):
        yield from _for_variable(left, right, bindings, is_left=True)
    elif isinstance(right, Variable):
        yield from _for_variable(right, left, bindings, is_left=False)
    elif isinstance(left, Literal) and isinstance(right, Literal):
        heads = [
            (each.functor, len(each.arguments), each.negated, each.namespace)
            for each in (left, right)
        ]
        if heads[0] == heads[1]:
            for found in _each(left.arguments, right.arguments, bindings):
                yield from _subset(left.annotations, right.annotations, found)
    elif isinstance(left, List) and isinstance(right, List):
        yield from _lists(left, right, bindings)
    elif isinstance(left, Arithmetic | Negative) or isinstance(right, Arithmetic | Negative):
        if not isinstance(left, int | float) and not isinstance(right, int | float):
            raise Unspecified(f"{left} = {right}")
    elif isinstance(left, int | float | Text) and left == right:
        yield bindings
    elif not isinstance(left, int | float | Text | Literal | List):
        raise Unspecified(f"{left} = {right}")


def _for_variable(
    variable: Variable, other: Term, bindings: Substitution, *, is_left: bool
) -> Iterator[Substitution]:
    """``X[annotations]`` gets the literal without annotations."""
    if variable.negated:
        raise Unspecified("a negated variable without a value")
    if variable.annotations is not None:
        if not isinstance(other, Literal):
            raise Unspecified("a variable with annotations for something else")
        mine, yours = (
            (variable.annotations, other.annotations)
            if is_left
            else (other.annotations, variable.annotations)
        )
        for found in _subset(mine, yours, bindings):
            yield {**found, variable.name: replace(other, annotations=())}
    elif variable == other:
        yield bindings
    elif variable.name not in free_variables(other):
        yield {**bindings, variable.name: other}


def _each(
    left: tuple[Term, ...], right: tuple[Term, ...], bindings: Substitution
) -> Iterator[Substitution]:
    if not left:
        yield bindings
        return
    for found in unifiers(left[0], right[0], bindings):
        yield from _each(left[1:], right[1:], found)


def _lists(left: List, right: List, bindings: Substitution) -> Iterator[Substitution]:
    if left.items and right.items:
        for found in unifiers(left.items[0], right.items[0], bindings):
            yield from unifiers(
                List(left.items[1:], left.tail), List(right.items[1:], right.tail), found
            )
    elif left.tail is not None and not left.items:
        yield from unifiers(left.tail, right, bindings)
    elif right.tail is not None and not right.items:
        yield from unifiers(left, right.tail, bindings)
    elif not left.items and not right.items:
        yield bindings


def _subset(left: Any, right: Any, bindings: Substitution) -> Iterator[Substitution]:
    """Every annotation of the left unifies with a different one of the right; a tail of the left
    takes the rest."""
    tail = left.tail if isinstance(left, List) else None
    mine = left.items if isinstance(left, List) else left
    yours = items_of(right)
    if not mine:
        if tail is None:
            yield bindings
        else:
            yield from unifiers(tail, List(yours), bindings)
        return
    for index, each in enumerate(yours):
        for found in unifiers(mine[0], each, bindings):
            yield from _subset(List(mine[1:], tail), (*yours[:index], *yours[index + 1 :]), found)
