"""Exploration of the nondeterministic choices within a stage of the reasoning cycle.

A stage makes such a choice when it calls a nondeterministic internal action, for example
``.random(List, X)``, in a plan body, a context or a rule. The choice determines which solution of
the action comes first. The stage is run once for each combination of its choices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.jason.agent_state import AgentState

__all__ = ["all_outcomes"]

_MAX_OUTCOMES = 10_000


def all_outcomes(
    stage: Callable[[AgentState], Sequence[AgentState]], mind: AgentState
) -> Sequence[AgentState]:
    """Return the states of the agent after a stage of the reasoning cycle, for all resolutions of
    its nondeterministic choices. ``mind`` is not changed. Raises BoundExceeded if there are more
    than 10,000 resolutions."""
    found: list[AgentState] = []
    pending: list[tuple[int, ...]] = [()]
    count = 0
    while pending:
        decided = pending.pop()
        copy = mind.copy()
        copy.choices = draws = list(decided)
        copy.choice_counts = sizes = list[int]()
        found += stage(copy)
        for index in range(len(decided), len(sizes)):
            pending += [(*draws[:index], other) for other in range(1, sizes[index])]
        count += 1
        if count > _MAX_OUTCOMES:
            message = (
                f"a step of {mind.agent.name} has more than {_MAX_OUTCOMES:,} possible outcomes"
            )
            raise BoundExceeded(
                "JSN055",
                message,
                "use fewer nondeterministic internal actions in it, or fewer alternatives",
            )
    return (
        found
        if count == 1
        else list({(each.texts, frozenset(each.writes.items())): each for each in found}.values())
    )
