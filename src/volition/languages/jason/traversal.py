"""Traversal of the syntax trees of programs: subterms of terms, steps of plan bodies, and the
content of braces in both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, assert_never, cast

from volition.diagnostics import Span
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    BeliefRule,
    Body,
    Constraint,
    For,
    Fork,
    If,
    InternalAction,
    Plan,
    RemoveBelief,
    ReplaceBelief,
    Step,
    Test,
    Trigger,
    VariableStep,
    While,
)
from volition.languages.jason.terms import (
    And,
    Arithmetic,
    BracedTerm,
    Compare,
    List,
    Literal,
    Negative,
    Not,
    Or,
    Term,
    Variable,
)

__all__ = [
    "QUERY_ARGUMENTS",
    "all_steps",
    "atoms_of",
    "blocks_in",
    "contexts_in",
    "map_tree",
    "proved_literals",
    "steps_in",
    "subterms",
    "terms_of",
    "variables_in",
]

T = TypeVar("T")


def subterms(term: Term) -> Iterator[Term]:
    """Yield a term and all its subterms, from left to right. The content of braces is not
    traversed."""
    waiting: list[Term] = [term]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(list(_inner(part)))


def _inner(term: Term) -> Iterator[Term]:
    match term:
        case Literal(_, arguments, annotations):
            yield from arguments
            if isinstance(annotations, List):
                yield annotations
            else:
                yield from annotations
        case Variable(_, annotations):
            if annotations is not None:
                yield annotations
        case List(items, tail):
            yield from items
            if tail is not None:
                yield tail
        case (
            Arithmetic(_, left, right)
            | Compare(_, left, right)
            | And(left, right)
            | Or(left, right)
        ):
            yield left
            yield right
        case Not(operand) | Negative(operand):
            yield operand
        case _:
            pass


def variables_in(term: Term) -> Iterator[str]:
    """Return the names of a term's variables, from left to right, with repetitions. Variables in
    braces are not included."""
    return (part.name for part in subterms(term) if isinstance(part, Variable))


def map_tree(node: T, change: Callable[[Any], Any], *, before: bool = False) -> T:
    """Return a syntax tree in which each node is replaced by the result of ``change``, bottom up.
    With ``before``, ``change`` is applied top down, and the inside of a node that it has changed is
    not traversed."""
    changed: Any = change(node) if before else node
    if before and changed is not node:
        return cast(T, changed)
    if isinstance(changed, tuple):
        changed = tuple(map_tree(each, change, before=before) for each in changed)
    elif is_dataclass(changed) and not isinstance(changed, type):
        inside = {
            each.name: getattr(changed, each.name)
            for each in fields(changed)
            if each.init and each.name != "span"
        }
        changed = replace(
            changed,
            **{name: map_tree(value, change, before=before) for name, value in inside.items()},
        )
    return cast(T, changed if before else change(changed))


def blocks_in(term: Term) -> Iterator[Body | Trigger | Plan | BeliefRule]:
    """Return the contents of all braces in a term."""
    return (part.content for part in subterms(term) if isinstance(part, BracedTerm))


def terms_of(step: Step) -> tuple[Term, ...]:
    """Return the terms and formulas of a step, without those of the steps nested inside it."""
    match step:
        case (
            Act(term)
            | InternalAction(term)
            | Achieve(term)
            | Test(term)
            | AddBelief(term)
            | RemoveBelief(term)
            | ReplaceBelief(term)
        ):
            return (term,)
        case Constraint(term) | If(term) | For(term) | While(term) | VariableStep(term):
            return (term,)
        case Fork():
            return ()
        case _:
            assert_never(step)


def steps_in(body: Body) -> Iterator[Step]:
    """Yield all steps of a plan body, including those nested in other steps, in source order."""
    waiting = list(reversed(body))
    while waiting:
        step = waiting.pop()
        yield step
        match step:
            case If(_, then, otherwise):
                inner = (*then, *otherwise)
            case For(_, inside) | While(_, inside):
                inner = inside
            case Fork(_, branches):
                inner = tuple(each for branch in branches for each in branch)
            case (
                Act()
                | InternalAction()
                | Achieve()
                | Test()
                | AddBelief()
                | RemoveBelief()
                | ReplaceBelief()
                | Constraint()
                | VariableStep()
            ):
                inner = ()
            case _:
                assert_never(step)
        waiting += reversed(inner)


def all_steps(plan: Plan) -> Iterator[Step]:
    """Yield all steps that occur in a plan, including those in braces inside terms."""
    waiting: list[Body] = [plan.body]
    waiting += [content for content in blocks_in(plan.context) if isinstance(content, tuple)]
    while waiting:
        for step in steps_in(waiting.pop()):
            yield step
            for content in (content for term in terms_of(step) for content in blocks_in(term)):
                if isinstance(content, tuple):
                    waiting.append(content)
                elif isinstance(content, Plan):
                    waiting.append(content.body)


def contexts_in(plan: Plan) -> Iterator[tuple[Term, Span]]:
    """Yield the formulas of a plan that are evaluated as queries, each with its span: the context
    first, then those of test goals, constraints, conditionals and loops."""
    trigger = plan.trigger.span
    yield (
        plan.context,
        plan.span
        if trigger.source is not plan.span.source
        else trigger.source.span(trigger.end, plan.span.end),
    )
    for step in all_steps(plan):
        match step:
            case Test(query) | Constraint(query) | If(query) | For(query) | While(query):
                yield query, step.span
            case (
                Act()
                | InternalAction()
                | Achieve()
                | AddBelief()
                | RemoveBelief()
                | ReplaceBelief()
                | Fork()
                | VariableStep()
            ):
                pass
            case _:
                assert_never(step)


QUERY_ARGUMENTS = {".findall": 1, ".count": 0, ".setof": 1}
"""Map from the name of an internal action that takes a query as an argument to the index of that
argument."""


def atoms_of(query: Term) -> Iterator[Term]:
    """Yield the atomic parts of a formula from left to right: the operands of ``&``, ``|`` and
    ``not`` that are not such formulas themselves."""
    waiting = [query]
    while waiting:
        match waiting.pop():
            case And(left, right) | Or(left, right):
                waiting += [right, left]
            case Not(operand):
                waiting.append(operand)
            case atom:
                yield atom


def proved_literals(query: Term) -> Iterator[Literal]:
    """Yield the literals that have to be proved when a formula is evaluated, including those in
    queries that are arguments of internal actions."""
    for literal in atoms_of(query):
        if isinstance(literal, Literal):
            yield literal
            index = QUERY_ARGUMENTS.get(literal.functor)
            if index is not None and index < len(literal.arguments):
                yield from proved_literals(literal.arguments[index])
