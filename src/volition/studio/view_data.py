"""Plain data that worker processes send to the pages, without models or state spaces."""

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
    """Range of characters in a file. ``line`` and ``column`` count from 1; ``start`` and ``end``
    are offsets in the text and count from 0."""

    file: str
    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fix:
    """Replacement for a range of characters in the file of a diagnostic."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class DiagnosticData:
    """Diagnostic with a position in a file of the project, in a formula, or without a position."""

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
    """Property in the file of the program, with its expected result. Its text identifies it."""

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
    """Progress of the exploration for a property."""

    query: str
    states: int
    seconds: float


@dataclass(frozen=True, slots=True)
class AnswerData:
    """Answer for one property. ``query`` is the text that was checked; it identifies the answer in
    the worker process."""

    query: str
    name: str
    text: str
    expected: str
    verdict: str
    """``holds``, ``violated``, ``unknown``, or the value."""
    kind: str
    """Style of the verdict: ``good`` (holds), ``bad`` (violated), ``open`` (unknown) or ``plain``
    (a value)."""
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
    """State of one agent; each intention is a stack, from top to bottom."""

    agent: str
    sections: StateView
    stacks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StateData:
    """State view: the state of each agent and of the world."""

    agents: tuple[AgentData, ...]
    world: StateView
    marks: Mapping[tuple[str, str], str]
    """Differences from the previous state, by section of the state view and item: ``new``,
    ``changed`` or ``gone``."""


@dataclass(frozen=True, slots=True)
class StepData:
    """Step of a run, with the state after it."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[SourcePosition, ...]
    changes: tuple[str, ...]
    """Changes that the step makes, as text."""
    atom_changes: tuple[str, ...]
    """Parts of the formula that the step makes true or false."""
    is_relevant: bool
    """Whether the step is relevant to the formula."""
    state: StateData
    probability: str | None
    is_self_loop: bool


@dataclass(frozen=True, slots=True)
class RunData:
    """Run; ``loop`` is the number of steps before those that repeat forever, or None."""

    start: StateData
    steps: tuple[StepData, ...]
    loop: int | None
    trace: Mapping[str, Any]
    """The same run in the public trace format, which other worker processes can replay."""


@dataclass(frozen=True, slots=True)
class StateReference:
    """State, given by a run that leads to it: the first ``step`` steps of a trace."""

    trace: Mapping[str, Any]
    step: int


# --- strategies -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TreeData:
    """Node of a decision tree: a ``decision`` (the root), a ``predicate`` with children for ``yes``
    and ``no``, or a ``choice``."""

    text: str
    kind: str
    edge: str = ""
    children: tuple[TreeData, ...] = ()


@dataclass(frozen=True, slots=True)
class RowData:
    """Row of a decision table; ``decision_points`` are the indices of the decision points to which
    it applies."""

    when: str
    choose: str
    others: tuple[str, ...]
    decision_points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecisionData:
    """Decision of a strategy, as a table and as a tree."""

    text: str
    rows: tuple[RowData, ...]
    tree: TreeData


@dataclass(frozen=True, slots=True)
class DecisionPointData:
    """State in which a strategy decides, with its choice and the state view."""

    state: int
    component: str
    step: str
    choice: int
    situation: StateView


@dataclass(frozen=True, slots=True)
class StrategyData:
    """Strategy; ``remark`` says what its choices depend on, or why there is no strategy."""

    remark: str
    decisions: tuple[DecisionData, ...] = ()
    points: tuple[DecisionPointData, ...] = ()


@dataclass(frozen=True, slots=True)
class OutcomeData:
    """Possible outcome of an option: probability, changes, and the value of the query in the next
    state."""

    probability: str
    changes: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class AlternativeData:
    """Choice in a state, and the value of the query if it is taken and all later choices are
    optimal."""

    agent: str
    text: str
    value: str
    is_best: bool
    is_taken: bool
    outcomes: tuple[OutcomeData, ...]
