"""The rules of a world are those of its file: how runs call them, by the kind of statement that
they come from."""

from __future__ import annotations

from volition.languages.common.rules import SemanticRule

__all__ = ["RULES"]

RULES = (
    SemanticRule("a", "", "`action a(X)`", "action a, which an agent asked for, is executed"),
    SemanticRule("s", "", "`step s`", "the world makes step s by itself"),
    SemanticRule("p comes", "", "`free percept p(X)`", "percept p becomes true, for no reason"),
    SemanticRule("p goes", "", "`free percept p(X)`", "percept p becomes false, for no reason"),
)
