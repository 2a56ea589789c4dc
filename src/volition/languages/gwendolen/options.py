"""Execution settings of a Gwendolen system: scheduling of agents, choice of free percepts,
mailboxes, goal base and stored messages.

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
- ``n_actions``: like ``action``, and any agent may also move after every ``turns`` calls of a
  reasoning cycle.
- ``round_robin``: agents move in turn.
- ``single``: there is only one agent.
"""

Redraw = Literal["handled", "noticed", "always", "acted", "acted_and_asleep"]
"""Time at which free percepts, which the world chooses nondeterministically, are chosen again.

- ``handled``: when all earlier changes of percepts have been handled.
- ``noticed``: when no change of a percept is left without a plan.
- ``always``: whenever the agent perceives, up to ``longest_queue`` intentions.
- ``acted``: after each action.
- ``acted_and_asleep``: after each action, and once more when the agent has nothing left to do, as
  in MCAPL's verification environments.
"""


Mailbox = Literal["queue", "set"]
"""Storage of the messages that wait for an agent.

- ``queue``: all messages, in the order in which they were sent.
- ``set``: equal messages of one sender are merged, and messages are sorted by sender, performative
  and content, as in MCAPL, the public implementation.
"""

GoalBase = Literal["set", "postings"]
"""Time at which a goal that several intentions pursue leaves the goal base.

- ``set``: when the first of them ends its pursuit, as in MCAPL, the public implementation.
- ``postings``: when the last of them ends its pursuit.
"""


@dataclass(frozen=True, slots=True)
class Settings:
    """Execution settings of a Gwendolen system. The defaults follow MCAPL, the public
    implementation, where it has a counterpart."""

    cycle: Cycle | None = None
    """Reasoning cycle of all agents. None means that each agent has the cycle of the language in
    which it is written."""
    scheduler: Scheduler = "action"
    turns: int = 5
    redraw: Redraw = "handled"
    longest_queue: int = 10
    store_sent: bool = True
    """Whether sent messages are kept in the outbox, where ``.sent`` guards find them."""
    does: Literal["step", "last"] = "step"
    """Meaning of ``Does(agent, a)``. With ``step``, the agent did a in the step into the state.
    With ``last``, a is the last action of any agent."""
    mailbox: Mailbox = "queue"
    goal_base: GoalBase = "set"
