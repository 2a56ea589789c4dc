"""Components of the transition system of a CAN agent, and policies that select events and
intentions.

By default the selection is nondeterministic, and every external event has its own component. In
each state the component may adopt the event, make a step of its intention, or remove the intention.
The component reads only its own intention and the beliefs that its next step needs. If the branches
of a ``∥`` have their own slots, each branch has a component too. These components have the name of
their event, so reports and fairness treat them as one.

A policy for events selects among all pending events, so all pending events have one component
together. The same holds for a policy for intentions.

- If there are policies for both, pending events are adopted first.
- With a probabilistic policy, intentions that cannot step are removed first.
- A round-robin policy for events is a fixed order, because every external event occurs once.
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
"""Slot for the number of the intention that moved last, used by the round-robin policy."""

Move = Callable[[int, SlotView], list[Choice]]


def build_components(
    rules: AgentRules,
    display_names: dict[int, str],
    events: ResolvedPolicy,
    intentions: ResolvedPolicy,
) -> Sequence[Component]:
    """Return the components of an agent, according to its policies for events and intentions.
    ``display_names`` are the names of its external events, by number."""

    def adopt(state: SlotView) -> list[Choice]:
        return _selected(events, rules.a_event, tuple(display_names), state)

    def progress(state: SlotView) -> list[Choice]:
        if intentions.kind != "probabilities":
            return _selected(intentions, rules.progress, tuple(display_names), state)
        removals = (rules.a_update(number, state) for number in display_names)
        return next(filter(None, removals), []) or _selected(
            intentions, rules.a_step, tuple(display_names), state
        )

    if events.is_nondeterministic and intentions.is_nondeterministic:
        return _component_per_intention(
            display_names,
            lambda number, state: rules.a_event(number, state) or rules.progress(number, state),
            rules,
        )
    if events.is_nondeterministic:
        return [
            *(_component(display_names[number], rules.a_event, number) for number in display_names),
            Component("intentions", progress),
        ]
    if intentions.is_nondeterministic:
        return [
            Component("events", adopt),
            *_component_per_intention(display_names, rules.progress, rules),
        ]
    return [Component("agent", lambda state: adopt(state) or progress(state))]


def _component_per_intention(
    display_names: dict[int, str], move: Move, rules: AgentRules
) -> list[Component]:
    """Return a component for each intention, and one for each branch of a ``∥`` that has its own
    slot. ``move`` returns the choices of the intention with a given number."""
    components: list[Component] = []
    for number, title in display_names.items():
        _, *sides = rules.slots[number]
        components.append(_component(title, move, number))
        components += [
            _component(title, partial(rules.a_step, branch=side), number) for side in sides
        ]
    return components


def _component(title: str, move: Move, number: int) -> Component:
    return Component(title, lambda state: move(number, state))


def _selected(
    policy: ResolvedPolicy, move: Move, numbers: tuple[int, ...], state: SlotView
) -> list[Choice]:
    """Return the choices that remain when a policy selects one of several events or intentions.
    ``move`` returns the choices of the event or intention with a given number."""
    if policy.kind == "probabilities":
        possible = {number: choices for number in numbers if (choices := move(number, state))}
        return _randomised_choices(
            [(share, possible[number]) for share, number in policy.probabilities(tuple(possible))]
        )
    takes_turns = policy.kind == "round-robin"
    for number in policy.sequence(numbers, state[TURN] if takes_turns else 0):
        if choices := move(number, state):
            return [_with_turn(choice, number) for choice in choices] if takes_turns else choices
    return []


def _with_turn(choice: Choice, number: int) -> Choice:
    outcomes = [(probability, {**writes, TURN: number}) for probability, writes in choice.outcomes]
    return Choice(choice.label, outcomes, choice.rewards, choice.triggers_reactions)


def _randomised_choices(alternatives: list[tuple[Fraction, list[Choice]]]) -> list[Choice]:
    """Return the choices of the MDP if one of several alternatives is drawn at random. Each
    alternative is a pair of its probability and the choices that it offers.

    A strategy has to decide before the alternative is drawn. Therefore each choice of the MDP
    combines one choice of every alternative. The outcomes of the combined choices are weighted with
    the probabilities of the alternatives.
    """
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
