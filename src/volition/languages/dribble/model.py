"""The meaning of a Dribble program: its system, and how its states answer questions and are told to
people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from volition.kernel.system import SlotView, System
from volition.languages.dribble.atoms import (
    LABELS,
    BelsAtom,
    DoesAtom,
    GoalsAtom,
    ParsedAtom,
    PlanAtom,
    PlanBoundLabel,
    StalledLabel,
    parse_atom,
)
from volition.languages.dribble.conditions import Believes, Desires
from volition.languages.dribble.semantics import PLAN, Configuration, Semantics
from volition.languages.dribble.syntax import AgentProgram, text_of_plan
from volition.languages.protocols import StateView
from volition.logic.syntax import Atom, AtomicFormula

__all__ = ["DribbleModel"]


class DribbleModel:
    """A Dribble program's meaning; ``observed`` are the atoms that will be asked."""

    def __init__(self, agent: AgentProgram, observed: Collection[Atom] = ()) -> None:
        self.agent = agent
        properties = (parse_atom(agent, atom) for atom in observed)
        self._semantics = Semantics(
            agent, {each.action for each in properties if isinstance(each, DoesAtom)}
        )

    @cached_property
    def system(self) -> System:
        """The agent as the kernel explores it."""
        return self._semantics.system()

    @property
    def agents(self) -> Sequence[str]:
        """A Dribble program is one agent, named as its file."""
        return (self.agent.name,)

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], bool]:
        """The traced function behind an atom or a name of a formula."""
        return self.resolve_atom(parse_atom(self.agent, atom))

    def resolve_atom(self, atom: ParsedAtom) -> Callable[[SlotView], bool]:
        """The traced function behind a question that was read."""
        semantics = self._semantics
        match atom:
            case Believes() | Desires():
                return lambda state: semantics.satisfies(state, atom)
            case BelsAtom(formulas):
                return lambda state: semantics.beliefs.base(state) == formulas
            case GoalsAtom(formulas):
                return lambda state: semantics.goal_base(state) == formulas
            case PlanAtom(plan):
                return lambda state: bool(state[PLAN] == plan)
            case DoesAtom(action):
                return lambda state: bool(state[semantics.watched[action]])
            case StalledLabel():
                return semantics.stalled
            case PlanBoundLabel():
                return semantics.withheld

    def configuration(self, state: SlotView) -> Configuration:
        """The configuration ``⟨δ, γ, π⟩`` that a state stands for."""
        return self._semantics.configuration(state)

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """The rules and basic actions of the program, as they appear in origins."""
        return {
            "plans": [rule.name for rule in self.agent.rules],
            "actions": list(self.agent.actions),
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Implements :class:`volition.languages.protocols.SpokenModel`."""
        return {
            "beliefs": [f"Bel({atom})" for atom in self.agent.atoms],
            "goals": [f"Goal({atom})" for atom in self.agent.atoms],
            "actions": [f"Does({action})" for action in self.agent.actions],
            "labels": list(LABELS),
            "numbers": [],
        }

    def describe(self, state: SlotView) -> StateView:
        """Beliefs, goals and plan of a state, for people: each known atom with its value, other
        formulas as they are."""
        beliefs = self._semantics.beliefs
        facts = {atom: state[slot] for atom, slot in beliefs.facts.items()}
        known = {atom: str(value).lower() for atom, value in facts.items() if value is not None}
        others = sorted(
            str(formula)
            for formula in beliefs.base(state)
            if not formula.atoms <= beliefs.facts.keys()
        )
        goals = sorted(map(str, self._semantics.goal_base(state)))
        return {
            "beliefs": known | dict.fromkeys(others, ""),
            "goals": dict.fromkeys(goals, ""),
            "plan": {"steps": text_of_plan(state[PLAN])},
        }

    def state_details(self, state: SlotView) -> Mapping[str, str]:
        """The actions that were just executed, of those that somebody asks for."""
        return {
            f"just did {action}": ""
            for action, slot in self._semantics.watched.items()
            if state[slot]
        }
