"""Chance: a part of the cycle for each way in which it can turn out.

Wherever an internal action gives one of its solutions, and nobody knows which, in a body, a context
or a rule, the part of the cycle is carried out once for each solution that can come first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.jason.agent_state import AgentState

__all__ = ["all_outcomes"]

_MAX_WAYS = 10_000


def all_outcomes(
    part: Callable[[AgentState], Sequence[AgentState]], mind: AgentState
) -> Sequence[AgentState]:
    """What comes of a part of the cycle, in every way; the mind itself stays as it is."""
    found: list[AgentState] = []
    waiting: list[tuple[int, ...]] = [()]
    ways = 0
    while waiting:
        decided = waiting.pop()
        twin = mind.copy()
        twin.choices = draws = list(decided)
        twin.choice_counts = sizes = list[int]()
        found += part(twin)
        for index in range(len(decided), len(sizes)):
            waiting += [(*draws[:index], other) for other in range(1, sizes[index])]
        ways += 1
        if ways > _MAX_WAYS:
            message = f"a step of {mind.agent.name} can turn out in more than {_MAX_WAYS:,} ways"
            raise BoundExceeded(
                "JSN055", message, "let fewer internal actions choose in it, or among less"
            )
    return (
        found
        if ways == 1
        else list({(each.texts, frozenset(each.writes.items())): each for each in found}.values())
    )
