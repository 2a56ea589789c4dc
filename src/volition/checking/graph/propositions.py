"""Propositional formulas about states, as one traced function and as the set of states that satisfy
them.

The language resolves atoms (:meth:`Model.resolve`); this module evaluates the operators above them.
One proposition exists in every language: ``"deadlock"`` holds in states without enabled components,
as in PRISM and Storm.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar, assert_never

import numpy as np

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import AnyPredicate, Predicate, SlotView, StateSpace
from volition.kernel.arrays import Mask
from volition.languages.protocols import HasFormulaLint, Model
from volition.logic.parsing.other_tools import meant_by_name
from volition.logic.printing import as_typed, show_expression
from volition.logic.syntax import (
    And,
    Arithmetic,
    Atom,
    AtomicFormula,
    Comparison,
    Constant,
    Expression,
    Formula,
    Identifier,
    Iff,
    Implies,
    Not,
    Number,
    Or,
    Proposition,
)
from volition.logic.traversal import atomic_formulas

__all__ = [
    "DEADLOCK",
    "Resolved",
    "formula_diagnostics",
    "predicate",
    "resolve_atoms",
    "satisfying_states",
    "state_set",
]

DEADLOCK = Proposition("deadlock")

T = TypeVar("T")
Resolved = Mapping[AtomicFormula, Callable[[SlotView], Any]]

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}


def _quotient(a: Any, b: Any) -> Any:
    # Return a fraction, because Python divides two integers in floating point.
    return Fraction(a) / b if isinstance(a, int) else a / b


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _quotient, "min": min, "max": max,
}  # fmt: skip


def resolve_atoms(model: Model, formula: Formula) -> Resolved:
    """Return, for each atom of a formula, the function that evaluates it in a state.

    Raise one :class:`InputError` with all atoms that the program does not know.
    """
    resolved: dict[AtomicFormula, Callable[[SlotView], Any]] = {}
    errors = [each for each in formula_diagnostics(model, formula) if each.severity == "error"]
    for atom in atomic_formulas(formula):
        try:
            resolved[atom] = model.resolve(atom)
        except InputError as error:
            if atom != DEADLOCK:
                errors.extend(_with_remedy(each, atom) for each in error.diagnostics)
    if errors:
        raise InputError(errors)
    return resolved


def _with_remedy(error: Diagnostic, atom: AtomicFormula) -> Diagnostic:
    """Return an error about an unknown atom, with a hint if the atom is written in the notation of
    another tool."""
    meant = (
        meant_by_name(atom.span.text if atom.span is not None else atom.name)
        if isinstance(atom, Proposition | Identifier)
        else None
    )
    return error if meant is None else replace(error, hint=f"write {meant}")


def formula_diagnostics(model: Model, formula: Formula) -> Sequence[Diagnostic]:
    """Return the errors and warnings of the program's language about a formula as a whole."""
    return model.lint(formula) if isinstance(model, HasFormulaLint) else ()


def predicate(formula: Formula, resolved: Resolved) -> Predicate:
    """Return a propositional formula as one function of a state. ``resolved`` has the function of
    each atom."""
    match formula:
        case Constant(value=value):
            return lambda _: value
        case Atom() | Proposition():
            truth = resolved[formula]
            return truth if isinstance(truth, AnyPredicate) else lambda view: bool(truth(view))
        case Comparison():
            return _comparison(formula, resolved)
        case Not():
            inner = predicate(formula.operand, resolved)
            return lambda view: not inner(view)
        case _:
            pass
    left, right = _sides(formula, lambda part: predicate(part, resolved))
    match formula:
        case And():
            return lambda view: left(view) and right(view)
        case Or():
            return lambda view: left(view) or right(view)
        case Implies():
            return lambda view: not left(view) or right(view)
        case _:
            return lambda view: left(view) == right(view)


def satisfying_states(model: Model, space: StateSpace, formula: Formula) -> Mask:
    """Return the states of a space in which a propositional formula holds."""
    return state_set(formula, space, resolve_atoms(model, formula))


def state_set(formula: Formula, space: StateSpace, resolved: Resolved) -> Mask:
    """Return the states of a space in which a propositional formula holds. ``resolved`` has the
    function of each atom.

    Each atom is traced separately, and the sets are combined. One function for the whole formula
    would read the slots of all atoms, and its decision tree could grow with the product of their
    values.
    """
    match formula:
        case Constant(value=value):
            return np.full(space.num_states, value)
        case Proposition() if formula == DEADLOCK and formula not in resolved:
            return space.terminal
        case Atom() | Proposition() | Comparison():
            return space.holds(predicate(formula, resolved))
        case Not():
            return ~state_set(formula.operand, space, resolved)
        case _:
            pass
    left, right = _sides(formula, lambda part: state_set(part, space, resolved))
    match formula:
        case And():
            return left & right
        case Or():
            return left | right
        case Implies():
            return ~left | right
        case _:
            return ~(left ^ right)


def _sides(formula: Formula, answer: Callable[[Formula], T]) -> tuple[T, T]:
    if not isinstance(formula, And | Or | Implies | Iff):
        raise InputError(
            [Diagnostic("CHK001", f"'{as_typed(formula)}' is not a state formula", formula.span)]
        )
    return answer(formula.left), answer(formula.right)


def _comparison(formula: Comparison, resolved: Resolved) -> Predicate:
    """Return a comparison of two values as a predicate of states. It is false in states where one
    side has no value (``None``)."""
    left, right = _number(formula.left, resolved), _number(formula.right, resolved)
    relation = _RELATIONS[formula.relation]

    def compare(view: SlotView) -> bool:
        a, b = left(view), right(view)
        return a is not None and b is not None and bool(relation(a, b))

    return compare


def _number(expression: Expression, resolved: Resolved) -> Callable[[SlotView], Any]:
    match expression:
        case Number(value=value):
            return lambda _: value
        case Identifier():
            return resolved[expression]
        case Arithmetic():
            left, right = _number(expression.left, resolved), _number(expression.right, resolved)
            compute, divides = _ARITHMETIC[expression.operator], expression.operator == "/"

            def result(view: SlotView) -> Any:
                a, b = left(view), right(view)
                if divides and b == 0:
                    raise InputError([_division_by_zero(expression)])
                return None if a is None or b is None else compute(a, b)

            return result
        case _:
            assert_never(expression)


def _division_by_zero(expression: Arithmetic) -> Diagnostic:
    """Return the error for an expression that divides by zero in some state. The expression has no
    value in that state, so any verdict would be wrong."""
    message = f"'{show_expression(expression)}' divides by zero in a reachable state"
    return Diagnostic(
        "CHK018",
        message,
        expression.span,
        "multiply instead: 'x > 1 / y' is 'x * y > 1' where y is positive",
    )
