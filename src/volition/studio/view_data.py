"""Plain data that worker processes send to the studio's pages. They contain no models or state
spaces, so that they can be sent between processes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volition.languages.protocols import StateView

__all__ = [
    "TRUST_CODE",
    "AgentData",
    "AlternativeData",
    "AnswerData",
    "DecisionData",
    "DecisionPointData",
    "DiagnosticData",
    "Fix",
    "OutcomeData",
    "ProgramData",
    "ProgressData",
    "PropertyData",
    "RowData",
    "RunData",
    "SourcePosition",
    "StateData",
    "StateReference",
    "StepData",
    "StrategyData",
    "TreeData",
]  # fmt: skip

TRUST_CODE = "LNG020"
"""Code of the error that the program has Python code that the user has not allowed to run."""


# --- the program ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Range of characters in a source file. ``line`` and ``column`` count from 1; ``start`` and
    ``end`` are offsets in the text and count from 0."""

    file: str
    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fix:
    """Suggested correction of an error: a text that replaces a range of characters in its file."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class DiagnosticData:
    """Diagnostic (error or warning), with a position in a file of the program or in a formula, or
    without a position."""

    code: str
    severity: str
    message: str
    hint: str | None
    position: SourcePosition | None
    fix: Fix | None = None

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class PropertyData:
    """Property that is stated in the program file, with its expected result. The text of the
    formula identifies it."""

    name: str
    text: str
    expected: str
    position: SourcePosition | None


@dataclass(frozen=True, slots=True)
class ProgramData:
    """Parsed program, as the Studio shows it: its agents, properties, parameters and warnings."""

    language: str
    agents: tuple[str, ...]
    remarks: tuple[DiagnosticData, ...]
    """Warnings about the program, and errors in its properties."""
    properties: tuple[PropertyData, ...]
    parameters: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    """Vocabulary for formulas about this program, by kind: beliefs, goals, actions, labels and
    numeric variables."""


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProgressData:
    """Progress of an exploration: the number of states so far and the elapsed seconds. ``query``
    says what it is for: the text of a property, or the name of a task."""

    query: str
    states: int
    seconds: float


@dataclass(frozen=True, slots=True)
class AnswerData:
    """Answer for one property, as the pages show it. ``query`` is the text that was checked; it
    identifies the answer in the worker process."""

    query: str
    name: str
    text: str
    expected: str
    verdict: str
    """Verdict as text: ``holds``, ``violated``, ``unknown``, or the value of a query."""
    kind: str
    """Style in which the verdict is shown: ``good`` (holds), ``bad`` (violated), ``open`` (unknown)
    or ``plain`` (a value)."""
    as_expected: bool | None
    bounds: str
    method: str
    seconds: float
    states: int
    notes: tuple[str, ...]
    evidence: str
    """Kind of evidence that can be shown: ``run``, ``strategy``, or empty."""


# --- runs -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgentData:
    """State of one agent: its beliefs, goals and other sections; each intention is a stack, from
    top to bottom."""

    agent: str
    sections: StateView
    stacks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StateData:
    """State as the pages show it: the state of each agent and of the world."""

    agents: tuple[AgentData, ...]
    world: StateView
    marks: Mapping[tuple[str, str], str]
    """Differences from the previous state: ``new``, ``changed`` or ``gone``, by the section of the
    state and the item in it."""


@dataclass(frozen=True, slots=True)
class StepData:
    """Step of a run, with the state after it, for the view *Explanation*."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[SourcePosition, ...]
    changes: tuple[str, ...]
    """Changes of the state that the step makes, as text."""
    atom_changes: tuple[str, ...]
    """Parts of the formula that the step makes true or false."""
    is_relevant: bool
    """Whether the step is relevant to the formula."""
    state: StateData
    probability: str | None
    is_self_loop: bool


@dataclass(frozen=True, slots=True)
class RunData:
    """Counterexample or witness. ``loop`` is the number of steps before those that repeat forever,
    or None if the run has no loop."""

    start: StateData
    steps: tuple[StepData, ...]
    loop: int | None
    trace: Mapping[str, Any]
    """The same run in the public trace format, which other worker processes can replay."""


@dataclass(frozen=True, slots=True)
class StateReference:
    """Reference to a state by a run that leads to it: the first ``step`` steps of a trace."""

    trace: Mapping[str, Any]
    step: int


# --- strategies -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TreeData:
    """Node of the decision tree of a strategy: a ``decision`` (the root), a ``predicate`` with
    children for ``yes`` and ``no``, or a ``choice``."""

    text: str
    kind: str
    edge: str = ""
    children: tuple[TreeData, ...] = ()


@dataclass(frozen=True, slots=True)
class RowData:
    """Row of the decision table of a strategy; ``decision_points`` are the indices of the decision
    points to which it applies."""

    when: str
    choose: str
    others: tuple[str, ...]
    decision_points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecisionData:
    """One decision of a strategy (which component moves, or which choice it takes), as a table and
    as a tree."""

    text: str
    rows: tuple[RowData, ...]
    tree: TreeData


@dataclass(frozen=True, slots=True)
class DecisionPointData:
    """State in which a strategy must decide, with the choice of the strategy and a description of
    the state."""

    state: int
    component: str
    step: str
    choice: int
    situation: StateView


@dataclass(frozen=True, slots=True)
class StrategyData:
    """Strategy, as the pages show it; ``remark`` says what its choices depend on, or why there is
    no strategy."""

    remark: str
    decisions: tuple[DecisionData, ...] = ()
    points: tuple[DecisionPointData, ...] = ()


@dataclass(frozen=True, slots=True)
class OutcomeData:
    """Possible outcome of a choice: its probability, the changes of the state, and the value of the
    query in the next state."""

    probability: str
    changes: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class AlternativeData:
    """Choice in a decision point, and the value of the query if it is taken and all later choices
    are optimal."""

    agent: str
    text: str
    value: str
    is_best: bool
    is_taken: bool
    outcomes: tuple[OutcomeData, ...]
