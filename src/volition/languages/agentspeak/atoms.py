"""Semantics of the modalities ``Bel``, ``Des``, ``Int`` and ``Does`` of one agent, as Bordini et
al. define them in Sect. 4.2.

Each function returns a predicate on states. The kernel records the slots that the predicate reads.
``_`` in an atom matches any term: ``Bel(ag1, auction(_))``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from volition.kernel.system import SlotView
from volition.languages.agentspeak.settings import Bounds
from volition.languages.agentspeak.state import ACTIONS, AgentState, Request
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.world.terms import Structure, Term, matches, substitute

__all__ = ["ATOMS", "believes", "desires", "does", "intends"]

Predicate = Callable[[SlotView], bool]


def believes(agent: str, _: AgentProgram, atom: Structure) -> Predicate:
    """Return the predicate of ``Bel``: BEL(φ) ≡ φ ∈ bs, where bs is the agent's belief base."""
    return lambda state: any(matches(atom, belief.atom) for belief in _mind(agent, state).beliefs)


def desires(agent: str, program: AgentProgram, atom: Structure) -> Predicate:
    """Return the predicate of ``Des``: DES(φ) ≡ ⟨+!φ, i⟩ ∈ C_E ∨ INTEND(φ), where C_E is the
    agent's set of events."""
    intended = intends(agent, program, atom)

    def desired(state: SlotView) -> bool:
        events = _mind(agent, state).events
        return any(
            (event.sign, event.kind) == ("+", "achieve") and matches(atom, event.atom)
            for event in events
        ) or intended(state)

    return desired


def intends(agent: str, program: AgentProgram, atom: Structure) -> Predicate:
    """Return the predicate of ``Int``: INTEND(φ) ≡ φ ∈ agls(i) for an intention i in the set of
    intentions C_I, or in the set of events C_E, which contains suspended intentions. agls(i) are
    the achievement goals of i."""
    return lambda state: any(
        matches(atom, goal) for goal in _intended_goals(_mind(agent, state), program)
    )


def does(agent: str, _: AgentProgram, atom: Structure) -> Predicate:
    """Return the predicate of ``Does``: the environment will execute this action of the agent next.
    The action is then the first in channel ``a``, the queue of requested actions."""

    def next_action(state: SlotView) -> bool:
        waiting: tuple[Request, ...] = state[ACTIONS]
        return bool(waiting) and waiting[0].agent == agent and matches(atom, waiting[0].action)

    return next_action


def _intended_goals(mind: AgentState, program: AgentProgram) -> Iterator[Term]:
    """Yield the achievement goals of all intentions (agls in Bordini et al.): those in the
    triggering events of the intentions' plans, each stack from its top down."""
    for top in (*mind.ready, *(event.intention for event in mind.events)):
        index = top
        while index is not None and (means := mind.means[index]) is not None:
            trigger = program.plans[means.plan].trigger
            if trigger.is_goal:
                yield substitute(trigger.pattern, dict(means.bindings))
            index = means.parent


def _mind(agent: str, state: SlotView) -> AgentState:
    return AgentState(agent, state, Bounds())


ATOMS: dict[str, Callable[[str, AgentProgram, Structure], Predicate]] = {
    "Bel": believes,
    "Des": desires,
    "Int": intends,
    "Does": does,
}
