"""Skills of the survey vessel and of its drone: a block with two contacts, of which the second is a
mine.

Ports connect the skills of one agent; what both agents meet, the sea floor, is what the file has in
common.
"""

from typing import ClassVar

from volition.runtime.skills import ActionRequest, Input, Output, Skill


class SeaFloor:
    """What lies where, by the seconds of surveying; and what was found last."""

    contacts: ClassVar = {5: "rock", 11: "mine"}
    end = 20
    found = ""


class Sonar(Skill):
    """Looks at the sea floor while the vessel sails along its tracks."""

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
    """The vessel needs two seconds to stop."""

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
    """Sinks ten metres in a second."""

    height = Output(float)

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.height = (self.height or 0.0) - 10.0
        return "Landed" if self.height <= 0 else None


class LookFromAbove(Skill):
    """From above everything could be a mine."""

    def step(self, time: float) -> str:  # noqa: ARG002
        return "Something seen"


class LookClosely(Skill):
    """Takes four seconds, two metres above the water."""

    height = Input(float)
    left = 0

    def start(self, call: ActionRequest | None) -> None:  # noqa: ARG002
        self.left = 4

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.left -= 1
        if self.left:
            return None
        return "Mine seen" if SeaFloor.found == "mine" and self.height > 0 else "Rock seen"
