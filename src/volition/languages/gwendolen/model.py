"""What a system of Gwendolen and EASS agents means: the kernel's system, the atoms of formulas, and
its states told to people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

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
    """Implements :class:`volition.languages.protocols.Model`."""

    programs: Mapping[str, AgentProgram]
    world: World
    options: Settings = field(default_factory=Settings)
    observed: tuple[Atom, ...] = ()
    unsliced: Mapping[str, AgentProgram] | None = None
    """Where the programs are a slice, those that it is a slice of: formulas may use all of their
    words."""

    @property
    def agents(self) -> Sequence[str]:
        return tuple(self.programs)

    @cached_property
    def _around(self) -> AgentEnvironment:
        return AgentEnvironment(self.programs, self.world, self.options, self._vocabulary.believed)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary.of(self.unsliced or self.programs, self.world)

    @cached_property
    def _observer(self) -> ActionObserver:
        watched = [
            self._watched(each) for each in self.observed if each.modality in ("Does", "Last")
        ]
        steady = [self._agent_alone(each) for each in self.observed if each.modality == "Steady"]
        return ActionObserver(tuple(dict.fromkeys(watched)), tuple(dict.fromkeys(steady)))

    def _agent_alone(self, atom: Atom) -> str:
        """``Steady(car)``; the agent may be left out where there is one only."""
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
            raise _no_agent(names[0], self.agents, atom.arguments[0].span)
        return names[0]

    def _watched(self, atom: Atom) -> ObservedAction:
        agent, action = self.parse_agent_and_atom(atom)
        return ObservedAction(
            agent, action, last=atom.modality == "Last" or self.options.does == "last"
        )

    def cycle_of(self, agent: str) -> Cycle:
        return self.options.cycle or self.programs[agent].cycle

    @cached_property
    def system(self) -> System:
        """One component for each agent, and one for a world that moves by itself."""
        environment = self._around
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

    # --- formulas ---------------------------------------------------------------------------------

    def resolve(self, atomic: AtomicFormula) -> Callable[[SlotView], Any]:
        match atomic:
            case Identifier(name):
                return self.world.number(name, atomic.span)
            case Proposition():
                return self.world.proposition(fact_in(atomic), atomic.span)
        self._refuse_unknown(atomic)
        if atomic.modality in ("Does", "Last"):
            slot = self._watched(atomic).slot
            return lambda state: bool(state[slot])
        if atomic.modality == "Steady":
            steady = steady_slot(self._agent_alone(atomic))
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
            else ("", self._only(atomic))
        )
        return modality(self._around, agent, atom)

    def _refuse_unknown(self, atom: Atom) -> None:
        """What no agent and no world speaks of is never true, and probably misspelt."""
        if atom.modality not in NAMING:
            return
        unknown = self._vocabulary.unknown(atom.modality, self.parse_agent_and_atom(atom)[1])
        if unknown is not None:
            raise InputError(
                [Diagnostic("GWN043", f"unknown {unknown.text}", atom.span, unknown.hint)]
            )

    def _only(self, atom: Atom) -> Term:
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
        """``Bel(car, safe)``; the agent may be left out where there is one only."""
        return agent_and_term(atom, self.agents, miscounted="GWN041", unknown="GWN042")

    # --- running ----------------------------------------------------------------------------------

    def is_environment(self, component: Component) -> bool:  # noqa: ARG002
        """All choices are the world's: an agent itself always does the same in the same state
        (points 4 and 11)."""
        return True

    # --- people -----------------------------------------------------------------------------------

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """The plans of all agents, with the name of the agent where there are several."""
        return {
            "plans": qualified_names(
                {
                    agent: [plan.name for plan in program.plans]
                    for agent, program in self.programs.items()
                }
            )
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Implements :class:`volition.languages.protocols.SpokenModel`."""
        spoken = self._vocabulary

        def asked(modalities: Sequence[str], predicates: Collection[str]) -> list[str]:
            named = sorted(predicates)
            return [
                f"{modality}({agent}, {wildcard_atom(each)})"
                for modality in modalities
                for agent in self.agents
                for each in named
            ]

        return {
            "beliefs": asked(["Bel"], spoken.believed),
            "goals": asked(["Des", "Int"], spoken.goals or ()),
            "actions": asked(["Does", "Last"], spoken.actions),
            "labels": [
                *(wildcard_atom(predicate(each)) for each in self.world.predicates or ()),
                *self.world.labels,
            ],
            "numbers": list(self.world.numeric_variables),
        }

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """Implements :class:`volition.languages.protocols.StackingModel`."""
        return {agent: intention_stacks(agent, self._around, state) for agent in self.agents}

    def describe(self, state: SlotView) -> StateView:
        view: dict[str, Mapping[str, str]] = {}
        for agent in self.programs:
            view |= agent_view(agent, self._around, state)
        return view | dict(self.world.describe(state))

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """What a portrait leaves out: where each agent is in its cycle, the order of its
        intentions, whose turn it is."""
        details = {
            f"the world's {world_item(slot)}": format_value(state[slot])
            for slot in self.world.slots
        }
        for agent in self.programs:
            details |= agent_details(agent, self._around, state)
        own = {slot for slot in self.system.slots if "." not in slot} - set(self.world.slots)
        return {**details, **{str(slot): str(state[slot]) for slot in sorted(own)}}


def _initial_mind(program: AgentProgram, environment: AgentEnvironment) -> dict[str, Any]:
    """Each initial goal is an intention of one row, of which the first is the current one."""
    predicates = environment.predicates
    at_first: dict[str, Any] = {
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
        "informed": not environment.percepts(at_first, program.name),
        **dict.fromkeys(
            [*sorted(predicates), OTHER_BELIEFS], ()
        ),  # a set has another order in every process
    }
    if program.cycle == "eass":
        parts["shared"] = ()
    for atom, _ in sorted(program.beliefs, key=lambda each: show(each[0])):
        kind = predicate(atom) if predicate(atom) in predicates else OTHER_BELIEFS
        if Belief(atom) not in parts[kind]:
            parts[kind] = (*parts[kind], Belief(atom))
    return {mind_slot(program.name, part): value for part, value in parts.items()}


def _no_agent(name: str, agents: Sequence[str], span: Span) -> InputError:
    return InputError(
        [Diagnostic("GWN042", f"unknown agent '{name}'", span, did_you_mean(name, agents))]
    )
