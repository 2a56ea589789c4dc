"""New slicing method of Winikoff et al. (Sect. 3.1 to 3.5), complete and automatic: marks the nodes
of the dependence graph that matter to the property, and removes other steps and plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from volition.languages.gwendolen.syntax import AddGoal, AgentProgram, Deed, Plan
from volition.languages.world.terms import Structure, Term, unifiable
from volition.slicing.gwendolen.decisions import AgentSlice, DeedDecision, PlanDecision
from volition.slicing.gwendolen.graph import Graph, LinksByNode, by_target, covers, plan_numbers
from volition.slicing.gwendolen.node_names import BeliefSupport, NodeName, acts_as, name_of_trigger
from volition.slicing.gwendolen.queried import QueriedAtoms
from volition.slicing.gwendolen.transformation import DeedPosition, transform
from volition.slicing.reachability import path_to_start, reachable

__all__ = ["Marking", "graph_of", "mark_nodes", "winikoff_slice"]


def graph_of(agent: AgentProgram, is_exogenous: Callable[[Term], bool]) -> Graph:
    """Return the dependence graph of an agent's transformed program. Beliefs depend on everything
    that their reasoning rules use. ``is_exogenous`` decides which beliefs may change without a deed
    of the agent."""
    return Graph(transform(agent), BeliefSupport(agent.rules).of, is_exogenous)


# --- marking of nodes (Sect. 3.4) -----------------------------------------------------------------


@dataclass
class Marking:
    """Marked nodes of the dependence graph (Winikoff et al., Sect. 3.4), each with the reason as a
    clause for users."""

    direct: dict[int, str] = field(default_factory=dict)
    indirect: dict[int, str] = field(default_factory=dict)
    propagated: dict[int, str] = field(default_factory=dict)

    @property
    def all(self) -> Mapping[int, str]:
        return {**self.propagated, **self.indirect, **self.direct}


def mark_nodes(
    graph: Graph, query: QueriedAtoms, support: BeliefSupport, *, is_alone: bool = True
) -> Marking:
    """Return the nodes that matter to the property (Winikoff et al., Sect. 3.4). There are three
    kinds:

    - nodes that affect the property directly;
    - both ends of a belief link that leads to a node of the first kind, because such a link decides
      which later steps are taken;
    - steps that trigger a plan from which a marked node can be reached.
    """
    marking = Marking()
    believed = support.of(query.beliefs)
    for number in (*graph.triggers, *graph.all_steps):
        if why := _affects(graph, number, query, believed, is_alone):
            marking.direct[number] = why
    links = [*graph.control_links, *graph.belief_links]
    back = by_target(links)
    to_direct = reachable(marking.direct, back)
    for link in graph.belief_links:
        if link.target in to_direct:
            path = _path(graph, to_direct, link.target)
            marking.indirect.setdefault(
                link.source,
                f"changes what {graph.nodes[link.target]} reads, which leads to the property: "
                f"{path}",
            )
            marking.indirect.setdefault(
                link.target, f"decides what is done after {graph.nodes[link.source]}: {path}"
            )
    _propagate(graph, marking, back)
    return marking


def _affects(
    graph: Graph, number: int, query: QueriedAtoms, believed: Iterable[Term], is_alone: bool
) -> str | None:
    node, name = graph.nodes[number], graph.name(number)
    content = name.content
    if content is None:
        return None
    if node.kind == "trigger":
        return (
            "the property mentions the intention"
            if name.posts_goal and _any(query.intentions, content)
            else None
        )
    match name.kind:
        case "belief" if _any(believed, content):
            return "the property mentions this belief"
        case "goal" if name.sign == "+" and _any(query.desires, content):
            return "the property mentions this goal"
        case "action" if isinstance(content, Structure) and any(
            acts_as(each, content) for each in (*query.actions, *query.to_do)
        ):
            return "the property mentions this action"
        case "send" if not is_alone:
            return "other agents receive it"
        case _:
            pass
    return None


def _any(patterns: Iterable[Term], term: Term) -> bool:
    return any(unifiable(each, term) for each in patterns)


def _propagate(graph: Graph, marking: Marking, back: LinksByNode) -> None:
    """Add to ``marking`` the steps that cause a trigger from which a marked node can be reached
    over control and belief links. A step causes a trigger if it posts the goal or updates the
    belief of the trigger. ``back`` gives the sources of the links to a node.

    Steps that may bind a variable of a kept step are marked too. The paper has no rule for this,
    because its programs have no variables.
    """
    caused_by = _causes(graph.triggering)
    marked = set(marking.all)
    to_marked = reachable(marked, back)
    waiting = list(to_marked)

    def mark(step: int, why: str) -> None:
        if step in marked:
            return
        marked.add(step)
        marking.propagated[step] = why
        for found, after in reachable([step], back).items():
            if found not in to_marked:
                to_marked[found] = after
                waiting.append(found)
        give_values(step)

    def give_values(step: int) -> None:
        for before in graph.values.get(step, ()):
            mark(before, f"gives a value to a variable of {graph.nodes[step]}")

    for step in graph.all_steps:
        if step in marked or graph.name(step).posts_goal:
            give_values(step)
    for node in waiting:
        for step in caused_by.get(node, ()):
            mark(step, f"triggers what leads to a marked step: {_path(graph, to_marked, node)}")


def _causes(triggering: Mapping[int, Iterable[int]]) -> dict[int, list[int]]:
    """Return, for each trigger node, the steps that trigger it. ``triggering`` is the inverse
    mapping."""
    found: dict[int, list[int]] = {}
    for step, triggers in triggering.items():
        for trigger in triggers:
            found.setdefault(trigger, []).append(step)
    return found


def _path(graph: Graph, after: dict[int, int | None], node: int) -> str:
    return " > ".join(graph.nodes[each].label for each in path_to_start(node, after))


# --- removal of steps and plans (Sect. 3.3 and 3.5) -----------------------------------------------


def winikoff_slice(
    agent: AgentProgram,
    query: QueriedAtoms,
    is_exogenous: Callable[[Term], bool],
    *,
    is_alone: bool = True,
) -> AgentSlice:
    """Return which plans and deeds of an agent the method of Winikoff et al. keeps, with reasons.
    Unless the agent ``is_alone``, its messages count as affecting the property."""
    graph = graph_of(agent, is_exogenous)
    marked = mark_nodes(graph, query, BeliefSupport(agent.rules), is_alone=is_alone).all
    return _Compression(agent, graph, marked).fate()


class _Compression:
    def __init__(self, agent: AgentProgram, graph: Graph, marked: Mapping[int, str]) -> None:
        self._agent = agent
        self._graph = graph
        self._gone: dict[int, str] = {}
        self._bodies = {plan.number: self._deeds(plan, marked) for plan in agent.plans}

    def _deeds(self, plan: Plan, marked: Mapping[int, str]) -> list[DeedDecision]:
        """Return the decisions about the deeds of a plan by rules 1 and 2 of Sect. 3.5 of Winikoff
        et al.: atomic steps that are not marked are removed. Posting a goal is not atomic."""
        index = plan_numbers(self._graph.plans)[plan.number]
        why = {
            self._graph.nodes[step].deed_position: marked.get(step)
            for step in self._graph.steps[index]
        }
        return [
            self._deed(deed, why[plan.number, position]) for position, deed in enumerate(plan.body)
        ]

    @staticmethod
    def _deed(deed: Deed, why: str | None) -> DeedDecision:
        if why is not None:
            return DeedDecision(deed, "kept", why)
        if isinstance(deed, AddGoal):
            return DeedDecision(
                deed,
                "kept",
                "it posts a goal, although the goal leads to nothing that the property mentions",
            )
        return DeedDecision(
            deed,
            "removed",
            "it is not marked: it affects neither the property nor a step that does",
        )

    def fate(self) -> AgentSlice:
        indices = plan_numbers(self._graph.plans)
        for plan in self._agent.plans:
            if self._graph.contexts[indices[plan.number]] not in self._graph.reachable:
                self._gone[plan.number] = (
                    "it cannot be reached from an initial goal or an exogenous event"
                )
        while self._delete_goals():
            pass
        self._delete_reactions()
        return AgentSlice(
            self._agent, tuple(self._plan(plan) for plan in self._agent.plans), self._graph
        )

    def _plan(self, plan: Plan) -> PlanDecision:
        if plan.number in self._gone:
            return PlanDecision(plan, False, self._gone[plan.number])
        deeds = tuple(self._bodies[plan.number])
        kept = next((each for each in deeds if each.fate == "kept"), None)
        why = (
            f"{kept.deed} is kept: {kept.why}"
            if kept
            else "it is empty now, but other plans for the same trigger are not"
        )
        return PlanDecision(plan, True, why, deeds)

    def _is_skip(self, number: int) -> bool:
        return all(each.fate == "removed" for each in self._bodies[number])

    def _groups(self) -> Iterable[tuple[NodeName, list[Plan]]]:
        """Yield the name of each trigger with those of its plans that have not been removed."""
        plans = {plan.number: plan for plan in self._agent.plans}
        for trigger in self._graph.triggers:
            numbers = [
                number
                for index in self._graph.plans_for[trigger]
                if (number := self._graph.plans[index].number) is not None
            ]
            left = [plans[each] for each in numbers if each not in self._gone]
            if left:
                yield self._graph.name(trigger), left

    def _delete_goals(self) -> bool:
        """Apply rule 4 of Sect. 3.5 of Winikoff et al. once: remove a perform goal, that is, its
        plans and the deeds that post it. Return whether a goal was removed. A goal can be removed
        if it is not an initial goal, all its plans are empty, and one of them has no guard.

        The paper has no variables. With variables, a posted goal may match several plans, and a
        plan several posted goals, so they are removed together (:meth:`_served_together`). For each
        posting there must be a plan without a guard that handles every instance of it, and no later
        step may need a value from the posting.
        """
        initial = [NodeName("goal", "+", goal.type, goal.atom) for goal, _ in self._agent.goals]
        for name, group in self._groups():
            if (name.kind, name.sign, name.type) != ("goal", "+", "perform"):
                continue
            plans, postings = self._served_together(group)
            names = [name_of_trigger(plan.trigger) for plan in plans]
            if any(not self._is_skip(plan.number) for plan in plans) or any(
                each.matches(goal) for each in names for goal in initial
            ):
                continue
            if all(plan.guard for plan in plans) or not all(
                self._is_always_served(position, plans) for position in postings
            ):
                continue
            self._gone |= {
                plan.number: "all plans for this goal are empty, and the goal is no longer posted"
                for plan in plans
            }
            for deeds in self._bodies.values():
                deeds[:] = [self._without_posting(each, names) for each in deeds]
            return True
        return False

    def _served_together(self, plans: Iterable[Plan]) -> tuple[list[Plan], list[DeedPosition]]:
        """Return the plans and postings that can only be removed together with ``plans``: the
        postings that these plans may handle, all remaining plans that may handle one of these
        postings, and so on. A posting is given by the position of the deed that posts the goal."""
        found = {plan.number: plan for plan in plans}
        while True:
            names = [name_of_trigger(plan.trigger) for plan in found.values()]
            postings = {
                position: posted
                for position, posted in self._postings()
                if any(each.matches(posted) for each in names)
            }
            left = [plan for plan in self._agent.plans if plan.number not in self._gone]
            more = [
                plan
                for plan in left
                if any(name_of_trigger(plan.trigger).matches(each) for each in postings.values())
            ]
            if all(plan.number in found for plan in more):
                return list(found.values()), list(postings)
            found |= {plan.number: plan for plan in more}

    def _postings(self) -> Iterator[tuple[DeedPosition, NodeName]]:
        """Yield each remaining deed that posts a goal, as a pair of the position of the deed and
        the name of the goal."""
        for number, deeds in self._bodies.items():
            for position, each in enumerate(deeds):
                if (
                    number not in self._gone
                    and each.fate == "kept"
                    and isinstance(each.deed, AddGoal)
                ):
                    yield (
                        (number, position),
                        NodeName("goal", "+", each.deed.goal.type, each.deed.goal.atom),
                    )

    def _is_always_served(self, posting: DeedPosition, plans: Iterable[Plan]) -> bool:
        """Return whether the deed at ``posting``, which posts a goal, can be removed: one of
        ``plans`` has no guard and handles every instance of the goal, and no later step needs a
        value from this deed."""
        number, position = posting
        deed = self._bodies[number][position].deed
        assert isinstance(deed, AddGoal)
        step = next(
            each
            for each in self._graph.all_steps
            if self._graph.nodes[each].deed_position == posting
        )
        gives = any(step in givers for givers in self._graph.values.values())
        return not gives and any(
            not plan.guard and covers(plan.trigger.content, deed.goal.atom) for plan in plans
        )

    @staticmethod
    def _without_posting(fate: DeedDecision, names: Iterable[NodeName]) -> DeedDecision:
        deed = fate.deed
        if isinstance(deed, AddGoal) and any(
            each.matches(NodeName("goal", "+", deed.goal.type, deed.goal.atom)) for each in names
        ):
            return DeedDecision(deed, "removed", "all plans for this goal are empty")
        return fate

    def _delete_reactions(self) -> None:
        """Apply rule 5 of Sect. 3.5 of Winikoff et al.: remove the plans for an exogenous belief
        event if all of them are empty."""
        roots = {self._graph.name(root) for root in self._graph.roots}
        for name, plans in list(self._groups()):
            if (
                name.kind == "belief"
                and name in roots
                and all(self._is_skip(plan.number) for plan in plans)
            ):
                self._gone |= {
                    plan.number: "all plans for this event are empty: the event can be ignored"
                    for plan in plans
                }
