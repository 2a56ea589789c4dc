"""One agent as a component of the system: of which parts of its cycle a step consists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from volition.kernel.system import Choice, View
from volition.languages.jason.cycle import act, deliberate, has_mail_or_results, perceive, sees_something_new
from volition.languages.jason.merging import Surroundings, Watch, may_act_at_once, may_deliberate_at_once
from volition.languages.jason.observation import Observer
from volition.languages.jason.rules import IDLE
from volition.languages.jason.state import ACT, ASLEEP, DELIBERATE, NOTHING, PERCEIVE, Agent, Mind, Stage
from volition.origin import Origin

__all__ = ["Interpreter"]

_PARTS: Mapping[Stage, Callable[[Mind], Sequence[Mind]]] = {PERCEIVE: perceive, DELIBERATE: deliberate, ACT: act}


@dataclass(frozen=True)
class Interpreter:
    """Runs one agent: :meth:`step` is its component of the system."""

    agent: Agent
    observer: Observer
    around: Surroundings
    watch: Watch

    def step(self, state: View) -> Sequence[Choice]:
        """One part of the cycle, with those after it that nobody can tell from it; an agent with nothing to do starts no cycle."""
        mind = Mind(self.agent, state)
        stage = mind.part
        minds = self._waking(mind) if stage == ASLEEP else self._from(stage, mind)
        return [self._choice(each) for each in minds]

    def _waking(self, mind: Mind) -> Sequence[Mind]:
        """What wakes the agent up, other than a percept, it may hear just after it has looked around in vain, if it ever has."""
        wakes = has_mail_or_results(mind)
        news = sees_something_new(mind)
        minds = list(self._from(PERCEIVE, mind.copy())) if wakes or news else []
        if wakes and news and mind.seen is not None:
            minds += self._from(DELIBERATE, mind.copy())
        return minds

    def _from(self, stage: Stage, mind: Mind) -> Sequence[Mind]:
        before = mind.copy()
        minds = _PARTS[stage](mind)
        if self.agent.settings.cycle == "parts":
            return minds
        found: list[Mind] = []
        for each in minds:
            found += self._further(each, changed=self._changes(before, each, first=True), perceived=stage == PERCEIVE)
        return found

    def _further(self, mind: Mind, *, changed: bool, perceived: bool) -> Sequence[Mind]:
        """The same step with the next part, if that belongs to it.  At most one part changes what formulas ask about."""
        stage = mind.part
        if stage in (PERCEIVE, ASLEEP):
            return [mind]
        exact = self.agent.settings.cycle == "exact"
        if exact and stage == DELIBERATE and not may_deliberate_at_once(mind, self.around):
            return [mind]
        minds = _PARTS[stage](mind.copy())
        if exact and stage == ACT and not may_act_at_once(mind, minds, self.around, perceived=perceived):
            return [mind]
        changes = [self._changes(mind, each, first=False) for each in minds]
        if exact and changed and any(changes):
            return [mind]
        found: list[Mind] = []
        for each, change in zip(minds, changes, strict=True):
            found += self._further(each, changed=changed or change, perceived=perceived)
        return found

    def _changes(self, before: Mind, after: Mind, *, first: bool) -> bool:
        return self.agent.settings.cycle == "exact" and self.watch.changes(before, after, first=first)

    def _choice(self, mind: Mind) -> Choice:
        origin = Origin(self.agent.name, mind.rules or (IDLE,), "; ".join(mind.told) or NOTHING, plan=mind.plan, span=mind.span)
        return Choice(origin, [(Fraction(1), {**mind.writes, **self.observer.otherwise})])
