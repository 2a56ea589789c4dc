"""The tree of a Jason program: beliefs, rules, goals and plans, and the steps of a body.

Every statement and every step knows where it was written, and is equal to another that says the
same elsewhere.
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


# --- the steps of a body --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(SyntaxNode):
    """``act(..)``: an action on the environment."""

    action: Literal


@dataclass(frozen=True, slots=True)
class InternalAction(SyntaxNode):
    """``.name(..)`` or ``package.name(..)``: an internal action."""

    action: Literal


@dataclass(frozen=True, slots=True)
class Achieve(SyntaxNode):
    """``!g``, or ``!!g`` in an intention of its own."""

    goal: Literal | Variable
    new_intention: bool = False


@dataclass(frozen=True, slots=True)
class Test(SyntaxNode):
    """``?q``."""

    query: Term


@dataclass(frozen=True, slots=True)
class AddBelief(SyntaxNode):
    """``+b``; ``++b`` with an event that nobody waits for (``own_intention``); ``+>b`` at the end
    of the list; ``+<b`` is as ``+b``."""

    belief: Term
    own_intention: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True)
class RemoveBelief(SyntaxNode):
    """``-b``; ``--b`` with an event that nobody waits for."""

    belief: Term
    own_intention: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceBelief(SyntaxNode):
    """``-+b``."""

    belief: Term


@dataclass(frozen=True, slots=True)
class Constraint(SyntaxNode):
    """A relation as a step: ``X = 2``, ``X > 2``; also a formula in brackets."""

    formula: Term


@dataclass(frozen=True, slots=True)
class If(SyntaxNode):
    """``if (c) {..} elif (d) {..} else {..}``, where ``else`` may hold another ``if``."""

    condition: Term
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class For(SyntaxNode):
    """``for (q) {..}``."""

    query: Term
    body: Body


@dataclass(frozen=True, slots=True)
class While(SyntaxNode):
    """``while (c) {..}``."""

    condition: Term
    body: Body


@dataclass(frozen=True, slots=True)
class Fork(SyntaxNode):
    """``A |&| B``, which goes on when all have ended, or ``A ||| B``, when one has."""

    join: OneOf["|&|", "|||"]
    branches: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class VariableStep(SyntaxNode):
    """A variable as a step: its value is what is done."""

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


# --- statements -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(SyntaxNode):
    """``+b``, ``-!g``, ``+?q``, ``^!g[state(S)]``."""

    operator: OneOf["+", "-", "^"]
    kind: TriggerKind
    literal: Literal | Variable

    def __str__(self) -> str:
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{self.literal}"


@dataclass(frozen=True, slots=True)
class Plan(SyntaxNode):
    """``@label[annotations] trigger : context <- body.``; without a label it is called ``p__`` and
    its number in the library, from 1."""

    label: str
    trigger: Trigger
    context: Term = TRUE
    body: Body = ()
    annotations: tuple[Term, ...] = ()

    @property
    def is_atomic(self) -> bool:
        """Whether nothing else of its agent runs while it does."""
        return Literal("atomic") in self.annotations


@dataclass(frozen=True, slots=True)
class BeliefRule(SyntaxNode):
    """``head :- body.``; an initial belief with a variable is one with the body ``true``."""

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
    """What one agent begins with: directives are carried out, and what the project adds stands
    apart.

    ``beliefs`` are the statements of the program in their order, rules among them;
    ``project_beliefs`` and ``project_goals`` come from the options ``beliefs`` and ``goals`` of the
    project.  ``functions`` are those of ``register_function``: name and arity ▶ predicate;
    ``in_java`` those among them that a class computes, with the place where they are registered.
    """

    source: Source
    beliefs: tuple[InitialBelief | BeliefRule, ...]
    goals: tuple[InitialGoal, ...]
    plans: tuple[Plan, ...]
    project_beliefs: tuple[InitialBelief | BeliefRule, ...] = ()
    project_goals: tuple[InitialGoal, ...] = ()
    functions: tuple[tuple[str, int, str], ...] = ()
    java_functions: tuple[tuple[str, Span], ...] = ()
