"""Capacities of the channels and arrays of a Promela model: the bounds of Bordini et al., Sect.
3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from volition.kernel import StateSpace
from volition.languages.agentspeak.program import AgentSpeakProgram
from volition.languages.agentspeak.settings import DEFAULT_BOUND, DYNAMIC_BOUNDS
from volition.languages.agentspeak.state import ACTIONS, mind_slot
from volition.languages.common.slots import slots_of_kind
from volition.languages.world.semantics import PERCEPTS, DeclaredWorld
from volition.languages.world.syntax import (
    Add,
    Assign,
    Effects,
    Fail,
    If,
    NondeterministicChoice,
    OutputAssignment,
    ProbabilisticChoice,
    Remove,
    WorldRule,
)

__all__ = ["ChannelBounds", "bounds_from_project", "bounds_from_space", "enlarge"]

INITIAL_BOUND = 8
"""Initial capacity of a channel if the project states no bound. Larger capacities make states
larger, and few systems need them."""


@dataclass(frozen=True, slots=True)
class ChannelBounds:
    """Capacities of the channels of a Promela model, and the limits on channels that Promela
    assertions check.

    - ``bounds`` maps the name of a bound in Bordini et al., such as ``M_Ev`` (events), to the
      capacity of its channels.
    - ``percepts`` is the capacity of channel p (percepts). Bordini et al. use the bound for belief
      bases.
    - ``facts`` is the maximum number of facts in the world with the same functor.
    - ``stated`` has the names of the bounds that the project states for every agent.
    - ``own`` maps the name of a bound and an agent to a limit for this agent only. A channel has
      the same capacity for all agents. An assertion therefore checks the limit of an agent if
      agents have different limits or only some have one. It also checks M_Inst, the maximum number
      of beliefs with the same functor and arity, which is not the capacity of any channel.
    """

    bounds: Mapping[str, int]
    percepts: int
    facts: int
    stated: frozenset[str] = frozenset()
    own: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


def bounds_from_project(program: AgentSpeakProgram) -> ChannelBounds:
    """Return the channel capacities that the project of a system states. If they are too small, an
    assertion fails in Spin.

    If agents have different limits, the capacity of a channel is the largest of them.
    """
    limits = {name: _limits(program, name) for name in DYNAMIC_BOUNDS}
    everybody = frozenset(
        name for name, stated in limits.items() if len(stated) == len(program.agents)
    )
    minimum = {name: 0 if name in everybody else INITIAL_BOUND for name in DYNAMIC_BOUNDS}
    bounds = {name: max([minimum[name], *limits[name].values()]) for name in DYNAMIC_BOUNDS}
    max_initial = max(len(agent.beliefs) for agent in program.agents.values())
    bounds["M_Bel"] = max(bounds["M_Bel"], max_initial)
    own = {
        name: stated
        for name, stated in limits.items()
        if name not in everybody or len(set(stated.values())) > 1
    }
    instances = {
        agent: settings.bounds.limit("M_Inst") for agent, settings in program.settings.items()
    }
    own["M_Inst"] = {
        agent: limit
        for agent, limit in instances.items()
        if limit != DEFAULT_BOUND or bounds["M_Bel"] > limit
    }
    return ChannelBounds(
        bounds, percepts=bounds["M_Bel"], facts=INITIAL_BOUND, stated=everybody, own=own
    )


def _limits(program: AgentSpeakProgram, bound: str) -> dict[str, int]:
    """Return the limits for one bound, such as ``M_Ev``, by agent. Agents for which the project
    does not state this bound are left out."""
    stated = {agent: settings.bounds.explicit for agent, settings in program.settings.items()}
    return {agent: limits[bound] for agent, limits in stated.items() if bound in limits}


def enlarge(sizes: ChannelBounds, room: Mapping[str, int]) -> ChannelBounds:
    """Return channel capacities that are at least those requested in ``room``. Its keys are names
    of bounds, such as ``M_Ev``, and the words ``percepts`` and ``facts``.

    No bound grows beyond the default bound of Volition's semantics.
    """
    bounds = {
        name: max(size, min(room.get(name, 0), DEFAULT_BOUND))
        for name, size in sizes.bounds.items()
    }
    percepts, facts = (
        max(sizes.percepts, room.get("percepts", 0)),
        max(sizes.facts, room.get("facts", 0)),
    )
    return replace(sizes, bounds=bounds, percepts=percepts, facts=facts)


def bounds_from_space(program: AgentSpeakProgram, space: StateSpace) -> ChannelBounds:
    """Return the channel capacities that suffice for all explored states of a system, so that the
    states of the Promela model are small and no assertion fails."""

    def longest(slots: Iterable[str]) -> int:
        return max([1, *(len(value) for slot in slots for value in space.column(slot)[1])])

    agents = list(program.agents)
    facts = [
        slot
        for slot in slots_of_kind(space.system.slots, "world")
        if isinstance(space.system.slots[slot], tuple)
    ]
    max_added = _most_added(program)
    percepts = longest([PERCEPTS]) + max_added if PERCEPTS in space.system.slots else 1
    bounds = {
        # Belief revision adds new beliefs before it removes old ones. For a short time, a belief
        # base may therefore also contain all percepts. In the same way, a rule of the world may add
        # percepts before it removes others.
        "M_Bel": longest([mind_slot(agent, "beliefs") for agent in agents]) + percepts,
        "M_Ev": longest([mind_slot(agent, "events") for agent in agents]),
        "M_Int": longest([mind_slot(agent, "means") for agent in agents]),
        "M_Msg": longest([mind_slot(agent, "mail") for agent in agents]),
        "M_Act": longest([ACTIONS]),
        "M_Inst": INITIAL_BOUND,
    }
    return ChannelBounds(bounds, percepts=percepts, facts=longest(facts) + max_added)


def _most_added(program: AgentSpeakProgram) -> int:
    """Return the largest number of facts that one rule of the declared world adds in a step."""
    if not isinstance(program.world, DeclaredWorld):
        return 0
    tree = program.world.tree
    rules: list[WorldRule] = [*tree.actions, *tree.steps]
    return max((_added(rule.effects) for rule in rules), default=0)


def _added(effects: Effects) -> int:
    total = 0
    for each in effects:
        match each:
            case Add():
                total += 1
            case If(_, then, otherwise):
                total += max(_added(then), _added(otherwise))
            case NondeterministicChoice(branches):
                total += max(_added(branch) for branch in branches)
            case ProbabilisticChoice(weighted):
                total += max(_added(branch) for _, branch in weighted)
            case Assign() | OutputAssignment() | Remove() | Fail():
                pass
            case _:
                assert_never(each)
    return total
