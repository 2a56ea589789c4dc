"""The program that the graph is built from: achievement goals as meta-plans, tests of goals as
tests of beliefs (Sect. 3.1).

Every step knows the deed that it comes from, so that folding back is a matter of looking at the
deeds.
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

__all__ = ["Place", "TransformedPlan", "TransformedProgram", "TransformedStep", "transform"]

Place = tuple[int, int]
"""The number of a plan, and the position of a deed in its body."""


@dataclass(frozen=True, slots=True)
class TransformedStep:
    """A step and the deed that it was; None where the transformation has put it in."""

    name: NodeName
    position: Place | None = None


@dataclass(frozen=True, slots=True)
class TransformedPlan:
    """``number`` is that of the plan in the program, None for a meta-plan; ``asks`` are the beliefs
    that its guard is about."""

    label: str
    number: int | None
    trigger: NodeName
    asks: tuple[Term, ...]
    always: bool
    """Whether the guard is ``True``."""
    steps: tuple[TransformedStep, ...]
    given: frozenset[str] = frozenset()
    """The variables that have a value when the first step is taken."""


@dataclass(frozen=True, slots=True)
class TransformedProgram:
    """Meta-plans first, then the plans of the program in their order."""

    plans: tuple[TransformedPlan, ...]
    initial: tuple[NodeName, ...] = field(default=())
    """What the initial goals post."""


def transform(agent: AgentProgram, *, goal_tests: bool = True) -> TransformedProgram:
    """The transformed program; without ``goal_tests`` these are left out, as the original method
    does (Sect. 2.3)."""
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
    """The goals that occur as goals to achieve, one for each predicate: the most general one where
    there are several."""
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
    """``+!achieve_G : {B G} <- -goal_G`` and ``+!achieve_G : {~B G} <- +!G, +!achieve_G``."""
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
    asks: list[Term] = []
    for each in plan.guard:
        match each.atom:
            case BeliefGuard(atom):
                asks.append(atom)
            case GoalGuard(goal) if tested:
                asks.append(goal_as_belief(goal.atom, goal.type))
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
        tuple(asks),
        not plan.guard,
        tuple(steps) or (_SKIP,),
        _given(plan),
    )


def _given(plan: Plan) -> frozenset[str]:
    """The variables of the trigger and of what the guard finds."""
    found: list[Term] = [plan.trigger.content]
    for each in plan.guard:
        match each.atom:
            case BeliefGuard(atom) | GoalGuard(Goal(atom)) if each.positive:
                found.append(atom)
    return frozenset(name for term in found for name in variables(term))
