"""Whether the record of a LISA agent has the calls and stops that its plans asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.semantics import OwnView
from volition.runtime.inbox import Report
from volition.runtime.journal import Journal
from volition.runtime.lisa.calls import CallBook
from volition.runtime.stepping import State

__all__ = ["OrderBook"]


class OrderBook:
    """Keeps the book of calls that the executive keeps, and compares what it would ask of the world with what the record says."""

    def __init__(self, model: LisaModel) -> None:
        self._books = {agent.name: (agent, CallBook(agent, {}, Journal())) for agent in model.understood}
        for _, book in self._books.values():
            book.initial()

    def receive(self, line: Mapping[str, Any], cycle: int) -> None:
        """The feedbacks of a cycle of an agent close their calls."""
        if line["agent"] in self._books:
            agent, book = self._books[line["agent"]]
            feedbacks = line["inbox"]["feedbacks"]
            book.believed([Report(None, each["action"], each["feedback"].removeprefix(agent.prefix)) for each in feedbacks], cycle)

    def objection(self, believing: State, acting: State, line: Mapping[str, Any]) -> str | None:
        """How the recorded orders of a plans half-step differ from those that its plans give, in words; None where they do not."""
        if line["agent"] not in self._books:
            return f"there is no agent '{line['agent']}'"
        agent, book = self._books[line["agent"]]
        orders = book.orders(OwnView(agent, believing), OwnView(agent, acting))
        if "calls" not in line:
            return None  # a record that says nothing of calls says nothing wrong
        called = [(each.action, each.plan) for each in (*orders.calls, *orders.joined)]
        stopped = [(each.action, each.plan) for each in orders.stops]
        return _difference("call", line["calls"], called) or _difference("stop", line.get("stops", []), stopped)


def _difference(what: str, recorded: Sequence[Mapping[str, Any]], asked: Sequence[tuple[str, str | None]]) -> str | None:
    found = [(each["action"], each["plan"]) for each in recorded]
    if sorted(found, key=str) == sorted(asked, key=str):
        return None
    return f"the {what}s are recorded as {_listed(found)}, but the plans give {_listed(asked)}"


def _listed(orders: Sequence[tuple[str, str | None]]) -> str:
    return ", ".join(f"'{action}' by {plan}" for action, plan in orders) or "none"
