"""The stages of Jason's reasoning cycle, by the names that runs give them; the environment and
timers are beside the cycle."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["IDLE", "RULES"]

IDLE = "idle"

RULES = (
    SemanticRule(
        "perceive",
        "",
        "sense",
        "asks the environment; beliefs that are not perceived any more lose that source, new "
        "percepts are believed, each with its event",
    ),
    SemanticRule(
        "mail",
        "",
        "sense",
        "takes one message: `tell`, `achieve` and `signal` take effect, others become goals for "
        "plans",
    ),
    SemanticRule(
        "begin",
        "",
        "deliberate",
        "what was due at the start of a cycle: waiting that is over, deadlines, meta events",
    ),
    SemanticRule(
        "SelEv",
        "",
        "deliberate",
        "takes an event that has no plan: a goal fails, a belief is passed over",
    ),
    SemanticRule(
        "AddIM",
        "",
        "deliberate",
        "takes an event and the first applicable plan, which becomes an intention or goes on top "
        "of one",
    ),
    SemanticRule(
        "ProcAct", "", "act", "takes one result of an action: its intention goes on, or fails"
    ),
    SemanticRule("ExecInt", "", "act", "executes one step of the next intention"),
    SemanticRule("ClrInt", "", "act", "removes a plan that has come to its end"),
    SemanticRule(IDLE, "", "", "nothing happens but that the next part of the cycle comes"),
    SemanticRule("environment", "", "", "an action has its effect, or the world moves by itself"),
    SemanticRule("no environment", "", "", "an action fails because there is no environment"),
    SemanticRule("result", "", "", "the result of an action that had its effect becomes known"),
    SemanticRule("timer", "", "", "a timer ends, at any moment (`time = free`)"),
    SemanticRule("end", "", "", "the run ends, at any moment after `.stopMAS`"),
    SemanticRule("time", "", "", "time passes until the next timer ends (`time = ordered`)"),
)
"""``printed`` is the phase of the cycle, as Jason calls it."""
