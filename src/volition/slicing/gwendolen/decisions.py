"""What becomes of each plan and each deed of an agent in a slice, and why."""

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
    """``why`` is a part of a sentence that a person reads."""

    deed: Deed
    fate: Fate
    why: str


@dataclass(frozen=True, slots=True)
class PlanDecision:
    """A plan that is not kept goes with all of its deeds."""

    plan: Plan
    kept: bool
    why: str
    deeds: tuple[DeedDecision, ...] = ()

    def sliced(self, no_op: Structure) -> Plan:
        """The plan with its deeds as they are in the slice; it keeps its number and its place in
        the text."""
        body = [
            no_op_for(each.deed, no_op) if each.fate == "no-op" else each.deed
            for each in self.deeds
            if each.fate != "removed"
        ]
        return replace(self.plan, body=tuple(body))


@dataclass(frozen=True, slots=True)
class AgentSlice:
    """All plans of an agent in their order, and the graph by which it was decided."""

    program: AgentProgram
    plans: tuple[PlanDecision, ...]
    graph: Graph

    def sliced(self, no_op: Structure) -> AgentProgram:
        """The agent as it is in the slice."""
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
        """Deeds of plans that are kept, and that are not there any more, or do nothing."""
        for plan in self.plans:
            yield from ((plan, each) for each in plan.deeds if plan.kept and each.fate != "kept")


def no_op_for(deed: Deed, no_op: Structure) -> Deed:
    """A deed that takes the same turn and does nothing.

    An action that no world knows succeeds without effect; removing a belief that nobody ever has is
    no event and wakes nobody.
    """
    return (
        Act(no_op, span=deed.span) if isinstance(deed, Act) else RemoveBelief(no_op, span=deed.span)
    )
