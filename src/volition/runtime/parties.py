"""Parties of an interleaved model: the party that makes each move, and the names of the moves that
it chooses from."""

from __future__ import annotations

from volition.languages.protocols import Executable, Model
from volition.reporting.annotated_runs import origins_of
from volition.runtime.successor import EnabledChoice

__all__ = ["is_of_world", "option_name", "party_of"]


def party_of(model: Model, move: EnabledChoice) -> str:
    """Return the party that decides about a move: a component of the world, an agent, or the single
    agent to which all components belong."""
    own = is_of_world(model, move) or move.component.name in model.agents or len(model.agents) != 1
    return move.component.name if own else model.agents[0]


def is_of_world(model: Model, move: EnabledChoice) -> bool:
    """Return whether a move is a draw of the world, about which no agent decides."""
    return isinstance(model, Executable) and model.is_environment(move.component)


def option_name(move: EnabledChoice) -> str:
    """Return the name of a move in the list of a decision's options."""
    return "; ".join(origin.text for origin in origins_of(move.choice.label))
