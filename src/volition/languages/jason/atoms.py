"""``Bel``, ``Des`` and ``Int`` of one agent, answered from its state; ``Does`` is remembered, see
:mod:`.observation`.

Each function gives the traced predicate of an atom.  A variable in an atom matches anything, ``_``
too: ``Int(bob, go(_))``.  Annotations in it must be among those of what it is compared with.
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
    """What follows from beliefs and rules, as a context would find it."""
    return lambda state: (
        first_solution(query, {}, AgentQueryContext(AgentState(agent, state))) is not None
    )


def desires(agent: AgentContext, pattern: Term) -> Predicate:
    """An event ``+!g`` that waits for a plan, also one that ``.suspend`` has put away; or what is
    intended."""
    intended = intends(agent, pattern)

    def desired(state: SlotView) -> bool:
        return any(
            _is_goal(each) and _fits(pattern, each.literal)
            for each in _events(AgentState(agent, state))
        ) or intended(state)

    return desired


def intends(agent: AgentContext, pattern: Term) -> Predicate:
    """A goal ``+!g`` anywhere in the stack of an intention, which may run, wait, or be
    suspended."""

    def intended(state: SlotView) -> bool:
        means = (
            each
            for intention in intentions_of(AgentState(agent, state))
            for each in intention.stack
        )
        return any(
            (each.operator, each.kind) == ("+", "achieve") and _fits(pattern, each.literal)
            for each in means
        )

    return intended


def intentions_of(mind: AgentState) -> Iterator[Intention]:
    """All intentions of an agent, wherever they are: in I, PA, PI, due now, or with an event in E
    or PE."""
    yield from mind.running
    yield from mind.acting
    yield from (each.intention for each in (*mind.waiting, *mind.due) if each.intention is not None)
    yield from (each.intention for each in _events(mind) if each.intention is not None)


def _events(mind: AgentState) -> tuple[Event, ...]:
    return (*mind.events, *mind.shelved)


def _is_goal(event: Event) -> bool:
    return (event.operator, event.kind) == ("+", "achieve")


def _fits(pattern: Term, literal: Literal) -> bool:
    """Whether a literal is an instance of a pattern: its own variables, which have no value yet,
    stand only for themselves."""
    unknown = {name: Literal(f"?{name}") for name in variables(literal)}
    return unify(pattern, apply(literal, unknown) if unknown else literal, {}) is not None


ATOMS: dict[str, Callable[[AgentContext, Term], Predicate]] = {
    "Bel": believes,
    "Des": desires,
    "Int": intends,
}
