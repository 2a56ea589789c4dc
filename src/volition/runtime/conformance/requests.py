"""Check that the record of a LISA agent has exactly the calls and stops of actions that its plans
requested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.semantics import AgentView
from volition.runtime.lisa.pending_calls import PendingCalls
from volition.runtime.messages import ActionFeedback, ActionRequest
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State

__all__ = ["RequestChecker"]


class RequestChecker:
    """Checker of the recorded calls and stops of actions. It tracks which calls still wait for
    their feedback, computes the calls and stops that the plans request, and compares them with the
    recorded ones.

    The ids of calls and their arguments (objects) are not compared if the record leaves them out.
    """

    def __init__(self, model: LisaModel) -> None:
        self._books = {
            agent.name: (agent, PendingCalls(agent, {}, RunLog())) for agent in model.understood
        }
        self._initially = {
            name: _request_fields(book.initial().calls) for name, (_, book) in self._books.items()
        }

    def wrong_feedbacks(self, line: Mapping[str, Any], cycle: int) -> str | None:
        """Close the calls that the recorded feedbacks of a cycle answer. Return a message if a
        feedback does not belong to an open call, else None."""
        if line["agent"] not in self._books:
            return f"there is no agent '{line['agent']}'"
        agent, book = self._books[line["agent"]]
        recorded = line["inbox"]["feedbacks"]
        reports = [
            ActionFeedback(None, each["action"], each["feedback"].removeprefix(agent.prefix))
            for each in recorded
        ]
        accepted = [
            {"id": each.call, "action": each.action, "feedback": agent.prefix + each.feedback}
            for each in book.believed(reports, cycle)
        ]
        return _difference("feedback", recorded, accepted)

    def find_difference(
        self, believing: State, acting: State, line: Mapping[str, Any]
    ) -> str | None:
        """Return a message if the recorded calls and stops of actions differ from those that the
        agent's plans request in a cycle, else None. ``believing`` is the state before the plans
        move, ``acting`` the state after they have moved."""
        agent, book = self._books[line["agent"]]
        orders = book.requests(AgentView(agent, believing), AgentView(agent, acting))
        initially = self._initially.pop(agent.name, [])
        if "calls" not in line:
            return None  # the record does not contain calls
        called = [
            *_request_fields(orders.calls),
            *({**each, "joins": True} for each in _request_fields(orders.shared)),
        ]
        stopped = [
            {"id": each.call, "action": each.action, "plan": each.plan} for each in orders.stops
        ]
        return (
            _difference("initial call", line.get("initial_calls", initially), initially)
            or _difference("call", line["calls"], called)
            or _difference("stop", line.get("stops", []), stopped)
        )


def _request_fields(calls: Sequence[ActionRequest]) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "action": call.action, "plan": call.plan, "objects": dict(call.objects)}
        for call in calls
    ]


def _difference(
    what: str, recorded: Sequence[Mapping[str, Any]], right: Sequence[Mapping[str, Any]]
) -> str | None:
    rest = list(right)
    for each in recorded:
        found = next((one for one in rest if _agrees(each, one)), None)
        if found is None:
            break
        rest.remove(found)
    else:
        if not rest:
            return None
    given, computed = _requests_text(recorded), _requests_text(right)
    return f"the {what}s are recorded as {given}, but the plans give {computed}"


def _agrees(recorded: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    may_be_left_out = {"id": right.get("id"), "objects": right.get("objects")}
    known = {
        **may_be_left_out,
        **{field: value for field, value in recorded.items() if field != "id" or value is not None},
    }
    return all(
        known.get(field) == right.get(field)
        for field in ("id", "action", "plan", "feedback", "objects", "joins")
    )


def _requests_text(orders: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(_request_text(each) for each in orders) or "none"


def _request_text(order: Mapping[str, Any]) -> str:
    owner = order.get("plan") or order.get("feedback")
    objects = "".join(f", {name} {value}" for name, value in (order.get("objects") or {}).items())
    return (
        f"'{order['action']}'{f' by {owner}' if owner else ''} (number {order.get('id')}{objects})"
    )
