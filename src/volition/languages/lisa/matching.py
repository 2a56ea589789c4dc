"""What the environment of a LISA agent did, seen from outside: percepts and feedbacks that came,
found among the draws of the model.

In the model a percept flips and a feedback comes by chance (Izzo, Sect. 3.4.1).  When an agent runs
in a world, they are observed.  The functions of :mod:`.semantics` say which outcomes there are;
here is only looked for the one that was seen.  Where the model has none, the observed value is
taken and the counters go on by the rules that they always go by: the percept's is 0 after a flip
and counts on without one; a feedback that is overdue is due again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, SlotView
from volition.languages.lisa.resolved import Action, MentalNote, Percept, PlanGroup, PlanPosition
from volition.languages.lisa.semantics import AgentModule, next_counter
from volition.languages.lisa.syntax import ReasoningRule
from volition.languages.protocols import ObservedTransition

__all__ = ["is_of_environment", "observe", "place_of"]


def is_of_environment(component: Component) -> bool:
    """Whether a component is a percept's or an action's: what they do is up to the world, unless
    somebody else makes the percept."""
    if not isinstance(component, AgentModule):
        return False
    return isinstance(component.moves, Action) or (
        isinstance(component.moves, Percept) and component.moves.rule is None
    )


def place_of(component: Component) -> Span | None:
    """Where the project speaks of what a component moves."""
    match component.moves if isinstance(component, AgentModule) else None:
        case Percept() | Action() as described:
            return described.span
        case PlanGroup(plans):
            return plans[0].span
        case MentalNote() as note:
            causes: tuple[PlanPosition | ReasoningRule, ...] = (
                *note.added_at,
                *note.added_by,
                *note.removed_at,
                *note.removed_by,
            )
            return next((each.span for each in causes), None)
    return None


def observe(
    component: Component,
    state: SlotView,
    choices: Sequence[Choice],
    observation: Mapping[str, Hashable],
) -> ObservedTransition:
    """What became of a percept, or of an action that may have been called, in a beliefs half-step.

    ``observation`` says of percepts and feedbacks, by the names of their slots, whether they are
    held after it.  A percept that is left out stays as it is, a feedback that is left out did not
    come.
    """
    assert isinstance(component, AgentModule)
    prefix = component.agent.prefix
    match component.moves:
        case Percept() as percept:
            slot = prefix + percept.name
            seen = {slot: bool(observation.get(slot, state[slot] == 1))}
        case Action() as action:
            slots = [prefix + each.name for each in action.feedbacks]
            seen = {slot: bool(observation.get(slot, False)) for slot in slots}
        case other:
            raise AssertionError(other)
    for choice in choices:
        for chance, effect in choice.outcomes:
            if all((effect.get(name, state[name]) == 1) == held for name, held in seen.items()):
                return ObservedTransition(effect, choice, chance)
    if not choices and all((state[name] == 1) == held for name, held in seen.items()):
        return ObservedTransition({}, None, 1)  # it stood still, in the model as well
    if isinstance(component.moves, Percept):
        return ObservedTransition(_unexpected(component.moves, prefix, state, seen))
    return ObservedTransition(_unexpected_report(seen))


def _unexpected(
    percept: Percept, prefix: str, state: SlotView, seen: Mapping[str, bool]
) -> Mapping[str, Hashable]:
    """A percept flipped where it could not, or did not where it had to."""
    ((slot, held),) = seen.items()
    counter = prefix + percept.counter if percept.counter else None
    if (state[slot] == 1) != held:
        return {slot: int(held), **({counter: 0} if counter else {})}
    triple = percept.deactivation if held else percept.activation
    if counter is None or triple.every_cycle:
        return {}
    return {counter: next_counter(triple, state[counter])}


def _unexpected_report(seen: Mapping[str, bool]) -> Mapping[str, Hashable]:
    """A feedback came where none could, or none came in the last cycle that one had to come in:
    then that cycle is the next one again."""
    came = {slot: int(held) for slot, held in seen.items()}
    first = next(iter(came))
    return came if any(came.values()) else {**came, first: 2}
