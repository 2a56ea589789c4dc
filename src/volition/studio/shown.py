"""What goes from the process that computes to the pages: plain data, nothing of which refers to a model or a space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volition.languages.model import Portrait

__all__ = ["AnswerShown", "Mistake", "Opened", "Place", "ProgressShown", "PropertyShown", "RunShown", "Spot", "StepShown", "StrategyShown", "TableShown"]


@dataclass(frozen=True, slots=True)
class Place:
    """Characters of a file; lines and columns count from 1, ``start`` and ``end`` from 0 in the whole text."""

    file: str
    line: int
    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A diagnostic; the place is in a file of the project, or in a formula, or nowhere."""

    code: str
    severity: str
    message: str
    hint: str | None
    place: Place | None

    def __str__(self) -> str:
        where = f"{self.place.file}:{self.place.line}: " if self.place else ""
        return f"{where}{self.message} [{self.code}]"


@dataclass(frozen=True, slots=True)
class PropertyShown:
    """A property that a program states."""

    name: str
    text: str
    expected: str
    line: int


@dataclass(frozen=True, slots=True)
class TableShown:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A program that was read."""

    language: str
    agents: tuple[str, ...]
    warnings: tuple[Mistake, ...]
    properties: tuple[PropertyShown, ...]
    tables: tuple[TableShown, ...]
    parameters: Mapping[str, str]
    words: tuple[str, ...]
    """What a formula may contain: atoms of this program, operators."""


@dataclass(frozen=True, slots=True)
class ProgressShown:
    """How far the exploration for a property has come."""

    asked: str
    states: int
    seconds: float


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """The answer to one property.  ``asked`` is the text that was asked, by which the process that computes finds it again."""

    asked: str
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
    has_strategy: bool


@dataclass(frozen=True, slots=True)
class StepShown:
    """One step of a run, and the whole mind after it."""

    number: int
    agent: str
    text: str
    rules: tuple[str, ...]
    places: tuple[Place, ...]
    changes: tuple[tuple[str, str, str | None, str | None], ...]
    """Section, item, before, after."""
    portrait: Portrait
    probability: str | None
    stays: bool


@dataclass(frozen=True, slots=True)
class RunShown:
    """A run; ``loop`` is how many steps come before those that repeat for ever."""

    start: Portrait
    steps: tuple[StepShown, ...]
    loop: int | None
    trace: Mapping[str, Any]
    """The same run in the public trace format, which every process can follow."""


@dataclass(frozen=True, slots=True)
class StrategyShown:
    """The decision table of a strategy, or why there is none."""

    table: TableShown | None
    remark: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A state, by a run that leads to it: so many steps of a document of the public trace format."""

    trace: Mapping[str, Any]
    step: int
