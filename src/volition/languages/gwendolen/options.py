"""How a system of Gwendolen agents is run: who goes on when, what the world shows, what is
remembered.

The names are those of a project file and of ``--set``; ``docs/reference/gwendolen.md`` says what
each value means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from volition.languages.gwendolen.syntax import Cycle

__all__ = ["GoalBase", "Mailbox", "Redraw", "Scheduler", "Settings"]

Scheduler = Literal["action", "n_actions", "round_robin", "single"]
"""``action``: any agent that is awake may go on when something has changed, else the same one does.
``n_actions``: the same, and also after every ``turns`` calls.  ``round_robin``: one after the
other.  ``single``: there is one agent only."""

Redraw = Literal["handled", "noticed", "always", "acted", "acted_and_asleep"]
"""When free percepts are drawn anew.  ``handled``: when every change has been handled.
``noticed``: when no change is left without a plan.  ``always``: whenever the agent perceives,
within ``longest_queue``.  ``acted``: after each action.  ``acted_and_asleep``: also once more when
the agent has nothing left to do, as the public verification environments do it."""


Mailbox = Literal["queue", "set"]
"""The messages that wait for an agent.  ``queue``: all of them, in the order in which they were
sent.  ``set``: equal messages of one sender once, sorted by sender, performative and content, as in
the public implementation."""

GoalBase = Literal["set", "postings"]
"""When a goal leaves the goal base.  ``set``: when one pursuit of it ends, as in the public
implementation.  ``postings``: when the last one ends."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The defaults are those of the public implementation, where it has any."""

    cycle: Cycle | None = None
    """The reasoning cycle of all agents, if it is not that of the language in which each of them is
    written."""
    scheduler: Scheduler = "action"
    turns: int = 5
    redraw: Redraw = "handled"
    longest_queue: int = 10
    store_sent: bool = True
    """Whether messages that were sent are kept in the outbox, where ``.sent`` finds them."""
    does: Literal["step", "last"] = "step"
    """``Does(agent, a)``: in the step into this state, or the last action that anybody did."""
    mailbox: Mailbox = "queue"
    goal_base: GoalBase = "set"
