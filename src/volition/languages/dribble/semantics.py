"""Operational semantics of Dribble: one function per transition rule of Trang et al., Sect. 2.4.

A configuration ``⟨δ, γ, π⟩`` is stored in slots: the belief base in those of
:mod:`.factored_beliefs`, one slot per goal (whether the agent still has it; goals are dropped,
never adopted), and the slot ``plan``. Each goal rule and each revision rule is a separate
component, so that its guard is read only when that rule is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, NoPredicate, Predicate, SlotView, System
from volition.languages.common.slots import Slot, assign_owner
from volition.languages.dribble.belief_slots import Changed
from volition.languages.dribble.conditions import Condition, holds, text_of_test
from volition.languages.dribble.factored_beliefs import FactoredBeliefs, divided_beliefs
from volition.languages.dribble.propositional import Dnf, Literal, entails
from volition.languages.dribble.syntax import (
    Action,
    AgentProgram,
    BasicAction,
    Conditional,
    GoalRule,
    Plan,
    RevisionRule,
    length,
    text_of_plan,
)
from volition.origin import Origin

__all__ = ["PLAN", "Configuration", "Semantics"]

PLAN = Slot("plan", "plan")


@dataclass(frozen=True, slots=True)
class Configuration:
    """Configuration ``⟨δ, γ, π⟩`` as in Trang et al.: a belief base and a goal base, both sets of
    formulas, and a plan, which may be empty."""

    beliefs: frozenset[Dnf]
    goals: frozenset[Dnf]
    plan: Plan


class Semantics:
    """Transition rules of one Dribble agent.

    ``watched`` are the basic actions that a formula queries with ``Does``. Each has a slot that
    records whether the step into a state executed it.
    """

    def __init__(self, agent: AgentProgram, watched: Collection[str] = ()) -> None:
        self.agent = agent
        self.beliefs: FactoredBeliefs = divided_beliefs(agent.beliefs, agent.atoms)
        self.goals: Mapping[Dnf, Slot] = {
            goal: Slot(f"goal {goal}", "goal", item=str(goal))
            for goal in sorted(agent.goals, key=str)
        }
        self.watched: Mapping[str, Slot] = {
            action: Slot(f"did {action}", "memory", item=action) for action in sorted(watched)
        }

    def system(self) -> System:
        """Return the transition system of the agent, with the initial configuration ``⟨δ0, γ0,
        ∅⟩``."""
        goals, watched = (
            dict.fromkeys(self.goals.values(), True),
            dict.fromkeys(self.watched.values(), False),
        )
        components = [Component(name, step) for name, step in self._moves()]
        if self.watched:
            components.append(Component("stall", self.stall_after_action))
        slots = {PLAN: (), **self.beliefs.initial, **goals, **watched}
        return System(assign_owner(self.agent.name, slots), components, stutter=self.stall())

    def _moves(self) -> list[tuple[str, Callable[[SlotView], Sequence[Choice]]]]:
        """Return the transition rules that change a configuration (all except stall). Each is a
        pair of a name and the function that returns the transitions of the rule in a state."""
        return [
            *(
                (f"apply({rule.name})", partial(self.apply_goal_rule, rule))
                for rule in self.agent.goal_rules
            ),
            *(
                (f"apply({rule.name})", partial(self.apply_plan_revision_rule, rule))
                for rule in self.agent.revision_rules
            ),
            ("execute(b)", self.execute_basic_action),
            ("execute(if)", self.execute_conditional_statement),
        ]

    # --- the transition rules ---------------------------------------------------------------------

    def apply_goal_rule(self, rule: GoalRule, state: SlotView) -> list[Choice]:
        """Return the transition in which the agent adopts the body of a goal rule as its plan (rule
        "application of a goal rule"). The list is empty if the agent already has a plan, the body
        is longer than ``len_max``, or the guard does not hold."""
        if (
            state[PLAN]
            or length(rule.body) > self.agent.len_max
            or not self.satisfies(state, rule.guard)
        ):
            return []
        return [
            self._choice(
                f"apply({rule.name})",
                f"adopt {text_of_plan(rule.body)}",
                {PLAN: rule.body},
                rule.span,
                plan=rule.name,
            )
        ]

    def apply_plan_revision_rule(self, rule: RevisionRule, state: SlotView) -> list[Choice]:
        """Return the transition in which a revision rule replaces a prefix of the plan (rule
        "application of a plan revision rule"), or an empty list if the rule does not apply. A rule
        may also replace steps that could be executed."""
        revised = self.revised(rule, state[PLAN])
        if (
            revised is None
            or length(revised) > self.agent.len_max
            or not self.satisfies(state, rule.guard)
        ):
            return []
        text = (
            f"replace {text_of_plan(rule.head)} by {text_of_plan(rule.body)}"
            if rule.body
            else f"drop {text_of_plan(rule.head)}"
        )
        return [
            self._choice(f"apply({rule.name})", text, {PLAN: revised}, rule.span, plan=rule.name)
        ]

    def execute_basic_action(self, state: SlotView) -> list[Choice]:
        """Return the transition that executes the basic action at the head of the plan (rule "basic
        action execution"). The list is empty if the plan does not begin with a basic action, or if
        the precondition of the action does not hold.

        The action updates the beliefs, and the goals that are then believed are dropped.
        """
        match state[PLAN]:
            case (BasicAction(name), *rest) if self.satisfies(
                state, self.agent.actions[name].precondition
            ):
                action = self.agent.actions[name]
                changed = self.beliefs.after(state, self._made_true(action, state))
                dropped = dict.fromkeys(self._achieved(Changed(state, changed), changed), False)
                writes = {PLAN: tuple(rest), **changed, **dropped}
                return [
                    self._choice(
                        f"execute({name})", f"execute {name}", writes, action.span, action=name
                    )
                ]
            case _:
                pass
        return []

    def execute_conditional_statement(self, state: SlotView) -> list[Choice]:
        """Return the transition that executes the conditional at the head of the plan, if there is
        one. This covers two rules of Trang et al.: one for a test that holds, and one for a test
        that does not hold."""
        match state[PLAN]:
            case (Conditional(test, then, otherwise), *rest):
                passed = self.satisfies(state, test)
                branch = then if passed else otherwise
                text = f"test {text_of_test(test)}: {'yes' if passed else 'no'}"
                return [self._choice("execute(if)", text, {PLAN: (*branch, *rest)}, None)]
            case _:
                pass
        return []

    def stall(self) -> Origin:
        """Return the label of the rule stall: the self-loop that the kernel adds to a state in
        which no other rule applies."""
        return Origin(self.agent.name, ("stall",), "stall, no rule applies")

    def stall_after_action(self, state: SlotView) -> list[Choice]:
        """Return the ``stall`` transition that directly follows an observed action, or an empty
        list in all other states.

        Each observed action has a slot that is True only in the state directly after the action.
        This transition sets the slot to False, which the self-loop of the kernel would not do.
        """
        slots = self.watched.values()
        if not any(state[slot] for slot in slots) or not self.stalled(state):
            return []
        return [Choice(self.stall(), [(Fraction(1), dict.fromkeys(slots, False))])]

    # --- premises of the transition rules ---------------------------------------------------------

    def satisfies(self, state: SlotView, condition: Condition) -> bool:
        """Return whether a condition holds in a state: ``⟨δ, γ⟩ ⊨_BG condition``."""
        return holds(
            condition,
            lambda formula: self.beliefs.entails(state, formula),
            lambda formula: self.desires(state, formula),
        )

    def desires(self, state: SlotView, formula: Dnf) -> bool:
        """Return whether ``G formula`` holds in a state: a goal that the agent still has entails
        the formula.

        Whether a goal entails the formula does not depend on the state. So the state is read only
        for the goals that do, to find out whether the agent still has one of them.
        """
        return any(
            state[slot] for goal, slot in self.goals.items() if entails(frozenset([goal]), formula)
        )

    def goal_base(self, state: SlotView) -> frozenset[Dnf]:
        """Return the goal base γ of a state: the goals that the agent still has."""
        return frozenset(goal for goal, slot in self.goals.items() if state[slot])

    @cached_property
    def stalled(self) -> NoPredicate:
        """Return the predicate for the label ``stalled``: none of the other rules applies, so only
        ``stall`` does."""
        return NoPredicate([_is_possible(step) for _, step in self._moves()])

    def withheld(self, state: SlotView) -> bool:
        """Return whether a revision rule does not apply only because the plan would become longer
        than ``len_max``."""
        longer = ((rule, self.revised(rule, state[PLAN])) for rule in self.agent.revision_rules)
        return any(
            plan is not None
            and length(plan) > self.agent.len_max
            and self.satisfies(state, rule.guard)
            for rule, plan in longer
        )

    @staticmethod
    def revised(rule: RevisionRule, plan: Plan) -> Plan | None:
        """Return the plan after a revision rule: the head of the rule at the beginning of the plan
        is replaced by the body of the rule. Return None if the plan does not begin with the head.
        """
        size = len(rule.head)
        return rule.body + plan[size:] if plan[:size] == rule.head else None

    def configuration(self, state: SlotView) -> Configuration:
        """Return the configuration ``⟨δ, γ, π⟩`` of a state."""
        return Configuration(self.beliefs.base(state), self.goal_base(state), state[PLAN])

    # --- helpers of the transition rules ----------------------------------------------------------

    def _made_true(self, action: Action, state: SlotView) -> list[Literal]:
        return [
            literal
            for effect in action.effects
            if self.satisfies(state, effect.condition)
            for literal in effect.literals
        ]

    def _achieved(self, state: SlotView, changed: Mapping[str, Hashable]) -> list[str]:
        """Return the slots of the goals that are believed in ``state``, the state after an action.
        ``changed`` are the slots that the action wrote.

        No goal was believed before the action, so only goals about changed beliefs can be believed
        after it.
        """
        touched = (
            (goal, slot)
            for goal, slot in self.goals.items()
            if self.beliefs.touched_by(changed, goal.atoms)
        )
        return [slot for goal, slot in touched if state[slot] and self.beliefs.entails(state, goal)]

    def _choice(
        self,
        rule: str,
        text: str,
        writes: Mapping[str, Hashable],
        span: Span | None,
        *,
        action: str | None = None,
        plan: str | None = None,
    ) -> Choice:
        history: dict[str, Hashable] = {slot: action == each for each, slot in self.watched.items()}
        return Choice(
            Origin(self.agent.name, (rule,), text, action, plan, span),
            [(Fraction(1), {**writes, **history})],
        )


def _is_possible(step: Callable[[SlotView], Sequence[Choice]]) -> Predicate:
    return lambda state: bool(step(state))
