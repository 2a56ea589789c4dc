"""Parties of an interleaved model. A party decides about one or more components: for each move,
this module gives the party and the name under which the move is listed as an option."""

from __future__ import annotations

from volition.languages.protocols import Executable, Model
from volition.reporting.annotated_runs import origins_of
from volition.runtime.successor import EnabledChoice

__all__ = ["is_of_world", "option_name", "party_of"]


def party_of(model: Model, move: EnabledChoice) -> str:
    """Return the name of the party that decides about a move: a component of the world, an agent,
    or the only agent of the program if the component belongs to it."""
    own = is_of_world(model, move) or move.component.name in model.agents or len(model.agents) != 1
    return move.component.name if own else model.agents[0]


def is_of_world(model: Model, move: EnabledChoice) -> bool:
    """Return whether a move is a random draw of the world rather than a decision of an agent."""
    return isinstance(model, Executable) and model.is_environment(move.component)


def option_name(move: EnabledChoice) -> str:
    """Return the name under which a move is listed among the options of a decision: the texts of
    its origins in the program."""
    return "; ".join(origin.text for origin in origins_of(move.choice.label))
