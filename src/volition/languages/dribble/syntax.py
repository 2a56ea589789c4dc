"""The tree of a Dribble program: plans, actions, rules, and the agent they make (Trang et al.,
Sect. 2.2 and 2.3).

Steps of plans carry no places: plans are values in states, and two equal plans must be the same
value wherever they were written.  Places belong to what is declared: actions and rules.
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
    """A basic action, the paper's ``b``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class AbstractPlan:
    """An abstract plan, the paper's ``a``: only a revision rule can do something with it."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Conditional:
    """``if β then π1 else π2``."""

    test: Condition
    then: Plan
    otherwise: Plan

    def __str__(self) -> str:
        return (
            f"if {text_of_test(self.test)} then {_branch(self.then)} else {_branch(self.otherwise)}"
        )


Step = BasicAction | AbstractPlan | Conditional
Plan = tuple[Step, ...]
"""A sequence of steps; the empty tuple is the empty plan base."""


def length(plan: Plan) -> int:
    """The paper's ``len``: a conditional counts its branches and 4 for ``if``, β, ``then`` and
    ``else``."""
    return sum(
        length(step.then) + length(step.otherwise) + 4 if isinstance(step, Conditional) else 1
        for step in plan
    )


def text_of_plan(plan: Plan) -> str:
    """A plan as a program writes it, with braces around the branches of conditionals that need
    them."""
    return "; ".join(map(str, plan)) or "empty"


def _branch(plan: Plan) -> str:
    text = text_of_plan(plan)
    return text if len(plan) == 1 and not isinstance(plan[0], Conditional) else f"{{{text}}}"


def steps_within(plan: Plan) -> Iterator[Step]:
    """The steps of a plan, each conditional followed by the steps of its branches."""
    for step in plan:
        yield step
        if isinstance(step, Conditional):
            yield from steps_within(step.then)
            yield from steps_within(step.otherwise)


@dataclass(frozen=True, slots=True)
class Effect:
    """Literals that an action makes true if a condition on the beliefs before it holds."""

    literals: tuple[Literal, ...]
    condition: Condition
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Action:
    """A basic action: where its belief update function is defined, and what it changes."""

    name: str
    precondition: Condition
    effects: tuple[Effect, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GoalRule:
    """A PG rule ``guard -> body``."""

    name: str
    guard: Condition
    body: Plan
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.guard} -> {text_of_plan(self.body)}"


@dataclass(frozen=True, slots=True)
class RevisionRule:
    """A PR rule ``head; pi | guard -> body; pi``; the head is never empty, the body may be."""

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
    """A Dribble agent ``⟨δ, γ, Γ, Δ⟩`` with its actions, its abstract plans and the bound on its
    plans."""

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
        """All rules, goal rules first."""
        return self.goal_rules + self.revision_rules

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms that the agent can come to believe or desire: of its bases and of what its
        actions change."""
        changed = {
            literal.atom
            for action in self.actions.values()
            for effect in action.effects
            for literal in effect.literals
        }
        return frozenset(changed).union(*(formula.atoms for formula in self.beliefs | self.goals))
