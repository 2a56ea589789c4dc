"""Matching of observed percepts and feedbacks with the outcomes of the model.

In the model, percepts flip (become held or absent) and feedbacks of actions come with some
probability (Izzo, Sect. 3.4.1). When an agent runs in a world, they are observed instead. The
functions of :mod:`.semantics` give the possible outcomes; this module finds the observed one.

The world may show something that is not among the outcomes of the model. Then the beliefs get the
observed values, and the counters are set as follows:

- The counter of a percept is 0 after a flip. Otherwise it counts on.
- If a feedback did not come in its last possible cycle, it is expected in the next cycle.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import assert_never

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component, SlotView
from volition.languages.lisa.resolved import Action, MentalNote, Percept, PlanGroup, PlanPosition
from volition.languages.lisa.semantics import AgentModule, next_counter
from volition.languages.lisa.syntax import ReasoningRule
from volition.languages.protocols import ObservedTransition

__all__ = ["is_of_environment", "observe", "place_of"]


def is_of_environment(component: Component) -> bool:
    """Return whether a component of the model belongs to the environment: it changes a percept or
    the feedbacks of an action. The world decides its outcomes.

    A percept whose value is computed by a :class:`.resolved.PerceptRule` is not of the environment.
    """
    if not isinstance(component, AgentModule):
        return False
    return isinstance(component.moves, Action) or (
        isinstance(component.moves, Percept) and component.moves.rule is None
    )


def place_of(component: Component) -> Span | None:
    """Return the position in the project of what a component of the model changes:

    - the declaration of a percept or action;
    - the first plan of a group of plans;
    - the first action or rule that changes a mental note.

    Return None for all other components.
    """
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
        case None:
            pass
        case _ as unreachable:
            assert_never(unreachable)
    return None


def observe(
    component: Component,
    state: SlotView,
    choices: Sequence[Choice],
    observation: Mapping[str, Hashable],
) -> ObservedTransition:
    """Return the transition of a percept, or of the feedbacks of an action, that agrees with an
    observation. The transition belongs to the first half of a reasoning cycle, in which the beliefs
    change. It is marked as unmodelled if the model does not contain it.

    ``observation`` maps the slots of percepts and feedbacks to whether they are held afterwards. A
    percept that is not in it keeps its value; a feedback that is not in it did not come.
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
        return ObservedTransition({}, None, 1)  # no change, in the model as well
    if isinstance(component.moves, Percept):
        return ObservedTransition(_unexpected(component.moves, prefix, state, seen))
    return ObservedTransition(_unexpected_report(seen))


def _unexpected(
    percept: Percept, prefix: str, state: SlotView, seen: Mapping[str, bool]
) -> Mapping[str, Hashable]:
    """Return the slot writes for a percept that flipped although the model did not allow it, or did
    not flip although the model required it. ``seen`` maps the percept's slot to the observed value.
    """
    ((slot, held),) = seen.items()
    counter = prefix + percept.counter if percept.counter else None
    if (state[slot] == 1) != held:
        return {slot: int(held), **({counter: 0} if counter else {})}
    triple = percept.deactivation if held else percept.activation
    if counter is None or triple.every_cycle:
        return {}
    return {counter: next_counter(triple, state[counter])}


def _unexpected_report(seen: Mapping[str, bool]) -> Mapping[str, Hashable]:
    """Return the slot writes for feedbacks that the model does not allow: either a feedback came
    although none was possible, or none came in the last possible cycle. ``seen`` maps the slot of
    each feedback to whether it came.

    In the second case the countdown is set so that a feedback is expected in the next cycle.
    """
    came = {slot: int(held) for slot, held in seen.items()}
    first = next(iter(came))
    return came if any(came.values()) else {**came, first: 2}
