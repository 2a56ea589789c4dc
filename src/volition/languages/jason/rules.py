"""Names and descriptions of the rules that appear in traces: those of Jason's reasoning cycle, of
the environment and of timers."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["IDLE", "RULES"]

IDLE = "idle"

RULES = (
    SemanticRule(
        "perceive",
        "",
        "sense",
        "reads the percepts: beliefs that are no longer perceived lose the source `percept`, new "
        "percepts become beliefs, and each change raises an event",
    ),
    SemanticRule(
        "mail",
        "",
        "sense",
        "processes one message: `tell`, `achieve` and `signal` take effect, others become goals "
        "for plans",
    ),
    SemanticRule(
        "begin",
        "",
        "deliberate",
        "runs the tasks that are due at the start of a cycle: ended waits, deadlines, meta events",
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
        "ProcAct", "", "act", "processes one result of an action: its intention continues or fails"
    ),
    SemanticRule("ExecInt", "", "act", "executes one step of the next intention"),
    SemanticRule("ClrInt", "", "act", "removes a finished plan"),
    SemanticRule(IDLE, "", "", "nothing happens; the next part of the cycle follows"),
    SemanticRule(
        "environment", "", "", "an action is executed, or the world makes a spontaneous transition"
    ),
    SemanticRule("no environment", "", "", "an action fails because there is no environment"),
    SemanticRule("result", "", "", "the result of an executed action arrives"),
    SemanticRule("timer", "", "", "a timer ends, at any moment (`time = free`)"),
    SemanticRule("end", "", "", "the run ends, at any moment after `.stopMAS`"),
    SemanticRule("time", "", "", "time passes until the next timer ends (`time = ordered`)"),
)
"""All rules that appear in traces. The ``reference`` of a rule is Jason's name for the phase of the
reasoning cycle to which the rule belongs."""
