"""What choices are called, in the agent's words."""

from __future__ import annotations

from collections.abc import Hashable

from volition.kernel import STUTTER, StateSpace

__all__ = ["choice_text", "label_text"]


def choice_text(space: StateSpace, choice: int) -> str:
    """What a choice does, in words."""
    return label_text(space.label(choice))


def label_text(label: Hashable) -> str:
    """What a label of a choice says, in words; the empty joint label says that nothing new is done."""
    if label is STUTTER:
        return "stand still"
    if label in (None, ()):
        return "go on"
    if isinstance(label, tuple):
        return " and ".join(map(label_text, label))
    return str(getattr(label, "text", label))
