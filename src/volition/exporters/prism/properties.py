"""Translation of formulas to properties in the language of PRISM and Storm.

Storm does not support CTL. In a model without probabilities, every choice leads to one state, so
each strategy has exactly one run. In such a model ``A`` is translated to ``P>=1`` and ``E`` to the
negation of ``P<=0``. In a model with probabilities, this is correct only for invariants and
reachability of propositional formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from volition.diagnostics import Diagnostic, InputError
from volition.logic.printing import (
    as_typed,
    decimal_or_fraction,
    reward_path_text,
    show_bound,
    threshold_text,
)
from volition.logic.syntax import (
    And,
    Arithmetic,
    Atom,
    AtomicFormula,
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
    Total,
    Until,
    WeakUntil,
)
from volition.logic.traversal import is_propositional

__all__ = ["prism_property"]


def prism_property(
    formula: Formula,
    atom: Callable[[AtomicFormula], str],
    reward: Callable[[Reward], str] | None = None,
) -> str:
    """Return a formula as a property of PRISM and Storm.

    ``atom`` translates an atom or a numeric variable, ``reward`` returns the PRISM name of a
    reward. For a model without probabilities, ``reward`` is None.
    """
    probabilistic = reward is not None

    def number(part: Expression) -> str:
        match part:
            case Number():
                return decimal_or_fraction(part.value)
            case Arithmetic(operator="min" | "max"):
                return f"{part.operator}({number(part.left)}, {number(part.right)})"
            case Arithmetic():
                return f"({number(part.left)} {part.operator} {number(part.right)})"
            case Identifier():
                return atom(part)
            case _:
                assert_never(part)

    def text(part: Formula) -> str:
        """Return a subformula as text, in parentheses if it needs them inside another formula."""
        match part:
            case Constant():
                return "true" if part.value else "false"
            case Atom() | Proposition():
                return atom(part)
            case Comparison():
                return f"({number(part.left)} {part.relation} {number(part.right)})"
            case Not(Not() as negated):
                return text(negated.operand)
            case Not():
                return f"!{text(part.operand)}"
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
                return f"(F{show_bound(part.bound)} {text(part.operand)})"
            case Globally(bound=None):
                return f"(G {text(part.operand)})"
            case Globally():  # not supported by Storm
                return text(Not(Finally(Not(part.operand), part.bound)))
            case Until():
                return f"({text(part.left)} U{show_bound(part.bound)} {text(part.right)})"
            case WeakUntil(bound=None):
                return text(Or(Until(part.left, part.right), Globally(part.left)))
            case Release(bound=None):
                return text(WeakUntil(part.right, And(part.left, part.right)))
            case PathQuantifier(quantifier="A", path=path) if (
                not probabilistic or _is_propositional_path(path, Globally)
            ):
                return f"(P>=1 [ {inside(path)} ])"
            case PathQuantifier(quantifier="E", path=path) if (
                not probabilistic or _is_propositional_path(path, Finally)
            ):
                return f"!(P<=0 [ {inside(path)} ])"
            case Probability() if probabilistic:
                return f"(P{part.optimum or ''}{threshold_text(part)} [ {inside(part.path)} ])"
            case SteadyState() if probabilistic:
                return f"(S{part.optimum or ''}{threshold_text(part)} [ {inside(part.operand)} ])"
            case Reward() if reward is not None:
                return (
                    f'(R{{"{reward(part)}"}}{part.optimum or ""}{threshold_text(part)} [ '
                    f"{earned(part.reward_path)} ])"
                )
            case _:
                pass
        kind = "with" if probabilistic else "without"
        message = f"'{as_typed(part)}' is not supported by PRISM for a model {kind} probabilities"
        raise InputError([Diagnostic("EXP001", message, part.span)])

    def earned(of: Finally | Cumulative | Instantaneous | Total | LongRun) -> str:
        return inside(of) if isinstance(of, Finally) else reward_path_text(of)

    def inside(part: Formula) -> str:
        """Return a subformula as text without outer parentheses."""
        written = text(part)
        return written[1:-1] if written.startswith("(") else written

    return inside(formula)


def _is_propositional_path(path: Formula, operator: type[Finally | Globally]) -> bool:
    return isinstance(path, operator) and is_propositional(path.operand)
