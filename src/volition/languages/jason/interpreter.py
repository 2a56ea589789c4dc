"""Interpreter of one agent, as a component of the transition system. It determines which stages of
the reasoning cycle form one transition."""

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

_STAGES: Mapping[Stage, Callable[[AgentState], Sequence[AgentState]]] = {
    PERCEIVE: perceive,
    DELIBERATE: deliberate,
    ACT: act,
}


class _AgentTransition(NamedTuple):
    """Transition of an agent before its messages are put into mailboxes. It does not depend on the
    contents of these mailboxes, so that it can be memoised."""

    origin: Origin
    writes: Mapping[str, Hashable]
    sent: Sequence[tuple[str, Message]]


@dataclass(frozen=True)
class Interpreter:
    """Interpreter of one agent. Its method :meth:`step` is the agent's component of the transition
    system."""

    agent: AgentContext
    observer: ActionObserver
    interference: Interference
    monitor: AtomMonitor
    memo: StageMemo = field(default_factory=StageMemo, compare=False, repr=False)

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Return the transitions of the agent in a state: the next stage of the reasoning cycle,
        merged with the following stages where possible. A sleeping agent without input has none.

        Transitions that send messages are memoised here without the contents of the mailboxes. The
        kernel cannot do that, because delivery reads the mailboxes.
        """
        transitions = self.memo.lookup_or_compute(
            self.agent.name,
            self._transitions,
            state.__getitem__,
            should_store=lambda steps: any(each.sent for each in steps),
        )
        return [self._choice(each, state) for each in transitions]

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
            self._transition(each)
            for each in (
                self._wake_up(mind) if stage == ASLEEP else self._merged_stages(stage, mind)
            )
        ]

    def _transition(self, mind: AgentState) -> _AgentTransition:
        origin = Origin(
            self.agent.name,
            mind.rules or (IDLE,),
            "; ".join(mind.texts) or IDLE_TEXT,
            plan=mind.plan,
            span=mind.span,
        )
        return _AgentTransition(origin, {**mind.writes, **self.observer.otherwise}, mind.sent)

    def _wake_up(self, mind: AgentState) -> Sequence[AgentState]:
        """Return the possible states of a sleeping agent after it has woken up, or an empty list if
        nothing wakes it. The reasoning cycle starts with ``Perceive``.

        If a message, a result or a timer wakes the agent and the percepts have changed too, the
        agent may have perceived just before they changed. Therefore the cycle may then also start
        with ``Deliberate``, unless the agent has never read its percepts.
        """
        woken, changed = has_input(mind), percepts_changed(mind)
        minds = list(self._merged_stages(PERCEIVE, mind)) if woken or changed else []
        if woken and changed and mind.seen is not None:
            minds += self._merged_stages(DELIBERATE, mind, is_choice=True)
        return minds

    def _stage_outcomes(self, stage: Stage, mind: AgentState) -> Sequence[AgentState]:
        """Return the agent's state after one stage of the reasoning cycle, for each possible
        outcome. The results are memoised."""

        def work(state: SlotView) -> Sequence[StageResult]:
            minds = all_outcomes(_STAGES[stage], AgentState(self.agent, state))
            return [
                each.result._replace(writes=self.memo.canonical_all(each.writes)) for each in minds
            ]

        return [
            mind.with_result(each)
            for each in self.memo.lookup_or_compute((self.agent.name, stage), work, mind.read)
        ]

    def _merged_stages(
        self, stage: Stage, mind: AgentState, *, is_choice: bool = False
    ) -> Sequence[AgentState]:
        """Return the agent's possible states after a transition that begins with ``stage``,
        including the stages that are merged with it. ``is_choice`` means that the transition could
        also begin with another stage. The stage then counts as order-sensitive (see
        :mod:`volition.languages.jason.stage_merging`)."""
        if self.agent.settings.cycle == "parts":
            return all_outcomes(_STAGES[stage], mind)
        return self._extend_step(stage, mind, is_choice=is_choice) or ()

    def _extend_step(
        self,
        stage: Stage,
        mind: AgentState,
        *,
        first: bool = True,
        has_sensitive: bool = False,
        is_choice: bool = False,
    ) -> Sequence[AgentState] | None:
        """Return the agent's possible states after adding ``stage``, and all stages that can be
        merged after it, to the current transition. Return None if the stage cannot be merged into
        the transition, because both contain an order-sensitive stage (see
        :mod:`volition.languages.jason.stage_merging`).

        ``first`` means that ``stage`` is the first stage of the transition. ``has_sensitive`` means
        that the transition already contains an order-sensitive stage.
        """
        found: list[AgentState] = []
        outcomes = self._stage_outcomes(stage, mind)
        for after in outcomes:
            is_sensitive = (
                is_choice
                or len(outcomes) > 1
                or self.monitor.detects_change(mind, after, first=first)
                or is_order_sensitive(stage, mind, after, self.interference)
            )
            if has_sensitive and is_sensitive and self.agent.settings.cycle == "exact":
                return None
            following = (
                None
                if after.part in (PERCEIVE, ASLEEP)
                else self._extend_step(
                    after.part, after, first=False, has_sensitive=has_sensitive or is_sensitive
                )
            )
            found += [after] if following is None else following
        return found
