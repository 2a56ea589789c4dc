"""Host that runs skills (code for actions and senses of agents) in this process. Skills work in
lock-step with the agent, each at its own rate. Skills that are due at the same time run in the
order of their subsystems, such as control before sensing.

Errors of a skill are logged and do not raise. A skill that raises or hangs is *lost*, and *back*
when it works again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from volition.runtime.bridge.interface import Bridge
from volition.runtime.messages import ActionRequest
from volition.runtime.skills.skill import SUBSYSTEMS, Skill
from volition.runtime.skills.supervision import SkillFailed, SkillTimeout, SupervisedThread

__all__ = ["HostedSkill", "SkillHost"]


@dataclass
class HostedSkill:
    """A skill that a host runs. ``action`` is the name of the action that starts the skill, or None
    if the skill always runs."""

    name: str
    skill: Skill
    action: str | None
    repeated: bool = True
    worker: SupervisedThread = field(init=False)
    running: bool = False
    call: int | None = None
    steps: int = 0
    since: float = 0.0
    withdraw: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        self.worker = SupervisedThread(self.name)


class SkillHost:
    """Host that runs the skills (actions and senses) of this process, which the agents call through
    a message bridge."""

    def __init__(
        self, bridge: Bridge, skills: Sequence[HostedSkill], *, patience: float = 1.0
    ) -> None:
        """Connect the skills to the bridge. ``patience`` is the time that a skill has for one step,
        in seconds of real time."""
        self._bridge = bridge
        self._skills = sorted(skills, key=lambda each: SUBSYSTEMS.index(each.skill.subsystem))
        self._patience = patience
        self._ports: dict[str, Any] = {}
        self._time = 0.0
        self._orders: deque[tuple[str, Mapping[str, Any]]] = deque()
        """Calls and stops that have arrived and are not executed yet. The subscription only stores
        them, because publishing must not block."""
        self._ends = [
            bridge.subscribe(pattern, lambda *order: self._orders.append(order))
            for pattern in ("call/*", "stop/*")
        ]
        for each in self._skills:
            each.skill.connect(self._ports, self._put)
            each.withdraw = bridge.announce_presence(each.name)

    def start(self) -> None:
        """Start the skills that run without being called."""
        for each in self._skills:
            if each.action is None:
                self._start(each, None)

    def process_requests(self) -> None:
        """Execute the calls and stops of skills that have arrived on the bridge."""
        while self._orders:
            topic, data = self._orders.popleft()
            kind, _, action = topic.partition("/")
            for each in self._skills:
                if each.action == action:
                    self._call(each, data) if kind == "call" else self._stop(each)

    def advance(self, start: float, end: float) -> None:
        """Run the steps of all working skills between two ticks, in time order. Steps at the same
        time are executed in the order of the skills' subsystems."""
        self._time = start
        self.process_requests()
        working = [each for each in self._skills if each.running]
        due = sorted(
            (time, index) for index, each in enumerate(working) for time in _times(each, start, end)
        )
        for time, position in due:
            each = working[position]
            if each.running:
                self._time = time
                each.steps += 1
                self._report(each, self._supervised(each, partial(_step, each.skill, time)))

    def close(self) -> None:
        for end in self._ends:
            end()
        for each in self._skills:
            each.worker.close()

    # --- calls and stops of skills ----------------------------------------------------------------

    def _call(self, each: HostedSkill, data: Mapping[str, Any]) -> None:
        self._start(
            each,
            ActionRequest(
                data["id"], data["agent"], data["action"], data.get("plan"), data.get("objects", {})
            ),
        )

    def _start(self, each: HostedSkill, call: ActionRequest | None) -> None:
        each.running, each.call = True, None if call is None else call.id
        each.steps, each.since = 0, self._time
        self._report(each, self._supervised(each, lambda: each.skill.start(call)))

    def _stop(self, each: HostedSkill) -> None:
        if each.running:
            each.running = False
            self._report(each, self._supervised(each, lambda: each.skill.stop()))

    def _report(self, each: HostedSkill, feedback: Any) -> None:
        if feedback is None:
            return
        if not each.repeated:
            each.running = False
        self._put(f"feedback/{each.action}", {"id": each.call, "feedback": feedback})

    def _put(self, topic: str, value: Any) -> None:
        self._ports[topic] = value
        self._bridge.publish(topic, value if isinstance(value, Mapping) else {"value": value})

    # --- supervised execution of skills -----------------------------------------------------------

    def _supervised(self, each: HostedSkill, work: Callable[[], Any]) -> Any:
        try:
            answer = each.worker.do(work, self._patience)
        except (SkillFailed, SkillTimeout) as error:
            if each.withdraw is not None:
                self._bridge.publish(f"trouble/{each.name}", {"text": str(error)})
                each.withdraw()
                each.withdraw = None
            return None
        if each.withdraw is None:
            each.withdraw = self._bridge.announce_presence(each.name)
        return answer


def _step(skill: Skill, time: float) -> Any:
    """Call the step method of a skill. The method is looked up within the supervised call, because
    a skill may replace it."""
    return skill.step(time)


def _times(each: HostedSkill, start: float, end: float) -> list[float]:
    """Return the times at which a skill makes a step between two ticks. They are computed from the
    time at which the skill started, so that rounding errors do not accumulate."""
    times: list[float] = []
    count = each.steps
    while (time := each.since + count / each.skill.rate) < end - 1e-9:
        times.append(max(time, start))
        count += 1
    return times
