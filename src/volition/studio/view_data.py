"""What goes from the process that computes to the pages: plain data, nothing of which refers to a
model or a space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volition.languages.protocols import StateView

__all__ = [
    "TRUST_CODE",
    "AgentData",
    "AlternativeShown",
    "AnswerData",
    "DecisionPointData",
    "DecisionShown",
    "DiagnosticData",
    "Fix",
    "OutcomeShown",
    "Place",
    "ProgramData",
    "ProgressShown",
    "PropertyData",
    "RowData",
    "RunData",
    "StateData",
    "StateReference",
    "StepData",
    "StrategyData",
    "TreeData",
]  # fmt: skip

TRUST_CODE = "LNG020"
"""Of the mistake that the program brings Python code which nobody has allowed to run."""


# --- the program ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Characters of a file; lines and columns count from 1, ``start`` and ``end`` from 0 in the
    whole text."""

    file: str
    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fix:
    """Another text for some characters of the file that the mistake is in."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class DiagnosticData:
    """A diagnostic; the place is in a file of the project, or in a formula, or nowhere."""

    code: str
    severity: str
    message: str
    hint: str | None
    position: Place | None
    fix: Fix | None = None

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class PropertyData:
    """A property that a program states, with the result that its author expects; it is asked by its
    text."""

    name: str
    text: str
    expected: str
    position: Place | None


@dataclass(frozen=True, slots=True)
class ProgramData:
    """A program that was read."""

    language: str
    agents: tuple[str, ...]
    remarks: tuple[DiagnosticData, ...]
    """What is doubtful in it, and what is wrong with its properties."""
    properties: tuple[PropertyData, ...]
    parameters: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    """What a formula can ask of this program, by its kind: beliefs, goals, actions, labels,
    numbers."""


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProgressShown:
    """How far the exploration for a property has come."""

    query: str
    states: int
    seconds: float


@dataclass(frozen=True, slots=True)
class AnswerData:
    """The answer to one property.  ``asked`` is the text that was asked, by which the process that
    computes finds it again."""

    query: str
    name: str
    text: str
    expected: str
    verdict: str
    """``holds``, ``violated``, ``unknown`` or the value."""
    kind: str
    """``good``, ``bad``, ``open`` or ``plain``."""
    as_expected: bool | None
    bounds: str
    method: str
    seconds: float
    states: int
    notes: tuple[str, ...]
    evidence: str
    """``run``, ``strategy`` or nothing: what there is to see behind it."""


# --- runs -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AgentData:
    """The mind of an agent in a state; intentions are stacks, each from its top down."""

    agent: str
    sections: StateView
    stacks: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class StateData:
    """A state: the minds of the agents, and the world."""

    minds: tuple[AgentData, ...]
    world: StateView
    marks: Mapping[tuple[str, str], str]
    """What is different from the state before, by section (as portraits name it) and item: ``new``,
    ``changed`` or ``gone``."""


@dataclass(frozen=True, slots=True)
class StepData:
    """One step of a run, and the state after it."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    positions: tuple[Place, ...]
    changes: tuple[str, ...]
    """What is different after it, in words."""
    atom_changes: tuple[str, ...]
    """What of the formula becomes true or false by it."""
    is_relevant: bool
    """Whether it has to do with what was asked."""
    state: StateData
    probability: str | None
    is_self_loop: bool


@dataclass(frozen=True, slots=True)
class RunData:
    """A run; ``loop`` is how many steps come before those that repeat for ever."""

    start: StateData
    steps: tuple[StepData, ...]
    loop: int | None
    trace: Mapping[str, Any]
    """The same run in the public trace format, which every process can follow."""


@dataclass(frozen=True, slots=True)
class StateReference:
    """A state, by a run that leads to it: so many steps of a document of the public trace
    format."""

    trace: Mapping[str, Any]
    step: int


# --- strategies -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TreeData:
    """A node of a decision tree: a ``question``, a ``finding`` with what follows from ``yes`` and
    ``no``, or an ``answer``."""

    text: str
    kind: str
    edge: str = ""
    children: tuple[TreeData, ...] = ()


@dataclass(frozen=True, slots=True)
class RowData:
    """A row of a decision table; ``occasions`` are the numbers of those on which it decides."""

    when: str
    choose: str
    others: tuple[str, ...]
    decision_points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """Something that a strategy decides again and again."""

    text: str
    rows: tuple[RowData, ...]
    tree: TreeData


@dataclass(frozen=True, slots=True)
class DecisionPointData:
    """A state in which a strategy decides, and what it looks like."""

    state: int
    component: str
    step: str
    choice: int
    situation: StateView


@dataclass(frozen=True, slots=True)
class StrategyData:
    """What a strategy decides; ``remark`` says on what that depends, or why there is no
    strategy."""

    remark: str
    decisions: tuple[DecisionShown, ...] = ()
    points: tuple[DecisionPointData, ...] = ()


@dataclass(frozen=True, slots=True)
class OutcomeShown:
    """What an alternative may lead to: how likely, what is different then, and what the query is
    worth there."""

    probability: str
    changes: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class AlternativeShown:
    """Something else that could be done in a state, and what the query is worth if that is done and
    the best ever after."""

    agent: str
    text: str
    value: str
    is_best: bool
    is_taken: bool
    outcomes: tuple[OutcomeShown, ...]
