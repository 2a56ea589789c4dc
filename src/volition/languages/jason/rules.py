"""The stages of Jason's reasoning cycle, by the names that runs give them; the environment and timers are beside the cycle."""

from __future__ import annotations

from volition.languages.kit.rules import Rule

__all__ = ["IDLE", "RULES"]

IDLE = "idle"

RULES = (
    Rule(
        "perceive",
        "",
        "sense",
        "asks the environment; beliefs that are not perceived any more lose that source, new percepts are believed, each with its event",
    ),
    Rule("mail", "", "sense", "takes one message: `tell`, `achieve` and `signal` take effect, others become goals for plans"),
    Rule("begin", "", "deliberate", "what was due at the start of a cycle: waiting that is over, deadlines, meta events"),
    Rule("SelEv", "", "deliberate", "takes an event that has no plan: a goal fails, a belief is passed over"),
    Rule("AddIM", "", "deliberate", "takes an event and the first applicable plan, which becomes an intention or goes on top of one"),
    Rule("ProcAct", "", "act", "takes one result of an action: its intention goes on, or fails"),
    Rule("ExecInt", "", "act", "executes one step of the next intention"),
    Rule("ClrInt", "", "act", "removes a plan that has come to its end"),
    Rule(IDLE, "", "", "nothing happens but that the next part of the cycle comes"),
    Rule("environment", "", "", "an action has its effect, or the world moves by itself"),
    Rule("no environment", "", "", "an action fails because there is no environment"),
    Rule("result", "", "", "the result of an action that had its effect becomes known"),
    Rule("timer", "", "", "a timer ends, at any moment (`time = free`)"),
    Rule("end", "", "", "the run ends, at any moment after `.stopMAS`"),
    Rule("time", "", "", "time passes until the next timer ends (`time = ordered`)"),
)
"""``printed`` is the phase of the cycle, as Jason calls it."""
