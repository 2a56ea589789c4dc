"""Axioms of Trang et al., Sect. 3.3, as checks on an explored model: one function per axiom, under
the name it has in that paper.

A model is a triple (S, R, V) of states, a relation between states and their successors, and the
function V, which gives the bases, the plan and the atoms of a state. The checks take S and R as
given. They evaluate V through :meth:`DribbleModel.configuration` and
:meth:`DribbleModel.resolve_atom`. What an axiom demands is computed from the paper's definitions,
with the belief base and the goal base as sets of formulas. The checks use neither the transition
rules nor the slots, so they can find errors in both.

In three points the checks follow the intention of the paper instead of its wording:

- ABAvPR, AIFvPR and APR are about all rules whose head is some prefix of the plan, not about one
  prefix chosen beforehand.
- The second half of ABAvPR and AIFvPR, about revision rules, leaves the belief base δ and the goal
  base γ unchanged, as Sect. 3.2 states.
- EPR and the sets of rules leave out a revision whose result is not in *Plans*, the plans of length
  at most ``len_max``, because no formula of the logic can refer to it.
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
    """Violation of an axiom in a state: the name of the axiom, and the index of the state in the
    list of explored states."""

    axiom: str
    state: int


@dataclass(frozen=True)
class _AxiomState:
    """Data about a state s of a model that the axioms need: its configuration, the configurations
    of its successors, and the atoms that hold in it."""

    agent: AgentProgram
    configuration: Configuration
    successors: frozenset[Configuration]
    holding: frozenset[ParsedAtom]

    def satisfies(self, condition: Condition) -> bool:
        """Return whether a condition holds in this state s: ``⟨V_b(s), V_g(s)⟩ ⊨_BG condition``."""
        beliefs, goals = self.configuration.beliefs, self.configuration.goals
        return holds(
            condition,
            lambda formula: entails(beliefs, formula),
            lambda formula: any(entails(frozenset([goal]), formula) for goal in goals),
        )

    def adopted(self) -> set[Configuration]:
        """Return the set Γ' of the axiom APG: the configurations after the agent has applied a goal
        rule. There is one for each goal rule whose guard holds, and its plan is the body of the
        rule. The set is empty if the agent has a plan already."""
        if self.configuration.plan:
            return set()
        rules = (rule for rule in self.agent.goal_rules if self.satisfies(rule.guard))
        return {
            Configuration(self.configuration.beliefs, self.configuration.goals, rule.body)
            for rule in rules
        }

    def revised(self) -> set[Configuration]:
        """Return the configurations that applicable revision rules lead to: the set Δ' of Trang et
        al., Sect. 3.3.

        A rule is applicable if its head is a prefix of the plan and its guard holds.
        """
        plan = self.configuration.plan
        rules = (
            rule
            for rule in self.agent.revision_rules
            if plan[: len(rule.head)] == rule.head and self.satisfies(rule.guard)
        )
        plans = {rule.body + plan[len(rule.head) :] for rule in rules}
        return {
            Configuration(self.configuration.beliefs, self.configuration.goals, each)
            for each in plans
            if length(each) <= self.agent.len_max
        }

    def executed(self) -> set[Configuration]:
        """Return the set of configurations after executing the first step of the plan. It has one
        element if that step is a conditional or a basic action whose update T(b, δ) is defined,
        else none."""
        match self.configuration.plan:
            case (BasicAction(name), *rest) if self.satisfies(
                self.agent.actions[name].precondition
            ):
                beliefs = self._updated(name)
                goals = frozenset(
                    goal for goal in self.configuration.goals if not entails(beliefs, goal)
                )
                return {Configuration(beliefs, goals, tuple(rest))}
            case (Conditional(test, then, otherwise), *rest):
                branch = then if self.satisfies(test) else otherwise
                return {
                    Configuration(
                        self.configuration.beliefs, self.configuration.goals, (*branch, *rest)
                    )
                }
            case _:
                pass
        return set()

    def _updated(self, action: str) -> frozenset[Dnf]:
        effects = (
            effect
            for effect in self.agent.actions[action].effects
            if self.satisfies(effect.condition)
        )
        return assign(
            self.configuration.beliefs,
            [literal for effect in effects for literal in effect.literals],
        )

    def begins_with(self, kind: type[BasicAction] | type[AbstractPlan] | type[Conditional]) -> bool:
        return bool(self.configuration.plan) and isinstance(self.configuration.plan[0], kind)

    def goes_only_to(self, allowed: set[Configuration]) -> bool:
        """Return whether an axiom of the form AX(c1 ∨ c2 ∨ ...) holds: every successor has one of
        the configurations in ``allowed``. If ``allowed`` is empty, the axiom demands nothing."""
        return not allowed or self.successors <= allowed


# --- axioms about bases and the plan --------------------------------------------------------------


def a1(state_data: _AxiomState) -> bool:
    """Check axioms A1a and A1b of Trang et al.: exactly one Bs δ holds, and δ has only formulas
    over the agent's atoms."""
    bases = [atom.formulas for atom in state_data.holding if isinstance(atom, BelsAtom)]
    return bases == [state_data.configuration.beliefs] and _over(
        state_data.agent, state_data.configuration.beliefs
    )


def a2(state_data: _AxiomState) -> bool:
    """Check axioms A2a and A2b of Trang et al.: exactly one Gs γ holds, and γ has only formulas
    over the agent's atoms."""
    bases = [atom.formulas for atom in state_data.holding if isinstance(atom, GoalsAtom)]
    return bases == [state_data.configuration.goals] and _over(
        state_data.agent, state_data.configuration.goals
    )


