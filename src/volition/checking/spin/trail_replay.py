"""Replay of a run that Spin found, step by step in Volition's model of the program."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from volition.checking.verdict import Run
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Choice, Component, SlotView, System, explore
from volition.languages.protocols import Model, Program
from volition.origin import Origin

__all__ = ["replay_trail"]

POSITION = "position in the run"
"""Name of the slot that counts the steps of the replayed run."""


@dataclass(frozen=True, slots=True)
class _TrailStep:
    component: str
    label: Hashable
    writes: Mapping[str, Hashable]


@dataclass(frozen=True, slots=True)
class _TrailSystem:
    """Picklable factory for the system of a program restricted to one trail. A pickled run is
    rebuilt with it."""

    program: Program
    lines: tuple[str, ...]
    loop: int | None

    def model(self) -> Model:
        return self.program.model()

    def __call__(self) -> System:
        system = self.model().system
        steps = _steps(system, self.lines)
        back = self.loop if self.loop is not None and self.loop < len(steps) else None

        def guided(component: Component) -> Component:
            def step(view: SlotView) -> Sequence[Choice]:
                position = view[POSITION]
                if position == len(steps) or steps[position].component != component.name:
                    return ()
                following = (
                    back if back is not None and position + 1 == len(steps) else position + 1
                )
                return [
                    Choice(
                        steps[position].label,
                        [(1, {**steps[position].writes, POSITION: following})],
                    )
                ]

            return replace(component, step=step)

        return replace(
            system,
            slots={**system.slots, POSITION: 0},
            components=[guided(each) for each in system.components],
        )


def replay_trail(program: Program, lines: Sequence[str], loop: int | None) -> Run:
    """Return the run of a program that the lines of a trail describe, in a separate state space.

    A line names a component and either the number of its choice (``ag1|0``) or the text of its
    choice's origin and the number of the outcome (``environment|announce|0``). After the last line
    the run continues with line ``loop``, or stutters if ``loop`` is past the last line. Raise
    :class:`InputError` if the program cannot take a step of the trail: then the semantics of
    Volition and of the Promela translation differ.
    """
    guided = _TrailSystem(program, tuple(lines), loop)
    space = explore(guided())
    space.system_factory = guided
    states = range(space.num_states)
    if loop is None:
        return Run(space, tuple(states), tuple(range(len(lines))))
    return Run(space, tuple(states), tuple(states), min(loop, len(lines)))


def _steps(system: System, lines: Sequence[str]) -> list[_TrailStep]:
    """Return the step that each line of a trail describes: component, label and written slots. The
    lines are followed by stepping the system without the kernel."""
    components = {component.name: component for component in system.components}
    state: dict[str, Hashable] = dict(system.slots)
    steps = []
    for number, line in enumerate(lines, 1):
        name, *what = line.split("|")
        if name not in components:
            raise _mismatch_error(number, line)
        choices = components[name].step(state)
        label, writes = _chosen(choices, what, number, line)
        state |= writes
        steps.append(_TrailStep(name, label, writes))
    return steps


def _chosen(
    choices: Sequence[Choice], what: Sequence[str], number: int, line: str
) -> tuple[Hashable, Mapping[str, Hashable]]:
    if len(what) == 1:
        found = choices[int(what[0]) : int(what[0]) + 1]
        outcome = 0
    else:
        found = [
            choice
            for choice in choices
            if isinstance(choice.label, Origin) and choice.label.text == what[0]
        ]
        outcome = int(what[1])
    if not found or outcome >= len(found[0].outcomes):
        raise _mismatch_error(number, line)
    return found[0].label, found[0].outcomes[outcome][1]


def _mismatch_error(number: int, line: str) -> InputError:
    message = f"step {number} of Spin's run, '{line}', is not possible in the program"
    return InputError(
        [
            Diagnostic(
                "CHK103",
                message,
                hint="this is a bug in the translation: please report it together with the program",
            )
        ]
    )
