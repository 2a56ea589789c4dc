"""Recovery of the intermediate steps that chain compression skipped.

A reduced state space stores a chain of invisible deterministic steps as one transition. This module
recomputes these steps, so that a run can be shown in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Any

from volition.kernel.reduction import ChainStep, Reduction
from volition.kernel.space import StateSpace

__all__ = ["expand_transition"]

Values = Mapping[str, Any]


def expand_transition(space: StateSpace, choice: int, target: int) -> list[ChainStep]:
    """Return the states of the chain that a transition of a reduced space stands for, from the
    state after its first step to the target.

    The explorer repeats the steps of the chain. Its choice of ample sets depends on the decision
    trees known at the time, so the repeated chain may end in another state than the target. This
    can happen if the exploration was continued after the chain was compressed, or if
    :class:`Reduction` has the option ``lookahead`` and the exploration is complete. In this case
    another chain of invisible deterministic steps to the target is searched for.
    """
    state, component = int(space.choice_states[choice]), int(space.component_ids[choice])
    if component >= len(space.system.components):  # a stutter step
        return [ChainStep(space.values(target), None)]
    before, after, label = space.values(state), space.values(target), space.label(choice)
    begins: list[Values] = []
    for number, offered in enumerate(space.system.components[component].step(before)):
        if offered.label != label:
            continue
        possible = [writes for weight, writes in offered.outcomes if weight != 0]
        for outcome, writes in enumerate(possible):
            steps = space.chain_steps(state, component, number, outcome)
            if steps[-1].values == after:
                return steps
            begins.append({**before, **writes})
    assert space.reduction is not None, "only reduced spaces have compressed chains"
    return _find_invisible_path(space, space.reduction, begins, after)


def _find_invisible_path(
    space: StateSpace, reduction: Reduction, begins: Sequence[Values], target: Values
) -> list[ChainStep]:
    """Return a path of invisible deterministic steps from one of the states in ``begins`` to the
    state ``target``.

    This is a best-first search. The heuristic is the number of slots whose values differ from the
    target.
    """
    atoms = list(reduction.functions())
    seen_there = [atom(target) for atom in atoms]
    tie = count()
    waiting: list[tuple[int, int, Values]] = []
    came_from: dict[tuple[Any, ...], tuple[Values, int] | None] = {}

    def meet(values: Values, origin: tuple[Values, int] | None) -> None:
        key = tuple(values[slot] for slot in space.system.slots)
        if key not in came_from and [atom(values) for atom in atoms] == seen_there:
            came_from[key] = origin
            heappush(
                waiting, (sum(values[slot] != target[slot] for slot in target), next(tie), values)
            )

    for begin in begins:
        meet(begin, None)
    while waiting:
        _, _, values = heappop(waiting)
        if values == target:
            steps, moving_component = (
                [ChainStep(values, None)],
                came_from[tuple(values[slot] for slot in space.system.slots)],
            )
            while moving_component is not None:
                steps.append(ChainStep(*moving_component))
                moving_component = came_from[
                    tuple(moving_component[0][slot] for slot in space.system.slots)
                ]
            return steps[::-1]
        for component, after in _deterministic_steps(space, values):
            meet(after, (values, component))
    raise AssertionError("every transition comes from an outcome of a choice")


def _deterministic_steps(space: StateSpace, values: Values) -> Iterator[tuple[int, Values]]:
    """Yield the deterministic steps possible in a state: the index of each component that has
    exactly one choice with one outcome, and the state after its step."""
    for number, component in enumerate(space.system.components):
        found = component.step(values)
        possible = [writes for choice in found for weight, writes in choice.outcomes if weight != 0]
        if len(found) == 1 and len(possible) == 1:
            yield number, {**values, **possible[0]}
