"""Language-independent dependency data of a program, the input of slicing.

The data lists what each part of a program reads, writes and triggers. Each language builds it in
its own module ``dependencies``. :mod:`volition.slicing` computes which parts can influence a
formula. It removes the others from the program's text with the edits that the data contains. A part
without edits stays in the slice.
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
    """Term pattern for something that can be read, written or triggered: a belief of an agent, a
    goal, an action, a fact of the world.

    ``agent`` is empty for symbols that do not belong to an agent.
    """

    kind: SymbolKind
    pattern: Term
    agent: str = ""

    def matches(self, other: SymbolPattern) -> bool:
        """Return whether both patterns may denote the same symbol: same kind, same agent, and terms
        that unify after renaming apart."""
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
    """Return the pattern of a symbol whose name is ``text`` and that has no arguments."""
    return SymbolPattern(kind, constant(text), agent)


# --- edits of the text ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListSpan:
    """Position of a list in a program's text, from which slicing may remove items. ``spans`` are
    the spans of the items.

    ``whole`` is the span to remove if all items are removed. It is None if the grammar allows an
    empty list there. ``parent`` is given if the text in ``whole`` is itself an item of another
    list; it is then removed as an item of that list.
    """

    spans: tuple[Span, ...]
    whole: Span | None = None
    parent: ListSpan | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Edit of a program's text.

    If ``items`` is None, the edit replaces the text in ``span`` by ``text``. Otherwise ``span`` is
    an item of the list ``items``, and the edit removes this item from the list.
    """

    span: Span
    text: str = ""
    items: ListSpan | None = None


def including_full_stop(statement: Span) -> Span | None:
    """Return the span of a statement extended by the full stop after it, or None if other text
    comes before the full stop."""
    stop = re.compile(r"\s*\.").match(statement.source.text, statement.end)
    return None if stop is None else statement.source.span(statement.start, stop.end())


# --- parts of a program ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    """Change of a symbol by a step of a program. ``reads`` are the symbols that decide the new
    value, or whether the symbol changes at all.

    ``edits`` remove the change and nothing else: the step itself is still taken. They are None if
    no edit of the program's text has this effect.
    """

    name: SymbolPattern
    text: str
    span: Span | None
    reads: tuple[SymbolPattern, ...] = ()
    edits: tuple[Edit, ...] | None = None
    reason_not_removable: str | None = None
    """Reason why the write has no ``edits``, if it is not obvious."""
    possible_targets: tuple[SymbolPattern, ...] | None = None
    """Instances of ``name`` that this write can really change, if the language knows them. For
    example, only facts that may have been added can be removed."""

    @property
    def targets(self) -> tuple[SymbolPattern, ...]:
        """Return all symbols that this write may change."""
        return (self.name,) if self.possible_targets is None else self.possible_targets


@dataclass(frozen=True, slots=True)
class UnitStep:
    """Single step of a :class:`ProgramUnit`. ``reads`` decides whether and when the step is taken;
    ``updates`` are the symbols it changes; ``posts`` are the events it triggers."""

    text: str
    span: Span | None
    reads: tuple[SymbolPattern, ...] = ()
    updates: tuple[Write, ...] = ()
    posts: tuple[SymbolPattern, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramUnit:
    """Unit of a program that is triggered as a whole: a plan, an action, or a rule of the world.

    Its steps are taken when ``trigger`` occurs and the symbols in ``reads`` permit it. ``edits``
    remove the unit from the text if nothing triggers it.
    """

    label: str
    span: Span | None
    trigger: SymbolPattern
    reads: tuple[SymbolPattern, ...] = ()
    steps: tuple[UnitStep, ...] = ()
    agent: str = ""
    edits: tuple[Edit, ...] | None = None
    is_plan: bool = True
    """Whether users call this unit a plan. Statistics about the plans of a slice count only these
    units."""
    steps_are_alternatives: bool = False
    """Whether the steps of the unit are alternatives or simultaneous, instead of a sequence."""
    extra_symbols: tuple[SymbolPattern, ...] = ()
    """Symbols in the text of the unit that formulas may query, beside those in its steps, such as
    initial beliefs and goals."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Trigger that does not come from a :class:`ProgramUnit`: an initial goal, an external event, a
    module of a synchronous system.

    ``edits`` remove the entry point, together with everything reachable only from it, if it cannot
    influence the formula. A language gives edits only if the removal does not change the steps of
    other components.
    """

    label: str
    name: SymbolPattern
    edits: tuple[Edit, ...] | None = None


@dataclass(frozen=True, slots=True)
class DerivationRule:
    """Rule by which the symbol ``head`` is derived from the symbols in ``body``: a reasoning rule,
    or the perception that turns a percept into a belief."""

    head: SymbolPattern
    body: tuple[SymbolPattern, ...]
    text: str = ""

    def premises(self, name: SymbolPattern) -> Iterator[SymbolPattern]:
        """Yield the symbols on which ``name`` depends. ``name`` must be an instance of the rule's
        head.

        These are the symbols of the rule's body. A symbol of the body with the same pattern as the
        head, such as the percept that becomes a belief, is specialised to the arguments of
        ``name``.
        """
        for each in self.body:
            is_same = each.pattern == self.head.pattern and not matches(
                name.pattern, self.head.pattern
            )
            common = common_instance(self.head.pattern, name.pattern) if is_same else None
            yield each if common is None else replace(each, pattern=common)


@dataclass(frozen=True, slots=True)
class QueriedSymbol:
    """Symbol that a formula queries, with the text of the atom in which it occurs."""

    name: SymbolPattern
    text: str


@dataclass(frozen=True)
class Dependencies:
    """Dependency data of a program for the formulas that a slice has to preserve.

    ``properties`` are the spans in which the program states its own properties. In a slice, the
    given formulas replace the properties in these spans. If the program has no properties, the
    slice adds the formulas below ``heading``.
    """

    parts: tuple[ProgramUnit, ...]
    roots: tuple[EntryPoint, ...]
    queried: tuple[QueriedSymbol, ...]
    derived: tuple[DerivationRule, ...] = ()
    properties: tuple[Span, ...] = ()
    heading: tuple[Source, str] | None = None
    comment: str = "//"
    limitations: tuple[str, ...] = field(default=())
    """Explanations for the user of which parts slicing did not try to remove, and why."""
    writes_are_complete: bool = False
    """Whether this data lists every change that a run can make, as a write or as a posted event.
    Only then can slicing conclude that a symbol without a listed write never changes."""


@runtime_checkable
class SliceableProgram(Program, Protocol):
    """A program that provides dependency data for slicing (optional extension of :class:`Program`).
    Check with ``isinstance``."""

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return the dependency data of the program for some formulas.

        Raise :class:`InputError` if a formula is invalid for this program.
        """

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> Program:
        """Return the program with the same settings, read from changed texts.

        ``texts`` are pairs of an old source and its replacement.
        """
