"""Execution settings of a Gwendolen system: scheduling of agents, choice of percepts by the world,
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
"""Order in which agents move. A move is one call of an agent's reasoning cycle.

- ``action``: if a move changed something that other agents may notice, any agent that is awake may
  move next; otherwise the same agent moves again.
- ``n_actions``: as ``action``, but any agent may also move after every ``turns`` moves.
- ``round_robin``: agents move in turn.
- ``single``: there is only one agent.
"""

Redraw = Literal["handled", "noticed", "always", "acted", "acted_and_asleep"]
"""Time at which the world chooses the free percepts again. Free percepts are those that it chooses
nondeterministically.

- ``handled``: when the agent has handled all earlier changes of its percepts.
- ``noticed``: when every earlier change of its percepts has a plan or was ignored.
- ``always``: whenever the agent perceives. More than ``longest_queue`` intentions are an error.
- ``acted``: after each action.
- ``acted_and_asleep``: after each action. When the agent has nothing left to do, all free percepts
  are removed once, as in MCAPL's verification environments.
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
