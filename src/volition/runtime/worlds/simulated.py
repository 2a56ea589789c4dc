"""Simulated world: percepts flip and feedbacks come with the probabilities of the program (Izzo,
Sect. 3.4.1)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from random import Random
from typing import assert_never

from volition.kernel.system import System
from volition.languages.lisa.matching import is_of_environment
from volition.languages.lisa.resolved import Action, MentalNote, Percept, PlanGroup
from volition.languages.lisa.semantics import AgentModule
from volition.runtime.messages import (
    ActionFeedback,
    ActionRequest,
    Inbox,
    PerceptReading,
    StopRequest,
)
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State, sample_outcome

__all__ = ["SimulatedWorld"]


class SimulatedWorld:
    """World of LISA agents in which every component of the environment draws an outcome at random.
    The agents receive the percepts and feedbacks of the outcomes."""

    name = "simulated"

    def __init__(self, system: System, chance: Random) -> None:
        self._modules = [
            each
            for each in system.components
            if isinstance(each, AgentModule) and is_of_environment(each)
        ]
        self._chance = chance

    def begin(self, journal: RunLog) -> None: ...

    def receive(self, state: State, cycle: int) -> dict[str, Inbox]:  # noqa: ARG002
        inboxes: dict[str, Inbox] = {}
        for module in self._modules:
            for choice in module.step(state):
                _, effect = choice.outcomes[sample_outcome(choice, self._chance)]
                inbox = inboxes.get(module.agent.name, Inbox())
                inboxes[module.agent.name] = _with_outcome(inbox, module, effect)
        return inboxes

    def call(self, call: ActionRequest, cycle: int) -> None: ...

    def stop(self, stop: StopRequest, cycle: int) -> None: ...

    def advance(self, start: float, end: float, cycle: int) -> str | None: ...

    def close(self) -> None: ...


def _with_outcome(inbox: Inbox, module: AgentModule, effect: Mapping[str, Hashable]) -> Inbox:
    """Return an inbox to which a random outcome of the environment is added. ``module`` is the
    component that made the draw: a percept, or an action with its feedbacks. ``effect`` has the
    slots that the outcome writes, from which the percept or the feedbacks to add are computed."""
    prefix = module.agent.prefix
    match module.moves:
        case Percept(name=name) if prefix + name in effect:
            return replace(
                inbox, readings=(*inbox.readings, PerceptReading(name, effect[prefix + name] == 1))
            )
        case Action(name=name, feedbacks=feedbacks):
            came = [
                ActionFeedback(None, name, each.name)
                for each in feedbacks
                if effect.get(prefix + each.name) == 1
            ]
            return replace(inbox, feedbacks=(*inbox.feedbacks, *came))
        case PlanGroup() | MentalNote() | Percept():
            pass
        case _:
            assert_never(module.moves)
    return inbox
