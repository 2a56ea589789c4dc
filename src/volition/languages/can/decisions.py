"""Decisions, written in a CAN program, that resolve its nondeterministic choices.

A program with a section ``// Decisions`` is deterministic apart from probabilities. A line ``turn :
e when φ.`` selects the external event that moves next (is adopted, makes a step, or is removed) if
several can. A line ``step : e by "text" when φ.`` selects the step of an event if it has several.
The first line that is possible and whose condition holds is used. If there is none, the first
choice is taken, in the order of the events and of the rules. Policies are applied first; a decision
cannot select what a policy excludes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from volition.kernel import Choice, Component, Predicate, SlotView
from volition.languages.can.conditions import Condition
from volition.languages.can.syntax import ActionDecision, Decision, ExternalEvent, ScheduleDecision
from volition.origin import Origin, unique_texts

__all__ = ["ResolvedDecisions"]


class ResolvedDecisions:
    """Decisions of a program, in a form that can be applied in a state.

    ``display_names`` maps the number of each external event to its display name, which is also the
    name of its component. ``truth_of`` returns, for a condition, the function that evaluates the
    condition in a state.
    """

    def __init__(
        self,
        decisions: Sequence[Decision],
        events: Sequence[ExternalEvent],
        display_names: Mapping[int, str],
        truth_of: Callable[[Condition], Predicate],
    ) -> None:
        self._turns = [each for each in decisions if isinstance(each, ScheduleDecision)]
        self._steps = [each for each in decisions if isinstance(each, ActionDecision)]
        self._truths = {each: truth_of(each.condition) for each in decisions}
        self._movers = {
            name: [
                display_names[each.number]
                for each in events
                if name in (each.name, str(each.number))
            ]
            for name in _names(events)
        }

    def as_component(self, agent: str, components: Sequence[Component]) -> Component:
        """Return a component named ``agent`` that replaces ``components``. In each state it offers
        one choice: the one that the decisions select among the choices of ``components``."""

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
