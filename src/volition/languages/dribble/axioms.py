"""The axioms of Trang et al., Sect. 3.3, as checks on an explored model: one function per axiom,
named as in the paper.

A model is a triple (S, R, V).  The checks look at S and R as they are given, at V through
:meth:`DribbleModel.configuration` and :meth:`DribbleModel.answer`, and compute what each axiom
    demands from the paper's definitions on whole bases.  They use neither the transition rules nor
    the slots, so they can find mistakes in both.

Three points are read with the paper's intention.  ABAvPR, AIFvPR and APR speak of the rules whose
head is some prefix of the plan, not one prefix chosen beforehand.  The second half of ABAvPR and
AIFvPR keeps δ and γ, as Sect. 3.2 says.  EPR and the sets of rules leave out a revision whose
result is not in *Plans*, because no formula of the logic can speak of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from volition.kernel.system import SlotView
from volition.languages.dribble.atoms import BelsAtom, GoalsAtom, ParsedAtom, PlanAtom
from volition.languages.dribble.conditions import Condition, holds
from volition.languages.dribble.model import DribbleModel
from volition.languages.dribble.propositional import FALSE, Dnf, assign, entails
from volition.languages.dribble.semantics import Configuration
from volition.languages.dribble.syntax import (
    AbstractPlan,
    AgentProgram,
    BasicAction,
    Conditional,
    length,
)

__all__ = ["AXIOMS", "Violation", "check_axioms"]


@dataclass(frozen=True, slots=True)
class Violation:
    """An axiom that does not hold in a state, given as a position in S."""

    axiom: str
    state: int


@dataclass(frozen=True)
class _Place:
    """A state s of a model of an agent: its configuration, those of its successors, and which atoms
    of the logic hold in it."""

    agent: AgentProgram
    here: Configuration
    successors: frozenset[Configuration]
    holding: frozenset[ParsedAtom]

    def satisfies(self, condition: Condition) -> bool:
        """``⟨V_b(s), V_g(s)⟩ ⊨_BG condition``."""
        beliefs, goals = self.here.beliefs, self.here.goals
        return holds(
            condition,
            lambda formula: entails(beliefs, formula),
            lambda formula: any(entails(frozenset([goal]), formula) for goal in goals),
        )

    def adopted(self) -> set[Configuration]:
        """Where the goal rules lead whose guard holds: the set Γ' of APG."""
        if self.here.plan:
            return set()
        rules = (rule for rule in self.agent.goal_rules if self.satisfies(rule.guard))
        return {Configuration(self.here.beliefs, self.here.goals, rule.body) for rule in rules}

    def revised(self) -> set[Configuration]:
        """Where the revision rules lead whose head is a prefix of the plan and whose guard holds:
        the set Δ'."""
        plan = self.here.plan
        rules = (
            rule
            for rule in self.agent.revision_rules
            if plan[: len(rule.head)] == rule.head and self.satisfies(rule.guard)
        )
        plans = {rule.body + plan[len(rule.head) :] for rule in rules}
        return {
            Configuration(self.here.beliefs, self.here.goals, each)
            for each in plans
            if length(each) <= self.agent.len_max
        }

    def executed(self) -> set[Configuration]:
        """Where the first step leads if it is a basic action whose update T(b, δ) is defined, or a
        conditional."""
        match self.here.plan:
            case (BasicAction(name), *rest) if self.satisfies(
                self.agent.actions[name].precondition
            ):
                beliefs = self._updated(name)
                goals = frozenset(goal for goal in self.here.goals if not entails(beliefs, goal))
                return {Configuration(beliefs, goals, tuple(rest))}
            case (Conditional(test, then, otherwise), *rest):
                branch = then if self.satisfies(test) else otherwise
                return {Configuration(self.here.beliefs, self.here.goals, (*branch, *rest))}
        return set()

    def _updated(self, action: str) -> frozenset[Dnf]:
        effects = (
            effect
            for effect in self.agent.actions[action].effects
            if self.satisfies(effect.condition)
        )
        return assign(
            self.here.beliefs, [literal for effect in effects for literal in effect.literals]
        )

    def begins_with(self, kind: type[BasicAction] | type[AbstractPlan] | type[Conditional]) -> bool:
        return bool(self.here.plan) and isinstance(self.here.plan[0], kind)

    def goes_only_to(self, allowed: set[Configuration]) -> bool:
        """An axiom AX(...): it demands something only where its disjunction is not empty."""
        return not allowed or self.successors <= allowed


# --- one base of each kind ------------------------------------------------------------------------


def a1(position: _Place) -> bool:
    """A1a and A1b: exactly one Bs δ holds, and δ is a set of formulas over the agent's atoms."""
    bases = [atom.formulas for atom in position.holding if isinstance(atom, BelsAtom)]
    return bases == [position.here.beliefs] and _over(position.agent, position.here.beliefs)


