"""``time = ordered``: when nothing else can move, time passes up to the next deadline."""

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
    """The component that lets time pass; ``others`` are those that must have nothing to do."""

    agents: tuple[str, ...]
    others: tuple[Component, ...]
    observer: ActionObserver

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Who is awake can move, which is soon seen; what could wake the others is looked at after
        that."""
        if any(state[mind_slot(agent, "part")] != ASLEEP for agent in self.agents):
            return ()
        time = advance_time(self.agents, self.observer.otherwise, state)
        return time if time and not any(each.step(state) for each in self.others) else ()
