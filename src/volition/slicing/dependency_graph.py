"""Dependency graph of a program: the graph of Sect. 2.2 of Winikoff et al., generalised to any
language.

The graph has a node for each entry point, for each trigger, for the guard and each step of a unit
(a plan, an action or a rule of the world), and for each queried atom. *Control* links lead from
triggers to the units they trigger, from step to step, and from steps to what they trigger. *Belief*
links lead from writes to their readers, also through derived symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from volition.languages.common.dependencies import Dependencies, SymbolPattern
from volition.slicing.reachability import path_to_start, reachable
from volition.slicing.unification_index import SymbolIndex

__all__ = ["DependencyGraph", "DependencyLink", "DependencyNode"]


@dataclass(frozen=True, slots=True)
class DependencyNode:
    """Node of a dependency graph. ``part`` is the index of the unit (a plan, an action or a rule of
    the world) that the node belongs to, and ``step`` the index of a step in that unit. ``text``
    describes the node in explanations, ``label`` in drawings."""

    kind: Literal["root", "trigger", "guard", "step", "property"]
    text: str
    label: str
    part: int | None = None
    step: int | None = None
    agent: str = ""


class DependencyLink(NamedTuple):
    source: int
    target: int
    kind: Literal["control", "belief"]


class DependencyGraph:
    """Graph of the dependencies between the parts of a program and the atoms that a property
    queries. Nodes are numbered; ``links`` connects their numbers."""

    def __init__(self, dependencies: Dependencies) -> None:
        self.dependencies = dependencies
        self.nodes: list[DependencyNode] = []
        self.roots = [
            self._add(DependencyNode("root", root.label, root.label)) for root in dependencies.roots
        ]
        self.triggers: dict[SymbolPattern, int] = {}
        for part in dependencies.parts:
            if part.trigger not in self.triggers:
                node = DependencyNode(
                    "trigger", f"{part.trigger}", str(part.trigger), agent=part.agent
                )
                self.triggers[part.trigger] = self._add(node)
        self.guards: list[int] = []
        self.steps: list[list[int]] = []
        for number, part in enumerate(dependencies.parts):
            reads = ", ".join(dict.fromkeys(map(str, part.reads))) or "true"
            self.guards.append(
                self._add(
                    DependencyNode(
                        "guard", f"the guard of {part.label}", reads, number, agent=part.agent
                    )
                )
            )
            self.steps.append(
                [
                    self._add(
                        DependencyNode(
                            "step",
                            f"{step.text} in {part.label}",
                            step.text,
                            number,
                            index,
                            part.agent,
                        )
                    )
                    for index, step in enumerate(part.steps)
                ]
            )
        texts = dict.fromkeys(each.text for each in dependencies.queried)
        self.properties = {
            text: self._add(
                DependencyNode("property", f"{text}, which the property mentions", text)
            )
            for text in texts
        }
        self.links = list(dict.fromkeys([*self._control(), *self._belief()]))

    def _add(self, node: DependencyNode) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _control(self) -> Iterator[DependencyLink]:
        triggers, queried = SymbolIndex(), SymbolIndex()
        for name, node in self.triggers.items():
            triggers.add(name, node)
        for each in self.dependencies.queried:
            queried.add(each.name, self.properties[each.text])
        for root, node in zip(self.dependencies.roots, self.roots, strict=True):
            yield from (
                DependencyLink(node, then, "control")
                for then in (*triggers.find(root.name), *queried.find(root.name))
            )
        for number, part in enumerate(self.dependencies.parts):
            trigger, guard, steps = (
                self.triggers[part.trigger],
                self.guards[number],
                self.steps[number],
            )
            before = [guard] * len(steps) if part.steps_are_alternatives else [guard, *steps]
            yield DependencyLink(trigger, guard, "control")
            yield from (
                DependencyLink(one, then, "control")
                for one, then in zip(before, steps, strict=False)
            )
            yield from (
                DependencyLink(trigger, then, "control") for then in queried.find(part.trigger)
            )
            for step, node in zip(part.steps, self.steps[number], strict=True):
                for name in step.posts:
                    yield from (
                        DependencyLink(node, then, "control")
                        for then in (*triggers.find(name), *queried.find(name))
                    )

    def _belief(self) -> Iterator[DependencyLink]:
        readers = SymbolIndex()
        for each in self.dependencies.queried:
            self._add_reader(readers, each.name, self.properties[each.text])
        for number, part in enumerate(self.dependencies.parts):
            for name in part.reads:
                self._add_reader(readers, name, self.guards[number])
            for step, node in zip(part.steps, self.steps[number], strict=True):
                for name in (
                    *step.reads,
                    *(inner for update in step.updates for inner in update.reads),
                ):
                    self._add_reader(readers, name, node)
        for number, part in enumerate(self.dependencies.parts):
            for step, node in zip(part.steps, self.steps[number], strict=True):
                for update in step.updates:
                    changed = dict.fromkeys(
                        then for name in update.targets for then in readers.find(name)
                    )
                    yield from (
                        DependencyLink(node, then, "belief") for then in changed if then != node
                    )

    def _add_reader(self, readers: SymbolIndex, name: SymbolPattern, node: int) -> None:
        """Register a node in ``readers`` as a reader of a symbol and of every symbol from which
        that symbol is derived."""
        for each in reachable([name], self._derived_from):
            readers.add(each, node)

    def _derived_from(self, name: SymbolPattern) -> Iterator[SymbolPattern]:
        return (
            inner
            for number in self._heads.find(name)
            for inner in self.dependencies.derived[number].premises(name)
        )

    @cached_property
    def _heads(self) -> SymbolIndex:
        heads = SymbolIndex()
        for number, derived in enumerate(self.dependencies.derived):
            heads.add(derived.head, number)
        return heads

    # --- paths to the property --------------------------------------------------------------------

    @cached_property
    def _next_on_path(self) -> dict[int, int | None]:
        """For each node from which a queried atom can be reached: the next node on a shortest path
        to one. It is None for the queried atoms themselves."""
        back: dict[int, list[int]] = {}
        for link in self.links:
            back.setdefault(link.target, []).append(link.source)
        return reachable(self.properties.values(), lambda node: back.get(node, ()))

    @cached_property
    def _control_links(self) -> frozenset[tuple[int, int]]:
        return frozenset(
            (link.source, link.target) for link in self.links if link.kind == "control"
        )

    def explain_path(self, node: int) -> str | None:
        """Return a shortest path from a node to an atom of the property, as text for users; None if
        no path exists.

        The text omits triggers, guards that are reached by a control link, and steps followed by
        another step of the same unit.
        """
        if node not in self._next_on_path:
            return None
        path_nodes = path_to_start(node, self._next_on_path)
        path = [self.nodes[each] for each in path_nodes]
        first = path[0]
        texts = [
            self.dependencies.parts[first.part].label
            if first.kind == "guard" and first.part is not None
            else first.text
        ]
        for link, target, then in zip(
            pairwise(path_nodes), path[1:], [*path[2:], None], strict=True
        ):
            passes = target.kind == "trigger" or (
                target.kind == "guard" and link in self._control_links
            )
            continues = then is not None and target.kind == "step" and then.part == target.part
            if not passes and not continues:
                texts.append(target.text)
        return " -> ".join(texts)
