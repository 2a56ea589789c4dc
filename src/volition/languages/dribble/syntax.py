"""Syntax tree of a Dribble program: plans, actions, rules and the agent (Trang et al., Sect. 2.2
and 2.3).

Steps of plans have no source positions: plans are values in states, and equal plans must be equal
values wherever they were written. Actions and rules have positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from volition.diagnostics import Span
from volition.languages.dribble.conditions import Condition, text_of_test
from volition.languages.dribble.propositional import Dnf, Literal

__all__ = [
    "AbstractPlan",
    "Action",
    "AgentProgram",
    "BasicAction",
    "Conditional",
    "Effect",
    "GoalRule",
    "Plan",
    "RevisionRule",
    "Step",
    "length",
    "steps_within",
    "text_of_plan",
]


@dataclass(frozen=True, slots=True)
class BasicAction:
    """Basic action in a plan, ``b`` in Trang et al."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AbstractPlan:
    """Abstract plan in a plan, ``a`` in Trang et al.: only a revision rule can replace it."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Conditional:
    """Conditional ``if β then π1 else π2`` in a plan."""

    test: Condition
    then: Plan
    otherwise: Plan

    def __str__(self) -> str:
        return (
            f"if {text_of_test(self.test)} then {_branch(self.then)} else {_branch(self.otherwise)}"
        )


Step = BasicAction | AbstractPlan | Conditional
Plan = tuple[Step, ...]
"""Plan: a sequence of steps. The empty tuple means that the agent has no plan."""


def length(plan: Plan) -> int:
    """Return the length of a plan, ``len`` in Trang et al. A conditional counts the lengths of its
    branches plus 4, for ``if``, β, ``then`` and ``else``."""
    return sum(
        length(step.then) + length(step.otherwise) + 4 if isinstance(step, Conditional) else 1
        for step in plan
    )


def text_of_plan(plan: Plan) -> str:
    """Return the text of a plan in program notation, with braces around branches that need them."""
    return "; ".join(map(str, plan)) or "empty"


def _branch(plan: Plan) -> str:
    text = text_of_plan(plan)
    return text if len(plan) == 1 and not isinstance(plan[0], Conditional) else f"{{{text}}}"


def steps_within(plan: Plan) -> Iterator[Step]:
    """Yield the steps of a plan, including nested ones: each conditional is followed by the steps
    of its branches."""
    for step in plan:
        yield step
        if isinstance(step, Conditional):
            yield from steps_within(step.then)
            yield from steps_within(step.otherwise)


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect of an action: literals that it makes true if a condition on the beliefs before the
    action holds."""

    literals: tuple[Literal, ...]
    condition: Condition
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Action:
    """Declaration of a basic action: the condition under which its belief update is defined, and
    its effects."""

    name: str
    precondition: Condition
    effects: tuple[Effect, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GoalRule:
    """Goal rule (PG rule) ``guard -> body``: an agent without a plan adopts the body if the guard
    holds."""

    name: str
    guard: Condition
    body: Plan
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.guard} -> {text_of_plan(self.body)}"


@dataclass(frozen=True, slots=True)
class RevisionRule:
    """Plan revision rule (PR rule) ``head; pi | guard -> body; pi``: if the guard holds, the body
    replaces the head at the beginning of a plan. The head is never empty, the body may be."""

    name: str
    head: Plan
    guard: Condition
    body: Plan
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return (
            f"{text_of_plan(self.head)} | {text_of_test(self.guard)} -> {text_of_plan(self.body)}"
        )


@dataclass(frozen=True)
class AgentProgram:
    """Dribble agent ``⟨δ, γ, Γ, Δ⟩`` (beliefs, goals, goal rules, revision rules) with its actions,
    abstract plans and bound on the length of plans."""

    name: str
    beliefs: frozenset[Dnf]
    goals: frozenset[Dnf]
    actions: Mapping[str, Action]
    abstract_plans: tuple[str, ...]
    goal_rules: tuple[GoalRule, ...]
    revision_rules: tuple[RevisionRule, ...]
    len_max: int

    @property
    def rules(self) -> tuple[GoalRule | RevisionRule, ...]:
        """Return all rules of the agent, goal rules first."""
        return self.goal_rules + self.revision_rules

    @property
    def atoms(self) -> frozenset[str]:
        """Return the atoms that the agent may believe or desire: those in its initial beliefs and
        goals and in the effects of its actions."""
        changed = {
            literal.atom
            for action in self.actions.values()
            for effect in action.effects
            for literal in effect.literals
        }
        return frozenset(changed).union(*(formula.atoms for formula in self.beliefs | self.goals))
