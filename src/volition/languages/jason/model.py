"""Model of a Jason system: construction of the transition system that the kernel explores.

A state consists of the slots of :mod:`volition.languages.jason.state` for each agent, the slots of
the world, one slot each for ``.df_*`` and ``.stopMAS`` if the programs use them, and one slot for
each action in a formula. :func:`mind_of` returns an agent's part of a state as plain values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from volition.kernel.system import Component, SlotView, System
from volition.languages.common.bounds import DEFAULT_BOUND
from volition.languages.common.slots import Slot
from volition.languages.jason import beliefs as base
from volition.languages.jason.agent_state import AgentContext, AgentState
from volition.languages.jason.atom_parsing import agent_and_query
from volition.languages.jason.base_model import JasonModelBase
from volition.languages.jason.clock import CLOCK, Clock
from volition.languages.jason.divergence_bound import largest_initial_number
from volition.languages.jason.environment import (
    ENVIRONMENT,
    FREE_PERCEPTS,
    EnvironmentComponent,
    may_perceive_anything,
)
from volition.languages.jason.events import post
from volition.languages.jason.intentions import goal_for_event
from volition.languages.jason.interpreter import Interpreter
from volition.languages.jason.memo import StageMemo
from volition.languages.jason.messages import default_plans
from volition.languages.jason.observation import ActionObserver
from volition.languages.jason.plans import PlanLibrary
from volition.languages.jason.possible_predicates import PossiblePredicates
from volition.languages.jason.settings import Settings
from volition.languages.jason.stage_merging import (
    AtomMonitor,
    Interference,
    has_actions,
    has_deadlines,
    inspects_intentions,
    uses_internal_action,
)
from volition.languages.jason.state import (
    ASLEEP,
    DIRECTORY_FACILITATOR,
    PERCEIVE,
    STOPPED,
    Event,
    mind_slot,
    structure_names,
)
from volition.languages.jason.stopping import stoppable
from volition.languages.jason.syntax import AgentProgram, BeliefRule, InternalAction
from volition.languages.jason.terms import SELF
from volition.languages.jason.timing import expire_timers
from volition.languages.jason.traversal import steps_in
from volition.languages.world.interface import World
from volition.logic.printing import formula_text
from volition.logic.syntax import Atom

__all__ = ["JasonModel", "mind_of"]


@dataclass(frozen=True)
class JasonModel(JasonModelBase):
    """Model of a Jason system: its agents, settings and world. ``observed`` are the atoms of the
    checked formulas. Implements :class:`volition.languages.protocols.Model`."""

    programs: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    observed: tuple[Atom, ...] = ()
    known_predicates: PossiblePredicates | None = None

    @cached_property
    def system(self) -> System:
        """Transition system of the model, which the kernel explores.

        Each agent has up to four components: its reasoning, the execution of its actions, the
        arrival of the results of these actions, and its timers. Further components are spontaneous
        transitions of the world, changes of free percepts (which appear and disappear at any time),
        the clock, and the end of the run by ``.stopMAS``. Components that a system does not need
        are left out.
        """
        slots: dict[str, Any] = {
            **self.world.slots,
            **self._observer.otherwise,
            **self.constant_slots,
        }
        components: list[Component] = []
        for name, program in self.programs.items():
            agent = self.agent(name)
            slots |= _initial(agent, program)
            components += self._components(agent, program)
        components += self._world_components
        if any(each.time == "ordered" for each in self.settings.values()):
            clock = Clock(
                tuple(self.programs),
                tuple(each for each in components if each.name != FREE_PERCEPTS),
                self._observer,
            )
            components.append(Component(CLOCK, clock.step))
        if any(uses_internal_action(each, ".df_") for each in self.programs.values()):
            slots[DIRECTORY_FACILITATOR] = ()
        if any(uses_internal_action(each, ".stopMAS") for each in self.programs.values()):
            slots[STOPPED] = ""
            components = stoppable(components, self._observer.otherwise)
        return System(slots, components)

    def _components(self, agent: AgentContext, program: AgentProgram) -> Iterator[Component]:
        name = agent.name
        interference = Interference.of(name, self.programs, self.world)
        yield Component(
            name,
            Interpreter(agent, self._observer, interference, self._monitor(name), self._memo).step,
        )
        if has_actions(program):
            yield Component(
                f"{ENVIRONMENT} of {name}", partial(self._environment.execute, name, agent.settings)
            )
            if agent.settings.results == "late":
                yield Component(f"results of {name}", partial(self._environment.answer, name))
        if self._has_deadlines or _can_wait(program):
            yield Component(
                f"timers of {name}", partial(expire_timers, name, self._observer.otherwise)
            )

    @property
    def _world_components(self) -> Iterator[Component]:
        if self.world.has_spontaneous_transitions:
            yield Component(ENVIRONMENT, self._environment.step)
        if self.world.has_free_percepts:
            yield Component(FREE_PERCEPTS, self._environment.change)

    @cached_property
    def _environment(self) -> EnvironmentComponent:
        perceive_first = (
            name
            for name, each in self.programs.items()
            if has_actions(each) and self.settings[name].results == "after perception"
        )
        return EnvironmentComponent(self.world, self._observer, tuple(perceive_first))

    def agent(self, name: str) -> AgentContext:
        """Return the constant data of the agent ``name``."""
        return self._agents[name]

    @cached_property
    def _agents(self) -> Mapping[str, AgentContext]:
        return {
            name: AgentContext(
                name,
                PlanLibrary(program.plans, default_plans()),
                self.settings[name],
                self.world,
                self.agents,
                {(function, arity): predicate for function, arity, predicate in program.functions},
                self.settings[name].cycle == "parts"
                or self._has_deadlines
                or inspects_intentions(program)
                or self._intentions_are_queried(name),
                _initial_counts(
                    program, len(self.world.percepts(self.world.slots, name)), self._largest_number
                ),
            )
            for name, program in self.programs.items()
        }

    @cached_property
    def _largest_number(self) -> int:
        return largest_initial_number(self.programs, self.settings, self.world)

    @cached_property
    def _has_deadlines(self) -> bool:
        return has_deadlines(self.programs.values())

    def _intentions_are_queried(self, agent: str) -> bool:
        return any(
            each.modality in ("Des", "Int") and agent_and_query(each, self.agents)[0] == agent
            for each in self.observed
        )

    @property
    def constant_slots(self) -> Mapping[str, Hashable]:
        """Slots whose values never change, one for each atom ``Bel``, ``Des`` or ``Int`` of the
        checked formulas. The name of the slot contains the atom.

        The transitions of a model depend on these atoms, because each change of such an atom is a
        separate transition. The constant slots show for which atoms the transitions were built.
        Implements :class:`volition.languages.protocols.HasConstantSlots`.
        """
        queried = [each for each in self.observed if each.modality in _ATOM_STRUCTURES]
        return {Slot(f"observed: {formula_text(each)}", "memory"): None for each in queried}

    def _monitor(self, agent: str) -> AtomMonitor:
        """Return the monitor that detects changes of the queried atoms of an agent. It is used so
        that a transition contains at most one such change."""
        queried = [
            each
            for each in self.observed
            if each.modality in _ATOM_STRUCTURES and agent_and_query(each, self.agents)[0] == agent
        ]
        atoms = tuple((self.resolve(each), _ATOM_STRUCTURES[each.modality]) for each in queried)
        return AtomMonitor(atoms, tuple(self._observer.otherwise))

    @cached_property
    def _memo(self) -> StageMemo:
        return StageMemo()

    @cached_property
    def _observer(self) -> ActionObserver:
        return ActionObserver(
            tuple(
                dict.fromkeys(
                    self.observed_action(each) for each in self.observed if each.modality == "Does"
                )
            )
        )


_STACKS = frozenset({"events", "running", "acting", "waiting", "due", "shelved"})
_ATOM_STRUCTURES = {"Bel": _STACKS | {"beliefs"}, "Des": _STACKS, "Int": _STACKS}
"""Map from a modality to the structures of an agent's state that its atoms depend on. ``Bel``
depends on intentions too, because rules may query them."""


def mind_of(state: SlotView, agent: str) -> Mapping[str, Any]:
    """Return an agent's part of a state: a map from each structure of
    :mod:`volition.languages.jason.state` to its value."""
    return {name: state[mind_slot(agent, name)] for name in structure_names()}


def _can_wait(program: AgentProgram) -> bool:
    """Return whether an agent may have a timer: one of ``.wait``, ``.at`` or a question with a
    timeout. Timers of goal deadlines do not count."""
    steps = [step for plan in program.plans for step in steps_in(plan.body)]
    asks = any(
        isinstance(step, InternalAction)
        and step.action.functor == ".send"
        and len(step.action.arguments) > 4
        for step in steps
    )
    return asks or uses_internal_action(program, ".wait", ".at")


def _initial_counts(program: AgentProgram, percepts: int, largest: int) -> Mapping[str, int]:
    """Return a map from the name of each bound to the number that is added to its default limit for
    this agent.

    - ``M_Bel``: the number of initial beliefs and initial percepts (``percepts``).
    - ``M_Ev``, ``M_Int`` and ``M_Act``: the number of initial beliefs, percepts and goals. Each of
      them may become an event, each event may become an intention, and each intention may request
      an action.
    - ``M_Num``: a number that makes the limit ``_DEFAULT_MAX_NUMBER`` plus ten times ``largest``,
      the largest number in the system.
    """
    beliefs = len(program.beliefs) + len(program.project_beliefs) + percepts
    events = beliefs + len(program.goals) + len(program.project_goals)
    return {
        "M_Bel": beliefs,
        "M_Ev": events,
        "M_Int": events,
        "M_Act": events,
        "M_Num": _DEFAULT_MAX_NUMBER + 10 * largest - DEFAULT_BOUND,
    }


_DEFAULT_MAX_NUMBER = 10_000
"""Constant part of the limit for numbers that applies if ``M_Num`` is not set. The limit is this
number plus ten times the largest number in the system. It exceeds what sums and products of a
program's numbers usually reach."""


def _initial(agent: AgentContext, program: AgentProgram) -> Mapping[str, Hashable]:
    """Return the initial values of an agent's slots. The order of the initial events is Jason's:
    beliefs of the project file, beliefs of the program from last to first, goals of the project
    file, goals of the program."""
    slots: dict[str, Any] = {mind_slot(agent.name, name): () for name in structure_names()}
    mind = AgentState(agent, slots)
    statements = (*program.project_beliefs, *reversed(program.beliefs))
    mind.beliefs, new = base.add_all(
        (), [each if isinstance(each, BeliefRule) else each.literal for each in statements]
    )
    for belief in new:
        post(mind, Event("+", "belief", belief))
    for goal in (*program.project_goals, *program.goals):
        literal, _ = goal_for_event(base.with_source(goal.literal, SELF))
        post(mind, Event("+", "achieve", literal))
    mind.part = (
        PERCEIVE
        if mind.events
        or may_perceive_anything(agent.name, agent.world)
        or agent.settings.cycle == "parts"
        else ASLEEP
    )
    mind.seen = None if agent.world.percepts(agent.world.slots, agent.name) else ()
    return {**slots, **mind.writes}
