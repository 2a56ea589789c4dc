"""Skills of the drone: a small simulation of wind, height and leaks. The agent runs in it with
``--world python``."""

from volition.runtime.skills import ActionRequest, Input, Output, Skill


class WatchWind(Skill):
    """Measures the wind, which is strong between 20 s and 35 s."""

    subsystem = "sensing"
    wind = Output(float)

    def start(self, call: ActionRequest | None) -> str:  # noqa: ARG002
        return "Wind watched"

    def step(self, time: float) -> None:
        self.wind = 14.0 if 20 <= time < 35 else 5.0
        self.report_percept("Wind is strong", self.wind > 10, speed=self.wind)


class TakeOff(Skill):
    """Climbs one metre every tenth of a second."""

    rate = 10.0
    height = Output(float)

    def start(self, call: ActionRequest | None) -> None:  # noqa: ARG002
        self.height = 0.0

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.height = (self.height or 0.0) + 1.0
        return "Airborne" if self.height >= 15 else None


class Land(Skill):
    """Descends half as fast as it climbs."""

    rate = 10.0
    height = Output(float)

    def step(self, time: float) -> str | None:  # noqa: ARG002
        self.height = (self.height or 0.0) - 0.5
        return "Landed" if self.height <= 0 else None


class FollowPipeline(Skill):
    """Flies along the pipeline until it is stopped. Strong wind slows the drone down. There is a
    leak every 150 m."""

    wind = Input(float)
    place = Output(float)

    def start(self, call: ActionRequest | None) -> None:  # noqa: ARG002
        self.place = 0.0

    def step(self, time: float) -> None:  # noqa: ARG002
        self.place = (self.place or 0.0) + 10.0 - self.wind / 2
        self.report_percept("Leak in view", self.place % 150 > 130, place=self.place)


class TakePicture(Skill):
    """Takes a picture, which is blurred in strong wind."""

    wind = Input(float)

    def step(self, time: float) -> str:  # noqa: ARG002
        return "Picture blurred" if self.wind > 10 else "Picture taken"


class Base(Skill):
    """The ground station, which calls the drone home after one minute."""

    def step(self, time: float) -> None:
        if time == 60:
            self.send_message("Return to base", sender="base")
