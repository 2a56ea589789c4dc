"""Properties without probabilities, for Storm and PRISM, whose models here have none either.

A model without probabilities is an MDP in which every choice leads to one state.  There each run is what some strategy does with
probability 1, so "on all runs" is ``P>=1`` and "on some run" is not ``P<=0``; Storm, which has no CTL, answers both.
"""

from __future__ import annotations

from collections.abc import Callable

from volition.diagnostics import Diagnostic, InputError
from volition.logic.printing import show
from volition.logic.syntax import (
    And,
    Atom,
    Constant,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Leaf,
    Next,
    Not,
    Or,
    PathQuantifier,
    Proposition,
    Release,
    StepBound,
    Until,
    WeakUntil,
)

__all__ = ["prism_property"]


def prism_property(formula: Formula, label: Callable[[Leaf], str]) -> str:
    """A CTL* formula as a property of PRISM and Storm; ``label`` names the label that stands for a leaf."""

    def text(part: Formula) -> str:
        match part:
            case Constant():
                return "true" if part.value else "false"
            case Atom() | Proposition():
                return f'"{label(part)}"'
            case Not():
                return f"!({text(part.operand)})"
            case And():
                return f"({text(part.left)} & {text(part.right)})"
            case Or():
                return f"({text(part.left)} | {text(part.right)})"
            case Implies():
                return text(Or(Not(part.left), part.right))
            case Iff():
                return text(Or(And(part.left, part.right), And(Not(part.left), Not(part.right))))
            case Next():
                return f"(X {text(part.operand)})"
            case Finally():
                return f"(F{_bound(part.bound)} {text(part.operand)})"
            case Globally(bound=None):
                return f"(G {text(part.operand)})"
            case Until():
                return f"({text(part.left)} U{_bound(part.bound)} {text(part.right)})"
            case WeakUntil(bound=None):
                return text(Or(Until(part.left, part.right), Globally(part.left)))
            case Release(bound=None):
                return text(WeakUntil(part.right, And(part.left, part.right)))
            case PathQuantifier(quantifier="A"):
                return f"P>=1 [ {text(part.path)} ]"
            case PathQuantifier():
                return f"!(P<=0 [ {text(part.path)} ])"
        message = f"'{show(part)}' cannot be written as a property of a model without probabilities"
        raise InputError([Diagnostic("EXP001", message, part.span)])

    return text(formula)


def _bound(bound: StepBound | None) -> str:
    if bound is None:
        return ""
    return f">={bound.lower}" if bound.upper is None else f"[{bound.lower},{bound.upper}]" if bound.lower else f"<={bound.upper}"