def a3(state_data: _AxiomState) -> bool:
    """Check axioms A3a and A3b of Trang et al.: exactly one P π holds, and π is empty or in
    *Plans*, the plans of length at most ``len_max``."""
    plans = [atom.plan for atom in state_data.holding if isinstance(atom, PlanAtom)]
    return (
        plans == [state_data.configuration.plan]
        and length(state_data.configuration.plan) <= state_data.agent.len_max
    )


def a4(state_data: _AxiomState) -> bool:
    """Check axiom A4 of Trang et al.: the belief base is consistent."""
    return not entails(state_data.configuration.beliefs, FALSE)


def a5(state_data: _AxiomState) -> bool:
    """Check axiom A5 of Trang et al.: no goal is a consequence of the belief base."""
    return not any(
        entails(state_data.configuration.beliefs, goal) for goal in state_data.configuration.goals
    )


def a6(state_data: _AxiomState) -> bool:
    """Check axiom A6 of Trang et al.: each goal is consistent."""
    return not any(entails(frozenset([goal]), FALSE) for goal in state_data.configuration.goals)


# --- axioms about transitions ---------------------------------------------------------------------


def epg(state_data: _AxiomState) -> bool:
    """Check axiom EPG of Trang et al.: if the agent has no plan, each goal rule whose guard holds
    leads to a successor with the rule's body as the plan."""
    return state_data.adopted() <= state_data.successors


def apg(state_data: _AxiomState) -> bool:
    """Check axiom APG of Trang et al.: if the agent has no plan and the guard of a goal rule holds,
    every successor comes from a goal rule whose guard holds."""
    return bool(state_data.configuration.plan) or state_data.goes_only_to(state_data.adopted())


def eba(state_data: _AxiomState) -> bool:
    """Check axiom EBA of Trang et al.: if the plan begins with a basic action whose belief update
    is defined, executing the action leads to a successor."""
    return not state_data.begins_with(BasicAction) or state_data.executed() <= state_data.successors


def eif(state_data: _AxiomState) -> bool:
    """Check axiom EIF of Trang et al.: if the plan begins with a conditional, some successor
    continues with the branch that the test of the conditional selects."""
    return not state_data.begins_with(Conditional) or state_data.executed() <= state_data.successors


def epr(state_data: _AxiomState) -> bool:
    """Check axiom EPR of Trang et al.: each revision rule whose head is a prefix of the plan and
    whose guard holds leads to a successor with the revised plan."""
    return state_data.revised() <= state_data.successors


def aba_v_pr(state_data: _AxiomState) -> bool:
    """Check axiom ABAvPR of Trang et al.: if the plan begins with a basic action, every successor
    comes from executing it or from a revision rule."""
    return not state_data.begins_with(BasicAction) or state_data.goes_only_to(
        state_data.executed() | state_data.revised()
    )


def aif_v_pr(state_data: _AxiomState) -> bool:
    """Check axiom AIFvPR of Trang et al.: if the plan begins with a conditional, every successor
    comes from executing it or from a revision rule."""
    return not state_data.begins_with(Conditional) or state_data.goes_only_to(
        state_data.executed() | state_data.revised()
    )


def apr(state_data: _AxiomState) -> bool:
    """Check axiom APR of Trang et al.: if the plan begins with an abstract plan, every successor
    comes from a revision rule."""
    return not state_data.begins_with(AbstractPlan) or state_data.goes_only_to(state_data.revised())


def stall(state_data: _AxiomState) -> bool:
    """Check axiom Stall of Trang et al.: every state has a successor, and if no rule applies, the
    only successor has the same configuration."""
    possible = state_data.adopted() | state_data.executed() | state_data.revised()
    return bool(state_data.successors) and (
        bool(possible) or state_data.successors == {state_data.configuration}
    )


AXIOMS: dict[str, Callable[[_AxiomState], bool]] = {
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
"""Map from the name of each axiom to the function that checks the axiom in a state."""


def check_axioms(
    model: DribbleModel, states: Sequence[SlotView], successors: Sequence[Collection[int]]
) -> list[Violation]:
    """Return every violation of an axiom of Trang et al., Sect. 3.3, in an explored model of a
    program.

    ``states`` are all states of the model. ``successors[i]`` are the indices of the successors of
    state i. By soundness (Theorem 1 of Trang et al.) a correct model of a program has no
    violations. The running time is proportional to the number of states times the number of
    different bases and plans in them.
    """
    configurations = [model.configuration(state) for state in states]
    properties = {
        atom: model.resolve_atom(atom) for each in configurations for atom in _base_atoms(each)
    }
    violations: list[Violation] = []
    for number, state in enumerate(states):
        holding = frozenset(
            parsed_atom for parsed_atom, answer in properties.items() if answer(state)
        )
        state_data = _AxiomState(
            model.agent,
            configurations[number],
            frozenset(configurations[each] for each in successors[number]),
            holding,
        )
        violations += [
            Violation(name, number) for name, axiom in AXIOMS.items() if not axiom(state_data)
        ]
    return violations


def _base_atoms(configuration: Configuration) -> Iterator[ParsedAtom]:
    yield BelsAtom(configuration.beliefs)
    yield GoalsAtom(configuration.goals)
    yield PlanAtom(configuration.plan)


def _over(agent: AgentProgram, formulas: frozenset[Dnf]) -> bool:
    return all(formula.atoms <= agent.atoms for formula in formulas)
