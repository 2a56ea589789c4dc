"""Conditions and arithmetic expressions: the propositional logic with comparisons that CAN's belief
bases use.

The semantics of CAN needs only entailment, ``B ⊨ φ``. In Volition a belief base assigns a truth
value to every belief atom (an absent atom is false) and a number to every numeric belief, so
entailment is evaluation: :func:`holds` and :func:`value`. Evaluation goes from left to right and
stops as soon as the result is known, so that it reads few slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Literal, assert_never

from volition.diagnostics import Diagnostic, InputError, Span
from volition.kernel import SlotView
from volition.languages.common.trampoline import DeferredCall, run_iteratively

__all__ = [
    "Arithmetic",
    "BeliefAtom",
    "BooleanLiteral",
    "Comparison",
    "Condition",
    "Conjunction",
    "Constant",
    "Disjunction",
    "EventPhase",
    "Expression",
    "Extremum",
    "Negation",
    "NumericBelief",
    "Operator",
    "Parameter",
    "Parameters",
    "PhaseKind",
    "Relation",
    "SyntaxNode",
    "Valuation",
    "compare",
    "compute",
    "holds",
    "nodes",
    "value",
]  # fmt: skip

_MAX_BITS = 4096

Relation = Literal["<", "<=", ">", ">=", "=", "!="]
Operator = Literal["+", "-", "*", "/"]
PhaseKind = Literal["waiting", "active", "finished", "blocked", "left"]
Parameters = Mapping[str, Fraction]
"""Value of each declared parameter of a program, by name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntaxNode:
    """Node of the syntax tree of a program, with its position in the source. Two nodes are equal if
    they differ only in their positions.

    Nodes are values in states, so they are hashed and compared often, and they may be nested to any
    depth. Therefore a node computes its hash once, when it is created, and two nodes are compared
    without recursion.
    """

    span: Span | None = field(default=None, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((type(self), *_contents(self))))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        pairs: list[tuple[object, object]] = [(self, other)]
        while pairs:
            left, right = pairs.pop()
            if left is right:
                continue
            if not isinstance(left, SyntaxNode):
                if left != right:
                    return False
            elif (
                not isinstance(right, SyntaxNode)
                or type(left) is not type(right)
                or left._hash != right._hash
            ):
                return False
            else:
                pairs += zip(_contents(left), _contents(right), strict=True)
        return True

    def __reduce__(
        self,
    ) -> tuple[Callable[..., SyntaxNode], tuple[type[SyntaxNode], dict[str, Any]]]:
        """Return a constructor call, so that unpickling computes the hash again: hashes of strings
        differ between processes."""
        return _unpickle, (
            type(self),
            {each.name: getattr(self, each.name) for each in fields(self) if each.init},
        )


def _unpickle(kind: type[SyntaxNode], contents: dict[str, Any]) -> SyntaxNode:
    return kind(**contents)


def _contents(node: SyntaxNode) -> list[Any]:
    """Return the fields of a node that comparison takes into account: all except its position."""
    kind = type(node)
    if kind not in _COMPARED:
        _COMPARED[kind] = tuple(each.name for each in fields(kind) if each.compare)
    return [getattr(node, name) for name in _COMPARED[kind]]


_COMPARED: dict[type[SyntaxNode], tuple[str, ...]] = {}


# --- syntax nodes of arithmetic expressions -------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Constant(SyntaxNode):
    number: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class Parameter(SyntaxNode):
    """Declared parameter: a number that is fixed when the program is loaded."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class NumericBelief(SyntaxNode):
    """Belief with a numeric value, such as ``deadline1``."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic(SyntaxNode):
    """Arithmetic operation on two expressions. The static checks ensure that a divisor is constant
    and not 0."""

    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Extremum(SyntaxNode):
    """Minimum ``min(x, y)`` or maximum ``max(x, y)`` of two expressions."""

    function: Literal["min", "max"]
    left: Expression
    right: Expression


Expression = Constant | Parameter | NumericBelief | Arithmetic | Extremum

# --- syntax nodes of conditions -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class BooleanLiteral(SyntaxNode):
    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class BeliefAtom(SyntaxNode):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(SyntaxNode):
    relation: Relation
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class EventPhase(SyntaxNode):
    """Condition on the phase of an external event, such as ``finished(site1)``. The event is given
    by its name or number.

    ``left(site1, "nil; return_to_base")`` holds if the remaining program of the intention, printed
    as in traces, is this text. Phases are allowed only in labels and decisions.
    """

    phase: PhaseKind
    event: str
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Negation(SyntaxNode):
    operand: Condition


@dataclass(frozen=True, slots=True, eq=False)
class Conjunction(SyntaxNode):
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True, eq=False)
class Disjunction(SyntaxNode):
    left: Condition
    right: Condition


Condition = (
    BooleanLiteral | BeliefAtom | Comparison | EventPhase | Negation | Conjunction | Disjunction
)

