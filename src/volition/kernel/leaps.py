"""The steps that a reduced space leaps over, found again."""

from __future__ import annotations

from volition.kernel.reduction import Leapt
from volition.kernel.space import StateSpace

__all__ = ["steps_of"]


def steps_of(space: StateSpace, choice: int, target: int) -> list[Leapt]:
    """The states that a transition of a reduced space passes through, from the one after its first step to the target.

    The explorer decides as it did before: what it learnt since can only have taken away decisions that it did not take.  That is so until
    the exploration goes on.
    """
    state, component = int(space.choice_states[choice]), int(space.component_ids[choice])
    if component >= len(space.system.components):  # the state stays for ever
        return [Leapt(space.values(target), None)]
    label = space.label(choice)
    for number, offered in enumerate(space.system.components[component].step(space.values(state))):
        if offered.label != label:
            continue
        for outcome in range(sum(1 for weight, _ in offered.outcomes if weight != 0)):
            steps = space.leapt_steps(state, component, number, outcome)
            if steps[-1].values == space.values(target):
                return steps
    raise AssertionError("every transition comes from an outcome of a choice")
