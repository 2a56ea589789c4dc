"""Names that runs use for the transitions of a world: one name for each kind of statement in a
world file."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["RULES"]

RULES = (
    SemanticRule("a", "", "`action a(X)`", "executes the action a of an agent"),
    SemanticRule("s", "", "`step s`", "the world makes the spontaneous step s"),
    SemanticRule("p comes", "", "`free percept p(X)`", "the free percept p becomes true"),
    SemanticRule("p goes", "", "`free percept p(X)`", "the free percept p becomes false"),
)
