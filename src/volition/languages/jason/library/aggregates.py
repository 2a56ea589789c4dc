"""Internal actions that collect the solutions of a query.

The query is asked with the bindings as they are, and what it binds is lost afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from volition.languages.jason.library.arguments import Action, gives, values_of
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.queries import ActionError, QueryContext, first_solution, solutions
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import FALSE, TRUE, Bindings, List, Literal, Term, Variable
from volition.languages.jason.unification import apply, unify

__all__ = ["COLLECTING", "instances"]

Arguments = tuple[Term, ...]


def instances(
    pattern: Term, query: Term, bindings: Bindings, knowledge: QueryContext
) -> list[Term]:
    """What a term stands for in each solution of a query, in order."""
    return [apply(pattern, found, knowledge) for found in solutions(query, bindings, knowledge)]


def findall(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """``.findall(T, query, L)``: all instances of T, in the order of the solutions."""
    pattern, query, result = _three(arguments)
    return gives(result, List(tuple(instances(pattern, query, bindings, knowledge))), bindings)


def setof(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """``.setof(T, query, L)``: sorted, each once."""
    pattern, query, result = _three(arguments)
    return gives(
        result, List(annotation_set(instances(pattern, query, bindings, knowledge))), bindings
    )


def _three(arguments: Arguments) -> tuple[Term, Term, Term]:
    if len(arguments) != 3:
        raise ActionError(f"takes 3 arguments, not {len(arguments)}")
    pattern, query, result = arguments
    return pattern, query, result


def count(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """``.count(query, N)``: the number of solutions."""
    if len(arguments) != 2:
        raise ActionError(f"takes 2 arguments, not {len(arguments)}")
    query, result = arguments
    return gives(result, sum(1 for _ in solutions(query, bindings, knowledge)), bindings)


def evaluate(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """``.eval(X, query)``: whether it has a solution, as ``true`` or ``false``."""
    if len(arguments) != 2:
        raise ActionError(f"takes 2 arguments, not {len(arguments)}")
    result, query = arguments
    return gives(
        result, FALSE if first_solution(query, bindings, knowledge) is None else TRUE, bindings
    )


def belief(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """``.belief(B)``: what is believed itself, without what follows by rules."""
    (pattern,) = values_of(arguments, bindings, knowledge, 1)
    if not isinstance(pattern, Literal | Variable):
        raise ActionError(f"{pattern} is no literal")
    for each in knowledge.candidates(pattern):
        if (
            not isinstance(each, BeliefRule)
            and (found := unify(pattern, each, bindings)) is not None
        ):
            yield found


COLLECTING: Mapping[str, Action] = {
    ".findall": findall,
    ".setof": setof,
    ".count": count,
    ".eval": evaluate,
    ".belief": belief,
}
