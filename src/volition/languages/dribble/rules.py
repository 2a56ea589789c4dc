"""Transition rules of Trang et al., Sect. 2.4, with the names under which they appear in runs."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["RULES"]

RULES = (
    SemanticRule(
        "apply",
        "x",
        "Sect. 2.4",
        "an agent without a plan adopts the plan of a goal rule x whose guard holds; or a revision "
        "rule x whose guard holds, and whose head is a prefix of the plan, replaces that prefix",
    ),
    SemanticRule(
        "execute",
        "b",
        "Sect. 2.4",
        "executes the basic action b, which updates the beliefs; goals that are now believed are "
        "dropped",
    ),
    SemanticRule(
        "execute(if)", "", "Sect. 2.4", "a conditional is replaced by one of its branches"
    ),
    SemanticRule(
        "stall", "", "Sect. 2.4", "no other rule applies: the configuration does not change"
    ),
)
