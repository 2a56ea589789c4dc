"""Sound slice of a program in any language. The parts that cannot influence the formulas are
removed from the source text, and the language parses the remaining text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from volition.diagnostics import Diagnostic, plural
from volition.languages.common.dependencies import Dependencies, Edit, SliceableProgram, Write
from volition.languages.protocols import Program
from volition.logic import expand_agents
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula
from volition.slicing.cone import Cone, cone_of_influence
from volition.slicing.dependency_graph import DependencyGraph
from volition.slicing.drawing import SliceStatus
from volition.slicing.edits import apply_edits

__all__ = ["TextSlice", "slice_program_text"]


_MAX_NAMED = 3


@dataclass(frozen=True)
class TextSlice:
    """Sound slice of a program for given formulas, obtained by editing its source text."""

    unsliced: SliceableProgram
    formulas: tuple[Formula, ...]
    cone: Cone
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def program(self) -> Program:
        """Program of the slice, parsed from the edited texts. Many properties may share a slice, so
        it is parsed only once."""
        edits = [*_edits(self.cone), *_properties(self.dependencies, self.formulas)]
        return self.unsliced.with_sources(
            apply_edits(self.unsliced.sources, edits, self.dependencies.comment)
        )

    @property
    def dependencies(self) -> Dependencies:
        return self.cone.dependencies

    @cached_property
    def graph(self) -> DependencyGraph:
        """Dependency graph of the complete program, before slicing."""
        return DependencyGraph(self.dependencies)

    def status(self, node: int) -> SliceStatus:
        """Return whether the slice keeps, changes or leaves out a node of the dependency graph."""
        position = self.graph.nodes[node]
        roots, _, updates = self.cone.left_out
        if position.kind == "root":
            return "left out" if self.graph.roots.index(node) in roots else "kept"
        if position.kind == "trigger":
            parts = [
                number
                for number, part in enumerate(self.dependencies.parts)
                if self.graph.triggers[part.trigger] == node
            ]
            return "kept" if any(each in self.cone.units for each in parts) else "left out"
        if position.part is None:
            return "kept"
        if position.part not in self.cone.units:
            return "left out"
        here = [
            number
            for number, _ in self.cone.updates_of(position.part)
            if number[1] == position.step
        ]
        return "changed" if here and all(each in updates for each in here) else "kept"

    # --- what the slice removes -------------------------------------------------------------------

    @property
    def plans(self) -> int:
        """Number of plans of the complete program, before slicing."""
        return sum(part.is_plan for part in self.dependencies.parts)

    @property
    def is_smaller(self) -> bool:
        return any(self.cone.left_out)

    @property
    def removed_plans(self) -> int:
        return sum(self.dependencies.parts[each].is_plan for each in self.cone.left_out[1])

    @property
    def removed_writes(self) -> int:
        """Number of writes that the slice removes from units (plans, actions, rules of the world)
        that it keeps."""
        return len(self.cone.left_out[2])

    def summary(self) -> str:
        """Return a sentence for users that says how much of the program was removed."""
        roots, parts, updates = self.cone.left_out
        others = [self.dependencies.roots[each].label for each in roots]
        others += [
            self.dependencies.parts[each].label
            for each in parts
            if not self.dependencies.parts[each].is_plan
        ]
        plans = {
            self.dependencies.parts[each].label
            for each in parts
            if self.dependencies.parts[each].is_plan
        }
        others = [each for each in dict.fromkeys(others) if each not in plans]
        removed = [
            f"{self.removed_plans} of {self.plans} plans",
            f"{len(updates)} {plural(len(updates), 'change')} in other parts",
        ]
        removed += others if len(others) <= _MAX_NAMED else [f"{len(others)} other parts"]
        return f"{', '.join(removed[:-1])} and {removed[-1]} were removed"

    # --- text of the slice ------------------------------------------------------------------------

    @property
    def texts(self) -> Mapping[str, str]:
        """Texts of the slice's files by file name: the files of the program, edited where something
        was removed."""
        folder = PurePath(self.unsliced.sources[0].name).parent
        return {_below(PurePath(each.name), folder): each.text for each in self.program.sources}

    @property
    def text(self) -> str:
        """Texts of all files of the slice, concatenated. If there are several files, a comment with
        the file name precedes each text."""
        if len(self.texts) == 1:
            return next(iter(self.texts.values()))
        return "\n".join(f"// --- {name}\n{text}" for name, text in self.texts.items())

    # --- explanations why parts are kept or removed -----------------------------------------------

    def explanation(self) -> Iterator[str]:
        """Yield a line for users about each entry point (such as an initial goal), each unit (a
        plan, an action or a rule of the world) and each write of the program. The line gives the
        path to the property if this part is kept, or the reason why it cannot influence the
        property."""
        labels = {part.label for part in self.dependencies.parts}
        for number, root in enumerate(self.dependencies.roots):
            if root.edits is not None and root.label not in labels:
                kept = f"kept: {self.cone.entry_points.get(number)}"
                yield (
                    f"{root.label} is "
                    f"{kept if number in self.cone.entry_points else _CANNOT_MATTER}"
                )
        for number, part in enumerate(self.dependencies.parts):
            yield f"{part.label} is {self._why_part(number)}"
            if number in self.cone.units:
                updates = [
                    (position, update)
                    for position, update in self.cone.updates_of(number)
                    if update.name.kind != "plan"
                ]
                yield from dict.fromkeys(
                    f"  {update.text} {self._why_update(place, update)}"
                    for place, update in updates
                )
        yield from self.dependencies.limitations

    def _why_part(self, number: int) -> str:
        part = self.dependencies.parts[number]
        if self.cone.atoms_are_constant:
            if self.cone.keeps(number):
                return f"kept: it cannot be removed, although {_NEVER_CHANGES}"
            return f"removed: {_NEVER_CHANGES}"
        if number not in self.cone.units:
            if any(
                self.dependencies.roots[each].name.matches(part.trigger)
                for each in self.cone.left_out[0]
            ):
                return _CANNOT_MATTER
            gone = (
                "removed"
                if not self.cone.keeps(number)
                else "kept only so that the text stays valid"
            )
            return f"{gone}: nothing that is kept triggers it"
        reported = self.graph.explain_path(self.graph.guards[number])
        if reported is None:
            return (
                "kept for its steps: other parts depend on when they are taken, although no "
                "change in it leads to the property"
            )
        return f"kept: {reported}"

    def _why_update(self, index: tuple[int, int, int], update: Write) -> str:
        if self.cone.atoms_are_constant:
            if index in self.cone.writes:
                return f"is kept: it cannot be removed, although {_NEVER_CHANGES}"
            return f"is removed: {_NEVER_CHANGES}"
        if index not in self.cone.writes:
            return (
                f"is removed: nothing that is kept reads {update.name}, neither a guard, a test, "
                "another change nor the property"
            )
        reported = (
            None
            if update.edits is None
            else self.graph.explain_path(self.graph.steps[index[0]][index[1]])
        )
        return f"is kept: {self.cone.writes[index] if reported is None else reported}"


_NEVER_CHANGES = "no atom of the property ever changes"
_CANNOT_MATTER = (
    "removed: nothing that it does or leads to can influence the property, and no other part "
    "depends on its steps"
)


def _below(path: PurePath, folder: PurePath) -> str:
    """Return the name of a file relative to ``folder``; only its last component if it is not in
    that folder."""
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name


def slice_program_text(program: SliceableProgram, formulas: Iterable[Formula]) -> TextSlice:
    """Return the slice of a program that keeps what can influence the formulas (their cone of
    influence). Raise :class:`InputError` if a formula has an invalid atom."""
    queries = tuple(formulas)
    agents = program.model().agents
    dependencies = program.dependencies([expand_agents(each, agents) for each in queries])
    return TextSlice(program, queries, cone_of_influence(dependencies))


def _edits(cone: Cone) -> Iterator[Edit]:
    roots, parts, updates = cone.left_out
    for number in roots:
        yield from cone.dependencies.roots[number].edits or ()
    for number in parts:
        yield from cone.dependencies.parts[number].edits or ()
    for part, step, number in updates:
        yield from cone.dependencies.parts[part].steps[step].updates[number].edits or ()


def _properties(dependencies: Dependencies, formulas: Sequence[Formula]) -> Iterator[Edit]:
    """Yield the edits that replace the properties stated in the program's text by the formulas of
    the slice."""
    stated = "".join(f"{formula_text(each)}\n" for each in formulas)
    if dependencies.properties:
        first, *others = dependencies.properties
        yield Edit(first, f"\n{stated}")
        yield from (Edit(each, "\n") for each in others)
    elif dependencies.heading is not None:
        source, heading = dependencies.heading
        yield Edit(source.span(len(source.text), len(source.text)), f"\n{heading}\n{stated}")