def a2(position: _Place) -> bool:
    """A2a and A2b: exactly one Gs γ holds."""
    bases = [atom.formulas for atom in position.holding if isinstance(atom, GoalsAtom)]
    return bases == [position.here.goals] and _over(position.agent, position.here.goals)


def a3(position: _Place) -> bool:
    """A3a and A3b: exactly one P π holds, and π is empty or in *Plans*."""
    plans = [atom.plan for atom in position.holding if isinstance(atom, PlanAtom)]
    return plans == [position.here.plan] and length(position.here.plan) <= position.agent.len_max


def a4(position: _Place) -> bool:
    """The belief base is consistent."""
    return not entails(position.here.beliefs, FALSE)


def a5(position: _Place) -> bool:
    """No goal is a consequence of the belief base."""
    return not any(entails(position.here.beliefs, goal) for goal in position.here.goals)


def a6(position: _Place) -> bool:
    """Each goal is consistent."""
    return not any(entails(frozenset([goal]), FALSE) for goal in position.here.goals)


# --- transitions ----------------------------------------------------------------------------------


def epg(position: _Place) -> bool:
    """Without a plan, each goal rule whose guard holds leads to a next state with its body as the
    plan."""
    return position.adopted() <= position.successors


def apg(position: _Place) -> bool:
    """Without a plan, every next state comes from a goal rule whose guard holds, if there is
    one."""
    return bool(position.here.plan) or position.goes_only_to(position.adopted())


def eba(position: _Place) -> bool:
    """A basic action whose update is defined leads to a next state."""
    return not position.begins_with(BasicAction) or position.executed() <= position.successors


def eif(position: _Place) -> bool:
    """A conditional leads to a next state with the branch that its test chooses."""
    return not position.begins_with(Conditional) or position.executed() <= position.successors


def epr(position: _Place) -> bool:
    """Each revision rule whose head begins the plan and whose guard holds leads to a next state."""
    return position.revised() <= position.successors


def aba_v_pr(position: _Place) -> bool:
    """Before a basic action, every next state comes from executing it or from a revision rule."""
    return not position.begins_with(BasicAction) or position.goes_only_to(
        position.executed() | position.revised()
    )


def aif_v_pr(position: _Place) -> bool:
    """Before a conditional, every next state comes from executing it or from a revision rule."""
    return not position.begins_with(Conditional) or position.goes_only_to(
        position.executed() | position.revised()
    )


def apr(position: _Place) -> bool:
    """Before an abstract plan, every next state comes from a revision rule."""
    return not position.begins_with(AbstractPlan) or position.goes_only_to(position.revised())


def stall(position: _Place) -> bool:
    """Where nothing else is possible, the configuration stays as it is, and for ever: R is
    serial."""
    possible = position.adopted() | position.executed() | position.revised()
    return bool(position.successors) and (bool(possible) or position.successors == {position.here})


AXIOMS: dict[str, Callable[[_Place], bool]] = {
    "A1": a1,
    "A2": a2,
    "A3": a3,
    "A4": a4,
    "A5": a5,
    "A6": a6,
    "EPG": epg,
    "APG": apg,
    "EBA": eba,
    "EIF": eif,
    "EPR": epr,
    "ABAvPR": aba_v_pr,
    "AIFvPR": aif_v_pr,
    "APR": apr,
    "Stall": stall,
}
"""Each axiom with its check."""


def check_axioms(
    model: DribbleModel, states: Sequence[SlotView], successors: Sequence[Collection[int]]
) -> list[Violation]:
    """Every violation of an axiom in a model of a program.

    ``states`` are S, ``successors[i]`` the positions of the states that R relates to state i.  The
    theorem of soundness (Theorem 1) says that a model of the program has no violations.  The work
    grows with the number of states times the number of different bases and plans in them.
    """
    configurations = [model.configuration(state) for state in states]
    properties = {
        atom: model.resolve_atom(atom) for each in configurations for atom in _questions(each)
    }
    violations: list[Violation] = []
    for number, state in enumerate(states):
        holding = frozenset(
            parsed_atom for parsed_atom, answer in properties.items() if answer(state)
        )
        position = _Place(
            model.agent,
            configurations[number],
            frozenset(configurations[each] for each in successors[number]),
            holding,
        )
        violations += [
            Violation(name, number) for name, axiom in AXIOMS.items() if not axiom(position)
        ]
    return violations


def _questions(configuration: Configuration) -> Iterator[ParsedAtom]:
    yield BelsAtom(configuration.beliefs)
    yield GoalsAtom(configuration.goals)
    yield PlanAtom(configuration.plan)


def _over(agent: AgentProgram, formulas: frozenset[Dnf]) -> bool:
    return all(formula.atoms <= agent.atoms for formula in formulas)
