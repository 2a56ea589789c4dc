"""Cone of influence: the part of a program that can influence formulas, computed from the
dependencies that its language declares.

A *unit* is a plan, an action or a rule of the world. An *entry point* is a trigger that does not
come from a unit, such as an initial goal. *Can influence* is the least relation with these rules:

1. The symbols in the formulas are relevant.
2. A unit is reached if a kept entry point, or a step of a reached unit, triggers it. Everything
   that a reached unit reads (guards, tests, waits) is relevant, because it decides which steps are
   taken and when.
3. If a symbol is relevant, then every write to it in a reached unit is relevant, with everything
   that the new value depends on. So are the symbols from which it is derived.
4. A removable entry point is kept only in three cases: it leads to a relevant write; it triggers a
   unit that is reached anyway; or a formula mentions the entry point, or the trigger or a posted
   symbol of a unit that it leads to.

If no atom of the formulas can ever change, nothing is relevant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from volition.languages.common.dependencies import (
    Dependencies,
    EntryPoint,
    ProgramUnit,
    SymbolPattern,
    Write,
)
from volition.languages.world.terms import Structure, Term, predicate
from volition.slicing.constant_atoms import atoms_are_constant
from volition.slicing.reachability import reachable
from volition.slicing.unification_index import SymbolIndex

__all__ = ["Cone", "cone_of_influence"]

WriteIndex = tuple[int, int, int]
"""Position of a write in a program, as three indices: of a unit (a plan, an action or a rule of the
world), of a step in that unit, and of the write in that step."""


@dataclass
class Cone:
    """Cone of influence of formulas: the parts of a program that can influence the formulas.

    - ``entry_points`` are the triggers that come from outside, such as initial goals.
    - ``units`` are plans, actions and rules of the world.
    - ``writes`` are changes of symbols in the steps of units.

    Each is a mapping from the index of a part in the cone to the reason, as a clause for users.

    If ``atoms_are_constant``, no atom of the formulas ever changes. The cone then has all entry
    points, but only the units and writes that cannot be removed from the text.
    """

    dependencies: Dependencies
    entry_points: dict[int, str] = field(default_factory=dict)
    units: dict[int, str] = field(default_factory=dict)
    writes: dict[WriteIndex, str] = field(default_factory=dict)
    atoms_are_constant: bool = False

    def updates_of(self, part: int) -> Iterator[tuple[WriteIndex, Write]]:
        for step_number, step in enumerate(self.dependencies.parts[part].steps):
            for number, update in enumerate(step.updates):
                yield (part, step_number, number), update

    def keeps(self, part: int) -> bool:
        """Return whether a unit (a plan, an action or a rule of the world) stays in the text of the
        slice. A unit stays if it can influence the formulas, or if the text would be invalid
        without it. ``part`` is the index of the unit."""
        return part in self.units or part in self._kept_for_wellformedness

    @cached_property
    def _kept_for_wellformedness(self) -> set[int]:
        """Indices of the units (plans, actions, rules of the world) that must stay so that the text
        of the slice is a valid program. Some of these units cannot influence the formulas. There
        are three kinds:

        - units in the cone, and units that cannot be removed from the text;
        - units that mention a symbol of the formulas, if no unit in the cone mentions the symbol;
        - units that a unit of the first two kinds triggers, directly or through other units. If
          ``atoms_are_constant``, only those that a unit of the second kind triggers.
        """
        parts = self.dependencies.parts
        present = {
            number
            for number, part in enumerate(parts)
            if part.edits is None or number in self.units
        }
        # Only symbols that units in the cone mention count as mentioned. Other units may be removed
        # together with the entry point that leads to them.
        mentioned = {word for number in self.units for word in _predicates_of_unit(parts[number])}
        missing = {
            word
            for queried in self.dependencies.queried
            for word in _predicates_of_symbol(queried.name)
        } - mentioned
        mentioning = {
            number
            for number, part in enumerate(parts)
            if not missing.isdisjoint(_predicates_of_unit(part))
        }
        return present | set(
            reachable(
                mentioning if self.atoms_are_constant else present | mentioning, self.triggered_by
            )
        )

    def triggered_by(self, part: int) -> Iterator[int]:
        """Yield the indices of the units (plans, actions, rules of the world) that the steps of a
        unit trigger. ``part`` is the index of that unit."""
        return (
            each
            for step in self.dependencies.parts[part].steps
            for name in step.posts
            for each in self.triggered.find(name)
        )

    @cached_property
    def triggered(self) -> SymbolIndex:
        """Index for finding the units (plans, actions, rules of the world) whose trigger matches a
        symbol."""
        return _indexed(part.trigger for part in self.dependencies.parts)

    @cached_property
    def left_out(self) -> tuple[list[int], list[int], list[WriteIndex]]:
        """Indices of everything that the slice removes: entry points such as initial goals; units
        (plans, actions, rules of the world); and writes in those units that are in the cone."""
        parts = range(len(self.dependencies.parts))
        roots = [
            each for each in range(len(self.dependencies.roots)) if each not in self.entry_points
        ]
        updates = [
            position
            for part in parts
            if part in self.units
            for position, _ in self.updates_of(part)
            if position not in self.writes
        ]
        return roots, [each for each in parts if not self.keeps(each)], updates


def _predicates_of_unit(part: ProgramUnit) -> set[tuple[str, str]]:
    """Return the predicates that the text of a unit (a plan, an action or a rule of the world)
    mentions, each with the name of its agent. Steps without a position in the text do not count."""
    named = [part.trigger, *part.reads, *part.extra_symbols]
    for step in (each for each in part.steps if each.span is not None):
        named += (
            *step.reads,
            *step.posts,
            *(name for update in step.updates for name in (update.name, *update.reads)),
        )
    return {word for name in named for word in _predicates_of_symbol(name)}


def _predicates_of_symbol(name: SymbolPattern) -> set[tuple[str, str]]:
    """Return the predicates in a symbol's pattern, each with the agent of the symbol, because
    agents do not share predicates."""
    return {(name.agent, word) for word in _predicates_of_term(name.pattern)}


def _predicates_of_term(term: Term) -> set[str]:
    """Return the predicates that occur in a term, at any depth."""
    if not isinstance(term, Structure):
        return set()
    own = {predicate(term)} if term.functor.removeprefix("~")[:1].isalnum() else set[str]()
    return own.union(*(_predicates_of_term(each) for each in term.arguments))


def _indexed(names: Iterable[SymbolPattern]) -> SymbolIndex:
    index = SymbolIndex()
    for number, name in enumerate(names):
        index.add(name, number)
    return index


def cone_of_influence(dependencies: Dependencies) -> Cone:
    """Return the cone of influence: the parts of the program that can influence the formulas for
    which ``dependencies`` was computed."""
    builder = _ConeBuilder(dependencies)
    return (
        builder.minimal_cone()
        if atoms_are_constant(dependencies, builder.reachable_units())
        else builder.cone()
    )


class _ConeBuilder:
    def __init__(self, dependencies: Dependencies) -> None:
        self._all = dependencies
        self._cone = Cone(dependencies)
        self._queried = _indexed(queried.name for queried in dependencies.queried)
        self._heads = _indexed(derived.head for derived in dependencies.derived)
        self._writers = SymbolIndex()
        self._positions: list[WriteIndex] = []
        self._read: dict[SymbolPattern, str] = {}
        self._worklist: list[tuple[SymbolPattern, str]] = []

    def cone(self) -> Cone:
        for queried in self._all.queried:
            self._add_read(queried.name, f"the property mentions {queried.text}")
        for number, root in enumerate(self._all.roots):
            if root.edits is None:
                self._keep_root(number, "it cannot be removed")
            elif self._queried.find(root.name):
                self._keep_root(number, "the property mentions it")
        self._fixpoint()
        while requested := self._relevant_entry_points():
            for number, why in requested:
                self._keep_root(number, why)
            self._fixpoint()
        return self._cone

    def reachable_units(self) -> list[ProgramUnit]:
        """Return all units (plans, actions, rules of the world) that the entry points of the
        complete program trigger, directly or through other units."""
        return [
            self._all.parts[number]
            for number in self._reached(root.name for root in self._all.roots)
        ]

    def minimal_cone(self) -> Cone:
        """Return the cone that is used if no queried atom can change. It has all entry points, such
        as initial goals. Of the units (plans, actions, rules of the world) and their writes, it has
        only those that cannot be removed from the text.

        Entry points are kept because other text may refer to them. Without units they have almost
        no effect.
        """
        why = "it cannot be removed from the text"
        parts = {number: why for number, part in enumerate(self._all.parts) if part.edits is None}
        cone = Cone(
            self._all,
            dict.fromkeys(range(len(self._all.roots)), why),
            parts,
            atoms_are_constant=True,
        )
        cone.writes = {
            position: why
            for part in parts
            for position, update in cone.updates_of(part)
            if update.edits is None
        }
        return cone

    def _keep_root(self, number: int, why: str) -> None:
        self._cone.entry_points[number] = why
        for part in self._reached([self._all.roots[number].name]):
            self._keep_part(part, f"{self._all.roots[number].label} leads to it")

    def _reached(self, names: Iterable[SymbolPattern]) -> list[int]:
        """Return the indices of the units (plans, actions, rules of the world) that these symbols
        trigger, directly or through other units."""
        return list(
            reachable(
                (part for name in names for part in self._cone.triggered.find(name)),
                self._cone.triggered_by,
            )
        )

    def _keep_part(self, number: int, why: str) -> None:
        if number in self._cone.units:
            return
        self._cone.units[number] = why
        part = self._all.parts[number]
        for name in part.reads:
            self._add_read(name, f"{part.label} reads {name}")
        for step in part.steps:
            for name in step.reads:
                self._add_read(name, f"{part.label} reads {name}")
        for position, update in self._cone.updates_of(number):
            for name in update.targets:
                self._writers.add(name, len(self._positions))
            self._positions.append(position)
            if update.edits is None:
                self._keep_update(
                    position,
                    update.reason_not_removable or "the step cannot be written without it",
                )
        # The unit that was just added may write symbols that are relevant already, so they are
        # examined again.
        self._worklist += self._read.items()

    def _add_read(self, name: SymbolPattern, why: str) -> None:
        if name not in self._read:
            self._read[name] = why
            self._worklist.append((name, why))

    def _fixpoint(self) -> None:
        while self._worklist:
            name, why = self._worklist.pop()
            for number in self._heads.find(name):
                for inner in self._all.derived[number].premises(name):
                    self._add_read(inner, f"{name} depends on {inner}, and {why}")
            for number in self._writers.find(name):
                self._keep_update(self._positions[number], why)

    def _keep_update(self, position: WriteIndex, why: str) -> None:
        if position in self._cone.writes:
            return
        self._cone.writes[position] = why
        update = self._update(position)
        for name in update.reads:
            self._add_read(name, f"{update.text} depends on {name}")

    def _update(self, position: WriteIndex) -> Write:
        part, step, number = position
        return self._all.parts[part].steps[step].updates[number]

    # --- removable entry points -------------------------------------------------------------------

    def _relevant_entry_points(self) -> list[tuple[int, str]]:
        """Return the entry points (such as initial goals) that are not in the cone yet but lead to
        something relevant, each as a pair of its index and the reason."""
        others = [
            (number, root)
            for number, root in enumerate(self._all.roots)
            if number not in self._cone.entry_points
        ]
        return [
            (number, why) for number, root in others if (why := self._why_root(root)) is not None
        ]

    def _why_root(self, root: EntryPoint) -> str | None:
        posting = next(
            (each for each in self._cone.triggered.find(root.name) if each in self._cone.units),
            None,
        )
        return (
            "another part that is kept triggers the same part"
            if posting is not None
            else self._reason_relevant(self._reached([root.name]))
        )

    def _reason_relevant(self, parts: list[int]) -> str | None:
        for number in parts:
            part = self._all.parts[number]
            if self._is_queried(part):
                return f"the property mentions {part.label}"
            for _, update in self._cone.updates_of(number):
                if reader := next(
                    (each for each in self._read for name in update.targets if each.matches(name)),
                    None,
                ):
                    return f"{part.label} changes {update.name}, and {self._read[reader]}"
        return None

    def _is_queried(self, part: ProgramUnit) -> bool:
        return any(
            self._queried.find(name)
            for name in (part.trigger, *(name for step in part.steps for name in step.posts))
        )
