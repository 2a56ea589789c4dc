"""State predicates for the modalities ``Bel``, ``Des`` and ``Int`` of one agent.

A variable in an atom, ``_`` too, matches anything: ``Int(bob, go(_))``. The annotations of an atom
must be a subset of those of the literal that it is compared with. ``Does`` is about the last step
and is implemented in :mod:`.observation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from volition.kernel.system import SlotView
from volition.languages.jason.agent_state import AgentContext, AgentState
from volition.languages.jason.queries import first_solution
from volition.languages.jason.query_context import AgentQueryContext
from volition.languages.jason.state import Event, Intention
from volition.languages.jason.terms import Literal, Term
from volition.languages.jason.unification import apply, unify, variables

__all__ = ["ATOMS", "Predicate", "believes", "desires", "intends", "intentions_of"]

Predicate = Callable[[SlotView], bool]


def believes(agent: AgentContext, query: Term) -> Predicate:
    """Return the state predicate of ``Bel``: the query follows from the agent's beliefs and rules,
    as in a context condition."""
    return lambda state: (
        first_solution(query, {}, AgentQueryContext(AgentState(agent, state))) is not None
    )


def desires(agent: AgentContext, pattern: Term) -> Predicate:
    """Return the state predicate of ``Des(agent, g)``: an event ``+!g`` is pending or suspended, or
    g is intended."""
    intended = intends(agent, pattern)

    def desired(state: SlotView) -> bool:
        return any(
            _is_goal(each) and _matches_pattern(pattern, each.literal)
            for each in _events(AgentState(agent, state))
        ) or intended(state)

    return desired


def intends(agent: AgentContext, pattern: Term) -> Predicate:
    """Return the state predicate of ``Int(agent, g)``: the stack of some intention contains a goal
    ``+!g``. The intention may be running, waiting or suspended."""

    def intended(state: SlotView) -> bool:
        means = (
            each
            for intention in intentions_of(AgentState(agent, state))
            for each in intention.stack
        )
        return any(
            (each.operator, each.kind) == ("+", "achieve")
            and _matches_pattern(pattern, each.literal)
            for each in means
        )

    return intended


def intentions_of(mind: AgentState) -> Iterator[Intention]:
    """Yield all intentions of an agent: running (I), waiting (PA and PI), due to resume, and those
    attached to pending or suspended events (E and PE)."""
    yield from mind.running
    yield from mind.acting
    yield from (each.intention for each in (*mind.waiting, *mind.due) if each.intention is not None)
    yield from (each.intention for each in _events(mind) if each.intention is not None)


def _events(mind: AgentState) -> tuple[Event, ...]:
    return (*mind.events, *mind.shelved)


def _is_goal(event: Event) -> bool:
    return (event.operator, event.kind) == ("+", "achieve")


def _matches_pattern(pattern: Term, literal: Literal) -> bool:
    """Return whether a literal is an instance of a pattern. Unbound variables of the literal are
    treated as constants, so they match only variables of the pattern."""
    unknown = {name: Literal(f"?{name}") for name in variables(literal)}
    return unify(pattern, apply(literal, unknown) if unknown else literal, {}) is not None


ATOMS: dict[str, Callable[[AgentContext, Term], Predicate]] = {
    "Bel": believes,
    "Des": desires,
    "Int": intends,
}
