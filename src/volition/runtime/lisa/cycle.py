"""Execution of the reasoning cycle of LISA agents (Izzo, Sect. 3.3.2): beliefs are updated from the
inbox, then plans move, then actions are called.

In the model, a cycle is two transitions, called half-steps: the beliefs change, then the plans
move. The components of the model compute both, with two replacements. Outcomes that the model draws
at random are observed in the world. Choices that the model leaves open are made by a selector.
Several agents run their cycles together, as in the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from volition.kernel.system import Choice, Component
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.resolved import Percept
from volition.languages.lisa.semantics import AgentModule
from volition.languages.protocols import ObservedTransition
from volition.runtime.lisa.agent import RunningAgent
from volition.runtime.lisa.pending_calls import ActionRequests
from volition.runtime.messages import Inbox
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import DecisionRequest, Selector
from volition.runtime.stop_conditions import StopCondition, first_satisfied
from volition.runtime.successor import State, synchronous_step
from volition.runtime.worlds.interface import RuntimeWorld

__all__ = ["LisaCycle"]


class LisaCycle:
    """Reasoning cycle of the agents of a LISA project in a world: :meth:`advance` executes it once
    for all agents. The object stores the current state of the agents.

    ``failures`` has for each agent a mapping from its actions to the feedbacks that stand for their
    failure. ``noticed`` is called after every update of the beliefs, with the state before, the
    state after, and the number of the cycle.
    """

    def __init__(
        self,
        model: LisaModel,
        world: RuntimeWorld,
        selector: Selector,
        journal: RunLog,
        *,
        failures: Mapping[str, Mapping[str, str]],
        ends: Sequence[StopCondition],
        noticed: Callable[[State, State, int], None] | None = None,
    ) -> None:
        self.state: State = dict(model.system.slots)
        self._model = model
        self._world = world
        self._selector = selector
        self._journal = journal
        self._ends = ends
        self._noticed = noticed
        self._minds = [
            RunningAgent(agent, journal, failures.get(agent.name, {})) for agent in model.understood
        ]

    def start(self) -> None:
        """Start the world, and call the actions that the program calls before the first cycle."""
        self._world.begin(self._journal)
        for mind in self._minds:
            self._send_requests(mind.begin(), 0)

    def advance(self, cycle: int, time: float) -> str | None:
        """Execute one cycle of all agents. Return the reason for the end of the run, or None if the
        run goes on."""
        inboxes = self._world.receive(self.state, cycle)
        before = self.state
        believed = [
            mind.perceive(before, inboxes.get(mind.agent.name, Inbox()), cycle)
            for mind in self._minds
        ]
        seen = {
            name: held
            for mind, each in zip(self._minds, believed, strict=True)
            for name, held in mind.observation(each).items()
        }
        believing = self._update_beliefs(before, seen, cycle)
        if self._noticed is not None:
            self._noticed(before, believing, cycle)
        self.state = self._move_plans(believing, cycle)
        for mind, each in zip(self._minds, believed, strict=True):
            orders = mind.act(believing, self.state)
            line = mind.line(each, before, believing, self.state, orders)
            self._journal.write("cycle", agent=mind.agent.name, cycle=cycle, t=time, **line)
            self._send_requests(orders, cycle)
        return first_satisfied(self._ends, self.state)

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        """Let the world advance until the next tick. Return the reason for the end of the run, or
        None if the run goes on."""
        return self._world.advance(start, end, cycle)

    def close(self) -> None:
        self._world.close()

    # --- the two half-steps -----------------------------------------------------------------------

    def _update_beliefs(self, state: State, observation: Mapping[str, bool], cycle: int) -> State:
        def transition_of(
            component: Component, choices: Sequence[Choice]
        ) -> ObservedTransition | None:
            if not self._model.is_environment(component):
                return _only(choices)
            occurrence = self._model.match_observation(component, state, choices, observation)
            if occurrence.is_unmodelled:
                self._log_unmodelled(component, observation, cycle)
            return occurrence

        return synchronous_step(self._model.system, state, transition_of)[0]

    def _move_plans(self, state: State, cycle: int) -> State:
        able = {
            each.name: each for each in self._model.system.components if len(each.step(state)) > 1
        }
        chosen = self._choose(state, able, cycle) if able else {}

        def transition_of(
            component: Component, choices: Sequence[Choice]
        ) -> ObservedTransition | None:
            return _only(choices if len(choices) < 2 else [choices[chosen[component.name]]])

        return synchronous_step(self._model.system, state, transition_of)[0]

    def _choose(self, state: State, able: Mapping[str, Component], cycle: int) -> Mapping[str, int]:
        """Let the selector decide which plan starts, wherever several plans for the same event can
        start. Log each decision. ``able`` has the components with several plans to choose from, by
        name. The result has the index of the selected plan for each of these names."""
        selection = self._selector.select(
            DecisionRequest(
                state, {name: each.step(state) for name, each in able.items()}, cycle, 2 * cycle + 1
            )
        )
        for group, component in able.items():
            plans = [_plan(choice) for choice in component.step(state)]
            values = selection.values.get(group, [{}] * len(plans))
            self._journal.write(
                "choice",
                cycle=cycle,
                agent=component.agent.name if isinstance(component, AgentModule) else "",
                group=group,
                options=[
                    {"plan": plan, "q": dict(value)}
                    for plan, value in zip(plans, values, strict=True)
                ],
                chosen=plans[selection.chosen[group]],
                by=selection.by,
            )
        return selection.chosen

    def _log_unmodelled(
        self, component: Component, observation: Mapping[str, bool], cycle: int
    ) -> None:
        assert isinstance(component, AgentModule)
        agent, moves = component.agent, component.moves
        if isinstance(moves, Percept):
            seen = observation.get(agent.prefix + moves.name)
            happened = (
                "did not change where the model requires a change"
                if seen is None
                else "changed where the model allows no change"
            )
            what, observed, text = "percept", seen, f"'{moves.text}' {happened}"
        else:
            came = next(
                (
                    each.name
                    for each in getattr(moves, "feedbacks", ())
                    if observation.get(agent.prefix + each.name)
                ),
                None,
            )
            if came is None:
                # A feedback that did not come in time is not logged here: PendingCalls logs it,
                # once for each call.
                return
            what, observed, text = (
                "feedback",
                came,
                f"'{agent.beliefs[came]}' came where the model allows no such feedback",
            )
        self._journal.write(
            "surprise",
            cycle=cycle,
            agent=agent.name,
            what=what,
            name=moves.name,
            observed=observed,
            text=text,
        )

    def _send_requests(self, orders: ActionRequests, cycle: int) -> None:
        for stop in orders.stops:
            self._world.stop(stop, cycle)
        for call in orders.calls:
            self._world.call(call, cycle)


def _only(choices: Sequence[Choice]) -> ObservedTransition | None:
    """Return the transition of a component that has one choice with one outcome, or None for a
    component without choices."""
    if not choices:
        return None
    (choice,) = choices
    ((chance, effect),) = choice.outcomes
    return ObservedTransition(effect, choice, chance)


def _plan(choice: Choice) -> str:
    plan = getattr(choice.label, "plan", None)
    return plan if isinstance(plan, str) else str(choice.label)
