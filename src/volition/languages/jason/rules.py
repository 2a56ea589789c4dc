"""Rules of Jason's reasoning cycle, with the names that traces show, and those of the environment
and of timers."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["IDLE", "RULES"]

IDLE = "idle"

RULES = (
    SemanticRule(
        "perceive",
        "",
        "sense",
        "asks the environment; beliefs that are no longer perceived lose that source, new "
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
        "runs what is due at the start of a cycle: waits that are over, deadlines, meta events",
    ),
    SemanticRule(
        "SelEv",
        "",
        "deliberate",
        "selects an event that has no plan: a goal fails, a belief event is skipped",
    ),
    SemanticRule(
        "AddIM",
        "",
        "deliberate",
        "selects an event and the first applicable plan, which becomes an intention or is pushed "
        "on one",
    ),
    SemanticRule(
        "ProcAct", "", "act", "takes one result of an action: its intention continues, or fails"
    ),
    SemanticRule("ExecInt", "", "act", "executes one step of the next intention"),
    SemanticRule("ClrInt", "", "act", "removes a plan that has come to its end"),
    SemanticRule(IDLE, "", "", "nothing happens; the next part of the cycle follows"),
    SemanticRule("environment", "", "", "an action has its effect, or the world moves by itself"),
    SemanticRule("no environment", "", "", "an action fails because there is no environment"),
    SemanticRule("result", "", "", "the result of an action that had its effect becomes known"),
    SemanticRule("timer", "", "", "a timer ends, at any moment (`time = free`)"),
    SemanticRule("end", "", "", "the run ends, at any moment after `.stopMAS`"),
    SemanticRule("time", "", "", "time passes until the next timer ends (`time = ordered`)"),
)
"""All rules. ``printed`` is Jason's name for the phase of the cycle."""
