"""Syntax tree of formulas: one property language for all programs.

State formulas and path formulas share one type, :data:`Formula`, as in CTL*. Each checker decides
which formulas it supports. Every node has a span in the text, which does not count when formulas
are compared.

The text inside an atom such as ``Bel(...)`` belongs to the programming language (a literal, a
sentence, a plan). :mod:`volition.logic.terms` parses its arguments, and
:meth:`volition.languages.protocols.Model.resolve` interprets them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from volition.diagnostics import Span
from volition.logic.parsing.term_parser import arguments_in
from volition.logic.terms import Term

__all__ = [
    "MODALITIES",
    "AgentQuantifier",
    "And",
    "Arithmetic",
    "Atom",
    "AtomicFormula",
    "Comparison",
    "Constant",
    "Cumulative",
    "Expression",
    "Finally",
    "Formula",
    "Globally",
    "Identifier",
    "Iff",
    "Implies",
    "Instantaneous",
    "LongRun",
    "Multi",
    "Next",
    "Not",
    "Number",
    "Or",
    "PathQuantifier",
    "Probability",
    "Proposition",
    "Release",
    "Reward",
    "SteadyState",
    "StepBound",
    "Total",
    "Until",
    "WeakUntil",
]

MODALITIES: dict[str, str] = {
    "Bel": "Bel",
    "B": "Bel",
    "Des": "Des",
    "Int": "Int",
    "I": "Int",
    "ItD": "ItD",
    "Does": "Does",
    "D": "Does",
    "Last": "Last",
    "Goal": "Goal",
    "Plan": "Plan",
    "Percept": "Percept",
    "Bels": "Bels",
    "Bs": "Bels",
    "Goals": "Goals",
    "Gs": "Goals",
    "Steady": "Steady",
    "Waiting": "Waiting",
    "Finished": "Finished",
    "Blocked": "Blocked",
}
"""Modality of each atom name. Short and long names map to the same modality."""

Optimum = Literal["min", "max"]
Relation = Literal["<", "<=", ">", ">=", "=", "!="]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Node:
    span: Span | None = field(default=None, compare=False, repr=False)


# --- numbers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(_Node):
    value: Fraction


@dataclass(frozen=True, slots=True)
class Identifier(_Node):
    """Name of a numeric variable of the state (a numeric belief, a counter), such as
    ``deadline1``."""

    name: str


@dataclass(frozen=True, slots=True)
class Arithmetic(_Node):
    operator: Literal["+", "-", "*", "/", "min", "max"]
    left: Expression
    right: Expression


Expression = Number | Identifier | Arithmetic

# --- atomic formulas ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant(_Node):
    value: bool


@dataclass(frozen=True, slots=True)
class Atom(_Node):
    """Atom such as ``Bel(...)`` or ``Goals{...}``: a modality and the text between its brackets.

    ``arguments`` are the parts of the text between commas, with their spans. If they are not given,
    they are parsed from the text.
    """

    modality: str
    text: str
    arguments: tuple[Term, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.text and not self.arguments:
            object.__setattr__(self, "arguments", arguments_in(self.text))


@dataclass(frozen=True, slots=True)
class Proposition(_Node):
    """Label declared in the program, or another name that the language can evaluate to true or
    false in a state."""

    name: str


@dataclass(frozen=True, slots=True)
class Comparison(_Node):
    relation: Relation
    left: Expression
    right: Expression


AtomicFormula = Atom | Proposition | Identifier
"""Node that the language of the program resolves."""

# --- Boolean operators ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Not(_Node):
    operand: Formula


@dataclass(frozen=True, slots=True)
class And(_Node):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Or(_Node):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Implies(_Node):
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Iff(_Node):
    left: Formula
    right: Formula


# --- temporal operators ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepBound:
    """At least ``lower`` and at most ``upper`` steps. ``upper`` is None for an unbounded
    interval."""

    lower: int = 0
    upper: int | None = None


@dataclass(frozen=True, slots=True)
class Next(_Node):
    operand: Formula


@dataclass(frozen=True, slots=True)
class Finally(_Node):
    operand: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class Globally(_Node):
    operand: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class Until(_Node):
    left: Formula
    right: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class WeakUntil(_Node):
    left: Formula
    right: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class Release(_Node):
    left: Formula
    right: Formula
    bound: StepBound | None = None


# --- quantifiers and quantitative operators -------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathQuantifier(_Node):
    """``A [path]``: on all runs; ``E [path]``: on some run."""

    quantifier: Literal["A", "E"]
    path: Formula


@dataclass(frozen=True, slots=True)
class Probability(_Node):
    """``P=? [..]``, ``Pmax=? [..]`` or ``P>=0.9 [..]``. ``relation`` is None for a query."""

    path: Formula
    optimum: Optimum | None = None
    relation: Relation | None = None
    threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Cumulative(_Node):
    """``C<=k``: the reward accumulated in the first k steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class Instantaneous(_Node):
    """``I=k``: the state reward after k steps."""

    step: int


@dataclass(frozen=True, slots=True)
class Total(_Node):
    """``C``: the reward accumulated along the whole run."""


@dataclass(frozen=True, slots=True)
class LongRun(_Node):
    """``S`` inside a reward operator (also written ``LRA``): the long-run average reward per
    step."""


@dataclass(frozen=True, slots=True)
class Reward(_Node):
    """``R{"fuel"}min=? [ F done ]``. ``name`` is None if the program has only one reward."""

    reward_path: Finally | Cumulative | Instantaneous | Total | LongRun
    name: str | None = None
    optimum: Optimum | None = None
    relation: Relation | None = None
    threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class SteadyState(_Node):
    """``S=? [ state formula ]``: the long-run fraction of time in states that satisfy the
    formula."""

    operand: Formula
    optimum: Optimum | None = None
    relation: Relation | None = None
    threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Multi(_Node):
    """``multi(Pmax=? [..], R{"fuel"}<=5 [..])``: several objectives under one strategy."""

    objectives: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class AgentQuantifier(_Node):
    """``forall x. f`` or ``exists x. f``, where x ranges over the agents. It is expanded before
    checking."""

    quantifier: Literal["forall", "exists"]
    variable: str
    body: Formula


Formula = (
    Constant | Atom | Proposition | Comparison | Not | And | Or | Implies | Iff
    | Next | Finally | Globally | Until | WeakUntil | Release
    | PathQuantifier | Probability | Reward | SteadyState | Multi | AgentQuantifier
)  # fmt: skip
