"""Neighbourhood of a state in a state space: the states nearest to it, limited to as many as can be
drawn."""

from __future__ import annotations

from dataclasses import dataclass

from volition.kernel import StateGraph

__all__ = ["GraphEdge", "Neighbourhood", "neighbourhood"]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """Transition from the state ``source`` to the state ``target``, as one outcome of
    ``choice``."""

    choice: int
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """States near a start state, with their distance from it in steps (``distances``), and the
    transitions between them (``edges``).

    ``boundary`` are the states with transitions to states that are not in the neighbourhood,
    because those are too far away, exceed the maximum number of states, or are unexplored.
    """

    distances: dict[int, int]
    edges: tuple[GraphEdge, ...]
    boundary: frozenset[int]

    @property
    def complete(self) -> bool:
        """Whether the neighbourhood contains every state that is reachable from its start state."""
        return not self.boundary

    def path_to(self, state: int) -> list[GraphEdge]:
        """Return the transitions of a shortest path from the start state to a state of the
        neighbourhood."""
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
    """Return the neighbourhood of ``start``: the states reachable in at most ``depth`` steps (None:
    any number), but no more than ``maximum`` states."""
    distances = {start: 0}
    edges: list[GraphEdge] = []
    left_out: set[int] = set()
    waiting = [start]
    for source in waiting:
        if depth is not None and distances[source] >= depth:
            left_out.add(source)
            continue
        choices = space.choices_of(source)
        if not choices:  # every explored state has a choice
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
