"""The states around one: as many as can be drawn, nearest first."""

from __future__ import annotations

from dataclasses import dataclass

from volition.kernel import StateGraph

__all__ = ["GraphEdge", "Neighbourhood", "neighbourhood"]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A step that a choice can make from one state to another."""

    choice: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """States with the number of steps to each, and the steps between them.

    ``open`` are those from which steps lead out of the picture, because they are too far away,
    because there is no room, or because nobody has explored them.
    """

    distances: dict[int, int]
    edges: tuple[GraphEdge, ...]
    boundary: frozenset[int]

    @property
    def complete(self) -> bool:
        """Whether everything that can be reached is in it."""
        return not self.boundary

    def path_to(self, state: int) -> list[GraphEdge]:
        """A shortest way to a state of it."""
        found: list[GraphEdge] = []
        while self.distances[state]:
            last = next(
                each
                for each in self.edges
                if each.target == state and self.distances[each.source] == self.distances[state] - 1
            )
            found.append(last)
            state = last.source
        return found[::-1]


def neighbourhood(
    space: StateGraph, start: int = 0, *, depth: int | None = None, maximum: int = 200
) -> Neighbourhood:
    """The states that can be reached from one in ``depth`` steps (None: in any number), but no more
    than ``most`` states."""
    distances = {start: 0}
    edges: list[GraphEdge] = []
    left_out: set[int] = set()
    waiting = [start]
    for source in waiting:
        if depth is not None and distances[source] >= depth:
            left_out.add(source)
            continue
        choices = space.choices_of(source)
        if not choices:  # in every state that was explored there is one
            left_out.add(source)
        for choice in choices:
            for target in space.targets_of(choice).tolist():
                if target not in distances:
                    if len(distances) >= maximum:
                        left_out.add(source)
                        continue
                    distances[target] = distances[source] + 1
                    waiting.append(target)
                edges.append(GraphEdge(choice, source, target))
    return Neighbourhood(distances, tuple(edges), frozenset(left_out))
