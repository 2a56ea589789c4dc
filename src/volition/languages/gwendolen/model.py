"""Model of a Gwendolen or EASS system: its transition system, the atoms of formulas, and the views
of its states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, assert_never

from volition.diagnostics import Diagnostic, InputError, Span, did_you_mean
from volition.kernel.system import Component, SlotView, System
from volition.languages.common.slots import qualified_names, world_item
from volition.languages.gwendolen.atoms import ATOMS
from volition.languages.gwendolen.cycle import EnvironmentComponent, Interpreter
from volition.languages.gwendolen.environment import AgentEnvironment
from volition.languages.gwendolen.inference import RuleBase
from volition.languages.gwendolen.intentions import apply_bindings
from volition.languages.gwendolen.observation import ActionObserver, ObservedAction, steady_slot
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.scheduler import ENVIRONMENT, TurnScheduler
from volition.languages.gwendolen.state import (
    EMPTY,
    OTHER_BELIEFS,
    Belief,
    Event,
    Intention,
    IntentionRow,
    mind_slot,
)
from volition.languages.gwendolen.state_view import agent_details, agent_view, intention_stacks
from volition.languages.gwendolen.syntax import (
    AddGoal,
    AgentProgram,
    Cycle,
)
from volition.languages.gwendolen.vocabulary import NAMING, Vocabulary
from volition.languages.protocols import StateView
from volition.languages.world.interface import World, format_value
from volition.languages.world.matching import WorldModelMixin
from volition.languages.world.property_terms import agent_and_term, fact_in, term_of
from volition.languages.world.terms import Term, predicate, show, wildcard_atom
from volition.logic.syntax import Atom, AtomicFormula, Identifier, Proposition

__all__ = ["GwendolenModel"]


@dataclass(frozen=True)
class GwendolenModel(WorldModelMixin):
    """Implementation of :class:`volition.languages.protocols.Model` for Gwendolen and EASS."""

    programs: Mapping[str, AgentProgram]
    world: World
    options: Settings = field(default_factory=Settings)
    observed: tuple[Atom, ...] = ()
    unsliced: Mapping[str, AgentProgram] | None = None
    """Agents before slicing, if ``programs`` is a slice: formulas may use every name of the
    original programs."""

    @property
    def agents(self) -> Sequence[str]:
        return tuple(self.programs)

    @cached_property
    def _environment(self) -> AgentEnvironment:
        return AgentEnvironment(self.programs, self.world, self.options, self._vocabulary.believed)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary.of(self.unsliced or self.programs, self.world)

    @cached_property
    def _observer(self) -> ActionObserver:
        watched = [
            self._observed_action(each)
            for each in self.observed
            if each.modality in ("Does", "Last")
        ]
        steady = [self._single_agent(each) for each in self.observed if each.modality == "Steady"]
        return ActionObserver(tuple(dict.fromkeys(watched)), tuple(dict.fromkeys(steady)))

    def _single_agent(self, atom: Atom) -> str:
        """Return the agent of an atom that has only an agent as its argument, such as
        ``Steady(car)``. The agent may be omitted if there is only one."""
        names = [each.text for each in atom.arguments] or list(self.agents)
        if len(names) != 1:
            raise InputError(
                [
                    Diagnostic(
                        "GWN041",
                        f"{atom.modality} expects 1 argument, got {len(atom.arguments)}",
                        atom.span,
                    )
                ]
            )
        if names[0] not in self.programs:
            raise _unknown_agent(names[0], self.agents, atom.arguments[0].span)
        return names[0]

    def _observed_action(self, atom: Atom) -> ObservedAction:
        agent, action = self.parse_agent_and_atom(atom)
        return ObservedAction(
            agent, action, last=atom.modality == "Last" or self.options.does == "last"
        )

    def cycle_of(self, agent: str) -> Cycle:
        return self.options.cycle or self.programs[agent].cycle

    @cached_property
    def system(self) -> System:
        """Return the transition system. It has one component per agent, and one for the world if
        that has spontaneous transitions."""
        environment = self._environment
        moves = self.world.has_spontaneous_transitions
        turns = TurnScheduler(
            [*sorted(self.programs), *([ENVIRONMENT] if moves else [])], self.options
        )
        slots: dict[str, Any] = {}
        components = []
        for name, program in self.programs.items():
            slots |= _initial_mind(program, environment)
            rules = RuleBase.of(program.rules)
            components.append(
                Component(
                    name,
                    Interpreter(
                        program, self.cycle_of(name), rules, environment, turns, self._observer
                    ).step,
                )
            )
        if moves:
            components.append(
                Component(
                    ENVIRONMENT, EnvironmentComponent(environment, turns, self._observer).step
                )
            )
        return System(
            {**slots, **environment.slots, **turns.slots, **self._observer.slots}, components
        )

    # --- atoms of formulas ------------------------------------------------------------------------

    def resolve(self, atomic: AtomicFormula) -> Callable[[SlotView], Any]:
        match atomic:
            case Identifier(name):
                return self.world.number(name, atomic.span)
            case Proposition():
                return self.world.proposition(fact_in(atomic), atomic.span)
            case Atom():
                pass
            case _:
                assert_never(atomic)
        self._raise_unknown(atomic)
        if atomic.modality in ("Does", "Last"):
            slot = self._observed_action(atomic).slot
            return lambda state: bool(state[slot])
        if atomic.modality == "Steady":
            steady = steady_slot(self._single_agent(atomic))
            return lambda state: bool(state[steady])
        modality = ATOMS.get(atomic.modality)
        if modality is None:
            known = [*ATOMS, "Does", "Last", "Steady"]
            hint = did_you_mean(atomic.modality, known) or f"expected one of {', '.join(known)}"
            raise InputError(
                [
                    Diagnostic(
                        "GWN040",
                        f"{atomic.modality}(...) is not supported for Gwendolen",
                        atomic.span,
                        hint,
                    )
                ]
            )
        agent, atom = (
            self.parse_agent_and_atom(atomic)
            if atomic.modality != "Percept"
            else ("", self._single_argument(atomic))
        )
        return modality(self._environment, agent, atom)

    def _raise_unknown(self, atom: Atom) -> None:
        """Raise :class:`InputError` if an atom names a belief, goal or action that does not occur
        in any agent or in the world. The atom would always be false and is probably misspelt."""
        if atom.modality not in NAMING:
            return
        unknown = self._vocabulary.unknown(atom.modality, self.parse_agent_and_atom(atom)[1])
        if unknown is not None:
            raise InputError(
                [Diagnostic("GWN043", f"unknown {unknown.text}", atom.span, unknown.hint)]
            )

    def _single_argument(self, atom: Atom) -> Term:
        if len(atom.arguments) != 1:
            raise InputError(
                [
                    Diagnostic(
                        "GWN041",
                        f"Percept expects 1 argument, got {len(atom.arguments)}",
                        atom.span,
                    )
                ]
            )
        return term_of(atom.arguments[0])

    def parse_agent_and_atom(self, atom: Atom) -> tuple[str, Term]:
        """Return the agent and the term of an atom such as ``Bel(car, safe)``.

        The agent may be omitted if there is only one.
        """
        return agent_and_term(atom, self.agents, miscounted="GWN041", unknown="GWN042")

    # --- execution in an external world -----------------------------------------------------------

    def is_environment(self, component: Component) -> bool:  # noqa: ARG002
        """Return True for every component: agents do not make decisions, because they are
        deterministic (points 4 and 11 of ``docs/reference/gwendolen.md``). All choices come from
        the world and the scheduler."""
        return True

    # --- names and state views --------------------------------------------------------------------

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return the names of all plans, under the key ``plans``. If there are several agents, each
        name is prefixed with its agent."""
        return {
            "plans": qualified_names(
                {
                    agent: [plan.name for plan in program.plans]
                    for agent, program in self.programs.items()
                }
            )
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms that formulas may use, by kind: beliefs, goals, actions, labels and
        numeric variables (see :class:`volition.languages.protocols.HasVocabulary`)."""
        vocabulary = self._vocabulary

        def atoms(modalities: Sequence[str], predicates: Collection[str]) -> list[str]:
            named = sorted(predicates)
            return [
                f"{modality}({agent}, {wildcard_atom(each)})"
                for modality in modalities
                for agent in self.agents
                for each in named
            ]

        return {
            "beliefs": atoms(["Bel"], vocabulary.believed),
            "goals": atoms(["Des", "Int"], vocabulary.goals or ()),
            "actions": atoms(["Does", "Last"], vocabulary.actions),
            "labels": [
                *(wildcard_atom(predicate(each)) for each in self.world.predicates or ()),
                *self.world.labels,
            ],
            "numeric_variables": list(self.world.numeric_variables),
        }

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """Return the intentions of each agent as stacks. Each is a list of texts, one per event and
        deed, from the top of the stack down (see
        :class:`volition.languages.protocols.HasIntentionStacks`)."""
        return {agent: intention_stacks(agent, self._environment, state) for agent in self.agents}

    def describe(self, state: SlotView) -> StateView:
        view: dict[str, Mapping[str, str]] = {}
        for agent in self.programs:
            view |= agent_view(agent, self._environment, state)
        return view | dict(self.world.describe(state))

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return the parts of a state that :meth:`describe` omits, such as the next stage of each
        agent, the order of its intentions, and the turn of the scheduler."""
        details = {
            f"the world's {world_item(slot)}": format_value(state[slot])
            for slot in self.world.slots
        }
        for agent in self.programs:
            details |= agent_details(agent, self._environment, state)
        own = {slot for slot in self.system.slots if "." not in slot} - set(self.world.slots)
        return {**details, **{str(slot): str(state[slot]) for slot in sorted(own)}}


def _initial_mind(program: AgentProgram, environment: AgentEnvironment) -> dict[str, Any]:
    """Return the slots of an agent with their initial values.

    Each initial goal is an intention of its own. The first of them is the current intention.
    """
    predicates = environment.predicates
    initial: dict[str, Any] = {
        **environment.slots,
        **{mind_slot(each, "shared"): () for each in environment.agents},
    }
    goals = [
        apply_bindings(
            Intention((IntentionRow(Event("+", "start"), AddGoal(goal, span=span)),)), {}
        )
        for goal, span in program.goals
    ]
    parts: dict[str, Any] = {
        "stage": "E",
        "current": goals[0] if goals else EMPTY,
        "others": tuple(goals[1:]),
        "goals": (),
        "inbox": (),
        "outbox": (),
        "asleep": False,
        "informed": not environment.percepts(initial, program.name),
        **dict.fromkeys(
            [*sorted(predicates), OTHER_BELIEFS], ()
        ),  # sorted: the order of a set differs between processes
    }
    if program.cycle == "eass":
        parts["shared"] = ()
    for atom, _ in sorted(program.beliefs, key=lambda each: show(each[0])):
        kind = predicate(atom) if predicate(atom) in predicates else OTHER_BELIEFS
        if Belief(atom) not in parts[kind]:
            parts[kind] = (*parts[kind], Belief(atom))
    return {mind_slot(program.name, part): value for part, value in parts.items()}


def _unknown_agent(name: str, agents: Sequence[str], span: Span) -> InputError:
    return InputError(
        [Diagnostic("GWN042", f"unknown agent '{name}'", span, did_you_mean(name, agents))]
    )
