"""Skills of the survey vessel and of its drone, in a block with two contacts: the second one is a
mine.

Ports connect the skills of one agent. The class ``SeaFloor`` is the environment that both agents
share.
"""

from typing import ClassVar

from volition.runtime.skills import ActionRequest, Input, Output, Skill


class SeaFloor:
    """The contacts, keyed by the survey time in seconds, and the last contact that was found."""

    contacts: ClassVar = {5: "rock", 11: "mine"}
    end = 20
    found = ""


class Sonar(Skill):
    """Searches the sea floor while the vessel sails along its tracks."""

    subsystem = "sensing"
    sailing = Output(bool)
    surveyed = 0

    def start(self, call: ActionRequest | None) -> None:  # noqa: ARG002
        self.sailing = True

    def step(self, time: float) -> None:  # noqa: ARG002
        self.surveyed += bool(self.sailing)
        contact = SeaFloor.contacts.get(self.surveyed) if self.sailing else None
        SeaFloor.found = contact or SeaFloor.found
        self.report_percept("Contact in sonar", contact is not None)
        self.report_percept(
            "Block finished",
            bool(self.sailing) and self.surveyed == SeaFloor.end,
            surveyed=self.surveyed,
        )


class HoldPosition(Skill):
    """Stops the vessel, which takes two seconds."""

    sailing = Output(bool)
    left = 0

    def start(self, call: ActionRequest | None) -> None:  # noqa: ARG002
        self.sailing = False
        self.left = 2

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.left -= 1
        return "Position held" if self.left == 0 else None


class TakeOff(Skill):
    height = Output(float)

    def step(self, time: float) -> str:  # noqa: ARG002
        self.height = 20.0
        return "In the air"


class Land(Skill):
    """Descends ten metres per second."""

    height = Output(float)

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.height = (self.height or 0.0) - 10.0
        return "Landed" if self.height <= 0 else None


class LookFromAbove(Skill):
    """Reports every contact as a possible mine."""

    def step(self, time: float) -> str:  # noqa: ARG002
        return "Something seen"


class LookClosely(Skill):
    """Identifies the contact, which takes four seconds."""

    height = Input(float)
    left = 0

    def start(self, call: ActionRequest | None) -> None:  # noqa: ARG002
        self.left = 4

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.left -= 1
        if self.left:
            return None
        return "Mine seen" if SeaFloor.found == "mine" and self.height > 0 else "Rock seen"
