"""One agent as a component of the system: of which parts of its cycle a step consists."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from volition.kernel.system import Choice, SlotView
from volition.languages.jason.agent_state import IDLE_TEXT, AgentContext, AgentState, StageResult
from volition.languages.jason.cycle import act, deliberate, has_input, perceive, percepts_changed
from volition.languages.jason.memo import StageMemo
from volition.languages.jason.observation import ActionObserver
from volition.languages.jason.outcomes import all_outcomes
from volition.languages.jason.rules import IDLE
from volition.languages.jason.stage_merging import AtomMonitor, Interference, is_order_sensitive
from volition.languages.jason.state import ACT, ASLEEP, DELIBERATE, PERCEIVE, Message, Stage
from volition.origin import Origin

__all__ = ["Interpreter"]

_PARTS: Mapping[Stage, Callable[[AgentState], Sequence[AgentState]]] = {
    PERCEIVE: perceive,
    DELIBERATE: deliberate,
    ACT: act,
}


class _AgentTransition(NamedTuple):
    """What a step of an agent is, whatever is in the boxes to which it sends."""

    origin: Origin
    writes: Mapping[str, Hashable]
    sent: Sequence[tuple[str, Message]]


@dataclass(frozen=True)
class Interpreter:
    """Runs one agent: :meth:`step` is its component of the system."""

    agent: AgentContext
    observer: ActionObserver
    interference: Interference
    monitor: AtomMonitor
    memo: StageMemo = field(default_factory=StageMemo, compare=False, repr=False)

    def step(self, state: SlotView) -> Sequence[Choice]:
        """One part of the cycle, with those after it that nobody can tell from it; an agent with
        nothing to do starts no cycle.

        A step that sends something is the same whatever is in the boxes, which the kernel cannot
        know.
        """
        ways = self.memo.lookup_or_compute(
            self.agent.name,
            self._transitions,
            state.__getitem__,
            value=lambda steps: any(each.sent for each in steps),
        )
        return [self._choice(each, state) for each in ways]

    def _choice(self, step: _AgentTransition, state: SlotView) -> Choice:
        writes = step.writes
        if step.sent:
            mind = AgentState(self.agent, state, writes)
            mind.deliver(step.sent)
            writes = mind.writes
        return Choice(step.origin, [(Fraction(1), writes)])

    def _transitions(self, state: SlotView) -> Sequence[_AgentTransition]:
        mind = AgentState(self.agent, state)
        stage = mind.part
        return [
            self._told(each)
            for each in (
                self._wake_up(mind) if stage == ASLEEP else self._merged_stages(stage, mind)
            )
        ]

    def _told(self, mind: AgentState) -> _AgentTransition:
        origin = Origin(
            self.agent.name,
            mind.rules or (IDLE,),
            "; ".join(mind.texts) or IDLE_TEXT,
            plan=mind.plan,
            span=mind.span,
        )
        return _AgentTransition(origin, {**mind.writes, **self.observer.otherwise}, mind.sent)

    def _wake_up(self, mind: AgentState) -> Sequence[AgentState]:
        """What wakes the agent up, other than a percept, it may hear just after it has looked
        around in vain, if it ever has."""
        wakes, progress = has_input(mind), percepts_changed(mind)
        minds = list(self._merged_stages(PERCEIVE, mind)) if wakes or progress else []
        if wakes and progress and mind.seen is not None:
            minds += self._merged_stages(DELIBERATE, mind, decides=True)
        return minds

    def _carry_out(self, stage: Stage, mind: AgentState) -> Sequence[AgentState]:
        """One part of the cycle, in each way in which it can turn out."""

        def work(state: SlotView) -> Sequence[StageResult]:
            minds = all_outcomes(_PARTS[stage], AgentState(self.agent, state))
            return [
                each.result._replace(writes=self.memo.canonical_all(each.writes)) for each in minds
            ]

        return [
            mind.with_result(each)
            for each in self.memo.lookup_or_compute((self.agent.name, stage), work, mind.read)
        ]

    def _merged_stages(
        self, stage: Stage, mind: AgentState, *, decides: bool = False
    ) -> Sequence[AgentState]:
        """What comes of a part and of those that belong to the same step; ``decides``: it need not
        be with this part that it begins."""
        if self.agent.settings.cycle == "parts":
            return all_outcomes(_PARTS[stage], mind)
        return self._extend_step(stage, mind, decides=decides) or ()

    def _extend_step(
        self,
        stage: Stage,
        mind: AgentState,
        *,
        first: bool = True,
        fixed: bool = False,
        decides: bool = False,
    ) -> Sequence[AgentState] | None:
        """The step with the next part, after those that it has, of which one may be ``fixed``; None
        if the part does not belong to it."""
        found: list[AgentState] = []
        ways = self._carry_out(stage, mind)
        for after in ways:
            is_one = (
                decides
                or len(ways) > 1
                or self.monitor.detects_change(mind, after, first=first)
                or is_order_sensitive(stage, mind, after, self.interference)
            )
            if fixed and is_one and self.agent.settings.cycle == "exact":
                return None
            following = (
                None
                if after.part in (PERCEIVE, ASLEEP)
                else self._extend_step(after.part, after, first=False, fixed=fixed or is_one)
            )
            found += [after] if following is None else following
        return found
