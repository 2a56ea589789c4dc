"""What a program of any language consists of, as far as slicing has to know: who reads, changes and
triggers what.

Each language says it of its programs in a module ``dependencies`` of its own.
:mod:`volition.slicing` finds what can influence a formula, and writes the rest out of the text by
the edits that the language offers here: whatever has none stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, runtime_checkable

from volition.diagnostics import Source, Span
from volition.languages.protocols import Program
from volition.languages.world.terms import (
    Structure,
    Term,
    common_instance,
    constant,
    matches,
    show,
    unifiable,
)
from volition.logic.syntax import Formula

__all__ = [
    "Dependencies",
    "DerivationRule",
    "Edit",
    "EntryPoint",
    "ListSpan",
    "ProgramUnit",
    "QueriedSymbol",
    "SliceableProgram",
    "SymbolKind",
    "SymbolPattern",
    "UnitStep",
    "Write",
    "including_full_stop",
    "symbol",
]

SymbolKind = Literal["belief", "goal", "event", "action", "message", "fact", "plan"]


@dataclass(frozen=True, slots=True)
class SymbolPattern:
    """Something that can be read, changed or triggered: a belief of an agent, a goal, an action, a
    fact of the world.

    ``agent`` is empty for what belongs to nobody.
    """

    kind: SymbolKind
    pattern: Term
    agent: str = ""

    def matches(self, other: SymbolPattern) -> bool:
        """Whether both may mean the same thing: their terms unify, after renaming apart."""
        return (self.kind, self.agent) == (other.kind, other.agent) and unifiable(
            self.pattern, other.pattern
        )

    def __str__(self) -> str:
        pattern = self.pattern
        is_marked = (
            isinstance(pattern, Structure)
            and len(pattern.arguments) == 1
            and not pattern.functor[0].isalnum()
        )
        return (
            f"{pattern.functor}{show(pattern.arguments[0])}"
            if is_marked and isinstance(pattern, Structure)
            else show(pattern)
        )


def symbol(kind: SymbolKind, text: str, agent: str = "") -> SymbolPattern:
    """The name of something that has no arguments."""
    return SymbolPattern(kind, constant(text), agent)


# --- how the text says that something is left out -------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListSpan:
    """The items of a list, between commas or the like; where all of them go, ``whole`` goes, if
    there is no empty list in that place.

    Then, where ``outer`` is given, ``whole`` is itself an item of a list.
    """

    spans: tuple[Span, ...]
    whole: Span | None = None
    parent: ListSpan | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """The text at a place becomes another one; or an item, at that place, leaves its list."""

    span: Span
    text: str = ""
    items: ListSpan | None = None


def including_full_stop(statement: Span) -> Span | None:
    """A statement with the full stop behind it, where nothing else stands in between."""
    stop = re.compile(r"\s*\.").match(statement.source.text, statement.end)
    return None if stop is None else statement.source.span(statement.start, stop.end())


# --- what a program consists of -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    """A change of what a name stands for.  ``reads`` is what the new value depends on, or whether
    it changes at all.

    ``edits`` leave the change out, and nothing else: the step is taken as before.  None: there is
    no way to say that.
    """

    name: SymbolPattern
    text: str
    span: Span | None
    reads: tuple[SymbolPattern, ...] = ()
    edits: tuple[Edit, ...] | None = None
    reason_not_removable: str | None = None
    """Why there are no edits, where that is not plain."""
    possible_targets: tuple[SymbolPattern, ...] | None = None
    """What of the name it can change at all, where more is known of that: a fact is removed only if
    it was ever there."""

    @property
    def targets(self) -> tuple[SymbolPattern, ...]:
        """All that it may change."""
        return (self.name,) if self.possible_targets is None else self.possible_targets


@dataclass(frozen=True, slots=True)
class UnitStep:
    """One thing that a part does.  ``reads`` decides whether, and when, it is done; ``posts`` is
    what it triggers, if anything."""

    text: str
    span: Span | None
    reads: tuple[SymbolPattern, ...] = ()
    updates: tuple[Write, ...] = ()
    posts: tuple[SymbolPattern, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramUnit:
    """A plan, an action, a rule of the world: what is done, step by step, when it is triggered and
    what it reads allows it.

    ``edits`` leave it out where nothing triggers it.
    """

    label: str
    span: Span | None
    trigger: SymbolPattern
    reads: tuple[SymbolPattern, ...] = ()
    steps: tuple[UnitStep, ...] = ()
    agent: str = ""
    edits: tuple[Edit, ...] | None = None
    is_plan: bool = True
    """Whether people call it a plan, and count it as one."""
    steps_are_alternatives: bool = False
    """Whether one of the steps is taken, or all at once, and not one after the other."""
    extra_symbols: tuple[SymbolPattern, ...] = ()
    """What else is written there, so that formulas can ask for it: what is believed and wanted at
    first."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """What happens without any part of the program: an initial goal, an event from outside, a
    module of a synchronous system.

    ``edits`` are for one that may be left out, with all that only it leads to, where nothing of it
    can influence the formula: the language has made sure that nobody misses its steps.
    """

    label: str
    name: SymbolPattern
    edits: tuple[Edit, ...] | None = None


@dataclass(frozen=True, slots=True)
class DerivationRule:
    """What is true by definition depends on its body: a reasoning rule, a percept that becomes a
    belief."""

    head: SymbolPattern
    body: tuple[SymbolPattern, ...]
    text: str = ""

    def premises(self, name: SymbolPattern) -> Iterator[SymbolPattern]:
        """What a name depends on that the head may mean.  Of a percept that becomes a belief it is
        the percept with the same terms."""
        for each in self.body:
            is_same = each.pattern == self.head.pattern and not matches(
                name.pattern, self.head.pattern
            )
            common = common_instance(self.head.pattern, name.pattern) if is_same else None
            yield each if common is None else replace(each, pattern=common)


@dataclass(frozen=True, slots=True)
class QueriedSymbol:
    """Something that a formula asks about, and how it says so."""

    name: SymbolPattern
    text: str


@dataclass(frozen=True)
class Dependencies:
    """A program for the sake of some formulas.

    ``properties`` is where the text states its own, in the source of which the formulas go that the
    slice is made for, below ``heading`` where there are none yet.
    """

    parts: tuple[ProgramUnit, ...]
    roots: tuple[EntryPoint, ...]
    queried: tuple[QueriedSymbol, ...]
    derived: tuple[DerivationRule, ...] = ()
    properties: tuple[Span, ...] = ()
    heading: tuple[Source, str] | None = None
    comment: str = "//"
    limitations: tuple[str, ...] = field(default=())
    """What was not tried, and why."""
    writes_are_complete: bool = False
    """Whether whatever can change in a run is changed, triggered or posted by a part that can be
    reached, as it says here."""


@runtime_checkable
class SliceableProgram(Program, Protocol):
    """A program whose language says what depends on what: what a language may offer on top."""

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """The parts of the program, and what the formulas ask; raises :class:`InputError` for what
        makes no sense."""

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> Program:
        """The same program, with the same settings, read from other texts: each the old one and the
        new one."""
