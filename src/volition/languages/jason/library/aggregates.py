"""Internal actions that collect the solutions of a query, such as ``.findall`` and ``.count``.

The query is evaluated under the current bindings. The bindings of its solutions are discarded
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from volition.languages.jason.library.arguments import Action, gives, values_of
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.queries import ActionError, QueryContext, first_solution, solutions
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import FALSE, TRUE, Bindings, List, Literal, Term, Variable
from volition.languages.jason.unification import apply, unify

__all__ = ["AGGREGATES", "instances"]

Arguments = tuple[Term, ...]


def instances(
    pattern: Term, query: Term, bindings: Bindings, knowledge: QueryContext
) -> list[Term]:
    """Return the values of a term under the solutions of a query: one value for each solution, in
    the order of the solutions."""
    return [apply(pattern, found, knowledge) for found in solutions(query, bindings, knowledge)]


def findall(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.findall(T, query, L)``: L is the list of the values of T, one for each solution
    of the query, in the order of the solutions."""
    pattern, query, result = _three(arguments)
    return gives(result, List(tuple(instances(pattern, query, bindings, knowledge))), bindings)


def setof(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.setof(T, query, L)``: L is the list of the values of T under all solutions of
    the query, sorted and without duplicates."""
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
    """Implement ``.count(query, N)``: N is the number of solutions of the query."""
    if len(arguments) != 2:
        raise ActionError(f"takes 2 arguments, not {len(arguments)}")
    query, result = arguments
    return gives(result, sum(1 for _ in solutions(query, bindings, knowledge)), bindings)


def evaluate(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.eval(X, query)``: X is ``true`` if the query has a solution, otherwise
    ``false``."""
    if len(arguments) != 2:
        raise ActionError(f"takes 2 arguments, not {len(arguments)}")
    result, query = arguments
    return gives(
        result, FALSE if first_solution(query, bindings, knowledge) is None else TRUE, bindings
    )


def belief(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.belief(B)``: succeed for each stored belief that matches B. Beliefs that follow
    from rules do not count."""
    (pattern,) = values_of(arguments, bindings, knowledge, 1)
    if not isinstance(pattern, Literal | Variable):
        raise ActionError(f"{pattern} is not a literal")
    for each in knowledge.candidates(pattern):
        if (
            not isinstance(each, BeliefRule)
            and (found := unify(pattern, each, bindings)) is not None
        ):
            yield found


AGGREGATES: Mapping[str, Action] = {
    ".findall": findall,
    ".setof": setof,
    ".count": count,
    ".eval": evaluate,
    ".belief": belief,
}
