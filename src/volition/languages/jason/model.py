"""What a Jason system means: the kernel's system, the atoms of formulas, and its states told to people.

A state consists of the slots of :mod:`volition.languages.jason.state` for each agent, the slots of the world, one for ``.df_*`` and
``.stopMAS`` where the programs use them, and one for each action that a formula asks about.  :func:`mind_of` gives an agent's part of a
state as plain structures.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from volition.kernel.system import Component, System, View
from volition.languages.jason import beliefs as base
from volition.languages.jason.asked import agent_and_query
from volition.languages.jason.clock import CLOCK, Clock
from volition.languages.jason.environment import ENVIRONMENT, NATURE, Environment, can_see
from volition.languages.jason.events import post
from volition.languages.jason.intentions import hand_out
from volition.languages.jason.interpreter import Interpreter
from volition.languages.jason.largest_number import largest_number
from volition.languages.jason.merging import Surroundings, Watch, acts, calls, has_deadlines, looks_inside
from volition.languages.jason.messages import default_plans
from volition.languages.jason.mind import Agent, Mind
from volition.languages.jason.observation import Observer
from volition.languages.jason.plans import Library
from volition.languages.jason.possible_predicates import PossiblePredicates
from volition.languages.jason.remembering import Memory
from volition.languages.jason.settings import Settings
from volition.languages.jason.state import ASLEEP, PERCEIVE, STOPPED, YELLOW_PAGES, Event, mind_slot, structures
from volition.languages.jason.stopping import stoppable
from volition.languages.jason.syntax import AgentProgram, Call, Rule
from volition.languages.jason.telling import TellingModel
from volition.languages.jason.terms import SELF
from volition.languages.jason.timing import ended_timers
from volition.languages.jason.walk import steps_in
from volition.languages.kit.bounds import UNSTATED_LIMIT
from volition.languages.kit.slots import Slot
from volition.languages.world.interface import World
from volition.logic.printing import show
from volition.logic.syntax import Atom

__all__ = ["JasonModel", "mind_of"]


@dataclass(frozen=True)
class JasonModel(TellingModel):
    """Implements :class:`volition.languages.model.Model`."""

    programs: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    observed: tuple[Atom, ...] = ()
    vocabulary: PossiblePredicates | None = None

    @cached_property
    def system(self) -> System:
        """Components for each agent, its actions (what happens, and what it hears of it) and its timers; for the world; a clock."""
        slots: dict[str, Any] = {**self.world.slots, **self._observer.otherwise, **self.marks}
        components: list[Component] = []
        for name, program in self.programs.items():
            agent = self.agent(name)
            slots |= _initial(agent, program)
            components += self._components(agent, program)
        components += self._of_world
        if any(each.time == "ordered" for each in self.settings.values()):
            clock = Clock(tuple(self.programs), tuple(each for each in components if each.name != NATURE), self._observer)
            components.append(Component(CLOCK, clock.step))
        if any(calls(each, ".df_") for each in self.programs.values()):
            slots[YELLOW_PAGES] = ()
        if any(calls(each, ".stopMAS") for each in self.programs.values()):
            slots[STOPPED] = ""
            components = stoppable(components, self._observer.otherwise)
        return System(slots, components)

    def _components(self, agent: Agent, program: AgentProgram) -> Iterator[Component]:
        name = agent.name
        around = Surroundings.of(name, self.programs, self.world)
        yield Component(name, Interpreter(agent, self._observer, around, self._watch(name), self._memory).step)
        if acts(program):
            yield Component(f"{ENVIRONMENT} of {name}", partial(self._environment.execute, name, agent.settings))
            if agent.settings.results == "late":
                yield Component(f"results of {name}", partial(self._environment.answer, name))
        if self._has_deadlines or _can_wait(program):
            yield Component(f"timers of {name}", partial(ended_timers, name, self._observer.otherwise))

    @property
    def _of_world(self) -> Iterator[Component]:
        if self.world.moves_by_itself:
            yield Component(ENVIRONMENT, self._environment.step)
        if self.world.changes_freely:
            yield Component(NATURE, self._environment.change)

    @cached_property
    def _environment(self) -> Environment:
        lookers = (name for name, each in self.programs.items() if acts(each) and self.settings[name].results == "after perception")
        return Environment(self.world, self._observer, tuple(lookers))

    def agent(self, name: str) -> Agent:
        """What does not change about an agent."""
        return self._agents[name]

    @cached_property
    def _agents(self) -> Mapping[str, Agent]:
        return {
            name: Agent(
                name,
                Library(program.plans, default_plans()),
                self.settings[name],
                self.world,
                self.agents,
                {(function, arity): predicate for function, arity, predicate in program.functions},
                self.settings[name].cycle == "parts" or self._has_deadlines or looks_inside(program) or self._is_asked_for_intentions(name),
                _begins_with(program, len(self.world.percepts(self.world.slots, name)), self._largest_number),
            )
            for name, program in self.programs.items()
        }

    @cached_property
    def _largest_number(self) -> int:
        return largest_number(self.programs, self.settings, self.world)

    @cached_property
    def _has_deadlines(self) -> bool:
        return has_deadlines(self.programs.values())

    def _is_asked_for_intentions(self, agent: str) -> bool:
        return any(each.modality in ("Des", "Int") and agent_and_query(each, self.agents)[0] == agent for each in self.observed)

    @property
    def marks(self) -> Mapping[str, Hashable]:
        """Implements :class:`volition.languages.model.MarkedModel`: a slot for each atom whose changes are steps of their own."""
        asked = [each for each in self.observed if each.modality in _READ_FROM]
        return {Slot(f"told apart: {show(each)}", "memory"): None for each in asked}

    def _watch(self, agent: str) -> Watch:
        """What formulas ask about an agent, so that no two changes of it are in one step."""
        asked = [each for each in self.observed if each.modality in _READ_FROM and agent_and_query(each, self.agents)[0] == agent]
        atoms = tuple((self.resolve(each), _READ_FROM[each.modality]) for each in asked)
        return Watch(atoms, tuple(self._observer.otherwise))

    @cached_property
    def _memory(self) -> Memory:
        return Memory()

    @cached_property
    def _observer(self) -> Observer:
        return Observer(tuple(dict.fromkeys(self.watched(each) for each in self.observed if each.modality == "Does")))


_STACKS = frozenset({"events", "running", "acting", "waiting", "due", "shelved"})
_READ_FROM = {"Bel": _STACKS | {"beliefs"}, "Des": _STACKS, "Int": _STACKS}
"""What an atom of each modality is read from; rules may ask for intentions."""


def mind_of(state: View, agent: str) -> Mapping[str, Any]:
    """An agent's part of a state: structure ▶ its value, as described in :mod:`volition.languages.jason.state`."""
    return {name: state[mind_slot(agent, name)] for name in structures()}


