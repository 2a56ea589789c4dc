"""A skill process for tests: opens a door, and says what it sees.  ``python -m
tests.runtime.bridge.door ADDRESS MOOD``."""

from __future__ import annotations

import os
import sys
import time

from volition.runtime.bridge.zenoh import ZenohBridge
from volition.runtime.skills import ActionRequest, Skill
from volition.runtime.skills.server import serve


class OpenDoor(Skill):
    """Takes two seconds, counted from the call; ``mood`` is what else happens in the meantime."""

    def __init__(self, mood: str) -> None:
        super().__init__()
        self.mood = mood
        self.steps = 0

    def start(self, call: ActionRequest | None) -> str | None:  # noqa: ARG002
        self.steps = 0
        return None

    def step(self, time_: float) -> str | None:  # noqa: ARG002
        self.steps += 1
        if self.steps < 2:
            return None
        if self.mood == "dies":
            os._exit(3)
        if self.mood == "hangs":
            time.sleep(60)
        return "Door is open"


class Light(Skill):
    """A sense: it is dark from the third second on."""

    subsystem = "abstraction"

    def step(self, time_: float) -> str | None:
        self.report_percept("it_is_dark", time_ >= 3, lux=10 - time_)
        return None


if __name__ == "__main__":
    address, mood = sys.argv[1:]
    serve(
        ZenohBridge("porter", connect=address),
        "door",
        actions={"Open door": OpenDoor(mood)},
        always=[Light()],
        patience=30,
    )
