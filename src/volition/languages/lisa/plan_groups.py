"""Division of plans into groups with the same triggering event and the same beliefs in their
contexts. At most one plan of a group runs at a time, and a group may require a choice between its
plans (Izzo, Theorems 4.1 and 4.2, Fig. 4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from volition.languages.lisa.resolved import Plan, PlanGroup
from volition.languages.lisa.syntax import (
    And,
    BeliefAtom,
    BooleanLiteral,
    Condition,
    EventKind,
    Not,
    PlanEntry,
    beliefs_in,
    given,
    holds,
)

__all__ = ["group_plans", "satisfiable", "triggering_condition"]

_MAX_CASES = 200_000
"""Limit of the search in :func:`satisfiable`: the number of conditions that it simplifies. If the
limit is reached, two plans are assumed to be triggered together, which is always safe."""


def triggering_condition(plan: Plan | PlanEntry) -> Condition:
    """Return the condition on the current beliefs under which a plan starts. For the events
    ``+^[b]`` and ``-^[b]``, it ignores that the belief must have been added or removed in the last
    cycle."""
    positive: dict[EventKind, bool] = {
        "held": True,
        "added": True,
        "absent": False,
        "removed": False,
    }
    belief = BeliefAtom(plan.event.belief)
    return And((belief if positive[plan.event.kind] else Not(belief), plan.context))


def group_plans(plans: Sequence[Plan]) -> tuple[PlanGroup, ...]:
    """Return the plans in groups: the plans of a group have the same triggering event and their
    contexts mention the same beliefs. Groups and plans are in program order."""
    groups: dict[object, list[Plan]] = {}
    for plan in plans:
        mentioned = frozenset(sentence.name for sentence in beliefs_in(plan.context))
        groups.setdefault((plan.event.kind, plan.event.belief.name, mentioned), []).append(plan)
    return tuple(PlanGroup(tuple(group), _overlap(group)) for group in groups.values())


def _overlap(plans: Sequence[Plan]) -> bool:
    """Return whether two of the plans can be triggered by the same beliefs."""
    return satisfiable([triggering_condition(plan) for plan in plans], together=2)


def satisfiable(conditions: Sequence[Condition], *, together: int = 1) -> bool:
    """Return whether some set of beliefs makes at least ``together`` of the conditions true.

    The search decides one belief after the other, whether it is held or not, and drops conditions
    that have become false. If it reaches its limit :data:`_MAX_CASES`, the result is True.
    """
    cases, looked_at = [tuple(conditions)], 0
    while cases and looked_at < _MAX_CASES:
        case = cases.pop()
        belief = next(
            (sentence.name for condition in case for sentence in beliefs_in(condition)), None
        )
        if belief is None:
            if sum(holds(condition, lambda _: False) for condition in case) >= together:
                return True
            continue
        for held in (False, True):
            rest = tuple(
                each
                for condition in case
                if (each := given(condition, belief, held)) != BooleanLiteral(False)
            )
            looked_at += len(case)
            if len(rest) >= together:
                cases.append(rest)
    return bool(cases)
