"""Evidence for a counterexample found on an abstraction: builds a state space of the complete
program that consists of the concretised run only."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from volition.checking.explored_model import Recipe
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.task import CheckTask
from volition.checking.verdict import Run
from volition.kernel import Choice, Component, Limits, SlotView, StateSpace, System, explore
from volition.languages.protocols import Program
from volition.logic.syntax import Atom
from volition.slicing.cegar.concretisation import ConcreteRun
from volition.slicing.cegar.traced_functions import TracedFunctions

__all__ = ["confirmed_counterexample"]

POSITION = "position in the run"
"""Name of the slot that counts the steps of the run."""
OFF_RUN = -1
"""Value of the slot ``POSITION`` after a random outcome that leaves the run."""


@dataclass(frozen=True, slots=True)
class _RunStep:
    label: Hashable
    weight: Any
    state: Mapping[str, Hashable]
    """State after the step."""


@dataclass(frozen=True, slots=True)
class _RunSystemRecipe(Recipe):
    """Picklable recipe for a system that can only follow one run of a program. If a random outcome
    leaves the run, the system stops. A pickled counterexample is rebuilt from this recipe."""

    steps: tuple[_RunStep, ...] = ()
    loop: int | None = None
    alone: bool = False
    """Whether random outcomes that leave the run are omitted too, so that the system has no other
    run."""

    def __call__(self) -> System:
        system, steps = self.model().system, self.steps

        def step(view: SlotView) -> Sequence[Choice]:
            position = view[POSITION]
            if position in (OFF_RUN, len(steps)):
                return ()
            taken = steps[position]
            following = (
                self.loop if position + 1 == len(steps) and self.loop is not None else position + 1
            )
            outcomes: list[tuple[Any, dict[str, Hashable]]] = [
                (taken.weight, {**taken.state, POSITION: following})
            ]
            if taken.weight != 1 and not self.alone:
                outcomes.append((1 - taken.weight, {POSITION: OFF_RUN}))
            return [Choice(taken.label, outcomes if len(outcomes) > 1 else [(1, outcomes[0][1])])]

        return replace(
            system,
            slots={**system.slots, POSITION: 0},
            components=[Component("the run", step)],
            mode="interleaved",
            reactions=(),
        )


def confirmed_counterexample(
    task: CheckTask,
    program: Program,
    observed: tuple[Atom, ...],
    followed: ConcreteRun,
    functions: TracedFunctions,
) -> Run | None:
    """Return a concretised run as the kernel executes it. Return None if the kernel has no
    transition for one of its steps, or if the run alone does not violate the formula."""
    states = [
        {slot: functions.values[slot].objects[number] for slot, number in state.items()}
        for state in followed.states
    ]
    targets = states[1:] if followed.loop is None else [*states[1:], states[followed.loop]]
    steps = []
    for state, target in zip(states, targets, strict=False):
        step = _step(task.model.system, state, target)
        if step is None:
            return None
        steps.append(step)
    recipe = _RunSystemRecipe(program, observed, steps=tuple(steps), loop=followed.loop)
    if check_qualitative(task, explore(replace(recipe, alone=True)())).holds is not False:
        return None
    space = explore(recipe())
    space.system_factory = recipe
    return _run(space, len(steps), followed.loop)


def _step(
    system: System, state: Mapping[str, Hashable], target: Mapping[str, Hashable]
) -> _RunStep | None:
    """Return the step by which the kernel gets from ``state`` to ``target``: its label, its
    probability and the target. Return None if there is no such transition."""
    # With this limit the kernel expands exactly one state.
    space = explore(replace(system, slots=dict(state)), limits=Limits(states=1))
    for choice in range(space.num_choices):
        for transition in range(
            int(space.first_transition[choice]), int(space.first_transition[choice + 1])
        ):
            if space.values(int(space.targets[transition])) == target:
                return _RunStep(
                    space.label(choice), space.weights[int(space.weight_ids[transition])], target
                )
    return None


def _run(space: StateSpace, steps: int, loop: int | None) -> Run:
    positions, numbers = space.column(POSITION)
    at = {numbers[position]: state for state, position in enumerate(positions.tolist())}
    states = tuple(at[index] for index in range(steps + (loop is None)))
    return Run(
        space, states, tuple(int(space.first_choice[state]) for state in states[:steps]), loop
    )
