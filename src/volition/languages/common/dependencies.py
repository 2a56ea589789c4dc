"""Dependencies between the parts of a program, in the same form for all languages. They are the
input of slicing.

The dependencies list what each part of a program reads, writes and triggers. Each language builds
them in its own module ``dependencies``. :mod:`volition.slicing` computes which parts can influence
a formula, and removes the others from the program's text. The edits of the text that remove a part
are listed with the part. A part without edits stays in the slice.
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
    """Symbol, that is, something that a program can read, write or trigger: a belief of an agent, a
    goal, an action, a fact of the world. Its name is a term ``pattern``, so one symbol may stand
    for several beliefs.

    ``agent`` is empty for symbols that do not belong to an agent.
    """

    kind: SymbolKind
    pattern: Term
    agent: str = ""

    def matches(self, other: SymbolPattern) -> bool:
        """Return whether two symbols may be the same belief, goal or other part of the state. They
        have the same kind and agent, and their terms unify. Variables of the two terms count as
        different."""
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
    """Return the symbol (of a belief, goal, action or the like) whose name is ``text`` and that has
    no arguments."""
    return SymbolPattern(kind, constant(text), agent)


# --- edits of the text ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListSpan:
    """Position of a list in a program's text, from which slicing may remove items. ``spans`` are
    the spans of the items.

    ``whole`` is the span to remove if all items are removed, or None if the grammar allows an empty
    list there. ``parent`` is another list of which ``whole`` is an item. If it is given, ``whole``
    is removed as an item of that list.
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
    """Change of a symbol (a belief, goal, fact or the like) by a step of a program. ``reads`` are
    the symbols that decide the new value, or whether the symbol changes at all.

    ``edits`` of the program's text remove the change and nothing else: the step itself is still
    taken. They are None if no edit has this effect.
    """

    name: SymbolPattern
    text: str
    span: Span | None
    reads: tuple[SymbolPattern, ...] = ()
    edits: tuple[Edit, ...] | None = None
    reason_not_removable: str | None = None
    """Reason why slicing cannot remove this change, if it is not obvious."""
    possible_targets: tuple[SymbolPattern, ...] | None = None
    """Those symbols with the pattern ``name`` that this write can really change, if the language
    knows them. For example, ``remove p(_)`` can remove only facts that may have been added."""

    @property
    def targets(self) -> tuple[SymbolPattern, ...]:
        """Return all symbols that this write may change."""
        return (self.name,) if self.possible_targets is None else self.possible_targets


@dataclass(frozen=True, slots=True)
class UnitStep:
    """Single step of a plan, action or rule (:class:`ProgramUnit`). The symbols in ``reads`` decide
    whether and when the step is taken. ``updates`` are its changes of symbols, and ``posts`` are
    the events that it triggers."""

    text: str
    span: Span | None
    reads: tuple[SymbolPattern, ...] = ()
    updates: tuple[Write, ...] = ()
    posts: tuple[SymbolPattern, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramUnit:
    """Part of a program that is triggered as a whole: a plan, an action, or a rule of the world.

    Its steps are taken when ``trigger`` occurs and the symbols in ``reads`` permit it. ``edits``
    remove the part from the program's text if nothing triggers it.
    """

    label: str
    span: Span | None
    trigger: SymbolPattern
    reads: tuple[SymbolPattern, ...] = ()
    steps: tuple[UnitStep, ...] = ()
    agent: str = ""
    edits: tuple[Edit, ...] | None = None
    is_plan: bool = True
    """Whether users call this part of the program a plan. Statistics about the plans of a slice
    count only these parts."""
    steps_are_alternatives: bool = False
    """Whether the steps are alternatives or happen at the same time, instead of one after the
    other."""
    extra_symbols: tuple[SymbolPattern, ...] = ()
    """Symbols, such as initial beliefs and goals, that occur in the text of this part but in none
    of its steps. Formulas may query them."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Trigger that is present from the start and does not come from a plan or other
    :class:`ProgramUnit`: an initial goal, an external event, or the passing of time, which triggers
    parts that move in every step.

    ``edits`` remove the entry point, together with everything reachable only from it, if it cannot
    influence the formula. A language gives edits only if the removal does not change the steps of
    other components.
    """

    label: str
    name: SymbolPattern
    edits: tuple[Edit, ...] | None = None


@dataclass(frozen=True, slots=True)
class DerivationRule:
    """Rule by which one symbol, ``head``, is derived from others, ``body``: a reasoning rule, or
    the perception that turns a percept into a belief."""

    head: SymbolPattern
    body: tuple[SymbolPattern, ...]
    text: str = ""

    def premises(self, name: SymbolPattern) -> Iterator[SymbolPattern]:
        """Yield the symbols from which this rule derives ``name``, which must match the rule's
        head.

        They are the symbols of the rule's body. If a symbol of the body has the same pattern as the
        head, such as the percept that becomes a belief, it gets the arguments of ``name``.
        """
        for each in self.body:
            is_same = each.pattern == self.head.pattern and not matches(
                name.pattern, self.head.pattern
            )
            common = common_instance(self.head.pattern, name.pattern) if is_same else None
            yield each if common is None else replace(each, pattern=common)


@dataclass(frozen=True, slots=True)
class QueriedSymbol:
    """Belief, goal, fact or other symbol that a formula queries, with the text of the atom in which
    it occurs."""

    name: SymbolPattern
    text: str


@dataclass(frozen=True)
class Dependencies:
    """Dependencies between the parts of a program: what each part reads, writes and triggers, and
    which symbols the formulas query. Slicing uses them to remove parts that cannot influence the
    formulas.

    ``properties`` are the positions at which the program states its own properties. In a slice, the
    given formulas replace these properties. If the program has no properties, the slice adds the
    formulas below ``heading``.
    """

    parts: tuple[ProgramUnit, ...]
    roots: tuple[EntryPoint, ...]
    queried: tuple[QueriedSymbol, ...]
    derived: tuple[DerivationRule, ...] = ()
    properties: tuple[Span, ...] = ()
    heading: tuple[Source, str] | None = None
    comment: str = "//"
    limitations: tuple[str, ...] = field(default=())
    """Texts for the user that say which parts slicing did not try to remove, and why."""
    writes_are_complete: bool = False
    """Whether every change that a run can make is listed, as a write or as a posted event. Only
    then can slicing conclude that a symbol without a listed write never changes."""


@runtime_checkable
class SliceableProgram(Program, Protocol):
    """A program that can be sliced: it can state what each of its parts reads, writes and triggers
    (optional extension of :class:`Program`). Check with ``isinstance``."""

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return what each part of the program reads, writes and triggers, and which symbols
        ``formulas`` query. Slicing uses this to remove parts that cannot influence the formulas.

        Raise :class:`InputError` if a formula is invalid for this program.
        """

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> Program:
        """Return the program with the same settings, read from changed texts.

        ``texts`` are pairs of an old source and its replacement.
        """
