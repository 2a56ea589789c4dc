"""The transition rules of Trang et al., Sect. 2.4, by the names that runs give them."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["RULES"]

RULES = (
    SemanticRule(
        "apply",
        "x",
        "Sect. 2.4",
        "a goal rule x whose guard holds gives its plan to an agent that has none; a revision rule x whose guard holds, and whose head "  # noqa: E501
        "begins the plan, replaces the head",
    ),
    SemanticRule(
        "execute",
        "b",
        "Sect. 2.4",
        "the basic action b changes the beliefs; goals that are believed now are dropped",
    ),
    SemanticRule(
        "execute(if)", "", "Sect. 2.4", "a conditional is replaced by one of its branches"
    ),
    SemanticRule(
        "stall", "", "Sect. 2.4", "where nothing else is possible, the configuration stays as it is"
    ),
)
