"""Results as programs read them: the JSON objects that ``--json`` prints.  Their names are stable (see ``docs/commands.md``)."""

from __future__ import annotations

from typing import Any

from volition.kernel import StateSpace

__all__ = ["model_document"]


def model_document(space: StateSpace) -> dict[str, Any]:
    """The figures of a state space."""
    stats = space.stats
    document: dict[str, Any] = {
        "states": stats.states,
        "choices": stats.choices,
        "transitions": stats.transitions,
        "python_calls": stats.python_calls,
        "bytes_per_state": stats.bytes_per_state,
        "seconds": stats.seconds["exploration"],
        "complete": space.complete,
    }
    if space.stopped is not None:
        document["stopped"] = {"reason": space.stopped.reason, "text": space.stopped.text, "explored": space.num_expanded}
    return document
