"""Model of a Dribble program: its transition system, the atoms of formulas, and the views of its
states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import assert_never

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
    """Model of a Dribble program. ``observed`` are the atoms that the properties use."""

    def __init__(self, agent: AgentProgram, observed: Collection[Atom] = ()) -> None:
        self.agent = agent
        properties = (parse_atom(agent, atom) for atom in observed)
        self._semantics = Semantics(
            agent, {each.action for each in properties if isinstance(each, DoesAtom)}
        )

    @cached_property
    def system(self) -> System:
        """Return the transition system of the agent."""
        return self._semantics.system()

    @property
    def agents(self) -> Sequence[str]:
        """Return the name of the only agent, which is the name of the file."""
        return (self.agent.name,)

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], bool]:
        """Return the function that evaluates an atom or label of a formula in a state."""
        return self.resolve_atom(parse_atom(self.agent, atom))

    def resolve_atom(self, atom: ParsedAtom) -> Callable[[SlotView], bool]:
        """Return the function that evaluates a parsed atom in a state."""
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
            case _:
                assert_never(atom)

    def configuration(self, state: SlotView) -> Configuration:
        """Return the configuration ``⟨δ, γ, π⟩`` of a state: belief base, goal base and plan."""
        return self._semantics.configuration(state)

    def inventory(self) -> Mapping[str, Sequence[str]]:
        """Return a map from ``plans`` to the names of the program's rules, and from ``actions`` to
        the names of its basic actions."""
        return {
            "plans": [rule.name for rule in self.agent.rules],
            "actions": list(self.agent.actions),
        }

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """Return a map from each kind of name, such as ``beliefs``, to the atoms or labels of this
        kind that a formula can use. Implements :class:`volition.languages.protocols.HasVocabulary`.
        """
        return {
            "beliefs": [f"Bel({atom})" for atom in self.agent.atoms],
            "goals": [f"Goal({atom})" for atom in self.agent.atoms],
            "actions": [f"Does({action})" for action in self.agent.actions],
            "labels": list(LABELS),
            "numeric_variables": [],
        }

    def describe(self, state: SlotView) -> StateView:
        """Return the view of a state: its beliefs, goals and plan. Atoms with a known value are
        shown with this value, other beliefs as formulas."""
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
        """Return the part of a state that :meth:`describe` omits: which of the actions in ``Does``
        atoms the last step executed."""
        return {
            f"last step executed {action}": ""
            for action, slot in self._semantics.watched.items()
            if state[slot]
        }
