"""Syntax tree of a world file: percepts, facts, actions and spontaneous steps.

Expressions are terms (:mod:`.terms`). Functors of :data:`ARITHMETIC` are evaluated, the name of a
parameter or variable denotes its value, and ``count(p(_))`` is the number of matching facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

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


# --- syntax nodes of conditions -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BooleanLiteral(_Node):
    value: bool


@dataclass(frozen=True, slots=True)
class FactCondition(_Node):
    """Condition that holds if a fact or percept matches the pattern, or if the pattern is the name
    of a variable whose value is ``true``."""

    pattern: Structure


@dataclass(frozen=True, slots=True)
class Compare(_Node):
    """Condition that compares two expressions. ``=`` binds a variable that has no value."""

    relation: Relation
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not(_Node):
    """Condition ``not c``, which holds if c has no solution: no values for the free variables of c
    make c true."""

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
    """Domain ``1..n``: the integers between two bounds, both included."""

    first: Term
    last: Term


@dataclass(frozen=True, slots=True)
class SetDomain:
    """Domain ``{red, green}``: a set of values, or all agents if ``items`` is None."""

    items: tuple[Term, ...] | None


Domain = RangeDomain | SetDomain


@dataclass(frozen=True, slots=True)
class Quantified(_Node):
    """Condition ``every X in agents: c`` or ``some X in 1..3: c``. ``some`` binds X and the
    variables of c."""

    quantifier: Literal["every", "some"]
    variable: str
    domain: Domain
    operand: Condition


Condition = BooleanLiteral | FactCondition | Compare | Not | And | Or | Quantified

# --- syntax nodes of effects ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign(_Node):
    variable: str
    value: Term


@dataclass(frozen=True, slots=True)
class OutputAssignment(_Node):
    """Effect ``X := e`` in an action rule: bind a variable of the action that the agent left
    unbound."""

    variable: str
    value: Term


@dataclass(frozen=True, slots=True)
class Add(_Node):
    """Effect that adds a fact or percept. A new percept goes to the end of the list of percepts; an
    existing one keeps its position."""

    fact: Structure


@dataclass(frozen=True, slots=True)
class Remove(_Node):
    """Effect that removes every matching fact or percept."""

    pattern: Structure


@dataclass(frozen=True, slots=True)
class If(_Node):
    condition: Condition
    then: Effects
    otherwise: Effects


@dataclass(frozen=True, slots=True)
class NondeterministicChoice(_Node):
    """Effect that is a nondeterministic choice between branches (``either``)."""

    branches: tuple[Effects, ...]


@dataclass(frozen=True, slots=True)
class ProbabilisticChoice(_Node):
    """Effect that is a probabilistic choice between branches (``chance``)."""

    branches: tuple[tuple[Term, Effects], ...]


@dataclass(frozen=True, slots=True)
class Fail(_Node):
    """Effect that makes the action fail. Earlier effects are kept, later ones do not happen."""


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
    """Yield all effects in a sequence of effects, including those nested in conditions and
    choices."""
    for effect in effects:
        yield effect
        match effect:
            case If(_, then, otherwise):
                yield from all_effects(then + otherwise)
            case NondeterministicChoice(branches):
                yield from (inner for branch in branches for inner in all_effects(branch))
            case ProbabilisticChoice(weighted):
                yield from (inner for _, branch in weighted for inner in all_effects(branch))
            case Assign() | OutputAssignment() | Add() | Remove() | Fail():
                pass
            case _:
                assert_never(effect)


# --- syntax nodes of declarations -----------------------------------------------------------------


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
    """Declaration of a percept (visible to agents) or a fact (internal to the world).

    ``visible_to`` is :data:`ALL_AGENTS`, a tuple of agents, or the index of the argument that names
    the agent. ``domains`` are given for a free percept, which may appear and disappear at any time:
    they are the ranges of its arguments.
    """

    signature: Structure
    perceived: bool
    visible_to: str | tuple[str, ...] | int = ALL_AGENTS
    initially: tuple[Structure, ...] = ()
    free: bool = False
    domains: tuple[tuple[str, Domain], ...] = ()


@dataclass(frozen=True, slots=True)
class ActionRule(_Node):
    """Rule for an action of an agent. If ``otherwise`` is set, the rule applies only if no rule of
    the action without ``otherwise`` does."""

    action: Structure
    agent: str | None
    condition: Condition
    effects: Effects
    otherwise: bool = False


@dataclass(frozen=True, slots=True)
class StepRule(_Node):
    """Rule for a spontaneous step of the world, which is possible whenever its condition holds."""

    name: str
    condition: Condition
    effects: Effects


@dataclass(frozen=True, slots=True)
class Label(_Node):
    """Named condition of the world, for use in formulas."""

    name: str
    condition: Condition


WorldRule = ActionRule | StepRule


@dataclass(frozen=True)
class WorldTree:
    """Syntax tree of a world file. A rule with variables applies to all values of the variables
    that satisfy its condition."""

    source: Source
    parameters: tuple[Parameter, ...] = ()
    variables: tuple[VariableDeclaration, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    actions: tuple[ActionRule, ...] = ()
    steps: tuple[StepRule, ...] = ()
    labels: tuple[Label, ...] = ()
