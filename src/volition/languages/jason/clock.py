"""Clock component for the setting ``time = ordered``: time advances to the next deadline if no
other component has a transition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volition.kernel.system import Choice, Component, SlotView
from volition.languages.jason.observation import ActionObserver
from volition.languages.jason.state import ASLEEP, mind_slot
from volition.languages.jason.timing import advance_time

__all__ = ["CLOCK", "Clock"]

CLOCK = "clock"


@dataclass(frozen=True)
class Clock:
    """Component of the system that advances time. It has a transition only if no component in
    ``others`` has one."""

    agents: tuple[str, ...]
    others: tuple[Component, ...]
    observer: ActionObserver

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Return the transitions that advance time, or none if an agent is awake (in its reasoning
        cycle) or another component has a transition. Whether an agent is awake is tested first,
        because that test is cheap."""
        if any(state[mind_slot(agent, "part")] != ASLEEP for agent in self.agents):
            return ()
        time = advance_time(self.agents, self.observer.otherwise, state)
        return time if time and not any(each.step(state) for each in self.others) else ()
