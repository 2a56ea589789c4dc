"""Detection of known patterns in which the slicing methods of Winikoff et al. and of Bordini et al.
may change a verdict.

Each pattern was found with a program of a few lines whose slice has another verdict than the
program; ``docs/explanation/slicing.md`` lists them all. The patterns of the original method of
Bordini et al. are O1 to O6, those of the new method of Winikoff et al. are D1 to D11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from volition.diagnostics import Diagnostic
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    BeliefGuard,
    DropGoal,
    Lock,
    Plan,
    RemoveBelief,
    Unlock,
    WaitFor,
)
from volition.languages.world.terms import Term, unifiable
from volition.slicing.gwendolen.decisions import AgentSlice, DeedDecision, PlanDecision
from volition.slicing.gwendolen.node_names import (
    BeliefSupport,
    NodeName,
    name_of_deed,
    name_of_trigger,
)
from volition.slicing.gwendolen.queried import QueriedAtoms
from volition.slicing.gwendolen.world_facts import WorldFacts

__all__ = ["Defect", "defects"]


@dataclass(frozen=True, slots=True)
class Defect:
    """Occurrence of a known pattern that may change the verdict of a slice: the number of the
    pattern in docs/explanation/slicing.md, a description, and a plan in which it occurs."""

    number: str
    pattern: str
    plan: Plan | None = None

    @property
    def warning(self) -> Diagnostic:
        where = "" if self.plan is None else f" (plan {self.plan.name})"
        hint = "use the method 'sound', or check the whole program"
        span = None if self.plan is None else self.plan.span
        return Diagnostic(
            "SLC010",
            f"a property may have another verdict on the slice than on the program "
            f"({self.number}): {self.pattern}{where}",
            span,
            hint,
            "warning",
        )


def defects(
    program: GwendolenProgram,
    method: str,
    fates: Mapping[str, AgentSlice],
    queried: Mapping[str, QueriedAtoms],
) -> tuple[Defect, ...]:
    """Return the known patterns that may change a verdict and occur in a slice made by ``method``,
    each at most once per agent. The method ``sound`` has none."""
    found: dict[tuple[str, str], Defect] = {}
    for name, fate in fates.items():
        cycle = program.options.cycle or fate.program.cycle
        patterns = _Patterns(fate, queried[name], WorldFacts(program), is_eass=cycle == "eass")
        for each in {"bordini": patterns.old, "winikoff": patterns.new, "sound": patterns.none}[
            method
        ]():
            found.setdefault((name, each.number), each)
    return tuple(found.values())


class _Patterns:
    def __init__(
        self, fate: AgentSlice, query: QueriedAtoms, world_facts: WorldFacts, *, is_eass: bool
    ) -> None:
        self._fate = fate
        self._query = query
        self._around = world_facts
        self._is_eass = is_eass
        self._support = BeliefSupport(fate.program.rules)

    def none(self) -> Iterator[Defect]:
        yield from ()

    # --- patterns of the method of Bordini et al. -------------------------------------------------

    def old(self) -> Iterator[Defect]:
        gone = [each.plan for each in self._fate.removed_plans]
        kept = [each.plan for each in self._fate.plans if each.kept]
        for plan in gone:
            if any(each.number > plan.number and _same_trigger(each, plan) for each in kept):
                yield Defect(
                    "O1",
                    "a plan is deleted that was tried before another plan for the same trigger",
                    plan,
                )
            if any(_posts(each, plan) for each in kept) or self._is_initial(plan):
                yield Defect("O2", "a goal is still posted, and a plan for it is deleted", plan)
            if any(
                self._is_read_by_rules(deed.atom, kept)
                for deed in plan.body
                if isinstance(deed, AddBelief | RemoveBelief)
            ):
                yield Defect(
                    "O3", "a plan is deleted that changes what a reasoning rule depends on", plan
                )
            if any(
                isinstance(deed, Act) and self._around.changes_percepts(deed.action)
                for deed in plan.body
            ):
                yield Defect("O6", "a plan is deleted whose action changes what is perceived", plan)
            if any(isinstance(deed, DropGoal) for deed in plan.body):
                yield Defect("O4", "a plan is deleted that drops a goal", plan)
            if self._query.asks_for_goals and plan.trigger.kind == "goal":
                yield Defect(
                    "O5",
                    "the property mentions goals, and a plan that would end a goal is deleted",
                    plan,
                )

    def _is_initial(self, plan: Plan) -> bool:
        goals = [
            NodeName("goal", "+", goal.type, goal.atom) for goal, _ in self._fate.program.goals
        ]
        return plan.trigger.kind == "goal" and any(
            _trigger_goal(plan).matches(each) for each in goals
        )

    def _is_read_by_rules(self, atom: Term, kept: list[Plan]) -> bool:
        queried: list[Term] = [
            each.atom.atom
            for plan in kept
            for each in plan.guard
            if isinstance(each.atom, BeliefGuard)
        ]
        queried += [deed.atom for plan in kept for deed in plan.body if isinstance(deed, WaitFor)]
        queried += self._query.beliefs
        return any(unifiable(atom, each) for each in self._support.of(queried)) and not any(
            unifiable(atom, each) for each in queried
        )

    # --- patterns of the method of Winikoff et al. ------------------------------------------------

    def new(self) -> Iterator[Defect]:
        for plan, deed in self._gone():
            yield from self._of_deed(plan, deed)
        graph = self._fate.graph
        for link in graph.suppressed:
            index = graph.nodes[link.source].plan
            number = None if index is None else graph.plans[index].number
            written = None if number is None else self._fate.by_number[number].plan
            yield Defect(
                "D2",
                "a link from a belief update to its reader is suppressed, although the update may "
                "happen again",
                written,
            )
        if len(graph.roots) > 1 or len(self._fate.program.goals) > 1:
            for plan, _ in self._shortened():
                yield Defect(
                    "D4",
                    "a plan has fewer steps than before, so intentions interleave differently",
                    plan.plan,
                )

    def _gone(self) -> Iterator[tuple[PlanDecision, DeedDecision]]:
        """Yield the deeds of the original program that the slice no longer contains. These are
        single deeds removed from kept plans, and all deeds of removed plans.

        Each deed is given as a pair. The first part says whether the slice keeps the plan of the
        deed, the second that the deed is removed. Both give the reason.
        """
        for plan in self._fate.plans:
            fates = (
                plan.deeds
                if plan.kept
                else tuple(DeedDecision(each, "removed", plan.why) for each in plan.plan.body)
            )
            yield from ((plan, each) for each in fates if each.fate == "removed")

    def _shortened(self) -> Iterator[tuple[PlanDecision, DeedDecision]]:
        return self._fate.changed_deeds()

    def _of_deed(self, plan: PlanDecision, fate: DeedDecision) -> Iterator[Defect]:
        deed = fate.deed
        if isinstance(deed, WaitFor):
            yield Defect(
                "D1",
                f"{deed} is removed, so later deeds no longer wait for it",
                plan.plan,
            )
            if self._query.asks_for_goals:
                yield Defect(
                    "D10",
                    f"the property mentions goals, and {deed} is removed, without which a goal "
                    "ends earlier",
                    plan.plan,
                )
        if isinstance(deed, AddBelief | RemoveBelief) and self._is_event(deed):
            yield Defect(
                "D3",
                f"{deed} is removed, which decides whether a later change of this belief is an "
                "event",
                plan.plan,
            )
        if isinstance(deed, Lock | Unlock):
            yield Defect(
                "D5", "a lock is removed, so other intentions may run in between", plan.plan
            )
        if isinstance(deed, Act) and self._around.changes_percepts(deed.action):
            yield Defect(
                "D6", f"the action {deed} is removed, and percepts depend on it", plan.plan
            )
        if isinstance(deed, Act) and self._around.may_fail(deed.action):
            yield Defect(
                "D11",
                f"the action {deed} is removed, so later deeds are executed even where it would "
                "fail",
                plan.plan,
            )
        if not plan.kept:
            return
        if self._is_eass:
            yield Defect(
                "D7",
                f"{deed} is removed, and an EASS agent postpones every action but the first of a "
                "plan",
                plan.plan,
            )
        if plan.deeds[0] is fate and any(each.fate == "kept" for each in plan.deeds):
            yield Defect(
                "D8",
                f"{deed} was the first deed, which is executed when the plan is selected; now "
                "another deed is first",
                plan.plan,
            )
        if plan.plan.trigger.kind == "goal" and self._query.asks_for_goals:
            yield Defect(
                "D9",
                f"the property mentions goals, and {deed} is removed, without which a goal ends "
                "earlier",
                plan.plan,
            )

    def _is_event(self, deed: AddBelief | RemoveBelief) -> bool:
        triggers = [
            each.plan.trigger for each in self._fate.plans if each.plan.trigger.kind == "belief"
        ]
        return any(unifiable(each.content, deed.atom) for each in triggers)


def _same_trigger(one: Plan, other: Plan) -> bool:
    return name_of_trigger(one.trigger).matches(name_of_trigger(other.trigger))


def _posts(plan: Plan, other: Plan) -> bool:
    """Return whether a deed of ``plan`` posts a goal that triggers the plan ``other``."""
    trigger = other.trigger
    if trigger.kind != "goal" or trigger.sign != "+":
        return False
    return any(
        isinstance(deed, AddGoal) and name_of_deed(deed).matches(_trigger_goal(other))
        for deed in plan.body
    )


def _trigger_goal(plan: Plan) -> NodeName:
    """Return the node name of the goal that triggers a plan, as in the name of a deed that posts
    this goal. In particular, an achievement goal has the type ``achieve``, not ``try``."""
    return NodeName("goal", plan.trigger.sign, plan.trigger.type, plan.trigger.content)
