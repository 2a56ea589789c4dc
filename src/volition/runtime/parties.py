"""Parties of an interleaved model. A party is an agent, or a component of the world, that makes its
own moves. For each move, this module returns its party, and the name of the move in the list of
options of a decision."""

from __future__ import annotations

from volition.languages.protocols import Executable, Model
from volition.reporting.annotated_runs import origins_of
from volition.runtime.successor import EnabledChoice

__all__ = ["is_of_world", "option_name", "party_of"]


def party_of(model: Model, move: EnabledChoice) -> str:
    """Return the name of the party that makes a move. If the program has one agent, all components
    that are not part of the world belong to that agent. Otherwise each component is a party of its
    own."""
    own = is_of_world(model, move) or move.component.name in model.agents or len(model.agents) != 1
    return move.component.name if own else model.agents[0]


def is_of_world(model: Model, move: EnabledChoice) -> bool:
    """Return whether a move is a random draw of the world rather than a decision of an agent."""
    return isinstance(model, Executable) and model.is_environment(move.component)


def option_name(move: EnabledChoice) -> str:
    """Return the name under which a move is listed among the options of a decision: the texts of
    its origins in the program."""
    return "; ".join(origin.text for origin in origins_of(move.choice.label))
