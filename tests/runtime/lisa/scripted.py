"""A LISA agent that runs in a world written down cycle by cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volition.languages.lisa import LisaProgram
from volition.runtime.executive import run
from volition.runtime.lisa.cycle import LisaCycle
from volition.runtime.messages import (
    ActionFeedback,
    ActionRequest,
    Inbox,
    IncomingMessage,
    PerceptReading,
    StopRequest,
)
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import FirstSelector
from volition.runtime.successor import State

__all__ = ["Played", "Script", "play", "said", "saw", "told"]

Script = Mapping[int, Sequence[PerceptReading | ActionFeedback | IncomingMessage]]


def saw(percept: str, value: bool = True) -> PerceptReading:
    return PerceptReading(percept, value)


def told(action: str, feedback: str, call: int | None = None) -> ActionFeedback:
    return ActionFeedback(call, action, feedback)


def said(text: str, sender: str = "operator") -> IncomingMessage:
    return IncomingMessage(sender, text)


class ScriptedWorld:
    name = "scripted"

    def __init__(self, agent: str, script: Script) -> None:
        self._agent, self._script = agent, script
        self.calls: list[tuple[int, ActionRequest]] = []
        self.stops: list[tuple[int, StopRequest]] = []

    def begin(self, journal: RunLog) -> None: ...

    def receive(self, state: State, cycle: int) -> dict[str, Inbox]:  # noqa: ARG002
        came = self._script.get(cycle, ())
        kinds: Any = (
            [each for each in came if isinstance(each, kind)]
            for kind in (PerceptReading, ActionFeedback, IncomingMessage)
        )
        return {self._agent: Inbox(*map(tuple, kinds))}

    def call(self, call: ActionRequest, cycle: int) -> None:
        self.calls.append((cycle, call))

    def stop(self, stop: StopRequest, cycle: int) -> None:
        self.stops.append((cycle, stop))

    def advance(self, start: float, end: float, cycle: int) -> None: ...

    def close(self) -> None: ...


class Played:
    """What happened: lines by their kinds, and what each belief was after each cycle."""

    def __init__(
        self, world: ScriptedWorld, lines: list[tuple[str, Mapping[str, Any]]], states: list[State]
    ) -> None:
        self.world, self.lines, self.states = world, lines, states

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        return [fields for each, fields in self.lines if each == kind]

    def held(self, belief: str) -> list[int]:
        """The cycles after which a belief is held."""
        return [cycle for cycle, state in enumerate(self.states) if state[belief] == 1]

    def at(self, plan: str) -> list[Any]:
        """The index of a plan after each cycle."""
        return [state[plan] for state in self.states]


def play(
    program: LisaProgram,
    cycles: int,
    script: Script,
    *,
    failures: Mapping[str, str] | None = None,
) -> Played:
    """Run an agent for so many cycles; ``script`` is what comes before each of them."""
    model = program.model()
    lines: list[tuple[str, Mapping[str, Any]]] = []
    states: list[State] = []
    journal = RunLog(watchers=[lambda kind, fields: lines.append((kind, fields))])
    name = model.agents[0]
    world = ScriptedWorld(name, script)
    runner = LisaCycle(
        model, world, FirstSelector(), journal, failures={name: failures or {}}, ends=[]
    )
    journal.watchers = [
        *journal.watchers,
        lambda kind, _: states.append(runner.state) if kind == "cycle" else None,
    ]
    run(runner, journal, cycles=cycles, cycle_seconds=1.0, real_time=False)
    return Played(world, lines, states)
