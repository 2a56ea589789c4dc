"""Names that runs use for the stages of the interpretation cycle (Bordini et al., Sect. 4.1)."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["RULES", "STAGES"]

_OF_AGENTS = (
    SemanticRule(
        "CheckMail",
        "",
        "Fig. 2",
        "takes the first message and acts on it, if the sender is trusted",
    ),
    SemanticRule(
        "BRF",
        "",
        "Fig. 2",
        "percepts that are new become beliefs and events; beliefs that came from percepts which are gone are removed. "  # noqa: E501
        "Initial beliefs and those from messages and plans stay, even if they were perceived first",
    ),
    SemanticRule(
        "SelectEvent",
        "",
        "Sect. 4.1",
        "takes an event and the first applicable plan for it. An event without one is discarded, "
        "and the intention that waits for it stays suspended; traces show this",
    ),
    SemanticRule("SelectIntention", "", "Sect. 4.1", "executes one formula of one intention"),
)
RULES = (
    *_OF_AGENTS,
    SemanticRule(
        "Environment",
        "",
        "Sect. 4.1",
        "the environment moves: it executes the first requested action, or changes spontaneously",
    ),
)

STAGES = tuple(rule.name for rule in _OF_AGENTS)
"""Names of the stages of an agent's interpretation cycle in order. The slot ``part`` of an agent is
an index into this tuple."""
