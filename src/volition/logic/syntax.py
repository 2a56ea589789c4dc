"""Syntax tree of formulas: one property language for all agent programming languages.

State formulas and path formulas share one type, :data:`Formula`, as in CTL*. Each checker decides
which formulas it supports. Every node has a span in the text. Formulas that differ only in their
spans are equal.

The text inside an atom such as ``Bel(...)`` belongs to the programming language (a literal, a
sentence, a plan). :mod:`volition.logic.terms` is the syntax tree of its arguments, and
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
"""Modality for each name that an atom may have in a formula. Short and long names map to the same
modality."""

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
    """Name of a numeric variable in a formula, such as ``deadline1``: a numeric belief or a
    counter."""

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
"""Nodes of a formula that the programming language of the agents evaluates in a state."""

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
    """Step bound of a temporal operator: at least ``lower`` and at most ``upper`` steps. ``upper``
    is None if the number of steps is unbounded."""

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
    """Path quantifier: ``A [path]`` holds if the path formula holds on all runs, ``E [path]`` if it
    holds on some run."""

    quantifier: Literal["A", "E"]
    path: Formula


@dataclass(frozen=True, slots=True)
class Probability(_Node):
    """Probability operator: ``P=? [..]``, ``Pmax=? [..]`` or ``P>=0.9 [..]``. ``relation`` and
    ``threshold`` are None for a query (``=?``)."""

    path: Formula
    optimum: Optimum | None = None
    relation: Relation | None = None
    threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Cumulative(_Node):
    """``C<=k`` inside a reward operator: the reward accumulated in the first k steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class Instantaneous(_Node):
    """``I=k`` inside a reward operator: the state reward after k steps."""

    step: int


@dataclass(frozen=True, slots=True)
class Total(_Node):
    """``C`` inside a reward operator: the reward accumulated along the whole run."""


@dataclass(frozen=True, slots=True)
class LongRun(_Node):
    """``S`` inside a reward operator (also written ``LRA``): the long-run average reward per
    step."""


@dataclass(frozen=True, slots=True)
class Reward(_Node):
    """Reward operator, such as ``R{"fuel"}min=? [ F done ]``. ``name`` is None if the formula names
    no reward; the program must then have only one."""

    reward_path: Finally | Cumulative | Instantaneous | Total | LongRun
    name: str | None = None
    optimum: Optimum | None = None
    relation: Relation | None = None
    threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class SteadyState(_Node):
    """Steady-state operator ``S=? [ state formula ]``: the long-run fraction of time in states that
    satisfy the formula."""

    operand: Formula
    optimum: Optimum | None = None
    relation: Relation | None = None
    threshold: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Multi(_Node):
    """Multi-objective formula ``multi(Pmax=? [..], R{"fuel"}<=5 [..])``: several objectives under
    one strategy."""

    objectives: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class AgentQuantifier(_Node):
    """Quantifier over agents: ``forall x. f`` or ``exists x. f``, where x ranges over the agents of
    the program. It is expanded before checking."""

    quantifier: Literal["forall", "exists"]
    variable: str
    body: Formula


Formula = (
    Constant | Atom | Proposition | Comparison | Not | And | Or | Implies | Iff
    | Next | Finally | Globally | Until | WeakUntil | Release
    | PathQuantifier | Probability | Reward | SteadyState | Multi | AgentQuantifier
)  # fmt: skip
