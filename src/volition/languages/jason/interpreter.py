"""One agent as a component of the system: of which parts of its cycle a step consists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from volition.kernel.system import Choice, View
from volition.languages.jason.chances import each_way
from volition.languages.jason.cycle import act, deliberate, has_mail_or_results, perceive, sees_something_new
from volition.languages.jason.merging import Surroundings, Watch, is_fixed
from volition.languages.jason.mind import NOTHING, Agent, Done, Mind
from volition.languages.jason.observation import Observer
from volition.languages.jason.remembering import Memory
from volition.languages.jason.rules import IDLE
from volition.languages.jason.state import ACT, ASLEEP, DELIBERATE, PERCEIVE, Message, Stage
from volition.origin import Origin

__all__ = ["Interpreter"]

_PARTS: Mapping[Stage, Callable[[Mind], Sequence[Mind]]] = {PERCEIVE: perceive, DELIBERATE: deliberate, ACT: act}


class _Step(NamedTuple):
    """What a step of an agent is, whatever is in the boxes to which it sends."""

    origin: Origin
    writes: Mapping[str, Hashable]
    sent: Sequence[tuple[str, Message]]


@dataclass(frozen=True)
class Interpreter:
    """Runs one agent: :meth:`step` is its component of the system."""

    agent: Agent
    observer: Observer
    around: Surroundings
    watch: Watch
    memory: Memory = field(default_factory=Memory, compare=False, repr=False)

    def step(self, state: View) -> Sequence[Choice]:
        """One part of the cycle, with those after it that nobody can tell from it; an agent with nothing to do starts no cycle.

        A step that sends something is the same whatever is in the boxes, which the kernel cannot know.
        """
        ways = self.memory.recall(self.agent.name, self._ways, state.__getitem__, worth=lambda steps: any(each.sent for each in steps))
        return [self._choice(each, state) for each in ways]

    def _choice(self, step: _Step, state: View) -> Choice:
        writes = step.writes
        if step.sent:
            mind = Mind(self.agent, state, writes)
            mind.deliver(step.sent)
            writes = mind.writes
        return Choice(step.origin, [(Fraction(1), writes)])

    def _ways(self, state: View) -> Sequence[_Step]:
        mind = Mind(self.agent, state)
        stage = mind.part
        return [self._told(each) for each in (self._waking(mind) if stage == ASLEEP else self._from(stage, mind))]

    def _told(self, mind: Mind) -> _Step:
        origin = Origin(self.agent.name, mind.rules or (IDLE,), "; ".join(mind.told) or NOTHING, plan=mind.plan, span=mind.span)
        return _Step(origin, {**mind.writes, **self.observer.otherwise}, mind.sent)

    def _waking(self, mind: Mind) -> Sequence[Mind]:
        """What wakes the agent up, other than a percept, it may hear just after it has looked around in vain, if it ever has."""
        wakes, news = has_mail_or_results(mind), sees_something_new(mind)
        minds = list(self._from(PERCEIVE, mind)) if wakes or news else []
        if wakes and news and mind.seen is not None:
            minds += self._from(DELIBERATE, mind, decides=True)
        return minds

    def _carry_out(self, stage: Stage, mind: Mind) -> Sequence[Mind]:
        """One part of the cycle, in each way in which it can turn out."""

        def work(state: View) -> Sequence[Done]:
            minds = each_way(_PARTS[stage], Mind(self.agent, state))
            return [each.done._replace(writes=self.memory.ones_for_all(each.writes)) for each in minds]

        return [mind.after(each) for each in self.memory.recall((self.agent.name, stage), work, mind.read)]

    def _from(self, stage: Stage, mind: Mind, *, decides: bool = False) -> Sequence[Mind]:
        """What comes of a part and of those that belong to the same step; ``decides``: it need not be with this part that it begins."""
        if self.agent.settings.cycle == "parts":
            return each_way(_PARTS[stage], mind)
        return self._further(stage, mind, decides=decides) or ()

    def _further(
        self, stage: Stage, mind: Mind, *, first: bool = True, fixed: bool = False, decides: bool = False
    ) -> Sequence[Mind] | None:
        """The step with the next part, after those that it has, of which one may be ``fixed``; None if the part does not belong to it."""
        found: list[Mind] = []
        ways = self._carry_out(stage, mind)
        for after in ways:
            is_one = decides or len(ways) > 1 or self.watch.changes(mind, after, first=first) or is_fixed(stage, mind, after, self.around)
            if fixed and is_one and self.agent.settings.cycle == "exact":
                return None
            following = None if after.part in (PERCEIVE, ASLEEP) else self._further(after.part, after, first=False, fixed=fixed or is_one)
            found += [after] if following is None else following
        return found
