"""Printing of formulas. ``parse(formula_text(f)) == f`` holds for every formula whose names the
grammar can express.

Brackets are also printed where the grammar does not need them but tools disagree on the precedence.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, assert_never

from volition.logic.syntax import (
    MODALITIES,
    AgentQuantifier,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Cumulative,
    Expression,
    Finally,
    Formula,
    Globally,
    Identifier,
    Iff,
    Implies,
    Instantaneous,
    LongRun,
    Multi,
    Next,
    Not,
    Number,
    Or,
    PathQuantifier,
    Probability,
    Proposition,
    Release,
    Reward,
    SteadyState,
    StepBound,
    Total,
    Until,
    WeakUntil,
)

__all__ = [
    "as_typed",
    "decimal_or_fraction",
    "formula_text",
    "reward_path_text",
    "show_bound",
    "show_expression",
    "threshold_text",
]

_COMMENT = re.compile(r"//[^\n]*")

_BINARY: dict[type, str] = {
    And: "&",
    Or: "|",
    Implies: "->",
    Iff: "<->",
    Until: "U",
    WeakUntil: "W",
    Release: "R",
}
_UNARY: dict[type, str] = {Next: "X", Finally: "F", Globally: "G"}
_CURLY = {"Bels", "Goals"}
_PLAIN_NAME = re.compile(r"[a-z_]\w*(\.[^\W\d]\w*)*(\(.*\))?", re.DOTALL)
_WORDS = {"true", "false", "not", "and", "or", "forall", "exists", "multi"}


def formula_text(formula: Formula) -> str:
    """Return the text of a formula on one line."""
    if isinstance(formula, AgentQuantifier):
        return f"{formula.quantifier} {formula.variable}. {formula_text(formula.body)}"
    if type(formula) in _BINARY:
        return _show_binary(formula)
    return _operand(formula)


def _show_binary(formula: Any) -> str:
    bound = show_bound(formula.bound) if hasattr(formula, "bound") else ""
    # Put brackets around an operand that begins with X, F or G, because tools differ in how far
    # these operators extend.
    same = isinstance(formula, And | Or) and type(formula.left) is type(formula)
    left = _show_binary(formula.left) if same else _bracketed(formula.left, *_UNARY)
    right = (
        _operand(formula.right)
        if isinstance(formula, Implies)
        else _bracketed(formula.right, *_UNARY)
    )
    return f"{left} {_BINARY[type(formula)]}{bound} {right}"


def _bracketed(formula: Any, *kinds: type) -> str:
    """Return the text of a formula as an operand, in additional brackets if it has one of the types
    ``kinds``."""
    return f"({_operand(formula)})" if isinstance(formula, kinds) else _operand(formula)


def _operand(formula: Any) -> str:
    """Return the text of a formula as an operand: binary operators and quantifiers over agents are
    put in brackets."""
    match formula:
        case Constant(value=value):
            return "true" if value else "false"
        case Atom():
            return (
                f"{formula.modality}{{{formula.text}}}"
                if formula.modality in _CURLY
                else f"{formula.modality}({formula.text})"
            )
        case Proposition():
            return _name(formula.name)
        case Comparison():
            return (
                f"{show_expression(formula.left)} {formula.relation} "
                f"{show_expression(formula.right)}"
            )
        case Not():
            return f"!{_bracketed(formula.operand, Comparison, *_UNARY)}"
        case Next() | Finally() | Globally():
            bound = show_bound(formula.bound) if not isinstance(formula, Next) else ""
            return f"{_UNARY[type(formula)]}{bound} {_bracketed(formula.operand, Comparison)}"
        case PathQuantifier():
            return f"{formula.quantifier} [ {formula_text(formula.path)} ]"
        case Probability() | SteadyState():
            letter, inside = (
                ("P", formula.path) if isinstance(formula, Probability) else ("S", formula.operand)
            )
            return (
                f"{letter}{formula.optimum or ''}{threshold_text(formula)} [ "
                f"{formula_text(inside)} ]"
            )
        case Reward():
            name = "" if formula.name is None else f'{{"{formula.name}"}}'
            return (
                f"R{name}{formula.optimum or ''}{threshold_text(formula)} [ "
                f"{reward_path_text(formula.reward_path)} ]"
            )
        case Multi():
            return f"multi({', '.join(formula_text(each) for each in formula.objectives)})"
        case _:
            return f"({formula_text(formula)})"


def _name(name: str) -> str:
    plain = _PLAIN_NAME.fullmatch(name) and name not in _WORDS and name not in MODALITIES
    return name if plain else f'"{name}"'


def as_typed(formula: Formula) -> str:
    """Return the formula as its author wrote it, on one line and without comments, for use in
    messages. A formula without a span is printed by :func:`formula_text`."""
    span = formula.span
    return formula_text(formula) if span is None else " ".join(_COMMENT.sub(" ", span.text).split())


def show_bound(bound: StepBound | None) -> str:
    """Return the text of a temporal operator's step bound: ``<=5``, ``[2,5]``, ``>=2``, or an empty
    string if there is none."""
    if bound is None:
        return ""
    if bound.upper is None:
        return f">={bound.lower}"
    return f"<={bound.upper}" if bound.lower == 0 else f"[{bound.lower},{bound.upper}]"


def threshold_text(formula: Probability | Reward | SteadyState) -> str:
    """Return the text after the P, R or S of an operator: ``=?`` for a query, otherwise the bound,
    such as ``>=0.9``."""
    if formula.relation is None or formula.threshold is None:
        return "=?"
    return f"{formula.relation}{decimal_or_fraction(formula.threshold)}"


def reward_path_text(of: Finally | Cumulative | Instantaneous | Total | LongRun) -> str:
    """Return the text inside the brackets of a reward operator, such as ``F done`` or ``C<=5``."""
    match of:
        case Cumulative():
            return f"C<={of.steps}"
        case Instantaneous():
            return f"I={of.step}"
        case Total():
            return "C"
        case LongRun():
            return "S"
        case Finally():
            return formula_text(of)
        case _:
            assert_never(of)


def show_expression(expression: Expression) -> str:
    """Return the text of an arithmetic expression on one line."""
    match expression:
        case Number():
            return decimal_or_fraction(expression.value)
        case Identifier():
            return expression.name
        case Arithmetic(operator="min" | "max"):
            return (
                f"{expression.operator}({show_expression(expression.left)}, "
                f"{show_expression(expression.right)})"
            )
        case Arithmetic():
            return f"{_term(expression.left)} {expression.operator} {_term(expression.right)}"
        case _:
            assert_never(expression)


def _term(expression: Expression) -> str:
    text = show_expression(expression)
    return (
        f"({text})"
        if isinstance(expression, Arithmetic) and expression.operator not in ("min", "max")
        else text
    )


def decimal_or_fraction(value: Fraction) -> str:
    """Return a fraction as a decimal if that is exact, otherwise as ``p/q``."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    whole, fraction = divmod(abs(value.numerator) * 10**digits // value.denominator, 10**digits)
    return f"{'-' if value < 0 else ''}{whole}" + (f".{fraction:0{digits}}" if digits else "")
