"""Whether two programs have the same runs, as far as some atoms see them and steps that change
nothing do not count.

Two finite systems satisfy the same formulas of LTL without X over some atoms if they have the same
finite sequences of labels, stuttering left out, and after each of them either both can or neither
can stay as it is for ever.  That is decided here by making both deterministic; a difference is
found whatever formula would tell it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import volition
from volition.languages.protocols import Program
from volition.logic.syntax import Atom

LIMIT = 30_000


@dataclass(frozen=True)
class LabelledGraph:
    """States with labels, the first one initial; a state without successors stays as it is."""

    labels: Sequence[Hashable]
    successors: Sequence[Sequence[int]]

    def closed(self, states: frozenset[int]) -> frozenset[int]:
        """With everything that can be reached without a change."""
        found = set(states)
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            for then in self.successors[state]:
                if then not in found and self.labels[then] == self.labels[state]:
                    found.add(then)
                    waiting.append(then)
        return frozenset(found)

    def may_stay(self, states: frozenset[int]) -> bool:
        """Whether a run may stay in these states, all with the same label, for ever."""
        left = {
            state: [each for each in self.successors[state] if each in states]
            for state in states
            if self.successors[state]
        }
        if len(left) < len(states):
            return True
        degree = {state: len(then) for state, then in left.items()}
        before: dict[int, list[int]] = {}
        for state, then in left.items():
            for each in then:
                before.setdefault(each, []).append(state)
        ended = [state for state, many in degree.items() if not many]
        count = 0
        while ended:
            state = ended.pop()
            count += 1
            for each in before.get(state, ()):
                degree[each] -= 1
                if not degree[each]:
                    ended.append(each)
        return count < len(states)

    def moves(self, states: frozenset[int]) -> dict[Hashable, frozenset[int]]:
        """The ways in which the label changes next."""
        found: dict[Hashable, set[int]] = {}
        for state in states:
            for then in self.successors[state]:
                if self.labels[then] != self.labels[state]:
                    found.setdefault(self.labels[then], set()).add(then)
        return {label: self.closed(frozenset(then)) for label, then in found.items()}


def labelled(program: Program, atoms: Sequence[str], *, limit: int = LIMIT) -> LabelledGraph | None:
    """What a program does, as the atoms see it; None if it does too much, or more than is
    allowed."""
    formulas = [volition.parse(each) for each in atoms]
    assert all(isinstance(each, Atom) for each in formulas)
    model = program.model([each for each in formulas if isinstance(each, Atom)])
    try:
        space = volition.explore(model.system, max_states=limit)
    except Exception:
        return None
    if not space.complete:
        return None
    columns = [space.holds(model.resolve(each)) for each in formulas if isinstance(each, Atom)]
    labels = [tuple(bool(column[state]) for column in columns) for state in range(space.num_states)]
    successors: list[list[int]] = [[] for _ in labels]
    for transition, choice in enumerate(space.transition_choices):
        successors[space.choice_states[choice]].append(int(space.targets[transition]))
    return LabelledGraph(labels, successors)


def difference(
    one: LabelledGraph, other: LabelledGraph, *, maximum: int = 20_000
) -> list[Hashable] | None:
    """A sequence of labels that only one of them has, or after which only one may stay; None if
    there is none (or nobody can tell)."""
    start = one.closed(frozenset({0})), other.closed(frozenset({0}))
    if one.labels[0] != other.labels[0]:
        return [one.labels[0]]
    paths: dict[tuple[frozenset[int], frozenset[int]], list[Hashable]] = {start: [one.labels[0]]}
    waiting = [start]
    for pair in waiting:
        here = paths[pair]
        if one.may_stay(pair[0]) != other.may_stay(pair[1]):
            return [*here, "..."]
        mine, yours = one.moves(pair[0]), other.moves(pair[1])
        for label in {*mine, *yours}:
            if label not in mine or label not in yours:
                return [*here, label]
            then = mine[label], yours[label]
            if then not in paths and len(paths) < maximum:
                paths[then] = [*here, label]
                waiting.append(then)
    return None
