"""Printing of every part of a program as CAN text, with as few brackets as the grammar allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar, assert_never

from volition.languages.can.conditions import (
    Arithmetic,
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Condition,
    Conjunction,
    Constant,
    Disjunction,
    EventPhase,
    Expression,
    Extremum,
    Negation,
    NumericBelief,
    Parameter,
)
from volition.languages.can.sections import HEADERS, Kind
from volition.languages.can.syntax import (
    Act,
    Action,
    ActionDecision,
    AddBelief,
    AgentProgram,
    Assign,
    BackgroundChange,
    BeliefBase,
    Body,
    Decision,
    DeclarativeGoal,
    EventGoal,
    InitialBelief,
    Nil,
    Outcome,
    Parallel,
    Policy,
    PolicyItem,
    Recovery,
    RemoveBelief,
    Reward,
    RuleTarget,
    ScheduleDecision,
    Sequence,
    SplitParallel,
    StateTarget,
    Target,
    Test,
    UntriedPlans,
)
from volition.languages.protocols import UnparsedProperty

__all__ = [
    "action_text",
    "agent_text",
    "background_text",
    "body_text",
    "condition_text",
    "decision_text",
    "expression_text",
    "initial_text",
    "number_text",
    "policy_text",
    "target_text",
]

_N = TypeVar("_N")

# Precedence levels, loosest first. An operand with a lower level than its position requires is
# printed in brackets.
_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _ATOM = range(7)
_TRY, _PARALLEL, _CHAIN, _STEP = range(4)


def number_text(number: Fraction) -> str:
    """Return a number as text: as a decimal if it has at most 18 decimal places, else as a
    quotient."""
    if number.denominator == 1:
        return str(number.numerator)
    digits = 0
    scaled = number
    while scaled.denominator != 1 and digits < 18:
        scaled, digits = scaled * 10, digits + 1
    if scaled.denominator != 1:
        return f"{number.numerator} / {number.denominator}"
    sign, figures = "-" if number < 0 else "", str(abs(scaled.numerator)).rjust(digits + 1, "0")
    return f"{sign}{figures[:-digits]}.{figures[-digits:]}"


def expression_text(expression: Expression, precedence: int = _SUM) -> str:
    """Return the text of an arithmetic expression, in brackets if its precedence is below
    ``precedence``."""
    return _joined(expression, precedence, _expression_pieces)


def _joined(node: _N, precedence: int, pieces_of: Callable[[_N], tuple[int, list[Any]]]) -> str:
    """Return the text of a condition or expression, in brackets if its precedence is below
    ``precedence``.

    ``pieces_of`` returns the precedence of a node and the pieces of its text, in order. A piece is
    a text, or a pair of an operand and the precedence that its position requires.
    """
    texts: list[str] = []
    found: list[Any] = [(node, precedence)]
    while found:
        piece = found.pop()
        if isinstance(piece, str):
            texts.append(piece)
            continue
        inner, requested = piece
        own, pieces = pieces_of(inner)
        found += reversed(["(", *pieces, ")"] if own < requested else pieces)
    return "".join(texts)


def _expression_pieces(expression: Expression) -> tuple[int, list[Any]]:
    """Return the precedence of an expression, and the pieces of its text in order. A piece is a
    text, or a pair of an operand and the precedence that its position requires."""
    match expression:
        case Constant(number):
            text = number_text(number)
            return (_PRODUCT if "/" in text else _ATOM), [text]
        case Parameter(name) | NumericBelief(name):
            return _ATOM, [name]
        case Arithmetic(operator, left, right):
            own = _SUM if operator in "+-" else _PRODUCT
            return own, [(left, own), f" {operator} ", (right, own + 1)]
        case Extremum(function, left, right):
            return _ATOM, [f"{function}(", (left, _SUM), ", ", (right, _SUM), ")"]
        case _:
            assert_never(expression)


def condition_text(condition: Condition, precedence: int = _OR) -> str:
    """Return the text of a condition, in brackets if its precedence is below ``precedence``."""
    return _joined(condition, precedence, _condition_pieces)


def _condition_pieces(condition: Condition) -> tuple[int, list[Any]]:
    match condition:
        case BooleanLiteral(truth):
            return _ATOM, [str(truth).lower()]
        case BeliefAtom(name):
            return _ATOM, [name]
        case EventPhase(phase, event, left):
            return _ATOM, [
                f'{phase}({event}, "{left}")' if phase == "left" else f"{phase}({event})"
            ]
        case Comparison(relation, left, right):
            return _COMPARE, [f"{expression_text(left)} {relation} {expression_text(right)}"]
        case Negation(operand):
            return _NOT, ["!", (operand, _ATOM)]
        case Conjunction(first, second):
            return _AND, [(first, _AND), " & ", (second, _NOT)]
        case Disjunction(first, second):
            return _OR, [(first, _OR), " | ", (second, _AND)]
        case _:
            assert_never(condition)


def body_text(body: Body, precedence: int = _TRY) -> str:
    """Return the text of a plan body or of a remaining program, in brackets if its precedence is
    below ``precedence``."""
    return _joined(body, precedence, _body_pieces)


def _body_pieces(body: Body) -> tuple[int, list[Any]]:
    match body:
        case Nil():
            return _STEP, ["nil"]
        case AddBelief(name):
            return _STEP, [f"+{name}"]
        case RemoveBelief(name):
            return _STEP, [f"-{name}"]
        case Assign(name, expression):
            return _STEP, [f"{name} := {expression_text(expression)}"]
        case Test(condition):
            return _STEP, [f"?{condition_text(condition)}"]
        case Act(name) | EventGoal(name):
            return _STEP, [name]
        case UntriedPlans(event, plans):
            return _STEP, [f"{event}:({', '.join(map(str, plans))})"]
        case SplitParallel():
            return _STEP, ["∥"]
        case DeclarativeGoal(success, inner, failure):
            return _STEP, [
                f"goal({condition_text(success)}, ",
                (inner, _TRY),
                f", {condition_text(failure)})",
            ]
        case Sequence(first, second):
            return _CHAIN, [(first, _STEP), "; ", (second, _CHAIN)]
        case Parallel(left, right):
            return _PARALLEL, [(left, _PARALLEL), " || ", (right, _CHAIN)]
        case Recovery(first, second):
            return _TRY, [(first, _PARALLEL), " |> ", (second, _TRY)]
        case _:
            assert_never(body)


def action_text(action: Action) -> str:
    """Return the text of an action with its precondition and its outcomes."""
    outcomes = " + ".join(
        _outcome_text(outcome, alone=len(action.outcomes) == 1) for outcome in action.outcomes
    )
    return f"{action.name} : {condition_text(action.precondition)} <- {outcomes}"


def _outcome_text(outcome: Outcome, *, alone: bool) -> str:
    effect = f"<{{{_listed(change.name for change in outcome.deleted)}}},{{{_listed(_added_text(change) for change in outcome.added)}}}>"  # noqa: E501
    certain = alone and outcome.probability == Constant(Fraction(1))
    return effect if certain else f"{expression_text(outcome.probability)}: {effect}"


def _added_text(change: AddBelief | Assign) -> str:
    return change.name if isinstance(change, AddBelief) else body_text(change)


def background_text(background: BackgroundChange) -> str:
    """Return the text of a background change, ``condition <- changes``, without the final full
    stop. (A background change changes beliefs after every step if its condition holds.)"""
    changes = _listed(body_text(change) for change in background.changes)
    return (
        changes
        if background.condition == BooleanLiteral(True)
        else f"{condition_text(background.condition)} <- {changes}"
    )


def target_text(target: Target) -> str:
    """Return the text of a reward's target: the rule, action or state condition that earns the
    reward."""
    match target:
        case StateTarget(condition):
            return f"Bel({condition_text(condition)})"
        case RuleTarget(name, argument):
            text = name if argument is None else f"{name}({argument})"
            return text if name.replace("_", "").replace("-", "").isalnum() else f'"{text}"'
        case _:
            assert_never(target)


def policy_text(policy: Policy) -> str:
    """Return the text of a policy, such as ``fixed 2, 1``. A file has this text after ``plans :``,
    ``events :`` or ``intentions :``."""
    return " ".join(
        filter(None, [policy.kind, _listed(_policy_item_text(item) for item in policy.items)])
    )


def _policy_item_text(item: PolicyItem) -> str:
    return item.name if item.weight is None else f"{item.name} = {expression_text(item.weight)}"


def decision_text(decision: Decision) -> str:
    """Return the text of a decision, without the final full stop."""
    match decision:
        case ScheduleDecision(event):
            head = f"turn : {event}"
        case ActionDecision(event, text):
            head = f'step : {f"{event} by " if event is not None else ""}"{text}"'
        case _:
            assert_never(decision)
    return (
        head
        if decision.condition == BooleanLiteral(True)
        else f"{head} when {condition_text(decision.condition)}"
    )


def agent_text(agent: AgentProgram) -> str:
    """Return the whole program as the text of a ``.can`` file, which parses to the same program."""
    sections: dict[Kind, list[str]] = {
        "parameters": [
            _listed(
                f"{each.name} = {expression_text(each.expression)}" for each in agent.parameters
            )
        ],
        "beliefs": [_base_text(base, alone=len(agent.bases) == 1) for base in agent.bases],
        "events": [_listed(event.name for event in agent.events)],
        "plans": [
            f"{plan.event} : {condition_text(plan.context)} <- {_plan_body(plan.body)}."
            for plan in agent.plans
        ],
        "actions": [action_text(action) for action in agent.actions],
        "background": [f"{background_text(each)}." for each in agent.background],
        "labels": [f"{label.name} : {condition_text(label.condition)}." for label in agent.labels],
        "rewards": [_reward_text(reward) for reward in agent.rewards],
        "policies": [f"{policy.selection} : {policy_text(policy)}." for policy in agent.policies]
        + ([f"update : {agent.update}."] if agent.update != "any" else []),
        "decisions": [f"{decision_text(each)}." for each in agent.decisions],
        "properties": [_property_text(each) for each in agent.properties],
    }
    return "\n".join(
        f"// {HEADERS[kind]}\n" + "\n".join(lines) + "\n"
        for kind in HEADERS
        if any(lines := sections[kind])
    )


def _plan_body(body: Body) -> str:
    return "" if isinstance(body, Nil) else body_text(body)


def _base_text(base: BeliefBase, *, alone: bool) -> str:
    beliefs = _listed(initial_text(belief) for belief in base.beliefs)
    return beliefs if alone and base.number == 1 else f"{base.number}. {beliefs}".rstrip()


def initial_text(belief: InitialBelief) -> str:
    """Return the text of an initial belief, with its value if it is numeric."""
    return (
        belief.name
        if belief.expression is None
        else f"{belief.name} = {expression_text(belief.expression)}"
    )


def _reward_text(reward: Reward) -> str:
    return (
        f"{reward.name} : "
        f"{_listed(f'{target_text(each.target)} = {expression_text(each.amount)}' for each in reward.items)}."  # noqa: E501
    )


def _property_text(stated: UnparsedProperty) -> str:
    result = f"// RESULT: {stated.expected}\n" if stated.expected is not None else ""
    title = f'"{stated.name}": ' if stated.name is not None else ""
    return f"{result}{title}{stated.text}"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts)
