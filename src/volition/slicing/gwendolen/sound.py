"""Sound slice of a Gwendolen program: it has the same verdicts as the program, because it takes the
same turns in the same order.

Deeds that are not observable become no-ops that take the same turns: an action becomes an action
without effect, and a belief update becomes one that changes nothing. Guards, waits, goals, locks
and messages are kept. ``docs/explanation/slicing.md`` proves that verdicts are preserved and shows
why each condition in this module is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import assert_never

from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    BeliefGuard,
    Deed,
    DropGoal,
    Lock,
    Plan,
    RemoveBelief,
    Send,
    Unlock,
    WaitFor,
)
from volition.languages.world.terms import Structure, Term, Variable, predicate, show, variables
from volition.slicing.gwendolen.decisions import AgentSlice, DeedDecision, PlanDecision
from volition.slicing.gwendolen.graph import Graph, plan_numbers
from volition.slicing.gwendolen.node_names import (
    BeliefSupport,
    NodeName,
    name_of_deed,
    name_of_trigger,
)
from volition.slicing.gwendolen.queried import QueriedAtoms
from volition.slicing.gwendolen.transformation import transform
from volition.slicing.gwendolen.world_facts import WorldFacts
from volition.slicing.reachability import reachable
from volition.slicing.unification_index import TermIndex

__all__ = ["sound_slice"]


def sound_slice(
    agent: AgentProgram, query: QueriedAtoms, world_facts: WorldFacts, *, keep_actions: bool = False
) -> AgentSlice:
    """Return which plans and deeds of an agent the sound method keeps, removes or replaces by
    no-ops. With ``keep_actions``, no action becomes a no-op."""
    return _Slicer(
        agent, query, world_facts, keep_actions or world_facts.draws_after_actions
    ).fate()


@dataclass
class _ReadBeliefs:
    """Beliefs that the slice must preserve because something reads them, each with its reader as a
    clause for users."""

    support: BeliefSupport
    index: TermIndex = field(default_factory=TermIndex)
    reasons: list[str] = field(default_factory=list)

    def add(self, atoms: Iterable[Term], why: str) -> None:
        for atom in self.support.of(atoms):
            self.index.add(atom, len(self.reasons))
        self.reasons.append(why)

    def reason(self, atom: Term) -> str | None:
        """Return the clause that says what reads a belief; None if nothing reads it."""
        found = self.index.find(atom)
        return self.reasons[found[0]] if found else None


class _Slicer:
    def __init__(
        self, agent: AgentProgram, query: QueriedAtoms, world_facts: WorldFacts, keep_actions: bool
    ) -> None:
        self._agent = agent
        self._query = query
        self._around = world_facts
        self._keep_actions = keep_actions
        self._graph = Graph(
            transform(agent, goal_tests=False), BeliefSupport(()).of, world_facts.is_exogenous
        )
        self._plans = {plan.number: plan for plan in agent.plans}
        self._reached = self._reachable_plans()
        self._reads = _ReadBeliefs(BeliefSupport(agent.rules))
        self._ground = set(_always_ground(agent))
        self._events_count = self._why_events_count()

    def _why_events_count(self) -> str | None:
        """Return why a write to a belief that nothing reads must be kept; None if it can become a
        no-op.

        A write may be an event, and an event takes a turn even if no plan handles it. The reason
        says how this turn can be observed.
        """
        if self._around.changes_freely:
            return "it may be an event, and no percepts are drawn while an event is not handled"
        if not self._around.agent_moves_alone:
            return "it may be an event, which takes a turn in which other agents do not move"
        return (
            "it may be an event, which may change the order of waiting intentions"
            if self._several_may_wait()
            else None
        )

    def _several_may_wait(self) -> bool:
        """Return whether several intentions may wait at the same time. The result is False in two
        cases: the program has no wait deed, or it has only one, in a plan that is started only
        once, by one initial goal."""
        waiting = [
            plan for plan in self._agent.plans for deed in plan.body if isinstance(deed, WaitFor)
        ]
        if not waiting:
            return False
        name = name_of_trigger(waiting[0].trigger)
        started = [
            goal
            for goal, _ in self._agent.goals
            if name.matches(_tried(NodeName("goal", "+", goal.type, goal.atom)))
        ]
        posted = [
            deed
            for plan in self._agent.plans
            for deed in plan.body
            if name.matches(_tried(name_of_deed(deed)))
        ]
        return len(waiting) > 1 or len(started) != 1 or bool(posted)

    # --- reachable plans --------------------------------------------------------------------------

    def _reachable_plans(self) -> set[int]:
        """Return the plans that can be used, as indices into the plans of the graph. For each
        trigger that may occur, these are its plans in the order tried, up to the first one that
        always applies."""
        graph = self._graph
        dropping = [
            each
            for each in graph.triggers
            if graph.name(each).kind == "goal" and graph.name(each).sign == "-"
        ]
        triggers = reachable([*graph.roots, *dropping], self._triggered_by_plans_for)
        return {plan for trigger in triggers for plan in self._tried(trigger)}

    def _tried(self, trigger: int) -> Iterator[int]:
        for plan in self._graph.plans_for[trigger]:
            yield plan
            if not self._graph.may_fall_through(plan):
                break

    def _triggered_by_plans_for(self, trigger: int) -> Iterator[int]:
        for plan in self._tried(trigger):
            yield from (
                each
                for step in self._graph.steps[plan]
                for each in self._graph.triggering.get(step, ())
            )

    def _groups(self) -> Iterator[tuple[NodeName, list[Plan]]]:
        """Yield the name of each trigger that has plans that can be used, with the list of these
        plans."""
        for trigger in self._graph.triggers:
            indices = [each for each in self._graph.plans_for[trigger] if each in self._reached]
            plans = [
                self._plans[number]
                for each in indices
                if (number := self._graph.plans[each].number) is not None
            ]
            if plans:
                yield self._graph.name(trigger), plans

    # --- beliefs that are read --------------------------------------------------------------------

    def fate(self) -> AgentSlice:
        groups = list(self._groups())
        self._read_always(plan for _, plans in groups for plan in plans)
        idle = [group for group in groups if self._plans_may_be_removed(*group)]
        for name, plans in groups:
            if (name, plans) not in idle:
                self._read_in(plans)
        while busy := [group for group in idle if not self._is_idle(group[1])]:
            for name, plans in busy:
                idle.remove((name, plans))
                self._read_in(plans)
        ignored = {plan.number for _, plans in idle for plan in plans}
        indices = plan_numbers(self._graph.plans)
        fates = tuple(self._plan(plan, indices[plan.number], ignored) for plan in self._agent.plans)
        return AgentSlice(self._agent, fates, self._graph)

    def _read_always(self, plans: Iterable[Plan]) -> None:
        """Register the beliefs that are always read: those of the property, of waits and of
        achievement goals."""
        for modality, pattern in self._query.about():
            if modality == "Bel":
                self._reads.add([pattern], "the property mentions it")
        for goal, _ in self._agent.goals:
            if goal.type == "achieve":
                self._reads.add([goal.atom], f"the initial goal {goal} ends when it is believed")
        for plan in plans:
            for deed in plan.body:
                if isinstance(deed, WaitFor):
                    self._reads.add([deed.atom], f"plan {plan.number} waits for {show(deed.atom)}")
                elif isinstance(deed, AddGoal) and deed.goal.type == "achieve":
                    self._reads.add(
                        [deed.goal.atom],
                        f"the goal {deed.goal} of plan {plan.number} ends when it is believed",
                    )

    def _read_in(self, plans: Iterable[Plan]) -> None:
        """Register the beliefs in the guards and in the belief triggers of these plans as read."""
        for plan in plans:
            for each in plan.guard:
                if isinstance(each.atom, BeliefGuard):
                    self._reads.add(
                        [each.atom.atom],
                        f"the guard of plan {plan.number} reads {show(each.atom.atom)}",
                    )
            if plan.trigger.kind == "belief":
                self._reads.add([plan.trigger.content], f"plan {plan.number} is for {plan.trigger}")

    def _plans_may_be_removed(self, name: NodeName, plans: list[Plan]) -> bool:
        """Return whether the plans for a trigger may be removed, provided that their deeds have no
        effect. This is the case if all of these conditions hold:

        - The trigger is a belief event.
        - Each plan has at most one deed, so it takes at most one turn, as an event without a plan
          does.
        - Only one agent moves.
        """
        return (
            name.kind == "belief"
            and self._around.agent_moves_alone
            and all(len(plan.body) <= 1 for plan in plans)
        )

    def _is_idle(self, plans: list[Plan]) -> bool:
        return all(
            self._needed(plan, position) is None
            for plan in plans
            for position in range(len(plan.body))
        )

    # --- deeds that are needed --------------------------------------------------------------------

    def _needed(self, plan: Plan, position: int) -> str | None:
        """Return why the deed at a position of a plan must be kept unchanged; None if a no-op can
        replace it."""
        deed = plan.body[position]
        match deed:
            case Act(action):
                return self._action_needed(action)
            case AddBelief(atom) | RemoveBelief(atom):
                return self._update_needed(plan, position, deed, atom)
            case AddGoal() | DropGoal() | Lock() | Unlock() | WaitFor() | Send():
                pass
            case _:
                assert_never(deed)
        return _ALWAYS[name_of_deed(deed).kind]

    def _action_needed(self, action: Structure) -> str | None:
        if self._query.asks_for_action(action):
            return "the property mentions it"
        if self._keep_actions:
            return (
                "every action counts: percepts are drawn again after it, or the property depends "
                "on the last action"
            )
        return (
            None
            if self._around.changes_nothing(action)
            else "it may change the world, fail or return an answer"
        )

    def _update_needed(
        self, plan: Plan, position: int, deed: Deed, atom: Structure | Variable
    ) -> str | None:
        if isinstance(atom, Variable):
            return "it may be any belief"
        if why := self._reads.reason(atom if predicate(atom) in self._ground else _general(atom)):
            return why
        if self._events_count:
            return self._events_count
        if isinstance(deed, RemoveBelief) and set(variables(atom)) & (
            _used_after(plan, position) - _bound_before(plan)
        ):
            return "it gives a value to a variable that is used later"
        return None

    # --- decisions about plans and deeds ----------------------------------------------------------

    def _plan(self, plan: Plan, index: int, ignored: set[int]) -> PlanDecision:
        if index not in self._reached:
            return PlanDecision(
                plan,
                False,
                "it can never be used: nothing triggers it, or a plan above it always applies",
            )
        if plan.number in ignored:
            return PlanDecision(
                plan,
                False,
                "it takes one turn and changes nothing, like an event that no plan handles",
            )
        deeds = tuple(self._deed(plan, position) for position in range(len(plan.body)))
        needed = next((each for each in deeds if each.fate == "kept"), None)
        why = (
            f"{needed.deed} is kept: {needed.why}"
            if needed
            else "its turns are kept, because other intentions run between them"
        )
        return PlanDecision(plan, True, why, deeds)

    def _deed(self, plan: Plan, position: int) -> DeedDecision:
        deed, why = plan.body[position], self._needed(plan, position)
        if why is not None:
            return DeedDecision(deed, "kept", why)
        what = (
            "has no effect, and the property does not mention it"
            if isinstance(deed, Act)
            else "changes a belief that nothing reads"
        )
        return DeedDecision(deed, "no-op", what)


_ALWAYS = {
    "goal": "goals are pursued as in the program",
    "wait": "nothing after it is executed while it waits",
    "lock": "nothing else runs while the lock is held",
    "send": "another agent receives the message",
}


def _tried(name: NodeName) -> NodeName:
    """Return the name of the goal that the plans of the program handle after a goal is posted. If
    an achievement goal g is posted, the meta-plans post g with the type ``try``, and the plans
    handle this goal. Any other goal is handled as posted."""
    return replace(name, type="try") if name.type == "achieve" else name


def _used_after(plan: Plan, position: int) -> set[str]:
    return {each for deed in plan.body[position + 1 :] for each in _variables_of(deed)}


def _variables_of(deed: Deed) -> Iterator[str]:
    content = name_of_deed(deed).content
    return iter(()) if content is None else variables(content)


def _always_ground(agent: AgentProgram) -> Iterator[str]:
    """Yield the predicates whose beliefs are ground (contain no variable) whenever a plan adds
    them."""
    updated = {
        predicate(atom): True
        for plan in agent.plans
        for deed in plan.body
        for atom in _updated(deed)
    }
    for plan in agent.plans:
        for deed in plan.body:
            for atom in _updated(deed):
                if isinstance(deed, AddBelief) and not set(variables(atom)) <= _bound_before(plan):
                    updated[predicate(atom)] = False
    return (each for each, is_ground in updated.items() if is_ground)


def _updated(deed: Deed) -> Iterator[Structure]:
    if isinstance(deed, AddBelief | RemoveBelief) and isinstance(deed.atom, Structure):
        yield deed.atom


def _general(atom: Structure) -> Structure:
    return Structure(atom.functor, (Variable("_"),) * len(atom.arguments))


def _bound_before(plan: Plan) -> set[str]:
    """Return the variables that are bound to ground values when the plan starts, by positive belief
    guards and by the addition of a belief as trigger. This assumes that beliefs are ground."""
    bound = {
        each
        for guard in plan.guard
        if guard.positive and isinstance(guard.atom, BeliefGuard)
        for each in variables(guard.atom.atom)
    }
    if plan.trigger.kind == "belief" and plan.trigger.sign == "+":
        bound |= set(variables(plan.trigger.content))
    return bound
