"""One step of a system, with the state as a plain dict: the enabled choices, a sampled outcome, and
the next state.

Exploration calls the component functions of a system for all choices in all states. Running calls
the same functions in one state and executes one outcome of one choice. The program that runs is
therefore the program that was verified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from volition.kernel.system import Choice, Component, System
from volition.languages.protocols import ObservedTransition

__all__ = [
    "EnabledChoice",
    "State",
    "enabled_choices",
    "sample_outcome",
    "successor",
    "synchronous_step",
]

State = dict[str, Hashable]


@dataclass(frozen=True, slots=True)
class EnabledChoice:
    """One choice of one component in a state. ``number`` is the index of the choice among the
    choices of the component. If several components have the same name, their choices are numbered
    together."""

    component: Component
    number: int
    choice: Choice


def enabled_choices(system: System, state: State) -> list[EnabledChoice]:
    """Return the choices of all components in a state, in component order."""
    counted: Counter[str] = Counter()
    found = []
    for component in system.components:
        for choice in component.step(state):
            found.append(EnabledChoice(component, counted[component.name], choice))
            counted[component.name] += 1
    return found


def sample_outcome(choice: Choice, chance: Random) -> int:
    """Draw one of the outcomes of a choice by their probabilities, and return its index."""
    if len(choice.outcomes) == 1:
        return 0
    left = chance.random()
    for number, (weight, _) in enumerate(choice.outcomes):
        left -= float(weight)
        if left < 0:
            return number
    # Rounding can leave a small remainder. An outcome with probability 0 is never returned.
    return max(number for number, (weight, _) in enumerate(choice.outcomes) if float(weight) > 0)


def successor(
    system: System, state: State, effect: Mapping[str, Hashable], *, reacts: bool
) -> State:
    """Return the state after a step that writes the slot values ``effect``. If ``reacts`` is true,
    the reactions of the system (deterministic updates after a step) then run in order. Each
    reaction reads the writes of those before it."""
    following = {**state, **effect}
    for reaction in system.reactions if reacts else ():
        following |= reaction.react(following)
    return following


def synchronous_step(
    system: System,
    state: State,
    does: Callable[[Component, Sequence[Choice]], ObservedTransition | None],
) -> tuple[State, list[tuple[Component, ObservedTransition]]]:
    """Execute one step of a synchronous system. Return the next state, and each component that
    moved with its transition.

    ``does`` is called with a component and its choices. It returns the transition of the component,
    or None if the component does not move.
    """
    occurred: list[tuple[Component, ObservedTransition]] = []
    for component in system.components:
        occurrence = does(component, component.step(state))
        if occurrence is not None:
            occurred.append((component, occurrence))
    effect = {
        slot: value for _, occurrence in occurred for slot, value in occurrence.writes.items()
    }
    reacts = any(
        occurrence.choice is None or occurrence.choice.triggers_reactions
        for _, occurrence in occurred
    )
    return successor(system, state, effect, reacts=reacts), occurred
