"""Execution settings of a Gwendolen system: scheduling, free percepts, and what is stored.

The names are those of project files and of ``--set``. ``docs/reference/gwendolen.md`` explains the
values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from volition.languages.gwendolen.syntax import Cycle

__all__ = ["GoalBase", "Mailbox", "Redraw", "Scheduler", "Settings"]

Scheduler = Literal["action", "n_actions", "round_robin", "single"]
"""Order in which agents move.

- ``action``: after a change any agent that is awake may move; otherwise the same agent continues.
- ``n_actions``: like ``action``, and any agent may also move after every ``turns`` calls.
- ``round_robin``: agents move in turn.
- ``single``: there is only one agent.
"""

Redraw = Literal["handled", "noticed", "always", "acted", "acted_and_asleep"]
"""Time at which free percepts are drawn again.

- ``handled``: when all earlier changes have been handled.
- ``noticed``: when no change is left without a plan.
- ``always``: whenever the agent perceives, up to ``longest_queue`` intentions.
- ``acted``: after each action.
- ``acted_and_asleep``: after each action, and once more when the agent has nothing left to do, as
  in the public verification environments.
"""


Mailbox = Literal["queue", "set"]
"""Handling of messages that wait for an agent.

- ``queue``: all messages, in the order in which they were sent.
- ``set``: equal messages of one sender are merged, and messages are sorted by sender, performative
  and content, as in the public implementation.
"""

GoalBase = Literal["set", "postings"]
"""Time at which a goal leaves the goal base.

- ``set``: when one pursuit of it ends, as in the public implementation.
- ``postings``: when the last pursuit ends.
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a system. The defaults are those of the public implementation, where it has a
    counterpart."""

    cycle: Cycle | None = None
    """Reasoning cycle of all agents; None means that of the language in which each agent is
    written."""
    scheduler: Scheduler = "action"
    turns: int = 5
    redraw: Redraw = "handled"
    longest_queue: int = 10
    store_sent: bool = True
    """Whether sent messages are kept in the outbox, where ``.sent`` guards find them."""
    does: Literal["step", "last"] = "step"
    """Meaning of ``Does(agent, a)``: a was done in the step into the state, or is the last action
    of any agent."""
    mailbox: Mailbox = "queue"
    goal_base: GoalBase = "set"
