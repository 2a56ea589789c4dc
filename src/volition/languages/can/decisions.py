"""Decisions that a program makes where the semantics leaves something open.

A program with a section ``// Decisions`` leaves nothing open.  A line ``turn : e when φ.`` says
which external event goes on (is adopted, makes a step, is removed) where several could; a line
``step : e by "text" when φ.`` says how it goes on where it could in several ways.  The first line
that is possible and whose condition holds counts; where none does, it is the first possibility, in
the order of the events and of the rules.  Policies come before: what they rule out cannot be
decided for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from volition.kernel import Choice, Component, Predicate, SlotView
from volition.languages.can.conditions import Condition
from volition.languages.can.syntax import ActionDecision, Decision, ExternalEvent, ScheduleDecision
from volition.origin import Origin, unique_texts

__all__ = ["ResolvedDecisions"]


class ResolvedDecisions:
    """The decisions of a program; ``titles`` are the names under which external events move."""

    def __init__(
        self,
        decisions: Sequence[Decision],
        events: Sequence[ExternalEvent],
        titles: Mapping[int, str],
        truth_of: Callable[[Condition], Predicate],
    ) -> None:
        self._turns = [each for each in decisions if isinstance(each, ScheduleDecision)]
        self._steps = [each for each in decisions if isinstance(each, ActionDecision)]
        self._truths = {each: truth_of(each.condition) for each in decisions}
        self._movers = {
            name: [titles[each.number] for each in events if name in (each.name, str(each.number))]
            for name in _names(events)
        }

    def as_component(self, agent: str, components: Sequence[Component]) -> Component:
        """One component that takes, of everything that some components could do, what is
        decided."""

        def step(state: SlotView) -> Sequence[Choice]:
            offers = {
                component.name: choices
                for component in components
                if (choices := component.step(state))
            }
            if not offers:
                return []
            moving_component = self._mover(offers, state) if len(offers) > 1 else next(iter(offers))
            return [self._step(moving_component, offers[moving_component], state)]

        return Component(agent, step)

    def _mover(self, offers: Mapping[str, Sequence[Choice]], state: SlotView) -> str:
        for decision in self._turns:
            possible = [
                component for component in self._movers[decision.event] if component in offers
            ]
            if possible and self._truths[decision](state):
                return possible[0]
        return next(iter(offers))

    def _step(self, component: str, choices: Sequence[Choice], state: SlotView) -> Choice:
        if len(choices) == 1:
            return choices[0]
        named = dict(
            zip(unique_texts([_text_and_rules(choice) for choice in choices]), choices, strict=True)
        )
        for decision in self._steps:
            if decision.event is not None and component not in self._movers[decision.event]:
                continue
            if decision.text in named and self._truths[decision](state):
                return named[decision.text]
        return choices[0]


def _names(events: Sequence[ExternalEvent]) -> set[str]:
    return {name for event in events for name in (event.name, str(event.number))}


def _text_and_rules(choice: Choice) -> tuple[str, Sequence[str]]:
    assert isinstance(choice.label, Origin), "every step of an agent says where it comes from"
    return choice.label.text, choice.label.rules
