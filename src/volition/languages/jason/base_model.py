"""Base class of Jason models: resolution of atoms in formulas, names that formulas can use, and
views of states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, assert_never

from volition.diagnostics import Diagnostic, InputError, Span
from volition.kernel.system import Component, SlotView, System
from volition.languages.common.shared_variables import shared_variables
from volition.languages.common.slots import qualified_names, world_item
from volition.languages.jason.agent_state import AgentContext, AgentState
from volition.languages.jason.atom_parsing import agent_and_query, parse_percept
from volition.languages.jason.atoms import ATOMS
from volition.languages.jason.environment import from_world
from volition.languages.jason.observation import ObservedAction
from volition.languages.jason.possible_predicates import (
    ANYTHING,
    Names,
    PossiblePredicates,
    spelling_hint,
)
from volition.languages.jason.state_view import agent_details, agent_view, intention_stacks
from volition.languages.jason.syntax import AgentProgram
from volition.languages.jason.terms import Literal, Term, Variable, indicator
from volition.languages.jason.traversal import proved_literals, variables_in
from volition.languages.protocols import StateView
from volition.languages.world.interface import EmptyWorld, World, format_value
from volition.languages.world.matching import WorldModelMixin
from volition.languages.world.property_terms import fact_in
from volition.languages.world.terms import Structure, predicate, variables, wildcard_atom
from volition.logic.syntax import Atom, AtomicFormula, Formula, Identifier, Proposition

__all__ = ["JasonModelBase"]


class JasonModelBase(WorldModelMixin, ABC):
    """Base of Jason models: everything except the construction of the transition system. Implements
    the protocols of :mod:`volition.languages.protocols`, such as ``Model``."""

    programs: Mapping[str, AgentProgram]
    world: World
    known_predicates: PossiblePredicates | None
    """Predicates that formulas may name, or None to derive them from the programs and the world of
    this model. A model of a sliced program uses the predicates of the program before slicing."""

    @property
    @abstractmethod
    def system(self) -> System:
        """Transition system of the model, which the kernel explores."""

    @abstractmethod
    def agent(self, name: str) -> AgentContext:
        """Return the constant data of the agent ``name``."""

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(self.programs)

    @cached_property
    def _possible(self) -> PossiblePredicates:
        return self.known_predicates or PossiblePredicates(self.programs, self.world)

    # --- resolution of formulas -------------------------------------------------------------------

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        """Return the function that evaluates an atomic formula in a state. Raises
        :class:`InputError` if the system has no such belief, goal, action, percept or variable."""
        match atom:
            case Identifier(name):
                return self.world.number(name, atom.span)
            case Proposition():
                return self._percept(fact_in(atom), atom.span)
            case Atom("Percept"):
                return self._percept(parse_percept(atom), atom.span)
            case Atom():
                pass
            case _:
                assert_never(atom)
        agent, query = agent_and_query(atom, self.agents)
        self._raise_if_unknown(atom.modality, query, atom.span)
        if atom.modality == "Does":
            slot = self.observed_action(atom).slot
            return lambda state: state[slot]
        return ATOMS[atom.modality](self.agent(agent), query)

    def _percept(self, fact: Structure, span: Span | None) -> Callable[[SlotView], bool]:
        if isinstance(self.world, EmptyWorld):
            query = from_world(fact)
            name = indicator(query) if isinstance(query, Literal) else None
            believer = next(
                (agent for agent in self.agents if name in self._possible.believed(agent)), None
            )
            hint = (
                f"write Bel({believer}, {query})"
                if believer
                else "write world = .. in the .volition file"
            )
            raise InputError(
                [Diagnostic("JSN044", f"unknown percept {query}: there is no world", span, hint)]
            )
        return self.world.proposition(fact, span)

    def observed_action(self, atom: Atom) -> ObservedAction:
        """Return the agent and the action of an atom ``Does(agent, action)``. Raises
        :class:`InputError` for an invalid atom."""
        agent, action = agent_and_query(atom, self.agents)
        assert isinstance(action, Literal | Variable), "only Bel takes formulas"
        return ObservedAction(agent, action)

    def _raise_if_unknown(self, modality: str, query: Term, span: Span | None) -> None:
        """Raise InputError if a query names a predicate that occurs in no program and no world.
        Such an atom can never hold and is probably misspelt."""
        known, others = self._possible.queryable(), self._possible.actions()
        kind, other = "belief or goal", "an action"
        if modality == "Does":
            known, others, kind, other = others, known, "action", "a belief or goal"
        for literal in proved_literals(query):
            name = indicator(literal)
            if not literal.is_internal and ANYTHING not in known and name not in known:
                hint = f"it is {other}" if name in others else spelling_hint(literal, known)
                raise InputError([Diagnostic("JSN044", f"unknown {kind} {name}", span, hint)])

    def lint(self, formula: Formula) -> Sequence[Diagnostic]:
        """Warn about each variable that occurs in several atoms of a formula, because a variable is
        local to its atom. Implements :class:`volition.languages.protocols.HasFormulaLint`."""
        return [
            Diagnostic(
                "JSN045",
                f"{each.name} also occurs in '{each.first_use}', but is a different variable there",
                each.span,
                each.hint,
            )
            for each in shared_variables(formula, self._variables)
        ]

    def _variables(self, atom: AtomicFormula) -> Iterator[str]:
        try:
            match atom:
                case Atom("Percept"):
                    names = variables(parse_percept(atom))
                case Atom():
                    names = variables_in(agent_and_query(atom, self.agents)[1])
                case Proposition():
                    names = variables(fact_in(atom))
                case Identifier():
                    return
                case _:
                    assert_never(atom)
        except InputError:
            return  # resolving the atom reports the error
        yield from (name for name in names if not name.startswith("_"))

    # --- execution --------------------------------------------------------------------------------

    def is_environment(self, component: Component) -> bool:
        """Return whether a component of the system belongs to the environment. The components for
        effects of actions, results of actions and free changes of percepts do; those of agents do
        not."""
        return component.name not in self.programs

    # --- views of states --------------------------------------------------------------------------

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return ``{"plans": labels}`` with the plan labels of all agents, each prefixed with its
        agent if there are several agents."""
        return {
            "plans": qualified_names(
                {
                    agent: [plan.label for plan in program.plans]
                    for agent, program in self.programs.items()
                }
            )
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return the atoms that formulas can use: a map from their kind (``beliefs``, ``goals``,
        ``actions``, ``labels``, ``numbers``) to their texts. Implements
        :class:`volition.languages.protocols.HasVocabulary`."""
        possible = self._possible
        requested = {
            agent: possible.posted(agent, "+", "achieve") - {"kqml_received/4"}
            for agent in self.programs
        }
        return {
            "beliefs": [
                f"Bel({agent}, {each})"
                for agent in self.programs
                for each in _wildcard_atoms(possible.believed(agent))
            ],
            "goals": [
                f"{modality}({agent}, {each})"
                for modality in ("Des", "Int")
                for agent, goals in requested.items()
                for each in _wildcard_atoms(goals)
            ],
            "actions": [
                f"Does({agent}, {each})"
                for agent in self.programs
                for each in _wildcard_atoms(possible.actions())
            ],
            "labels": [
                *(_label(wildcard_atom(predicate(each))) for each in self.world.predicates or ()),
                *self.world.labels,
            ],
            "numeric_variables": list(self.world.numeric_variables),
        }

    def _mind(self, agent: str, state: SlotView) -> AgentState:
        return AgentState(self.agent(agent), state)

    def intention_stacks(self, state: SlotView) -> Mapping[str, Sequence[Sequence[str]]]:
        """Return a map from each agent to its intention stacks, as texts from the top of a stack
        down. Implements :class:`volition.languages.protocols.HasIntentionStacks`."""
        return {agent: intention_stacks(self._mind(agent, state)) for agent in self.programs}

    def describe(self, state: SlotView) -> StateView:
        view: dict[str, Mapping[str, str]] = {}
        for agent in self.programs:
            view |= agent_view(self._mind(agent, state))
        return view | dict(self.world.describe(state))

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """Return details of a state that :meth:`describe` leaves out, as a map from a name to a
        text: each agent's stage of the reasoning cycle, the order of its queues, and the slots of
        the world that are not perceived."""
        details = {
            f"the world's {world_item(slot)}": format_value(state[slot])
            for slot in self.world.slots
        }
        for agent in self.programs:
            details |= agent_details(self._mind(agent, state))
        shared = [
            slot
            for slot in self.system.slots
            if slot not in self.world.slots and getattr(slot, "agent", None) is None
        ]
        return details | {slot: format_value(state[slot]) for slot in shared}


def _wildcard_atoms(names: Names) -> list[str]:
    return [wildcard_atom(each) for each in sorted(names - {ANYTHING})]


def _label(percept: str) -> str:
    """Return a percept in the notation of formulas. A strongly negated percept is quoted, because
    formulas use ``~`` as an operator."""
    return f'"{percept}"' if percept.startswith("~") else percept
