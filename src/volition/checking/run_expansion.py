"""Expansion of a run of a reduced space to a run of the program: inserts the steps that chain
compression skipped.

The expanded run gets a separate state space, whose system can only follow that run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from volition.checking.explored_model import ModelFactory
from volition.checking.verdict import Run
from volition.kernel import Choice, Component, SlotView, StateSpace, System, explore
from volition.kernel.chain_expansion import expand_transition
from volition.kernel.system import identical_value
from volition.languages.protocols import Model

__all__ = ["expand_run"]


@dataclass(frozen=True, slots=True)
class _ExpandedStep:
    """One step of the expanded run: a component's choice leads from one state to the next.
    ``component`` and ``choice`` are None for the self-loop of a deadlock state."""

    before: Mapping[str, Any]
    component: int | None
    choice: Choice | None
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _SingleRunFactory:
    """Picklable factory that rebuilds the system of an expanded run from the factory of the
    program's system and the steps of the run."""

    whole: ModelFactory
    steps: tuple[_ExpandedStep, ...]

    def __call__(self) -> System:
        return _single_run_system(self.whole(), self.steps)

    def model(self) -> Model:
        return self.whole.model()


def expand_run(run: Run) -> Run:
    """Return a run of a reduced space with every step of the program. A run of a space without
    reduction is returned unchanged."""
    space = run.space
    if space.reduction is None:
        return run
    steps: list[_ExpandedStep] = []
    positions = []  # index of each state of the run in the expanded run
    following = [*run.states[1:], *([] if run.loop is None else [run.states[run.loop]])]
    for state, choice, target in zip(
        run.states[: len(run.choices)], run.choices, following, strict=True
    ):
        positions.append(len(steps))
        steps += _steps(space, state, choice, target)
    made = explore(_single_run_system(space.system, steps))
    if isinstance(space.system_factory, ModelFactory):
        made.system_factory = _SingleRunFactory(space.system_factory, tuple(steps))
    return _run_through(made, steps, None if run.loop is None else positions[run.loop])


def _steps(space: StateSpace, state: int, choice: int, target: int) -> list[_ExpandedStep]:
    """Return the steps of the program that one transition of a reduced space stands for."""
    before, component = space.values(state), int(space.component_ids[choice])
    moving_component = component if component < len(space.system.components) else None
    label: Hashable = space.label(choice)
    result = []
    for skipped in expand_transition(space, choice, target):
        made = (
            None
            if moving_component is None
            else _choice(space.system, moving_component, before, skipped.values, label)
        )
        result.append(_ExpandedStep(before, moving_component, made, skipped.values))
        before, moving_component, label = dict(skipped.values), skipped.component, None
    return result


def _choice(
    system: System,
    component: int,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    label: Hashable,
) -> Choice:
    """Return a choice of a component that leads from the state ``before`` to the state ``after``,
    with the given label unless it is None."""
    for choice in system.components[component].step(before):
        if label is not None and choice.label != label:
            continue
        if any(_agree({**before, **writes}, after) for _, writes in choice.outcomes):
            return choice
    raise AssertionError("every step comes from a choice")


def _agree(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(
        value == other[slot] and identical_value(value, other[slot]) for slot, value in one.items()
    )


def _single_run_system(system: System, steps: Sequence[_ExpandedStep]) -> System:
    """Return a system with the slots of ``system`` that can only take the given steps."""
    slots = list(system.slots)
    offered: dict[tuple[Hashable, ...], list[_ExpandedStep]] = {}
    for step in steps:
        offered.setdefault(tuple(step.before[slot] for slot in slots), []).append(step)

    def follow(number: int) -> Callable[[SlotView], Sequence[Choice]]:
        def choices(view: SlotView) -> Sequence[Choice]:
            here = {slot: view[slot] for slot in slots}
            found: list[Choice] = []
            for step in offered.get(tuple(here.values()), ()):
                if (
                    step.component == number
                    and step.choice is not None
                    and step.choice not in found
                    and _agree(step.before, here)
                ):
                    found.append(step.choice)
            return found

        return choices

    components = [
        Component(component.name, follow(number))
        for number, component in enumerate(system.components)
    ]
    return replace(system, components=components)


def _run_through(space: StateSpace, steps: Sequence[_ExpandedStep], loop: int | None) -> Run:
    """Return the run that takes the given steps in ``space``, the explored space of the system that
    can only take these steps."""
    states, choices = [0], []
    for step in steps:
        row = range(int(space.first_choice[states[-1]]), int(space.first_choice[states[-1] + 1]))
        choice, target = next(
            (choice, int(target))
            for choice in row
            if step.choice is None
            or (
                space.label(choice) == step.choice.label
                and int(space.component_ids[choice]) == step.component
            )
            for target in space.targets[
                space.first_transition[choice] : space.first_transition[choice + 1]
            ]
            if _agree(space.values(int(target)), step.after)
        )
        choices.append(choice)
        states.append(target)
    return Run(space, tuple(states if loop is None else states[:-1]), tuple(choices), loop)
