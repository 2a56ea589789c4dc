"""The tree of a world: what agents can perceive and do, and what happens by itself.

Expressions are terms (:mod:`.terms`) in which the functors of :data:`ARITHMETIC` compute, the name
of a parameter or variable stands for its value, and ``count(p(_))`` is the number of facts that
match.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from volition.diagnostics import Source, Span
from volition.languages.world.terms import Structure, Term

__all__ = [
    "ALL_AGENTS",
    "ARITHMETIC",
    "COUNT",
    "ActionRule",
    "Add",
    "And",
    "Assign",
    "BooleanLiteral",
    "Compare",
    "Condition",
    "Domain",
    "Effect",
    "Effects",
    "FactCondition",
    "Fail",
    "If",
    "Label",
    "NondeterministicChoice",
    "Not",
    "Or",
    "OutputAssignment",
    "Parameter",
    "Predicate",
    "ProbabilisticChoice",
    "Quantified",
    "RangeDomain",
    "Relation",
    "Remove",
    "SetDomain",
    "StepRule",
    "VariableDeclaration",
    "WorldRule",
    "WorldTree",
    "all_effects",
]  # fmt: skip

ARITHMETIC = ("+", "-", "*", "/", "mod", "min", "max")
COUNT = "count"
ALL_AGENTS = "everyone"

Relation = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    span: Span = field(compare=False, repr=False)


# --- conditions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BooleanLiteral(_Node):
    value: bool


@dataclass(frozen=True, slots=True)
class FactCondition(_Node):
    """A fact or percept that matches the pattern is there, or a variable of that name is
    ``true``."""

    pattern: Structure


@dataclass(frozen=True, slots=True)
class Compare(_Node):
    """``=`` gives a value to a variable that has none."""

    relation: Relation
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not(_Node):
    """``not c``: there is no way to make c true; variables that have no value yet mean "no instance
    at all"."""

    operand: Condition


@dataclass(frozen=True, slots=True)
class And(_Node):
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Or(_Node):
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class RangeDomain:
    """``1..n``: the whole numbers from the first to the last."""

    first: Term
    last: Term


@dataclass(frozen=True, slots=True)
class SetDomain:
    """``{red, green}``, or all agents where ``items`` is None."""

    items: tuple[Term, ...] | None


Domain = RangeDomain | SetDomain


@dataclass(frozen=True, slots=True)
class Quantified(_Node):
    """``every X in agents: c`` and ``some X in 1..3: c``; after ``some``, X and the variables of c
    have values."""

    quantifier: Literal["every", "some"]
    variable: str
    domain: Domain
    operand: Condition


Condition = BooleanLiteral | FactCondition | Compare | Not | And | Or | Quantified

# --- effects --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign(_Node):
    variable: str
    value: Term


@dataclass(frozen=True, slots=True)
class OutputAssignment(_Node):
    """``X := e`` in an action rule: what a variable of the action gets, where the agent left it
    open."""

    variable: str
    value: Term


@dataclass(frozen=True, slots=True)
class Add(_Node):
    """A percept that is new goes to the end of the percepts; one that is there stays in its
    place."""

    fact: Structure


@dataclass(frozen=True, slots=True)
class Remove(_Node):
    """Every fact that matches is removed."""

    pattern: Structure


@dataclass(frozen=True, slots=True)
class If(_Node):
    condition: Condition
    then: Effects
    otherwise: Effects


@dataclass(frozen=True, slots=True)
class NondeterministicChoice(_Node):
    """Any one of the branches, and nobody knows which: a nondeterministic choice."""

    branches: tuple[Effects, ...]


@dataclass(frozen=True, slots=True)
class ProbabilisticChoice(_Node):
    """One of the branches, each with its probability."""

    branches: tuple[tuple[Term, Effects], ...]


@dataclass(frozen=True, slots=True)
class Fail(_Node):
    """The action fails here: what stands before has happened, what follows does not."""


Effect = (
    Assign
    | OutputAssignment
    | Add
    | Remove
    | If
    | NondeterministicChoice
    | ProbabilisticChoice
    | Fail
)
Effects = tuple[Effect, ...]


def all_effects(effects: Effects) -> Iterator[Effect]:
    """Effects, and those inside of them."""
    for effect in effects:
        yield effect
        match effect:
            case If(_, then, otherwise):
                yield from all_effects(then + otherwise)
            case NondeterministicChoice(branches):
                yield from (inner for branch in branches for inner in all_effects(branch))
            case ProbabilisticChoice(weighted):
                yield from (inner for _, branch in weighted for inner in all_effects(branch))


# --- declarations ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter(_Node):
    name: str
    value: Term


@dataclass(frozen=True, slots=True)
class VariableDeclaration(_Node):
    name: str
    value: Term


@dataclass(frozen=True, slots=True)
class Predicate(_Node):
    """What a percept (seen by agents) or a fact (remembered by the world alone) looks like.

    ``seers`` is :data:`EVERYONE`, a tuple of agents, or the position of the argument that names the
    one who sees it. ``domains`` are given for a free percept: each of its instances comes and goes
    at any time.
    """

    signature: Structure
    perceived: bool
    visible_to: str | tuple[str, ...] | int = ALL_AGENTS
    initially: tuple[Structure, ...] = ()
    free: bool = False
    domains: tuple[tuple[str, Domain], ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRule(_Node):
    """What an action of an agent does, where the condition holds; ``otherwise``: where no other
    rule of the action applies."""

    action: Structure
    agent: str | None
    condition: Condition
    effects: Effects
    otherwise: bool = False


@dataclass(frozen=True, slots=True)
class StepRule(_Node):
    """What happens by itself, at any time at which the condition holds."""

    name: str
    condition: Condition
    effects: Effects


@dataclass(frozen=True, slots=True)
class Label(_Node):
    """A name for a condition, for formulas."""

    name: str
    condition: Condition


WorldRule = ActionRule | StepRule


@dataclass(frozen=True)
class WorldTree:
    """A world as written.  Rules with variables stand for all their instances."""

    source: Source
    parameters: tuple[Parameter, ...] = ()
    variables: tuple[VariableDeclaration, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    actions: tuple[ActionRule, ...] = ()
    steps: tuple[StepRule, ...] = ()
    labels: tuple[Label, ...] = ()
