"""One step of a system on a plain dict: what can happen, what does, and the state after it.

Exploring asks the components of a system for all their choices in all states.  Running asks the
same functions in one state, and one outcome of one choice happens: the program that runs is the
program that was verified.
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
    """One choice of one component; ``number`` is its place among the choices that components of
    this name have in this state."""

    component: Component
    number: int
    choice: Choice


def enabled_choices(system: System, state: State) -> list[EnabledChoice]:
    """Everything that some component can do, in the order of the components."""
    counted: Counter[str] = Counter()
    found = []
    for component in system.components:
        for choice in component.step(state):
            found.append(EnabledChoice(component, counted[component.name], choice))
            counted[component.name] += 1
    return found


def sample_outcome(choice: Choice, chance: Random) -> int:
    """Which of the outcomes of a choice happens, by chance."""
    if len(choice.outcomes) == 1:
        return 0
    left = chance.random()
    for number, (weight, _) in enumerate(choice.outcomes):
        left -= float(weight)
        if left < 0:
            return number
    # Rounding may leave a little more than nothing; an outcome without probability never happens.
    return max(number for number, (weight, _) in enumerate(choice.outcomes) if float(weight) > 0)


def successor(
    system: System, state: State, effect: Mapping[str, Hashable], *, reacts: bool
) -> State:
    """The state that follows: what a step writes, and what the system's reactions to it write, each
    seeing what was written before."""
    following = {**state, **effect}
    for reaction in system.reactions if reacts else ():
        following |= reaction.react(following)
    return following


def synchronous_step(
    system: System,
    state: State,
    does: Callable[[Component, Sequence[Choice]], ObservedTransition | None],
) -> tuple[State, list[tuple[Component, ObservedTransition]]]:
    """One step of a synchronous system: ``does`` says of each component what it does, of which it
    has these choices.

    None is a component that stands still.
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
