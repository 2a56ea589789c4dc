"""Who moves: the components of the system, and the policies that select events and intentions.

Left open (the default), every external event is a component of its own: it is adopted, makes steps
and is removed at any time, and each component reads its own intention and the beliefs that its next
step needs.  Where the sides of a ``∥`` stand in slots of their own, each is a component as well,
under the name of its event: to people and to fairness they are one.

A policy selects among all events that wait, or among all intentions, so these become one component.
Where both follow a policy, waiting events are adopted first.  Under given probabilities, intentions
that cannot step are removed first. Every external event occurs once, so that events that take turns
are events in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from volition.kernel import Choice, Component, SlotView
from volition.languages.can.agent import AgentRules, remaining_after
from volition.languages.can.plan_library import ResolvedPolicy
from volition.languages.can.printing import number_text
from volition.languages.can.rewards import expected
from volition.languages.common.slots import Slot
from volition.origin import Origin

__all__ = ["TURN", "build_components"]

TURN = Slot("turn of intentions", "turn", item="intentions")
"""The slot that remembers which intention made the last step, where intentions take turns."""

Move = Callable[[int, SlotView], list[Choice]]


def build_components(
    rules: AgentRules, titles: dict[int, str], events: ResolvedPolicy, intentions: ResolvedPolicy
) -> Sequence[Component]:
    """The components of an agent; ``titles`` name its external events for people."""

    def adopt(state: SlotView) -> list[Choice]:
        return _selected(events, rules.a_event, tuple(titles), state)

    def progress(state: SlotView) -> list[Choice]:
        if intentions.manner != "probabilities":
            return _selected(intentions, rules.progress, tuple(titles), state)
        removals = (rules.a_update(number, state) for number in titles)
        return next(filter(None, removals), []) or _selected(
            intentions, rules.a_step, tuple(titles), state
        )

    if events.is_nondeterministic and intentions.is_nondeterministic:
        return _component_per_intention(
            titles,
            lambda number, state: rules.a_event(number, state) or rules.progress(number, state),
            rules,
        )
    if events.is_nondeterministic:
        return [
            *(_component(titles[number], rules.a_event, number) for number in titles),
            Component("intentions", progress),
        ]
    if intentions.is_nondeterministic:
        return [
            Component("events", adopt),
            *_component_per_intention(titles, rules.progress, rules),
        ]
    return [Component("agent", lambda state: adopt(state) or progress(state))]


def _component_per_intention(
    titles: dict[int, str], move: Move, rules: AgentRules
) -> list[Component]:
    """A component for each intention, and for each of its rooms."""
    components: list[Component] = []
    for number, title in titles.items():
        _, *sides = rules.slots[number]
        components.append(_component(title, move, number))
        components += [
            _component(title, partial(rules.a_step, room=side), number) for side in sides
        ]
    return components


def _component(title: str, move: Move, number: int) -> Component:
    return Component(title, lambda state: move(number, state))


def _selected(
    policy: ResolvedPolicy, move: Move, numbers: tuple[int, ...], state: SlotView
) -> list[Choice]:
    """The choices that a policy leaves among those that ``move`` gives for each number."""
    if policy.manner == "probabilities":
        possible = {number: choices for number in numbers if (choices := move(number, state))}
        return _randomised_choices(
            [(share, possible[number]) for share, number in policy.probabilities(tuple(possible))]
        )
    takes_turns = policy.manner == "round-robin"
    for number in policy.sequence(numbers, state[TURN] if takes_turns else 0):
        if choices := move(number, state):
            return [_remembering(choice, number) for choice in choices] if takes_turns else choices
    return []


def _remembering(choice: Choice, number: int) -> Choice:
    outcomes = [(probability, {**writes, TURN: number}) for probability, writes in choice.outcomes]
    return Choice(choice.label, outcomes, choice.rewards, choice.triggers_reactions)


def _randomised_choices(alternatives: list[tuple[Fraction, list[Choice]]]) -> list[Choice]:
    """Chance picks an alternative, then one of its choices is taken: a choice for each way to
    decide in every alternative."""
    if len(alternatives) == 1:
        return alternatives[0][1]
    shares = [share for share, _ in alternatives]
    return [
        _mixture(list(zip(shares, picked, strict=True)))
        for picked in product(*(choices for _, choices in alternatives))
        if picked
    ]


def _mixture(parts: list[tuple[Fraction, Choice]]) -> Choice:
    outcomes = [
        (probability * share, writes)
        for share, choice in parts
        for probability, writes in choice.outcomes
    ]
    return Choice(
        _joint_origin(parts),
        outcomes,
        expected([(share, choice.rewards) for share, choice in parts]),
    )


def _joint_origin(parts: list[tuple[Fraction, Choice]]) -> Origin:
    origins = [
        (share, replace(choice.label, resulting_slots=remaining_after(choice)))
        for share, choice in parts
        if isinstance(choice.label, Origin)
    ]
    rules = tuple(f"{number_text(share)}: {' '.join(origin.rules)}" for share, origin in origins)
    among = tuple(origin for _, origin in origins)
    return Origin(
        among[0].agent, rules, " or ".join(origin.text for origin in among), alternatives=among
    )