def _can_wait(program: AgentProgram) -> bool:
    """Whether the agent may have a timer, beside those of deadlines."""
    steps = [step for plan in program.plans for step in steps_in(plan.body)]
    asks = any(isinstance(step, Call) and step.action.functor == ".send" and len(step.action.arguments) > 4 for step in steps)
    return asks or calls(program, ".wait", ".at")


def _begins_with(program: AgentProgram, percepts: int, largest: int) -> Mapping[str, int]:
    """How much there is of what is bounded before anything happens; each event may become an intention, and this an action."""
    beliefs = len(program.beliefs) + len(program.project_beliefs) + percepts
    events = beliefs + len(program.goals) + len(program.project_goals)
    return {"M_Bel": beliefs, "M_Ev": events, "M_Int": events, "M_Act": events, "M_Num": _COUNTED + 10 * largest - UNSTATED_LIMIT}


_COUNTED = 10_000
"""How far a system may count where no bound for numbers is set: beyond what sums and products of its numbers usually are."""


def _initial(agent: Agent, program: AgentProgram) -> Mapping[str, Hashable]:
    """Project beliefs, then those of the program from last to first, each with its event; then the goals, those of the project first."""
    slots: dict[str, Any] = {mind_slot(agent.name, name): () for name in structures()}
    mind = Mind(agent, slots)
    statements = (*program.project_beliefs, *reversed(program.beliefs))
    mind.beliefs, new = base.add_all((), [each if isinstance(each, Rule) else each.literal for each in statements])
    for belief in new:
        post(mind, Event("+", "belief", belief))
    for goal in (*program.project_goals, *program.goals):
        literal, _ = hand_out(base.with_source(goal.literal, SELF))
        post(mind, Event("+", "achieve", literal))
    mind.part = PERCEIVE if mind.events or can_see(agent.name, agent.world) or agent.settings.cycle == "parts" else ASLEEP
    mind.seen = None if agent.world.percepts(agent.world.slots, agent.name) else ()
    return {**slots, **mind.writes}
