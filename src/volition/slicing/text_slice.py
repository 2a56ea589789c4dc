"""The sound slice of a program of any language: its text without what cannot influence the
formulas, read again by its language."""

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
    """What is left of a program for the sake of formulas."""

    unsliced: SliceableProgram
    formulas: tuple[Formula, ...]
    cone: Cone
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def program(self) -> Program:
        """The slice as a program, read from the edited texts: most questions have a slice in
        common, which is read once."""
        edits = [*_edits(self.cone), *_properties(self.dependencies, self.formulas)]
        return self.unsliced.with_sources(
            apply_edits(self.unsliced.sources, edits, self.dependencies.comment)
        )

    @property
    def dependencies(self) -> Dependencies:
        return self.cone.dependencies

    @cached_property
    def graph(self) -> DependencyGraph:
        """What depends on what in the whole program."""
        return DependencyGraph(self.dependencies)

    def status(self, node: int) -> SliceStatus:
        """What becomes of a node of the graph."""
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

    # --- how much was left out --------------------------------------------------------------------

    @property
    def plans(self) -> int:
        """Of the whole program."""
        return sum(part.is_plan for part in self.dependencies.parts)

    @property
    def is_smaller(self) -> bool:
        return any(self.cone.left_out)

    @property
    def removed_plans(self) -> int:
        return sum(self.dependencies.parts[each].is_plan for each in self.cone.left_out[1])

    @property
    def removed_writes(self) -> int:
        """Changes in parts that are kept."""
        return len(self.cone.left_out[2])

    def summary(self) -> str:
        """How much was left out, in words."""
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
        said = [
            f"{self.removed_plans} of {self.plans} plans",
            f"{len(updates)} {plural(len(updates), 'change')} in others",
        ]
        said += others if len(others) <= _MAX_NAMED else [f"{len(others)} other parts"]
        return f"{', '.join(said[:-1])} and {said[-1]} were left out"

    # --- as text ----------------------------------------------------------------------------------

    @property
    def texts(self) -> Mapping[str, str]:
        """The files of the slice by their names: those of the program, edited where something was
        left out."""
        folder = PurePath(self.unsliced.sources[0].name).parent
        return {_below(PurePath(each.name), folder): each.text for each in self.program.sources}

    @property
    def text(self) -> str:
        """All files after each other, those of a project below their names."""
        if len(self.texts) == 1:
            return next(iter(self.texts.values()))
        return "\n".join(f"// --- {name}\n{text}" for name, text in self.texts.items())

    # --- why --------------------------------------------------------------------------------------

    def explanation(self) -> Iterator[str]:
        """For each part and each change why it is kept, with the path to the property, or why it
        cannot matter."""
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
            return (
                f"{'kept: there is no way to leave it out, though' if self.cone.keeps(number) else 'left out:'} "  # noqa: E501
                f"{_NEVER_CHANGES}"
            )
        if number not in self.cone.units:
            if any(
                self.dependencies.roots[each].name.matches(part.trigger)
                for each in self.cone.left_out[0]
            ):
                return _CANNOT_MATTER
            gone = (
                "left out"
                if not self.cone.keeps(number)
                else "kept as text, though it has no effect"
            )
            return f"{gone}: nothing that is left triggers it"
        reported = self.graph.explain_path(self.graph.guards[number])
        if reported is None:
            return (
                "kept for its steps: when they are taken matters to others, though no change in "
                "it leads to what the property asks for"
            )
        return f"kept: {reported}"

    def _why_update(self, index: tuple[int, int, int], update: Write) -> str:
        if self.cone.atoms_are_constant:
            return (
                f"{'stays: it has to, though' if index in self.cone.writes else 'goes:'} "
                f"{_NEVER_CHANGES}"
            )
        if index not in self.cone.writes:
            return (
                f"goes: nobody who is left reads {update.name}, neither a guard, a test nor "
                "another change, and the property does not ask"
            )
        reported = (
            None
            if update.edits is None
            else self.graph.explain_path(self.graph.steps[index[0]][index[1]])
        )
        return f"stays: {self.cone.writes[index] if reported is None else reported}"


_NEVER_CHANGES = "nothing that the property asks for ever changes"
_CANNOT_MATTER = (
    "left out: nothing that it does, or leads to, can influence the property, and "
    "nobody misses its steps"
)


def _below(path: PurePath, folder: PurePath) -> str:
    """What a file is called in its project."""
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else path.name


def slice_program_text(program: SliceableProgram, formulas: Iterable[Formula]) -> TextSlice:
    """The slice; raises :class:`InputError` for formulas that make no sense."""
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
    """What the program states of itself gives way to what the slice is made for."""
    stated = "".join(f"{formula_text(each)}\n" for each in formulas)
    if dependencies.properties:
        first, *others = dependencies.properties
        yield Edit(first, f"\n{stated}")
        yield from (Edit(each, "\n") for each in others)
    elif dependencies.heading is not None:
        source, heading = dependencies.heading
        yield Edit(source.span(len(source.text), len(source.text)), f"\n{heading}\n{stated}")
