"""Model of an AgentSpeak(F) system: the system to explore, the meaning of atoms, and readable
descriptions of states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, assert_never

from volition.diagnostics import Diagnostic, InputError, Span, did_you_mean
from volition.kernel.system import Component, SlotView, System
from volition.languages.agentspeak.atom_variables import (
    check_shared_variables,
    parse_atom,
    parse_percept,
)
from volition.languages.agentspeak.atoms import ATOMS
from volition.languages.agentspeak.cycle import Interpreter
from volition.languages.agentspeak.environment import ENVIRONMENT, NATURE, EnvironmentComponent
from volition.languages.agentspeak.possible_predicates import PossiblePredicates
from volition.languages.agentspeak.settings import Settings
from volition.languages.agentspeak.state import ACTIONS, Belief, Event, mind_slot
from volition.languages.agentspeak.state_view import (
    agent_details,
    agent_view,
    intention_stacks,
    number_duplicates,
)
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.agentspeak.value_flow import Kind, ValueFlow
from volition.languages.common.slots import qualified_names, world_item
from volition.languages.protocols import StateView
from volition.languages.world.interface import World, format_value, spelling_hint
from volition.languages.world.matching import WorldModelMixin
from volition.languages.world.property_terms import agent_and_term, fact_in
from volition.languages.world.terms import Structure, predicate, show, wildcard_atom
from volition.logic.printing import formula_text as show_formula
from volition.logic.syntax import Atom, AtomicFormula, Formula, Identifier, Proposition
from volition.logic.terms import BracketTerm
from volition.logic.traversal import atomic_formulas

__all__ = ["AgentSpeakModel"]

_KINDS: Mapping[str, Kind] = {"Bel": "belief", "Des": "goal", "Int": "goal", "Does": "action"}
"""Kind of the atom inside each modality: belief, goal or action. The value-flow analysis
(:class:`ValueFlow`) distinguishes these kinds."""


@dataclass(frozen=True)
class AgentSpeakModel(WorldModelMixin):
    """Model of an AgentSpeak(F) system, which implements
    :class:`volition.languages.protocols.Model`."""

    programs: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    unsliced: AgentSpeakModel | None = None
    """Model of the unsliced program, if this one is a slice. It determines which atoms are unknown
    or never true."""

    @property
    def agents(self) -> Sequence[str]:
        return tuple(self.programs)

    @cached_property
    def system(self) -> System:
        """System with one component per agent, one component for the environment, and one for free
        percepts, which appear and disappear at any time, if there are any."""
        slots: dict[str, Any] = {}
        components = []
        for name, program in self.programs.items():
            slots |= _initial_mind(name, program)
            components.append(
                Component(
                    name,
                    Interpreter(name, program, self.settings[name], self.world, self.agents).step,
                )
            )
        slots |= {**self.world.slots, ACTIONS: ()}
        environment = EnvironmentComponent(self.world)
        components.append(Component(ENVIRONMENT, environment.step))
        if self.world.has_free_percepts:
            components.append(Component(NATURE, environment.change))
        return System(slots, components)

    # --- atoms of formulas ------------------------------------------------------------------------

    def resolve(self, atomic: AtomicFormula) -> Callable[[SlotView], Any]:
        match atomic:
            case Identifier(name):
                return self.world.number(name, atomic.span)
            case Proposition():
                return self.world.proposition(fact_in(atomic), atomic.span)
            case Atom("Percept"):
                return self.world.proposition(parse_percept(atomic), atomic.span)
            case Atom():
                pass
            case _:
                assert_never(atomic)
        modality = ATOMS.get(atomic.modality)
        if modality is None:
            hint = (
                did_you_mean(atomic.modality, ATOMS)
                or f"expected one of {', '.join(ATOMS)} or Percept"
            )
            raise InputError(
                [
                    Diagnostic(
                        "ASP040",
                        f"{atomic.modality}(...) is not supported for AgentSpeak(F)",
                        atomic.span,
                        hint,
                    )
                ]
            )
        agent, atom = self.parse_agent_and_atom(atomic)
        self._raise_unknown(atomic.modality, atom, atomic.span)
        return modality(agent, self.programs[agent], atom)

    def lint(self, formula: Formula) -> Sequence[Diagnostic]:
        """Return errors about variables shared by two atoms of a formula, and warnings about atoms
        that are never true (:class:`volition.languages.protocols.HasFormulaLint`)."""
        return check_shared_variables(formula, self) + self._never_true(formula)

    def _never_true(self, formula: Formula) -> list[Diagnostic]:
        """Return a warning for each atom of a formula that is never true because one of its
        arguments has a value that this argument can never have. The value is probably misspelt."""
        found = []
        for atomic in atomic_formulas(formula):
            if isinstance(atomic, Identifier) or (atom := parse_atom(atomic, self)) is None:
                continue
            kind = _KINDS.get(atomic.modality, "fact") if isinstance(atomic, Atom) else "fact"
            if impossible := self._values.find_impossible_argument(kind, atom):
                message = f"'{show_formula(atomic)}' is never true: {impossible.text}"
                found.append(Diagnostic("ASP046", message, atomic.span, impossible.hint, "warning"))
        return found

    @cached_property
    def _values(self) -> ValueFlow:
        return (
            ValueFlow(self.programs, self.world) if self.unsliced is None else self.unsliced._values
        )

    @cached_property
    def _possible(self) -> PossiblePredicates:
        return (
            PossiblePredicates(self.programs, self.world)
            if self.unsliced is None
            else self.unsliced._possible
        )

    def _raise_unknown(self, modality: str, atom: Structure, span: Span | None) -> None:
        """Raise :class:`InputError` if neither an agent nor the world mentions an atom of a
        formula. The atom would never be true and is probably misspelt."""
        attitudes, actions = self._possible.queryable(), self._possible.actions()
        known, others = (actions, attitudes) if modality == "Does" else (attitudes, actions)
        if known is None or predicate(atom) in known:
            return
        kinds = ("action", "belief or goal")
        kind, other = kinds if modality == "Does" else reversed(kinds)
        hint = (
            f"it is {'an' if other == 'action' else 'a'} {other}"
            if predicate(atom) in (others or ())
            else spelling_hint(atom, known)
        )
        raise InputError([Diagnostic("ASP044", f"unknown {kind} {predicate(atom)}", span, hint)])

    def parse_agent_and_atom(self, atomic: Atom) -> tuple[str, Structure]:
        """Return the agent and the atom of an atomic formula such as ``Bel(ag2,
        alliance(ag3,ag2))``. The agent may be omitted if there is only one."""
        agent, atom = agent_and_term(atomic, self.agents, miscounted="ASP041", unknown="ASP043")
        if not isinstance(atom, Structure) or isinstance(atomic.arguments[-1], BracketTerm):
            raise InputError(
                [Diagnostic("ASP042", f"'{show(atom)}' is not an atom", atomic.arguments[-1].span)]
            )
        return agent, atom

    # --- execution in an external world -----------------------------------------------------------

    def is_environment(self, component: Component) -> bool:
        """Return whether a component is that of the environment or that of percepts which appear
        and disappear at any time. The components of agents make their own decisions."""
        return component.name in (ENVIRONMENT, NATURE)

    # --- names and descriptions of states ---------------------------------------------------------

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the plans of all agents, under the key ``plans``. If there are
        several agents, each name is prefixed with its agent."""
        return {
            "plans": qualified_names(
                {
                    agent: [plan.name for plan in program.plans]
                    for agent, program in self.programs.items()
                }
            )
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms and names that a formula can use
        (:class:`volition.languages.protocols.HasVocabulary`)."""
        possible = PossiblePredicates(self.programs, self.world)
        minds = {
            agent: (
                possible.believed(agent) or set(),
                possible.posted(agent, "+", "achieve") or set(),
            )
            for agent in self.programs
        }
        return {
            "beliefs": [
                f"Bel({agent}, {wildcard_atom(each)})"
                for agent, (believed, _) in minds.items()
                for each in sorted(believed)
            ],
            "goals": [
                f"{modality}({agent}, {wildcard_atom(each)})"
                for modality in ("Des", "Int")
                for agent, (_, goals) in minds.items()
                for each in sorted(goals)
            ],
            "actions": [
                f"Does({agent}, {wildcard_atom(each)})"
                for agent in self.programs
                for each in sorted(possible.actions())
            ],
            "labels": [
                *(wildcard_atom(predicate(each)) for each in self.world.predicates or ()),
                *self.world.labels,
            ],
            "numeric_variables": list(self.world.numeric_variables),
        }

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """Return the intentions of each agent in a state. Each intention is a list of texts from
        the top of its stack down (:class:`volition.languages.protocols.HasIntentionStacks`)."""
        return {
            agent: intention_stacks(agent, program, state)
            for agent, program in self.programs.items()
        }

    def describe(self, state: SlotView) -> StateView:
        view: dict[str, Mapping[str, str]] = {}
        for agent, program in self.programs.items():
            view |= agent_view(agent, program, state)
        return (
            view
            | dict(self.world.describe(state))
            | {"waiting actions": number_duplicates([str(each) for each in state[ACTIONS]])}
        )

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return what the state view omits: the next stage of each agent's cycle, the order of its
        beliefs, mail, events and intentions, details of its plan instances, the slots of the world,
        and the order of the requested actions."""
        details = {
            f"the world's {world_item(slot)}": format_value(state[slot])
            for slot in self.world.slots
        }
        for agent in self.programs:
            details |= agent_details(agent, state)
        return {**details, "order of waiting actions": "; ".join(map(str, state[ACTIONS]))}


def _initial_mind(agent: str, program: AgentProgram) -> dict[str, Any]:
    beliefs = tuple(dict.fromkeys(Belief(atom, "initial") for atom, _ in program.beliefs))
    goals = tuple(Event("+", "achieve", goal) for goal, _ in program.goals)
    empty: dict[str, Any] = {
        "part": 0,
        "beliefs": beliefs,
        "mail": (),
        "events": goals,
        "ready": (),
        "means": (),
    }
    return {mind_slot(agent, name): value for name, value in empty.items()}
