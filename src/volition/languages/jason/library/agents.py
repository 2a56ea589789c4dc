"""Internal actions about agent names, output, failure and annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from volition.languages.jason.library.arguments import Action, gives, values_of
from volition.languages.jason.queries import QueryContext
from volition.languages.jason.substitution import join_annotations
from volition.languages.jason.terms import Bindings, List, Literal, Term, atom

__all__ = ["AGENT_ACTIONS"]


def my_name(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.my_name(N)``: N is the name of the agent."""
    (result,) = values_of(arguments, bindings, knowledge, 1)
    return gives(result, atom(knowledge.agent), bindings)


def all_names(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.all_names(L)``: L is the list of the names of all agents, in the order of their
    declaration."""
    (result,) = values_of(arguments, bindings, knowledge, 1)
    return gives(result, List(tuple(map(atom, knowledge.agents))), bindings)


def nothing(
    arguments: tuple[Term, ...],  # noqa: ARG001
    bindings: Bindings,
    knowledge: QueryContext,  # noqa: ARG001
) -> Iterator[Bindings]:
    """Implement ``.print`` and similar actions in queries: succeed without effect."""
    yield bindings


def never(
    arguments: tuple[Term, ...],  # noqa: ARG001
    bindings: Bindings,  # noqa: ARG001
    knowledge: QueryContext,  # noqa: ARG001
) -> Iterator[Bindings]:
    """Implement ``.fail`` in queries: there is no solution."""
    return iter(())


def add_annot(
    arguments: tuple[Term, ...], bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.add_annot(B, A, R)``: R is the literal B with the annotation A added. If B is a
    list, A is added to each literal in it."""
    whole, annotation, result = values_of(arguments, bindings, knowledge, 3)
    return gives(result, _annotated(whole, annotation), bindings)


def _annotated(term: Term, annotation: Term) -> Term:
    if isinstance(term, List):
        return List(tuple(_annotated(each, annotation) for each in term.items), term.tail)
    return join_annotations(term, [annotation]) if isinstance(term, Literal) else term


AGENT_ACTIONS: Mapping[str, Action] = {
    ".my_name": my_name, ".all_names": all_names, ".add_annot": add_annot, ".fail": never,
    **dict.fromkeys((".print", ".println", ".printf", ".puts", ".log", ".list_plans"), nothing),
}  # fmt: skip
