"""The tree of a Jason program: beliefs, rules, goals and plans, and the steps of a body.

Every statement and every step knows where it was written, and is equal to another that says the same elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from volition.diagnostics import Source, Span
from volition.languages.jason.terms import TRUE, Literal, Term, Variable
from volition.languages.kit.nodes import Node

__all__ = [
    "MARKS", "Achieve", "Act", "AddBelief", "AgentProgram", "Belief", "Body", "Call", "Constraint", "For", "Fork", "Goal", "If", "Plan",
    "RemoveBelief", "ReplaceBelief", "Rule", "Step", "Test", "Trigger", "TriggerKind", "ValueOf", "While",
]  # fmt: skip

TriggerKind = OneOf["belief", "achieve", "test"]
MARKS: dict[TriggerKind, str] = {"belief": "", "achieve": "!", "test": "?"}


# --- the steps of a body -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act(Node):
    """``act(..)``: an action on the environment."""

    action: Literal


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``.name(..)`` or ``package.name(..)``: an internal action."""

    action: Literal


@dataclass(frozen=True, slots=True)
class Achieve(Node):
    """``!g``, or ``!!g`` in an intention of its own."""

    goal: Literal | Variable
    own_intention: bool = False


@dataclass(frozen=True, slots=True)
class Test(Node):
    """``?q``."""

    query: Term


@dataclass(frozen=True, slots=True)
class AddBelief(Node):
    """``+b``; ``++b`` with an event that nobody waits for (``own_intention``); ``+>b`` at the end of the list; ``+<b`` is as ``+b``."""

    belief: Term
    own_intention: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True)
class RemoveBelief(Node):
    """``-b``; ``--b`` with an event that nobody waits for."""

    belief: Term
    own_intention: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceBelief(Node):
    """``-+b``."""

    belief: Term


@dataclass(frozen=True, slots=True)
class Constraint(Node):
    """A relation as a step: ``X = 2``, ``X > 2``; also a formula in brackets."""

    formula: Term


@dataclass(frozen=True, slots=True)
class If(Node):
    """``if (c) {..} elif (d) {..} else {..}``, where ``else`` may hold another ``if``."""

    condition: Term
    then: Body
    otherwise: Body = ()


@dataclass(frozen=True, slots=True)
class For(Node):
    """``for (q) {..}``."""

    query: Term
    body: Body


@dataclass(frozen=True, slots=True)
class While(Node):
    """``while (c) {..}``."""

    condition: Term
    body: Body


@dataclass(frozen=True, slots=True)
class Fork(Node):
    """``A |&| B``, which goes on when all have ended, or ``A ||| B``, when one has."""

    join: OneOf["|&|", "|||"]
    branches: tuple[Body, ...]


@dataclass(frozen=True, slots=True)
class ValueOf(Node):
    """A variable as a step: its value is what is done."""

    variable: Variable


Step = Act | Call | Achieve | Test | AddBelief | RemoveBelief | ReplaceBelief | Constraint | If | For | While | Fork | ValueOf
Body = tuple[Step, ...]


# --- statements ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trigger(Node):
    """``+b``, ``-!g``, ``+?q``, ``^!g[state(S)]``."""

    operator: OneOf["+", "-", "^"]
    kind: TriggerKind
    literal: Literal | Variable

    def __str__(self) -> str:
        return f"{self.operator}{MARKS[self.kind]}{self.literal}"


@dataclass(frozen=True, slots=True)
class Plan(Node):
    """``@label[annotations] trigger : context <- body.``; without a label it is called ``p__`` and its number in the library, from 1."""

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
class Rule(Node):
    """``head :- body.``; an initial belief with a variable is one with the body ``true``."""

    head: Literal
    body: Term


@dataclass(frozen=True, slots=True)
class Belief(Node):
    literal: Literal


@dataclass(frozen=True, slots=True)
class Goal(Node):
    literal: Literal


@dataclass(frozen=True)
class AgentProgram:
    """What one agent begins with: directives are carried out, and what the project adds stands apart.

    ``beliefs`` are the statements of the program in their order, rules among them; ``project_beliefs`` and ``project_goals`` come from the
    options ``beliefs`` and ``goals`` of the project.  ``functions`` are those of ``register_function``: name and arity ▶ predicate;
    ``in_java`` those among them that a class computes, with the place where they are registered.
    """

    source: Source
    beliefs: tuple[Belief | Rule, ...]
    goals: tuple[Goal, ...]
    plans: tuple[Plan, ...]
    project_beliefs: tuple[Belief | Rule, ...] = ()
    project_goals: tuple[Goal, ...] = ()
    functions: tuple[tuple[str, int, str], ...] = ()
    in_java: tuple[tuple[str, Span], ...] = ()