# --- evaluation of expressions and conditions -----------------------------------------------------


def _no_phase(phase: EventPhase) -> bool:
    raise AssertionError(f"the phase of {phase.event} is asked outside of a label")


@dataclass(frozen=True, slots=True)
class Valuation:
    """Data for evaluating a condition: the beliefs of a state, the parameters, and (for labels and
    decisions) the phases of events."""

    state: SlotView
    parameters: Parameters
    phase: Callable[[EventPhase], bool] = _no_phase


def value(expression: Expression, at: Valuation) -> Fraction:
    """Return the value of an arithmetic expression in a state."""
    number = _simple_value(expression, at)
    return run_iteratively(_value(expression, at)) if number is None else number


def _simple_value(expression: Expression, at: Valuation) -> Fraction | None:
    """Return the value of an expression without operands (a number, parameter or numeric belief),
    the most frequent case. Return None for any other expression."""
    match expression:
        case Constant(number):
            return number
        case Parameter(name):
            return at.parameters[name]
        case NumericBelief(name):
            held = at.state[name]
            assert isinstance(held, Fraction)
            return held
        case Arithmetic() | Extremum():
            pass
        case _:
            assert_never(expression)
    return None


def _value(expression: Expression, at: Valuation) -> DeferredCall[Fraction]:
    match expression:
        case Constant() | Parameter() | NumericBelief():
            return value(expression, at)
        case Arithmetic(operator, left, right):
            first, second = (yield _value(left, at)), (yield _value(right, at))
            return _bounded(compute(operator, first, second), expression)
        case Extremum(function, left, right):
            numbers: list[Fraction] = [(yield _value(left, at)), (yield _value(right, at))]
            return min(numbers) if function == "min" else max(numbers)
        case _:
            assert_never(expression)


def _bounded(number: Fraction, expression: Arithmetic) -> Fraction:
    """Return ``number``, the result of the operation ``expression``, unchanged. Raise
    :class:`InputError` if it is so large that computing with it would exhaust time and memory.

    A symbolic result, which contains parameters, is not checked.
    """
    if (
        isinstance(number, Fraction)
        and max(number.numerator.bit_length(), number.denominator.bit_length()) > _MAX_BITS
    ):
        hint = "bound it, for example with min(x, 100): every value is a separate state"
        raise InputError(
            [Diagnostic("CAN064", "this number grows without bound", expression.span, hint)]
        )
    return number


def holds(condition: Condition, at: Valuation) -> bool:
    """Return whether a condition is true in a state: entailment, ``B ⊨ φ``."""
    truth = _simple_truth(condition, at)
    return run_iteratively(_truth(condition, at)) if truth is None else truth


def _simple_truth(condition: Condition, at: Valuation) -> bool | None:
    """Return the truth of a condition without nested conditions, the most frequent case. Return
    None for any other condition."""
    match condition:
        case BooleanLiteral(truth):
            return truth
        case BeliefAtom(name):
            return at.state[name] is True
        case Comparison(relation, left, right):
            return compare(relation, value(left, at), value(right, at))
        case EventPhase():
            return at.phase(condition)
        case Negation() | Conjunction() | Disjunction():
            pass
        case _:
            assert_never(condition)
    return None


def _truth(condition: Condition, at: Valuation) -> DeferredCall[bool]:
    match condition:
        case BooleanLiteral() | BeliefAtom() | Comparison() | EventPhase():
            return holds(condition, at)
        case Negation(operand):
            return not (yield _truth(operand, at))
        case Conjunction(first, second):
            return bool((yield _truth(first, at)) and (yield _truth(second, at)))
        case Disjunction(first, second):
            return bool((yield _truth(first, at)) or (yield _truth(second, at)))
        case _:
            assert_never(condition)


def compute(operator: Operator, left: Fraction, right: Fraction) -> Fraction:
    """Return the exact result of ``left operator right``."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case _:
            assert_never(operator)


def compare(relation: Relation, left: Fraction, right: Fraction) -> bool:
    """Return whether ``left relation right`` holds."""
    match relation:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "=":
            return left == right
        case "!=":
            return left != right
        case _:
            assert_never(relation)


def nodes(node: Condition | Expression) -> Iterator[Condition | Expression]:
    """Yield a condition or an expression and all nodes inside it, in the order of the text."""
    found = [node]
    while found:
        inner = found.pop()
        yield inner
        match inner:
            case Negation(operand):
                found.append(operand)
            case Comparison(_, left, right) | Arithmetic(_, left, right) | Extremum(_, left, right):
                found += (right, left)
            case Conjunction(first, second) | Disjunction(first, second):
                found += (second, first)
            case (
                BooleanLiteral()
                | BeliefAtom()
                | EventPhase()
                | Constant()
                | Parameter()
                | NumericBelief()
            ):
                pass
            case _:
                assert_never(inner)
