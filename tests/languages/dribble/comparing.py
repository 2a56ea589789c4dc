"""What the package says about a program, in the plain values of
:mod:`tests.languages.dribble.reference`."""

from __future__ import annotations

from itertools import pairwise

from tests.languages.dribble import reference
from volition.diagnostics import Source
from volition.kernel import Limits, StateSpace, explore
from volition.languages.dribble import DribbleModel, DribbleProgram, read
from volition.languages.dribble.conditions import (
    And,
    Believes,
    BooleanLiteral,
    Condition,
    Desires,
    Not,
    Or,
)
from volition.languages.dribble.propositional import Dnf
from volition.languages.dribble.semantics import Configuration
from volition.languages.dribble.syntax import AbstractPlan, BasicAction, Plan, Step


def program_of(text: str) -> DribbleProgram:
    """The program in a text."""
    return read(Source("test.dribble", text), "test")


def explored(program: DribbleProgram) -> tuple[DribbleModel, StateSpace]:
    """The model of a program and its whole state space, explored with the check that its functions
    are pure."""
    model = program.model()
    space = explore(model.system, check_purity=True, limits=Limits(states=10_000))
    assert space.complete
    return model, space


def successors(space: StateSpace) -> list[set[int]]:
    """The states that each state leads to."""
    bounds = [int(space.first_transition[choice]) for choice in space.first_choice]
    return [{int(target) for target in space.targets[start:end]} for start, end in pairwise(bounds)]


def graph_of(
    model: DribbleModel, space: StateSpace
) -> dict[reference.Configuration, set[reference.Configuration]]:
    """The state space as :func:`reference.transitions` gives it; fails if two states are the same
    configuration."""
    configurations = [
        plain_configuration(model.configuration(space.values(state)))
        for state in range(space.num_states)
    ]
    assert len(set(configurations)) == len(configurations)
    return {
        here: {configurations[target] for target in targets}
        for here, targets in zip(configurations, successors(space), strict=True)
    }


def plain_configuration(configuration: Configuration) -> reference.Configuration:
    return (
        plain_base(configuration.beliefs),
        plain_base(configuration.goals),
        plain_plan(configuration.plan),
    )


def plain_base(base: frozenset[Dnf]) -> reference.Base:
    return frozenset(map(plain_formula, base))


def plain_formula(formula: Dnf) -> reference.Formula:
    return frozenset(
        frozenset((literal.atom, literal.positive) for literal in clause)
        for clause in formula.clauses
    )


def plain_plan(plan: Plan) -> reference.Plan:
    return tuple(map(plain_step, plan))


def plain_step(step: Step) -> reference.Step:
    match step:
        case BasicAction(name):
            return ("basic", name)
        case AbstractPlan(name):
            return ("abstract", name)
        case _:
            return (
                "if",
                plain_condition(step.test),
                plain_plan(step.then),
                plain_plan(step.otherwise),
            )


def plain_condition(condition: Condition) -> reference.Condition:
    match condition:
        case BooleanLiteral():
            return ("true",)
        case Believes(formula):
            return ("B", plain_formula(formula))
        case Desires(formula):
            return ("G", plain_formula(formula))
        case Not(operand):
            return ("not", plain_condition(operand))
        case And((left, right)):
            return ("and", plain_condition(left), plain_condition(right))
        case Or((left, right)):
            return ("or", plain_condition(left), plain_condition(right))
    raise AssertionError(condition)
