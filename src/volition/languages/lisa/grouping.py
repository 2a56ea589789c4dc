"""Which plans share a module, and whether one of them has to be chosen (Izzo, Theorems 4.1 and 4.2, Fig. 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from volition.languages.lisa.agent import Plan, PlanGroup
from volition.languages.lisa.syntax import And, Belief, Condition, EventKind, Not, beliefs_in, given, holds

__all__ = ["group_plans", "triggering_condition"]

_MOST_CASES = 20_000
"""After this many cases the question is not decided: the plans are taken to overlap, which is always safe."""


def triggering_condition(plan: Plan) -> Condition:
    """What must be believed for a plan to start; that an event must have added or removed a belief is not in it."""
    positive: dict[EventKind, bool] = {"held": True, "added": True, "absent": False, "removed": False}
    belief = Belief(plan.event.belief)
    return And((belief if positive[plan.event.kind] else Not(belief), plan.context))


def group_plans(plans: Sequence[Plan]) -> tuple[PlanGroup, ...]:
    """Plans with the same triggering event whose contexts mention the same beliefs, in the order of the program."""
    groups: dict[object, list[Plan]] = {}
    for plan in plans:
        mentioned = frozenset(sentence.name for sentence in beliefs_in(plan.context))
        groups.setdefault((plan.event.kind, plan.event.belief.name, mentioned), []).append(plan)
    return tuple(PlanGroup(tuple(group), any(_overlap(*pair) for pair in combinations(group, 2))) for group in groups.values())


def _overlap(one: Plan, other: Plan) -> bool:
    """Whether some set of beliefs triggers both plans."""
    cases: list[Condition] = [And((triggering_condition(one), triggering_condition(other)))]
    for _ in range(_MOST_CASES):
        if not cases:
            return False
        condition = cases.pop()
        belief = next(beliefs_in(condition), None)
        if belief is None and holds(condition, lambda _: False):
            return True
        if belief is not None:
            cases += [given(condition, belief.name, held) for held in (False, True)]
    return True
