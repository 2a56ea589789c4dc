"""The cone of influence: what of a program can influence formulas, by what its language says of its
dependencies.

*Can influence* is the least relation with: what the formulas ask for matters; so does what decides
what is done, and when, in every part that can be reached from what happens by itself (guards,
tests, waits, what is triggered); where a name matters, every reached change of it matters with all
that the new value depends on, and so does what the name is derived from.  Something that happens by
itself, and that the language allows to leave out, is reached only if a change that it leads to
matters, or if a formula asks for something of it. And where nothing that the formulas ask for ever
changes, nothing matters at all.
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
"""The numbers of a part, of a step in it, and of a change in that."""


@dataclass
class Cone:
    """``roots``, ``parts`` and ``updates`` are what is kept, by their numbers, each with who wants
    it, in words.

    If it is ``still``, nothing that the formulas ask for ever changes, and only that is kept which
    cannot be left out.
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
        """Whether a part is in the slice, be it only because the text cannot do without it."""
        return part in self.units or part in self._kept_for_wellformedness

    @cached_property
    def _kept_for_wellformedness(self) -> set[int]:
        """Parts that nothing triggers, and that stay: there is no edit, nothing else mentions what
        is asked, or one of these needs it."""
        parts = self.dependencies.parts
        there = {
            number
            for number, part in enumerate(parts)
            if part.edits is None or number in self.units
        }
        mentioned = {
            word for number in self.units for word in _predicates_of_unit(parts[number])
        }  # others may go with what happens by itself
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
        return there | set(
            reachable(
                mentioning if self.atoms_are_constant else there | mentioning, self.triggered_by
            )
        )

    def triggered_by(self, part: int) -> Iterator[int]:
        """The parts that steps of a part trigger."""
        return (
            each
            for step in self.dependencies.parts[part].steps
            for name in step.posts
            for each in self.triggered.find(name)
        )

    @cached_property
    def triggered(self) -> SymbolIndex:
        """The parts by what triggers them."""
        return _indexed(part.trigger for part in self.dependencies.parts)

    @cached_property
    def left_out(self) -> tuple[list[int], list[int], list[WriteIndex]]:
        """Roots, parts, and changes in parts that are kept."""
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
    """The predicates that a part mentions; a step that has no place in the text does not."""
    named = [part.trigger, *part.reads, *part.extra_symbols]
    for step in (each for each in part.steps if each.span is not None):
        named += (
            *step.reads,
            *step.posts,
            *(name for update in step.updates for name in (update.name, *update.reads)),
        )
    return {word for name in named for word in _predicates_of_symbol(name)}


def _predicates_of_symbol(name: SymbolPattern) -> set[tuple[str, str]]:
    """The predicates in a name, each with its agent: what one agent has a word for another may not
    know."""
    return {(name.agent, word) for word in _predicates_of_term(name.pattern)}


def _predicates_of_term(term: Term) -> set[str]:
    """The predicates in a term."""
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
    """What can influence the formulas."""
    growing = _ConeBuilder(dependencies)
    return (
        growing.minimal_cone()
        if atoms_are_constant(dependencies, growing.reachable_units())
        else growing.cone()
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
            self._add_read(queried.name, f"the property asks for {queried.text}")
        for number, root in enumerate(self._all.roots):
            if root.edits is None:
                self._keep_root(number, "it is there from the beginning")
            elif self._queried.find(root.name):
                self._keep_root(number, "the property asks for it")
        self._fixpoint()
        while requested := self._relevant_entry_points():
            for number, why in requested:
                self._keep_root(number, why)
            self._fixpoint()
        return self._cone

    def reachable_units(self) -> list[ProgramUnit]:
        """All that can happen in the whole program."""
        return [
            self._all.parts[number]
            for number in self._reached(root.name for root in self._all.roots)
        ]

    def minimal_cone(self) -> Cone:
        """What cannot be left out, and what happens by itself: others may speak of it, and without
        parts it does next to nothing."""
        why = "there is no way to leave it out"
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
        """Parts that names trigger, and what these trigger."""
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
            self._add_read(name, f"{part.label} asks for {name}")
        for step in part.steps:
            for name in step.reads:
                self._add_read(name, f"{part.label} asks for {name}")
        for position, update in self._cone.updates_of(number):
            for name in update.targets:
                self._writers.add(name, len(self._positions))
            self._positions.append(position)
            if update.edits is None:
                self._keep_update(
                    position,
                    update.reason_not_removable or "there is no other way to take this step",
                )
        # What was wanted before this part was reached is wanted of it, too.
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

    # --- what may be left out as a whole ----------------------------------------------------------

    def _relevant_entry_points(self) -> list[tuple[int, str]]:
        """Those that are not kept yet and lead to something that matters."""
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
            "others lead to the same"
            if posting is not None
            else self._reason_relevant(self._reached([root.name]))
        )

    def _reason_relevant(self, parts: list[int]) -> str | None:
        for number in parts:
            part = self._all.parts[number]
            if self._is_asked(part):
                return f"the property asks for {part.label}"
            for _, update in self._cone.updates_of(number):
                if reader := next(
                    (each for each in self._read for name in update.targets if each.matches(name)),
                    None,
                ):
                    return f"{part.label} changes {update.name}, and {self._read[reader]}"
        return None

    def _is_asked(self, part: ProgramUnit) -> bool:
        return any(
            self._queried.find(name)
            for name in (part.trigger, *(name for step in part.steps for name in step.posts))
        )
