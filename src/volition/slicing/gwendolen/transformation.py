"""Transformation of an agent's program on which the dependence graph is built: achievement goals
become meta-plans, and tests of goals become tests of beliefs (Winikoff et al., Sect. 3.1).

Every transformed step refers to the deed it comes from, so that results can be mapped back to the
program.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from volition.languages.gwendolen.syntax import (
    AddGoal,
    AgentProgram,
    BeliefGuard,
    DropGoal,
    Goal,
    GoalGuard,
    Plan,
)
from volition.languages.world.terms import (
    Structure,
    Term,
    Variable,
    predicate,
    rename,
    unifiable,
    variables,
)
from volition.slicing.gwendolen.node_names import (
    NodeName,
    goal_as_belief,
    name_of_deed,
    name_of_trigger,
)

__all__ = ["DeedPosition", "TransformedPlan", "TransformedProgram", "TransformedStep", "transform"]

DeedPosition = tuple[int, int]
"""Position of a deed in an agent's program: the number of the plan, and the index of the deed in
its body."""


@dataclass(frozen=True, slots=True)
class TransformedStep:
    """Step of a transformed plan. ``position`` is the deed that the step comes from, or None if the
    transformation inserted the step."""

    name: NodeName
    position: DeedPosition | None = None


@dataclass(frozen=True, slots=True)
class TransformedPlan:
    """Plan of the transformed program. ``number`` is the number of the original plan, None for a
    meta-plan. ``reads`` are the beliefs in the guard."""

    label: str
    number: int | None
    trigger: NodeName
    reads: tuple[Term, ...]
    always: bool
    """Whether the guard is ``True``, so that the plan always applies."""
    steps: tuple[TransformedStep, ...]
    given: frozenset[str] = frozenset()
    """Variables that are bound when the first step is executed."""


@dataclass(frozen=True, slots=True)
class TransformedProgram:
    """Result of transforming an agent's program: the meta-plans for achievement goals first, then
    the plans of the program in order."""

    plans: tuple[TransformedPlan, ...]
    initial: tuple[NodeName, ...] = field(default=())
    """Events that the initial goals post."""


def transform(agent: AgentProgram, *, goal_tests: bool = True) -> TransformedProgram:
    """Return an agent's program with meta-plans for its achievement goals. With ``goal_tests``,
    guards that test goals become tests of beliefs; without, they are omitted, as in the original
    method (Winikoff et al., Sect. 2.3)."""
    tested = (
        [
            each.atom.goal
            for plan in agent.plans
            for each in plan.guard
            if isinstance(each.atom, GoalGuard)
        ]
        if goal_tests
        else []
    )
    plans = [
        meta
        for number, goal in enumerate(_achieved(agent))
        for meta in _meta_plans(number, goal, tested)
    ]
    plans += [_plan(plan, tested) for plan in agent.plans]
    return TransformedProgram(
        tuple(plans), tuple(NodeName("goal", "+", goal.type, goal.atom) for goal, _ in agent.goals)
    )


def _achieved(agent: AgentProgram) -> list[Term]:
    """Return the achievement goals of an agent's program, one for each predicate. If several
    different goals share a predicate, the most general goal of this predicate represents them."""
    found: dict[str, Term] = {}
    for goal in _goals(agent):
        if goal.type == "achieve":
            key = predicate(goal.atom) if isinstance(goal.atom, Structure) else ""
            known = found.setdefault(key, rename(goal.atom, {}, "_"))
            if known != rename(goal.atom, {}, "_"):
                found[key] = _general(known)
    return list(found.values())


def _general(term: Term) -> Term:
    if not isinstance(term, Structure):
        return term
    return Structure(
        term.functor, tuple(Variable(f"_{index}") for index in range(len(term.arguments)))
    )


def _goals(agent: AgentProgram) -> Iterator[Goal]:
    yield from (goal for goal, _ in agent.goals)
    for plan in agent.plans:
        if plan.trigger.kind == "goal" and plan.trigger.type is not None:
            yield Goal(plan.trigger.content, plan.trigger.type)
        yield from (deed.goal for deed in plan.body if isinstance(deed, AddGoal))


def _is_tested(goal: Goal, tested: Sequence[Goal]) -> bool:
    return any(each.type == goal.type and unifiable(each.atom, goal.atom) for each in tested)


def _meta_plans(number: int, goal: Term, tested: Sequence[Goal]) -> Iterator[TransformedPlan]:
    """Yield the two meta-plans of an achievement goal G: ``+!achieve_G : {B G} <- -goal_G`` and
    ``+!achieve_G : {~B G} <- +!G, +!achieve_G``. The belief ``goal_G`` is used only if a guard in
    the program tests the goal G. Otherwise the body of the first meta-plan is empty."""
    trigger = NodeName("goal", "+", "achieve", goal)
    atom = goal if isinstance(goal, Structure | Variable) else Variable("_")
    ends = (
        [TransformedStep(NodeName("belief", "-", None, goal_as_belief(goal, "achieve")))]
        if _is_tested(Goal(atom, "achieve"), tested)
        else []
    )
    first = 2 * number + 1
    yield TransformedPlan(f"M{first}", None, trigger, (goal,), False, tuple(ends) or (_SKIP,))
    yield TransformedPlan(
        f"M{first + 1}",
        None,
        trigger,
        (goal,),
        False,
        (TransformedStep(NodeName("goal", "+", "try", goal)), TransformedStep(trigger)),
    )


_SKIP = TransformedStep(NodeName("skip"))


def _plan(plan: Plan, tested: Sequence[Goal]) -> TransformedPlan:
    trigger = name_of_trigger(plan.trigger)
    reads: list[Term] = []
    for each in plan.guard:
        match each.atom:
            case BeliefGuard(atom):
                reads.append(atom)
            case GoalGuard(goal) if tested:
                reads.append(goal_as_belief(goal.atom, goal.type))
            case _:
                pass
    steps: list[TransformedStep] = []
    for position, deed in enumerate(plan.body):
        name, index = name_of_deed(deed), (plan.number, position)
        if isinstance(deed, AddGoal) and _is_tested(deed.goal, tested):
            steps.append(
                TransformedStep(
                    NodeName("belief", "+", None, goal_as_belief(deed.goal.atom, deed.goal.type))
                )
            )
        steps.append(TransformedStep(name, index))
        if isinstance(deed, DropGoal) and _is_tested(deed.goal, tested):
            steps.append(
                TransformedStep(
                    NodeName("belief", "-", None, goal_as_belief(deed.goal.atom, deed.goal.type))
                )
            )
    if plan.trigger.kind == "goal" and plan.trigger.sign == "+" and plan.trigger.type == "perform":
        ends = not (steps and steps[-1].name.matches(trigger))
        if ends and _is_tested(Goal(plan.trigger.content, "perform"), tested):
            steps.append(
                TransformedStep(
                    NodeName("belief", "-", None, goal_as_belief(plan.trigger.content, "perform"))
                )
            )
    return TransformedPlan(
        f"p{plan.number}",
        plan.number,
        trigger,
        tuple(reads),
        not plan.guard,
        tuple(steps) or (_SKIP,),
        _given(plan),
    )


def _given(plan: Plan) -> frozenset[str]:
    """Return the variables that the trigger and the positive guard literals of a plan bind."""
    found: list[Term] = [plan.trigger.content]
    for each in plan.guard:
        match each.atom:
            case BeliefGuard(atom) | GoalGuard(Goal(atom)) if each.positive:
                found.append(atom)
            case _:
                pass
    return frozenset(name for term in found for name in variables(term))
