"""Open calls of a LISA agent's actions, and the feedbacks that are accepted for them.

Each action has at most one open call: a second plan that reaches the action joins the call and
shares its feedback (Izzo, App. B.2). Each call accepts one feedback, which is believed for one
cycle, at the earliest in the cycle after the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from volition.kernel.system import SlotView
from volition.languages.lisa.resolved import Action, Plan, ResolvedAgent
from volition.runtime.messages import ActionFeedback, ActionRequest, StopRequest
from volition.runtime.run_log import RunLog

__all__ = ["ActionRequests", "PendingCalls"]


@dataclass(frozen=True, slots=True)
class ActionRequests:
    """The calls and stops of actions that an agent's plans request in one reasoning cycle.
    ``shared`` has the plans that join a call which is already open."""

    calls: tuple[ActionRequest, ...] = ()
    shared: tuple[ActionRequest, ...] = ()
    stops: tuple[StopRequest, ...] = ()


@dataclass
class _Open:
    """A call of an action that has waited for its feedback for ``cycles`` cycles."""

    call: ActionRequest
    cycles: int = 0
    overdue: bool = False


class PendingCalls:
    """The open calls of a LISA agent. ``failures`` maps actions to the feedbacks that stand for
    their failure."""

    def __init__(self, agent: ResolvedAgent, failures: Mapping[str, str], journal: RunLog) -> None:
        self._agent = agent
        self._actions = {action.name: action for action in agent.actions}
        self._failures = failures
        self._journal = journal
        self._open: dict[str, _Open] = {}
        self._running: dict[str, int] = {}
        """For each action that repeats until it is stopped: the id of its last call."""
        self._calls = 0

    # --- requests to the world --------------------------------------------------------------------

    def initial(self) -> ActionRequests:
        """Return the calls of the actions that the program calls before the first cycle (Izzo,
        Sect. 3.4)."""
        return ActionRequests(
            tuple(
                self._call(action, None, {})
                for action in self._actions.values()
                if action.called_initially
            )
        )

    def requests(self, before: SlotView, state: SlotView) -> ActionRequests:
        """Return the calls and stops of actions by the plans that moved between two states."""
        calls, joined, stops = [], [], []
        for plan in self._agent.plans:
            index: Any = state[plan.name]
            if index == 0 or index == before[plan.name]:
                continue
            step = plan.steps[index - 1]
            if step.stops is not None:
                stops.append(
                    StopRequest(
                        self._running.pop(step.stops, None), self._agent.name, step.stops, plan.name
                    )
                )
            elif (action := self._actions.get(step.action)) is not None:
                if (open_one := self._open.get(action.name)) is not None:
                    joined.append(
                        ActionRequest(
                            open_one.call.id,
                            self._agent.name,
                            action.name,
                            plan.name,
                            dict(step.objects),
                        )
                    )
                else:
                    calls.append(self._call(action, plan, dict(step.objects)))
        return ActionRequests(tuple(calls), tuple(joined), tuple(stops))

    def _call(self, action: Action, plan: Plan | None, objects: Mapping[str, str]) -> ActionRequest:
        self._calls += 1
        call = ActionRequest(
            self._calls, self._agent.name, action.name, plan.name if plan else None, objects
        )
        if action.feedbacks:
            self._open[action.name] = _Open(call)
        if action.repeated:
            self._running[action.name] = call.id
        return call

    # --- feedbacks from the world -----------------------------------------------------------------

    def believed(self, reports: Iterable[ActionFeedback], cycle: int) -> list[ActionFeedback]:
        """Return the feedbacks that the agent believes in this cycle: the accepted ones among
        ``reports``, and the failure feedbacks of overdue calls. Log each rejected feedback in a
        line of kind ``refused``."""
        accepted: list[ActionFeedback] = []
        for report in reports:
            if reason := self._reject_reason(report):
                self._journal.write(
                    "refused",
                    cycle=cycle,
                    agent=self._agent.name,
                    what="feedback",
                    name=report.action,
                    id=report.call,
                    observed=report.feedback,
                    text=reason,
                )
            else:
                accepted.append(
                    ActionFeedback(
                        self._open.pop(report.action).call.id, report.action, report.feedback
                    )
                )
        for name, waiting in list(self._open.items()):
            waiting.cycles += 1
            if failed := self._overdue(waiting, cycle):
                del self._open[name]
                accepted.append(failed)
        return accepted

    def _reject_reason(self, report: ActionFeedback) -> str | None:
        action = self._actions.get(report.action)
        if action is None:
            return f"there is no action '{report.action}'"
        if report.feedback not in (each.name for each in action.feedbacks):
            return f"'{report.feedback}' is not a feedback of '{action.text}'"
        waiting = self._open.get(action.name)
        if waiting is None:
            return f"no feedback of '{action.text}' is due"
        if report.call is not None and report.call != waiting.call.id:
            return f"call {report.call} of '{action.text}' is not open, call {waiting.call.id} is"
        return None

    def _overdue(self, waiting: _Open, cycle: int) -> ActionFeedback | None:
        """Log a surprise, once for each call, if the last cycle for the feedback of a call has
        passed. Return the failure feedback that replaces the missing one, or None if the action has
        no failure feedback (Izzo, Sect. 3.4.1)."""
        action = self._actions[waiting.call.action]
        if waiting.overdue or waiting.cycles < action.latest:
            return None
        waiting.overdue = True
        failure = self._failures.get(action.name)
        then = f"'{failure}' is used instead" if failure else "the plan keeps waiting"
        text = f"no feedback of '{action.text}' came within {action.latest} cycles; {then}"
        self._journal.write(
            "surprise",
            cycle=cycle,
            agent=self._agent.name,
            what="overdue",
            name=action.name,
            observed=failure,
            text=text,
        )
        return ActionFeedback(waiting.call.id, action.name, failure) if failure else None
