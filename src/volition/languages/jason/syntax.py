"""Syntax tree of a Jason program: beliefs, rules, goals, plans, and the steps of plan bodies.

Every statement and every step has a span in the source. Spans are ignored by ``==``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from volition.diagnostics import Source, Span
from volition.languages.common.syntax_node import SyntaxNode
from volition.languages.jason.terms import TRUE, Literal, Term, Variable

__all__ = [
    "GOAL_PREFIXES",
    "Achieve",
    "Act",
    "AddBelief",
    "AgentProgram",
    "BeliefRule",
    "Body",
    "Constraint",
    "For",
    "Fork",
    "If",
    "InitialBelief",
    "InitialGoal",
    "InternalAction",
    "Plan",
    "RemoveBelief",
    "ReplaceBelief",
    "Step",
    "Test",
    "Trigger",
    "TriggerKind",
    "VariableStep",
    "While",
]  # fmt: skip

TriggerKind = OneOf["belief", "achieve", "test"]
GOAL_PREFIXES: dict[TriggerKind, str] = {"belief": "", "achieve": "!", "test": "?"}


# --- steps of plan bodies -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(SyntaxNode):
    """Step of a plan body: action of the environment ``act(..)``."""

    action: Literal


@dataclass(frozen=True, slots=True)
class InternalAction(SyntaxNode):
    """Step of a plan body: internal action ``.name(..)`` or ``package.name(..)``."""

    action: Literal


@dataclass(frozen=True, slots=True)
class Achieve(SyntaxNode):
    """Step of a plan body: achievement goal ``!g``, or ``!!g``, which is pursued by a new
    intention."""

    goal: Literal | Variable
    new_intention: bool = False


@dataclass(frozen=True, slots=True)
class Test(SyntaxNode):
    """Step of a plan body: test goal ``?q``."""

    query: Term


@dataclass(frozen=True, slots=True)
class AddBelief(SyntaxNode):
    """Step of a plan body: addition of a belief ``+b``.

    With ``++b`` the plan does not wait for the event of the addition (``own_intention``). ``+>b``
    adds b after the other beliefs of its predicate (``last``). ``+<b`` is the same as ``+b``.
    """

    belief: Term
    own_intention: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True)
class RemoveBelief(SyntaxNode):
    """Step of a plan body: removal of a belief ``-b``. With ``--b`` the plan does not wait for the
    event of the removal (``own_intention``)."""

    belief: Term
    own_intention: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceBelief(SyntaxNode):
    """Step of a plan body: replacement of a belief ``-+b``."""

    belief: Term


@dataclass(frozen=True, slots=True)
class Constraint(SyntaxNode):
    """Step of a plan body: a relation such as ``X = 2`` or ``X > 2``, or another formula, which
    must hold."""

    formula: Term


@dataclass(frozen=True, slots=True)
class If(SyntaxNode):
    """Step of a plan body: conditional ``if (c) {..} elif (d) {..} else {..}``. An ``elif`` is
    stored as an ``if`` in ``otherwise``."""

    condition: Term
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class For(SyntaxNode):
    """Step of a plan body: loop ``for (q) {..}`` over the solutions of a query."""

    query: Term
    body: Body


@dataclass(frozen=True, slots=True)
class While(SyntaxNode):
    """Step of a plan body: loop ``while (c) {..}``."""

    condition: Term
    body: Body


@dataclass(frozen=True, slots=True)
class Fork(SyntaxNode):
    """Step of a plan body: fork ``A |&| B``, which continues after all branches have ended, or ``A
    ||| B``, which continues after one has ended."""

    join: OneOf["|&|", "|||"]
    branches: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class VariableStep(SyntaxNode):
    """Step of a plan body that is a variable. Its value is executed."""

    variable: Variable


Step = (
    Act
    | InternalAction
    | Achieve
    | Test
    | AddBelief
    | RemoveBelief
    | ReplaceBelief
    | Constraint
    | If
    | For
    | While
    | Fork
    | VariableStep
)
Body = tuple[Step, ...]


# --- statements of a program ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(SyntaxNode):
    """Trigger of a plan: ``+b``, ``-!g``, ``+?q``, ``^!g[state(S)]``."""

    operator: OneOf["+", "-", "^"]
    kind: TriggerKind
    literal: Literal | Variable

    def __str__(self) -> str:
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{self.literal}"


@dataclass(frozen=True, slots=True)
class Plan(SyntaxNode):
    """Plan ``@label[annotations] trigger : context <- body.`` A plan without a label gets the label
    ``p__`` and its number in the program, counted from 1."""

    label: str
    trigger: Trigger
    context: Term = TRUE
    body: Body = ()
    annotations: tuple[Term, ...] = ()

    @property
    def is_atomic(self) -> bool:
        """Whether the plan has the annotation ``atomic``: no other intention of the agent runs
        while this plan does."""
        return Literal("atomic") in self.annotations


@dataclass(frozen=True, slots=True)
class BeliefRule(SyntaxNode):
    """Rule ``head :- body.`` An initial belief with a variable is a rule with the body ``true``."""

    head: Literal
    body: Term


@dataclass(frozen=True, slots=True)
class InitialBelief(SyntaxNode):
    literal: Literal


@dataclass(frozen=True, slots=True)
class InitialGoal(SyntaxNode):
    literal: Literal


@dataclass(frozen=True)
class AgentProgram:
    """Program of one agent, after its directives have been processed.

    ``beliefs`` are the beliefs and rules of the program in order. ``project_beliefs`` and
    ``project_goals`` come from the options ``beliefs`` and ``goals`` in the project file.
    ``functions`` are those that the directive ``register_function`` defines by a predicate: name,
    arity and predicate. ``java_functions`` are the functions that a Java class computes, with the
    position of their registration.
    """

    source: Source
    beliefs: tuple[InitialBelief | BeliefRule, ...]
    goals: tuple[InitialGoal, ...]
    plans: tuple[Plan, ...]
    project_beliefs: tuple[InitialBelief | BeliefRule, ...] = ()
    project_goals: tuple[InitialGoal, ...] = ()
    functions: tuple[tuple[str, int, str], ...] = ()
    java_functions: tuple[tuple[str, Span], ...] = ()
