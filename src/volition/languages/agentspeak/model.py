"""What an AgentSpeak(F) system means: the kernel's system, the atoms of formulas, and its states told to people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from volition.diagnostics import Diagnostic, InputError, Span, did_you_mean
from volition.kernel.system import Component, System, View
from volition.languages.agentspeak.atoms import ATOMS
from volition.languages.agentspeak.cycle import Interpreter
from volition.languages.agentspeak.environment import ENVIRONMENT, NATURE, Environment
from volition.languages.agentspeak.portrait import detail_agent, numbered, portray_agent, stacks_of
from volition.languages.agentspeak.possible_predicates import PossiblePredicates
from volition.languages.agentspeak.settings import Settings
from volition.languages.agentspeak.state import ACTIONS, Belief, Event, mind_slot
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.agentspeak.value_flow import Kind, ValueFlow
from volition.languages.agentspeak.variables import atom_in, percept_in, read_variables
from volition.languages.kit.slots import owned, world_item
from volition.languages.model import Portrait
from volition.languages.world.formula_terms import agent_and_term, fact_in
from volition.languages.world.interface import World, alike, tell
from volition.languages.world.observation import InWorld
from volition.languages.world.terms import Structure, any_of, predicate, show
from volition.logic.printing import show as show_formula
from volition.logic.syntax import Atom, Formula, Identifier, Leaf, Proposition
from volition.logic.terms import Group
from volition.logic.tree import leaves

__all__ = ["AgentSpeakModel"]

_KINDS: Mapping[str, Kind] = {"Bel": "belief", "Des": "goal", "Int": "goal", "Does": "action"}
"""What an atom of each modality is about."""


@dataclass(frozen=True)
class AgentSpeakModel(InWorld):
    """Implements :class:`volition.languages.model.Model`."""

    programs: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    whole: AgentSpeakModel | None = None
    """The model that this one is a slice of: what is unknown, or never true, is judged by it."""

    @property
    def agents(self) -> Sequence[str]:
        return tuple(self.programs)

    @cached_property
    def system(self) -> System:
        """One component per agent, one for the environment, and one for percepts that change freely, if there are any."""
        slots: dict[str, Any] = {}
        components = []
        for name, program in self.programs.items():
            slots |= _initial_mind(name, program)
            components.append(Component(name, Interpreter(name, program, self.settings[name], self.world, self.agents).step))
        slots |= {**self.world.slots, ACTIONS: ()}
        environment = Environment(self.world)
        components.append(Component(ENVIRONMENT, environment.step))
        if self.world.changes_freely:
            components.append(Component(NATURE, environment.change))
        return System(slots, components)

    # --- formulas ----------------------------------------------------------------------------------------------------------

    def resolve(self, leaf: Leaf) -> Callable[[View], Any]:
        match leaf:
            case Identifier(name):
                return self.world.number(name, leaf.span)
            case Proposition():
                return self.world.proposition(fact_in(leaf), leaf.span)
            case Atom("Percept"):
                return self.world.proposition(percept_in(leaf), leaf.span)
        modality = ATOMS.get(leaf.modality)
        if modality is None:
            hint = did_you_mean(leaf.modality, ATOMS) or f"expected one of {', '.join(ATOMS)} or Percept"
            raise InputError([Diagnostic("ASP040", f"{leaf.modality}(...) is not supported for AgentSpeak(F)", leaf.span, hint)])
        agent, atom = self.agent_and_atom(leaf)
        self._refuse_unknown(leaf.modality, atom, leaf.span)
        return modality(agent, self.programs[agent], atom)

    def remarks(self, formula: Formula) -> Sequence[Diagnostic]:
        """Implements :class:`volition.languages.model.CommentingModel`: variables, and what no atom can ever be."""
        return read_variables(formula, self) + self._never_true(formula)

    def _never_true(self, formula: Formula) -> list[Diagnostic]:
        """A warning for each atom with an argument that nothing ever has, which is probably misspelt."""
        found = []
        for leaf in leaves(formula):
            if isinstance(leaf, Identifier) or (atom := atom_in(leaf, self)) is None:
                continue
            kind = _KINDS.get(leaf.modality, "fact") if isinstance(leaf, Atom) else "fact"
            if misfit := self._values.misfit(kind, atom):
                message = f"'{show_formula(leaf)}' is never true: {misfit.text}"
                found.append(Diagnostic("ASP046", message, leaf.span, misfit.hint, "warning"))
        return found

    @cached_property
    def _values(self) -> ValueFlow:
        return ValueFlow(self.programs, self.world) if self.whole is None else self.whole._values

    @cached_property
    def _possible(self) -> PossiblePredicates:
        return PossiblePredicates(self.programs, self.world) if self.whole is None else self.whole._possible

    def _refuse_unknown(self, modality: str, atom: Structure, place: Span | None) -> None:
        """What no agent and no world speaks of is never true, and probably misspelt."""
        attitudes, actions = self._possible.attitudes(), self._possible.actions()
        known, others = (actions, attitudes) if modality == "Does" else (attitudes, actions)
        if known is None or predicate(atom) in known:
            return
        kinds = ("action", "belief or goal")
        kind, other = kinds if modality == "Does" else reversed(kinds)
        hint = f"it is {'an' if other == 'action' else 'a'} {other}" if predicate(atom) in (others or ()) else alike(atom, known)
        raise InputError([Diagnostic("ASP044", f"unknown {kind} {predicate(atom)}", place, hint)])

    def agent_and_atom(self, leaf: Atom) -> tuple[str, Structure]:
        """``Bel(ag2, alliance(ag3,ag2))``; the agent may be left out where there is one only."""
        agent, atom = agent_and_term(leaf, self.agents, miscounted="ASP041", unknown="ASP043")
        if not isinstance(atom, Structure) or isinstance(leaf.arguments[-1], Group):
            raise InputError([Diagnostic("ASP042", f"'{show(atom)}' is not an atom", leaf.arguments[-1].span)])
        return agent, atom

    # --- running -------------------------------------------------------------------------------------------------------------

    def is_of_world(self, component: Component) -> bool:
        """The environment and what changes freely are the world's; what an agent selects is its own."""
        return component.name in (ENVIRONMENT, NATURE)

    # --- people --------------------------------------------------------------------------------------------------------------

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """The plans of all agents, with the name of the agent where there are several."""
        return {"plans": owned({agent: [plan.name for plan in program.plans] for agent, program in self.programs.items()})}

    def words(self) -> Mapping[str, Sequence[str]]:
        """Implements :class:`volition.languages.model.SpokenModel`."""
        possible = PossiblePredicates(self.programs, self.world)
        minds = {agent: (possible.believed(agent) or set(), possible.posted(agent, "+", "achieve") or set()) for agent in self.programs}
        return {
            "beliefs": [f"Bel({agent}, {any_of(each)})" for agent, (believed, _) in minds.items() for each in sorted(believed)],
            "goals": [
                f"{modality}({agent}, {any_of(each)})"
                for modality in ("Des", "Int")
                for agent, (_, goals) in minds.items()
                for each in sorted(goals)
            ],
            "actions": [f"Does({agent}, {any_of(each)})" for agent in self.programs for each in sorted(possible.actions())],
            "labels": [*(any_of(predicate(each)) for each in self.world.predicates or ()), *self.world.labels],
            "numbers": list(self.world.quantities),
        }

    def stacks(self, state: View) -> Mapping[str, Sequence[Sequence[str]]]:
        """Implements :class:`volition.languages.model.StackingModel`."""
        return {agent: stacks_of(agent, program, state) for agent, program in self.programs.items()}

    def portray(self, state: View) -> Portrait:
        portrait: dict[str, Mapping[str, str]] = {}
        for agent, program in self.programs.items():
            portrait |= portray_agent(agent, program, state)
        return portrait | dict(self.world.portray(state)) | {"waiting actions": numbered([str(each) for each in state[ACTIONS]])}

    def details(self, state: View) -> Mapping[str, str]:
        """Where each agent is in its cycle, the order of what it has, and what a world keeps to itself."""
        details = {f"the world's {world_item(slot)}": tell(state[slot]) for slot in self.world.slots}
        for agent in self.programs:
            details |= detail_agent(agent, state)
        return {**details, "order of waiting actions": "; ".join(map(str, state[ACTIONS]))}


def _initial_mind(agent: str, program: AgentProgram) -> dict[str, Any]:
    beliefs = tuple(dict.fromkeys(Belief(atom, "initial") for atom, _ in program.beliefs))
    goals = tuple(Event("+", "achieve", goal) for goal, _ in program.goals)
    empty: dict[str, Any] = {"part": 0, "beliefs": beliefs, "mail": (), "events": goals, "ready": (), "means": ()}
    return {mind_slot(agent, name): value for name, value in empty.items()}
