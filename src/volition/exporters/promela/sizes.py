"""How much room the channels and arrays of a model have: the bounds of Bordini et al., Sect. 3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from volition.kernel import StateSpace
from volition.languages.agentspeak.program import AgentSpeakProgram
from volition.languages.agentspeak.settings import DYNAMIC_BOUNDS, UNSTATED_LIMIT
from volition.languages.agentspeak.state import ACTIONS, mind_slot
from volition.languages.kit.slots import slots_of_kind
from volition.languages.world.semantics import PERCEPTS, DeclaredWorld
from volition.languages.world.syntax import Add, Chance, Effects, Either, If, Rule

__all__ = ["Sizes", "needed_sizes", "roomier", "stated_sizes"]

UNSTATED = 8
"""The room at first for what a project states no bound for: room makes states large, and few systems need more."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The bounds by the paper's names, and the number of facts that the world remembers at most of one kind.

    ``percepts`` is the size of channel p; the paper gives it that of a belief base.  ``stated`` names the bounds that are the project's.
    """

    bounds: Mapping[str, int]
    percepts: int
    facts: int
    stated: frozenset[str] = frozenset()


def stated_sizes(program: AgentSpeakProgram) -> Sizes:
    """The bounds that the project states, the largest if agents have their own; an assertion fails in Spin where they are too small."""
    stated: dict[str, int] = {}
    for settings in program.settings.values():
        stated |= {name: max(limit, stated.get(name, 0)) for name, limit in settings.bounds.stated.items() if name in DYNAMIC_BOUNDS}
    bounds = {name: stated.get(name, UNSTATED) for name in DYNAMIC_BOUNDS}
    most_initial = max(len(agent.beliefs) for agent in program.agents.values())
    bounds["M_Bel"] = max(bounds["M_Bel"], most_initial)
    return Sizes(bounds, percepts=bounds["M_Bel"], facts=UNSTATED, stated=frozenset(stated))


def roomier(sizes: Sizes, room: Mapping[str, int]) -> Sizes:
    """The sizes with at least the room that is asked for, by the names of bounds, ``percepts`` and ``facts``.

    No bound has more room than our own semantics gives to one that no project states.
    """
    bounds = {name: max(size, min(room.get(name, 0), UNSTATED_LIMIT)) for name, size in sizes.bounds.items()}
    return Sizes(bounds, max(sizes.percepts, room.get("percepts", 0)), max(sizes.facts, room.get("facts", 0)), sizes.stated)


def needed_sizes(program: AgentSpeakProgram, space: StateSpace) -> Sizes:
    """The room that the explored system needs, so that the model's states are small and no assertion can fail."""

    def longest(slots: Iterable[str]) -> int:
        return max([1, *(len(value) for slot in slots for value in space.column(slot)[1])])

    agents = list(program.agents)
    facts = [slot for slot in slots_of_kind(space.system.slots, "world") if isinstance(space.system.slots[slot], tuple)]
    most_added = _most_added(program)
    percepts = longest([PERCEPTS]) + most_added if PERCEPTS in space.system.slots else 1
    bounds = {
        # Belief revision adds what is new before it removes what is gone, and a rule of the world may do the same.
        "M_Bel": longest([mind_slot(agent, "beliefs") for agent in agents]) + percepts,
        "M_Ev": longest([mind_slot(agent, "events") for agent in agents]),
        "M_Int": longest([mind_slot(agent, "means") for agent in agents]),
        "M_Msg": longest([mind_slot(agent, "mail") for agent in agents]),
        "M_Act": longest([ACTIONS]),
        "M_Inst": UNSTATED,
    }
    return Sizes(bounds, percepts=percepts, facts=longest(facts) + most_added)


def _most_added(program: AgentSpeakProgram) -> int:
    """The most facts that one rule of the world adds."""
    if not isinstance(program.world, DeclaredWorld):
        return 0
    tree = program.world.tree
    rules: list[Rule] = [*tree.actions, *tree.steps]
    return max((_added(rule.effects) for rule in rules), default=0)


def _added(effects: Effects) -> int:
    total = 0
    for each in effects:
        match each:
            case Add():
                total += 1
            case If(_, then, otherwise):
                total += max(_added(then), _added(otherwise))
            case Either(branches):
                total += max(_added(branch) for branch in branches)
            case Chance(weighted):
                total += max(_added(branch) for _, branch in weighted)
    return total
