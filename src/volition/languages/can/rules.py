"""The rules of Archibald et al. by the names that runs give them: those of the agent (Fig. 2), then those of an intention (Fig. 7)."""

from __future__ import annotations

from volition.languages.kit.rules import Rule

__all__ = ["AGENT_RULES", "RULES", "RULE_NAMES"]

_OF_AGENTS = (
    Rule("A_event", "n", "Fig. 2", "event n, which waits, is adopted as an intention"),
    Rule("A_step", "n", "Fig. 2", "intention n makes a step: one of the rules below"),
    Rule("A_update", "n", "Fig. 2", "intention n, which cannot step, is removed"),
)

_OF_INTENTIONS = (
    Rule("event", "", "Fig. 7", "an event becomes the set of its plans"),
    Rule("select", "k", "Fig. 7", "plan k, whose context is believed, is selected; the others are kept to fail over to"),
    Rule("act_p", "", "Sect. 3.1", "an action whose precondition is believed is executed; its outcome is random"),
    Rule("+b", "", "not printed", "a belief is added"),
    Rule("-b", "", "not printed", "a belief is removed"),
    Rule(":=", "", "not printed", "a numeric belief gets a value"),
    Rule("?", "", "not printed", "a condition is found to be believed"),
    Rule(";", "", "Fig. 7", "the first part of a sequence steps"),
    Rule(";⊤", "", "Fig. 7", "the first part of a sequence is done, and the second makes its first step"),
    Rule("∥1", "", "Fig. 7", "the left side steps"),
    Rule("∥2", "", "Fig. 7", "the right side steps"),
    Rule("∥⊤", "", "Fig. 7", "both sides are done"),
    Rule("▷;", "", "Fig. 7", "the plan steps"),
    Rule("▷⊤", "", "Fig. 7", "the plan is done"),
    Rule("▷⊥", "", "Fig. 7", "the plan is blocked, and what is behind `▷` makes its first step"),
    Rule("G_init", "", "Fig. 7", "a goal is taken up"),
    Rule("G;", "", "Fig. 7", "the program of a goal steps"),
    Rule("G▷", "", "Fig. 7", "the program of a goal is done or blocked without having brought about the goal, and starts again"),
    Rule("G_s", "", "Fig. 7", "a goal succeeds"),
    Rule("G_f", "", "Fig. 7", "a goal fails"),
)

RULES = (*_OF_AGENTS, *_OF_INTENTIONS)

AGENT_RULES = tuple(rule.name for rule in _OF_AGENTS)
"""The rules of Fig. 2; what stands behind their names is the number of an external event."""

RULE_NAMES = tuple(rule.name for rule in RULES)
"""What may stand in the derivation of a step, without brackets."""
