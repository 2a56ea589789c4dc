"""One reasoning cycle of a LISA agent that runs (Izzo, Sect. 3.3.2): beliefs from the inbox, plans, calls.

Both half-steps are made by the components of the model.  What is drawn in the model is observed here; what the model leaves open, a
selector decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from volition.kernel.system import Choice, Component
from volition.languages.lisa.agent import Percept
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.semantics import Module
from volition.languages.model import Occurrence
from volition.runtime.ending import Ending, reached
from volition.runtime.inbox import Call, Message, Report, Sight
from volition.runtime.journal import Journal
from volition.runtime.lisa.calls import CallBook, Orders
from volition.runtime.lisa.messages import Mailbox
from volition.runtime.lisa.percepts import Senses
from volition.runtime.selectors import Decision, Selector
from volition.runtime.stepping import State, step_together
from volition.runtime.worlds.interface import World
from volition.telling.slot_values import as_data

__all__ = ["LisaCycle"]


class LisaCycle:
    """An agent, its state, and the world that it is in.

    ``failures`` maps actions to the feedbacks by which they fail.
    """

    def __init__(
        self,
        model: LisaModel,
        world: World,
        selector: Selector,
        journal: Journal,
        *,
        failures: Mapping[str, str],
        ends: Sequence[Ending],
    ) -> None:
        agent = model.agent
        self.state: State = dict(model.system.slots)
        self._model = model
        self._world = world
        self._selector = selector
        self._journal = journal
        self._ends = ends
        self._senses = Senses(agent.percepts)
        self._mail = Mailbox(agent.percepts, journal)
        self._calls = CallBook(agent.actions, agent.plans, failures, journal)
        self._before_first = Orders()

    def begin(self) -> None:
        """Calls the initial actions."""
        self._world.begin(self._journal)
        self._before_first = self._calls.initial()
        self._give(self._before_first, 0)

    def advance(self, cycle: int, time: float) -> str | None:
        """One cycle; why the run is over, if it is."""
        inbox = self._world.receive(self.state, cycle)
        sights = self._known_sights(inbox.sights, cycle)
        flips = self._senses.believed(self.state, sights) | self._mail.believed(self.state, inbox.messages, cycle)
        reports = self._calls.believed(inbox.reports, cycle)
        before = self.state
        believing = self._update_beliefs(flips, reports, cycle)
        self.state = self._move_plans(believing, cycle)
        orders = self._calls.orders(believing, self.state)
        self._journal.write("cycle", **self._line(cycle, time, flips, reports, inbox.messages, before, believing, orders))
        self._give(orders, cycle)
        self._before_first = Orders()
        return reached(self._ends, self.state)

    def let_pass(self, start: float, end: float, cycle: int) -> None:
        """Lets the world go on until the next tick."""
        self._world.advance(start, end, cycle)

    def close(self) -> None:
        self._world.close()

    def _known_sights(self, sights: Iterable[Sight], cycle: int) -> list[Sight]:
        known = []
        for sight in sights:
            if self._senses.knows(sight.percept):
                known.append(sight)
            else:
                text = f"the program has no percept '{sight.percept}'"
                self._journal.write("refused", cycle=cycle, what="percept", name=sight.percept, observed=sight.value, text=text)
        return known

    # --- the two half-steps --------------------------------------------------------------------------------------------

    def _update_beliefs(self, flips: Mapping[str, bool], reports: Iterable[Report], cycle: int) -> State:
        observation = {**flips, **{report.feedback: True for report in reports}}
        state = self.state

        def does(component: Component, choices: Sequence[Choice]) -> Occurrence | None:
            if self._model.is_of_world(component):
                occurrence = self._model.observe(component, state, choices, observation)
                if occurrence.is_surprise:
                    self._tell_surprise(component, observation, cycle)
                return occurrence
            return _only(choices)

        return step_together(self._model.system, state, does)[0]

    def _move_plans(self, state: State, cycle: int) -> State:
        open_groups = {each.name: choices for each in self._model.system.components if len(choices := each.step(state)) > 1}
        chosen: Mapping[str, int] = {}
        if open_groups:
            selection = self._selector.select(Decision(state, open_groups))
            chosen = selection.chosen
            for group, choices in open_groups.items():
                values = selection.values.get(group, [{}] * len(choices))
                options = [{"plan": _plan(choice), "q": dict(value)} for choice, value in zip(choices, values, strict=True)]
                picked = options[chosen[group]]["plan"]
                self._journal.write(
                    "choice", cycle=cycle, agent=self._model.agent.name, group=group, options=options, chosen=picked, by=selection.by
                )

        def does(component: Component, choices: Sequence[Choice]) -> Occurrence | None:
            return _only(choices[chosen[component.name] :][:1] if component.name in chosen and len(choices) > 1 else choices)

        return step_together(self._model.system, state, does)[0]

    def _tell_surprise(self, component: Component, observation: Mapping[str, bool], cycle: int) -> None:
        assert isinstance(component, Module)
        if isinstance(component.moves, Percept):
            percept = component.moves
            happened = "changed where the model has no change" if percept.name in observation else "stayed where the model has it change"
            text = f"'{percept.text}' {happened}"
            self._surprise("percept", percept.name, observation.get(percept.name), text, cycle)
        elif came := next((name for name in observation if name in _feedbacks(component)), None):
            text = f"'{self._model.agent.beliefs[came]}' came where the model has no such feedback"
            self._surprise("feedback", component.moves.name, came, text, cycle)
        # That a feedback is overdue is told by the book of calls, once for each call.

    def _surprise(self, what: str, name: str, observed: object, text: str, cycle: int) -> None:
        self._journal.write("surprise", cycle=cycle, agent=self._model.agent.name, what=what, name=name, observed=observed, text=text)

    # --- what goes out -------------------------------------------------------------------------------------------------

    def _give(self, orders: Orders, cycle: int) -> None:
        for stop in orders.stops:
            self._world.stop(stop, cycle)
        for call in orders.calls:
            self._world.call(call, cycle)

    def _line(
        self,
        cycle: int,
        time: float,
        flips: Mapping[str, bool],
        reports: Iterable[Report],
        messages: Iterable[Message],
        before: State,
        believing: State,
        orders: Orders,
    ) -> dict[str, Any]:
        line: dict[str, Any] = {
            "agent": self._model.agent.name,
            "cycle": cycle,
            "t": time,
            "inbox": {
                "percepts": dict(flips),
                "feedbacks": [{"id": each.call, "action": each.action, "feedback": each.feedback} for each in reports],
                "messages": [{"from": each.sender, "text": each.text} for each in messages],
            },
            "beliefs": _changed(before, believing),
            "plans": _changed(believing, self.state),
            "calls": [*map(_call, orders.calls), *({**_call(each), "joins": True} for each in orders.joined)],
        }
        if orders.stops:
            line["stops"] = [{"id": each.call, "action": each.action, "plan": each.plan} for each in orders.stops]
        if self._before_first.calls:
            line["initial_calls"] = [*map(_call, self._before_first.calls)]
        if why := {name: dict(self._senses.why(name)) for name in flips if self._senses.why(name)}:
            line["why"] = why
        return line


def _only(choices: Sequence[Choice]) -> Occurrence | None:
    """What a component does that has no choice, and nothing to draw."""
    if not choices:
        return None
    (choice,) = choices
    ((chance, effect),) = choice.outcomes
    return Occurrence(effect, choice, chance)


def _plan(choice: Choice) -> str:
    plan = getattr(choice.label, "plan", None)
    return plan if isinstance(plan, str) else str(choice.label)


def _feedbacks(module: Module) -> list[str]:
    return [each.name for each in getattr(module.moves, "feedbacks", ())]


def _changed(before: State, after: State) -> dict[str, Any]:
    return {slot: as_data(value) for slot, value in after.items() if before[slot] != value}


def _call(call: Call) -> dict[str, Any]:
    return {"id": call.id, "action": call.action, "plan": call.plan, "objects": dict(call.objects)}
