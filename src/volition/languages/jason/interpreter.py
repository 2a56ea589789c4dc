"""One agent as a component of the system: which parts of its cycle a step consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from volition.kernel.system import Choice, View
from volition.languages.jason.cycle import act, deliberate, has_mail_or_results, perceive, sees_something_new
from volition.languages.jason.observation import Observer
from volition.languages.jason.state import NOTHING, Agent, Mind
from volition.origin import Origin

__all__ = ["Interpreter"]


@dataclass(frozen=True)
class Interpreter:
    """Runs one agent: :meth:`step` is its component of the system."""

    agent: Agent
    observer: Observer

    def step(self, state: View) -> Sequence[Choice]:
        """The next part of the cycle; an agent with nothing to do starts no cycle."""
        mind = Mind(self.agent, state)
        match mind.part:
            case "asleep":
                return self._waking(mind)
            case "Perceive":
                return self._choices(perceive(mind))
            case "Deliberate":
                return self._choices([deliberate(mind)])
            case "Act":
                return self._choices(act(mind))

    def _waking(self, mind: Mind) -> Sequence[Choice]:
        """What wakes the agent up, other than a percept, it may hear just after it has looked around in vain."""
        wakes = has_mail_or_results(mind)
        news = sees_something_new(mind)
        choices = list(self._choices(perceive(mind.copy()))) if wakes or news else []
        if wakes and news:
            choices += self._choices([deliberate(mind.copy())])
        return choices

    def _choices(self, minds: Sequence[Mind]) -> Sequence[Choice]:
        return [self._choice(each) for each in minds]

    def _choice(self, mind: Mind) -> Choice:
        origin = Origin(self.agent.name, mind.rules, "; ".join(mind.told) or NOTHING, plan=mind.plan, span=mind.span)
        return Choice(origin, [(Fraction(1), {**mind.writes, **self.observer.otherwise})])
