"""Original slicing method of Bordini et al., as Winikoff et al. describe and apply it (Sect. 2.3).

A plan is kept as a whole if something that the property mentions can be reached from its context.
Other plans are removed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from volition.languages.gwendolen.syntax import AgentProgram
from volition.languages.world.terms import Structure, Term, unifiable
from volition.slicing.gwendolen.decisions import AgentSlice, DeedDecision, PlanDecision
from volition.slicing.gwendolen.graph import Graph, Link, by_source, plan_numbers
from volition.slicing.gwendolen.node_names import BeliefSupport, acts_as
from volition.slicing.gwendolen.queried import QueriedAtoms
from volition.slicing.gwendolen.transformation import transform
from volition.slicing.reachability import path_to_start, reachable

__all__ = ["bordini_slice"]


def bordini_slice(
    agent: AgentProgram,
    query: QueriedAtoms,
    is_exogenous: Callable[[Term], bool],
    *,
    is_alone: bool = True,
) -> AgentSlice:
    """Return which plans of an agent are kept by the method of Bordini et al., with reasons. Unless
    the agent ``is_alone``, its messages count as mentioned in the property."""
    graph = Graph(transform(agent, goal_tests=False), BeliefSupport(()).of, is_exogenous)
    links = by_source(_literal_dependence_net(graph))
    indices = plan_numbers(graph.plans)
    fates = []
    for plan in agent.plans:
        reached = reachable([graph.contexts[indices[plan.number]]], links)
        goal = next((node for node in reached if _is_queried(graph, node, query, is_alone)), None)
        if goal is None:
            fates.append(
                PlanDecision(
                    plan, False, "nothing that the property mentions can be reached from it"
                )
            )
            continue
        why = f"it leads to {graph.nodes[goal]}: {_path(graph, reached, goal)}"
        fates.append(
            PlanDecision(
                plan,
                True,
                why,
                tuple(DeedDecision(each, "kept", "its plan is kept") for each in plan.body),
            )
        )
    return AgentSlice(agent, tuple(fates), graph)


def _literal_dependence_net(graph: Graph) -> list[Link]:
    """Return the links of the literal dependence net of Bordini et al.: from triggers to the
    contexts of all their plans, from contexts to all steps of the plan, from steps to what they
    trigger, and belief links that ignore reasoning rules."""
    links = [
        Link(trigger, graph.contexts[plan], "n")
        for trigger, plans in graph.plans_for.items()
        for plan in plans
    ]
    links += [
        Link(graph.contexts[number], step, "c")
        for number, steps in enumerate(graph.steps)
        for step in steps
    ]
    links += [
        Link(step, trigger, "t")
        for step, triggers in graph.triggering.items()
        for trigger in triggers
    ]
    return [*links, *graph.belief_links_to(through_rules=False)]


def _is_queried(graph: Graph, number: int, query: QueriedAtoms, is_alone: bool) -> bool:
    node = graph.nodes[number]
    if node.name is None or node.name.content is None:
        return False
    name, content = node.name, node.name.content
    match name.kind:
        case "belief":
            return any(unifiable(each, content) for each in query.beliefs)
        case "goal" if name.sign == "+":
            patterns = query.desires if node.kind == "step" else query.intentions
            return any(unifiable(each, content) for each in patterns)
        case "action":
            return isinstance(content, Structure) and any(
                acts_as(each, content) for each in (*query.actions, *query.to_do)
            )
        case "send":
            return not is_alone
        case "goal" | "received" | "wait" | "lock" | "skip":
            pass
        case _:
            assert_never(name.kind)
    return False


def _path(graph: Graph, before: dict[int, int | None], goal: int) -> str:
    return " > ".join(graph.nodes[each].label for each in reversed(path_to_start(goal, before)))
