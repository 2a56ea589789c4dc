"""Names of the semantic rules of Archibald et al. as they appear in runs: first the rules of the
agent level (Fig. 2), then those of the intention level (Fig. 7)."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["AGENT_RULES", "RULES", "RULE_NAMES"]

_OF_AGENTS = (
    SemanticRule("A_event", "n", "Fig. 2", "the pending event n is adopted as an intention"),
    SemanticRule("A_step", "n", "Fig. 2", "intention n makes a step: one of the rules below"),
    SemanticRule("A_update", "n", "Fig. 2", "intention n is removed because it cannot step"),
)

_OF_INTENTIONS = (
    SemanticRule("event", "", "Fig. 7", "an event becomes the set of its plans"),
    SemanticRule(
        "select",
        "k",
        "Fig. 7",
        "plan k is selected because its context is believed; the others are kept as alternatives",
    ),
    SemanticRule(
        "act_p",
        "",
        "Sect. 3.1",
        "an action whose precondition is believed is executed; its outcome is random",
    ),
    SemanticRule("+b", "", "not printed", "a belief is added"),
    SemanticRule("-b", "", "not printed", "a belief is removed"),
    SemanticRule(":=", "", "not printed", "a numeric belief gets a value"),
    SemanticRule("?", "", "not printed", "a test succeeds: its condition is believed"),
    SemanticRule(";", "", "Fig. 7", "the first part of a sequence steps"),
    SemanticRule(
        ";⊤",
        "",
        "Fig. 7",
        "the first part of a sequence is done, and the second makes its first step",
    ),
    SemanticRule("∥1", "", "Fig. 7", "the left side steps"),
    SemanticRule("∥2", "", "Fig. 7", "the right side steps"),
    SemanticRule("∥⊤", "", "Fig. 7", "both sides are done"),
    SemanticRule("▷;", "", "Fig. 7", "the plan steps"),
    SemanticRule("▷⊤", "", "Fig. 7", "the plan is done"),
    SemanticRule(
        "▷⊥", "", "Fig. 7", "the plan is blocked, and the program after `▷` makes its first step"
    ),
    SemanticRule("G_init", "", "Fig. 7", "a goal is adopted"),
    SemanticRule("G;", "", "Fig. 7", "the program of a goal steps"),
    SemanticRule(
        "G▷",
        "",
        "Fig. 7",
        "the program of a goal is done or blocked without achieving the goal, and starts again",
    ),
    SemanticRule("G_s", "", "Fig. 7", "a goal succeeds"),
    SemanticRule("G_f", "", "Fig. 7", "a goal fails"),
)

RULES = (*_OF_AGENTS, *_OF_INTENTIONS)

AGENT_RULES = tuple(rule.name for rule in _OF_AGENTS)
"""Names of the rules of the agent level (Fig. 2 of Archibald et al.). Their argument is the number
of an external event."""

RULE_NAMES = tuple(rule.name for rule in RULES)
"""Names of all rules that can occur in the derivation of a step, without arguments."""
