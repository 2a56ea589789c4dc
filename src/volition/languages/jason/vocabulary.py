"""Predefined names of Jason: internal actions of the standard library with their numbers of
arguments, performatives and goal states, and which of them are not supported."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "ACTIONS",
    "CLOCK",
    "GOAL_STATES",
    "NOT_IN_QUERIES",
    "OWN_EVENTS",
    "PERFORMATIVES",
    "RANDOM",
    "REFUSAL_REASONS",
    "UNSUPPORTED_PERFORMATIVES",
    "why_refused",
]

_ANY = 99

ACTIONS: Mapping[str, tuple[int, int]] = {
    ".print": (0, _ANY),
    ".println": (0, _ANY),
    ".log": (1, _ANY),
    ".puts": (1, _ANY),
    ".printf": (1, _ANY),
    ".list_plans": (0, 1),
    ".my_name": (1, 1),
    ".all_names": (1, 1),
    ".member": (2, 2),
    ".length": (1, 2),
    ".nth": (3, 3),
    ".concat": (2, _ANY),
    ".reverse": (2, 2),
    ".sort": (2, 2),
    ".max": (2, 3),
    ".min": (2, 3),
    ".range": (3, 4),
    ".sublist": (2, 2),
    ".delete": (3, 4),
    ".prefix": (2, 2),
    ".suffix": (2, 2),
    ".union": (3, 3),
    ".intersection": (3, 3),
    ".difference": (3, 3),
    ".empty": (1, 1),
    ".shuffle": (2, 2),
    ".findall": (3, 3),
    ".count": (1, 2),
    ".setof": (3, 3),
    ".eval": (2, 2),
    ".substring": (2, 4),
    ".replace": (4, 4),
    ".lower_case": (2, 2),
    ".upper_case": (2, 2),
    ".ground": (1, 1),
    ".atom": (1, 1),
    ".list": (1, 1),
    ".literal": (1, 1),
    ".number": (1, 1),
    ".string": (1, 1),
    ".structure": (1, 1),
    ".belief": (1, 1),
    ".type": (2, 2),
    ".var": (1, 1),
    ".desire": (1, 2),
    ".intend": (1, 2),
    ".drop_intention": (0, 1),
    ".drop_desire": (1, 1),
    ".drop_all_intentions": (0, 0),
    ".drop_all_desires": (0, 0),
    ".drop_event": (1, 1),
    ".drop_all_events": (0, 0),
    ".succeed_goal": (1, 1),
    ".fail_goal": (1, 1),
    ".fail": (0, _ANY),
    ".suspend": (0, 1),
    ".resume": (1, 1),
    ".suspended": (2, 2),
    ".abolish": (1, 1),
    ".add_annot": (3, 3),
    ".add_nested_source": (3, 3),
    ".wait": (1, 4),
    ".at": (2, 2),
    ".random": (1, 3),
    ".date": (3, 3),
    ".time": (3, 3),
    ".send": (3, 5),
    ".broadcast": (2, 2),
    ".df_register": (1, 2),
    ".df_deregister": (1, 2),
    ".df_search": (2, 3),
    ".df_subscribe": (1, 2),
    ".stopMAS": (0, 2),
}
"""Map from the name of a supported internal action to the least and the greatest number of its
arguments."""

NOT_IN_QUERIES = frozenset([".send", ".broadcast", ".wait", ".fork", ".join", ".stopMAS"])
"""Internal actions that Jason's parser rejects in contexts."""

CLOCK = frozenset([".date", ".time", ".nano_time", "system.time"])
"""Internal actions and functions that return the current time."""

RANDOM = "math.random"
DRAW = "volition.draw"
"""Name of the internal action that chooses a number for the next step. Volition inserts it in place
of ``math.random``."""

PERFORMATIVES = ("tell", "untell", "achieve", "unachieve", "askOne", "askAll", "signal")
"""Performatives of messages with a predefined meaning that is supported."""

GOAL_STATES = (
    "pending",
    "executing",
    "suspended",
    "resumed",
    "waiting",
    "achieved",
    "failed",
    "dropped",
    "finished",
)
"""States that a goal can have in meta events ``^!g[state(S)]``."""

OWN_EVENTS = ("jag_sleeping", "jag_awaking", "jag_shutting_down")
"""Names of Jason's events about the interpreter itself, such as ``+jag_sleeping``. Plans for them
are not supported."""

UNSUPPORTED_PERFORMATIVES = ("tellHow", "untellHow", "askHow", "tellRule", "untellRule")
"""Performatives of messages that contain plans or rules. They are not supported."""

_COMING_AND_GOING = "agents that are created or removed at run time"
_CHANGING = "plans and rules that change at run time"
_REFLECTION = "reflection"
_OBJECTS = "mutable objects inside terms"
_REFUSED: Mapping[str, str] = {
    ".create_agent": _COMING_AND_GOING,
    ".kill_agent": _COMING_AND_GOING,
    ".clone": _COMING_AND_GOING,
    ".save_agent": _COMING_AND_GOING,
    ".add_plan": _CHANGING,
    ".remove_plan": _CHANGING,
    ".include": _CHANGING,
    ".asserta": _CHANGING,
    ".assertz": _CHANGING,
    ".relevant_plans": _REFLECTION,
    ".relevant_plan": _REFLECTION,
    ".relevant_rules": _REFLECTION,
    ".plan_label": _REFLECTION,
    ".current_intention": _REFLECTION,
    ".intention": _REFLECTION,
    ".term2string": _REFLECTION,
    ".version": _REFLECTION,
    ".perceive": "perception on request",
    ".done": "sub-plans",
    ".fork": "forks other than |&| and |||",
    ".join": "forks other than |&| and |||",
    ".nano_time": "the current time",
    ".set_random_seed": "random numbers with a seed",
}

REFUSAL_REASONS: Mapping[str, str] = {
    _COMING_AND_GOING: "the agents of a model are fixed",
    _CHANGING: "the program itself would be part of the state",
    _REFLECTION: "the program itself would be data",
    _OBJECTS: "the values in a state cannot change",
    "perception on request": "Volition does not support it",
    "sub-plans": "Volition does not support them yet",
    "forks other than |&| and |||": "Volition does not support them",
    "the current time": "it has infinitely many possible values",
    "random real numbers": "there are infinitely many of them",
    "random numbers with a seed": "Volition does not support them",
}
"""Map from a feature of Jason that cannot be verified to the reason, for error messages."""


def why_refused(name: str) -> str | None:
    """Return the feature of Jason that an internal action needs and that cannot be verified, such
    as "reflection". Return None if the action is not known to need such a feature."""
    return (
        _OBJECTS
        if name.startswith((".queue", ".set.", ".map")) or name == ".set"
        else _REFUSED.get(name)
    )
