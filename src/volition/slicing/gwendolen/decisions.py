"""Decisions of a slicing method about the plans and deeds of an agent: whether each is kept,
removed or replaced by a no-op, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from volition.languages.gwendolen.syntax import Act, AgentProgram, Deed, Plan, RemoveBelief
from volition.languages.world.terms import Structure
from volition.slicing.gwendolen.graph import Graph

__all__ = ["AgentSlice", "DeedDecision", "Fate", "PlanDecision", "no_op_for"]

Fate = Literal["kept", "no-op", "removed"]


@dataclass(frozen=True, slots=True)
class DeedDecision:
    """Decision whether a deed of a plan is kept, removed or replaced by a no-op. ``why`` is the
    reason as a clause for users."""

    deed: Deed
    fate: Fate
    why: str


@dataclass(frozen=True, slots=True)
class PlanDecision:
    """Decision whether a plan is kept, with the decisions about its deeds. If the plan is not kept,
    all its deeds are removed with it."""

    plan: Plan
    kept: bool
    why: str
    deeds: tuple[DeedDecision, ...] = ()

    def sliced(self, no_op: Structure) -> Plan:
        """Return the plan with the deeds that it has in the slice; ``no_op`` replaces deeds that
        become no-ops. The number and the span of the plan do not change."""
        body = [
            no_op_for(each.deed, no_op) if each.fate == "no-op" else each.deed
            for each in self.deeds
            if each.fate != "removed"
        ]
        return replace(self.plan, body=tuple(body))


@dataclass(frozen=True, slots=True)
class AgentSlice:
    """Decisions about all plans of an agent, in program order, and the dependence graph on which
    they are based."""

    program: AgentProgram
    plans: tuple[PlanDecision, ...]
    graph: Graph

    def sliced(self, no_op: Structure) -> AgentProgram:
        """Return the agent's program with only the kept plans and deeds; ``no_op`` replaces deeds
        that become no-ops."""
        return replace(
            self.program, plans=tuple(each.sliced(no_op) for each in self.plans if each.kept)
        )

    @property
    def by_number(self) -> Mapping[int, PlanDecision]:
        return {each.plan.number: each for each in self.plans}

    @property
    def removed_plans(self) -> list[PlanDecision]:
        return [each for each in self.plans if not each.kept]

    def changed_deeds(self) -> Iterator[tuple[PlanDecision, DeedDecision]]:
        """Yield the deeds of kept plans that are removed or replaced by a no-op, each as a pair of
        the decision about the plan and the decision about the deed."""
        for plan in self.plans:
            yield from ((plan, each) for each in plan.deeds if plan.kept and each.fate != "kept")


def no_op_for(deed: Deed, no_op: Structure) -> Deed:
    """Return a deed that takes the same turn as ``deed`` and has no effect: the action ``no_op``
    for an action, the removal of the belief ``no_op`` for a belief update.

    An action that the world does not define succeeds without effect. Removing a belief that no
    agent ever has is not an event and wakes no intention.
    """
    return (
        Act(no_op, span=deed.span) if isinstance(deed, Act) else RemoveBelief(no_op, span=deed.span)
    )
