"""The parts of the interpretation cycle of Bordini et al., Sect. 4.1, by the names that runs give
them."""

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
        "Initial, told and own beliefs stay, also where they were perceived first",
    ),
    SemanticRule(
        "SelectEvent",
        "",
        "Sect. 4.1",
        "takes an event and the first applicable plan for it. An event without one is discarded, with the intention that waits for it: "  # noqa: E501
        "traces say so",
    ),
    SemanticRule("SelectIntention", "", "Sect. 4.1", "executes one formula of one intention"),
)
RULES = (
    *_OF_AGENTS,
    SemanticRule(
        "Environment",
        "",
        "Sect. 4.1",
        "the world moves: it executes the first action that waits, or something happens by itself",
    ),
)

STAGES = tuple(rule.name for rule in _OF_AGENTS)
"""The parts of an agent's cycle in their order; a mind's ``part`` is an index into this."""
