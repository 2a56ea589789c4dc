"""Dependence graph of one agent's program, with the links of the new slicing method (Winikoff et
al., Sect. 2.2 and 3.2).

There is a *trigger* node for each trigger, a *context* node for each plan, and a *step* node for
each step. Nodes are numbers. Their labels are ``T0``, ``p1.c`` and ``p1.s1``; the context of a
meta-plan has a label such as ``M1.c``.

This graph differs from :class:`volition.slicing.dependency_graph.DependencyGraph`, which all
languages have and which is used for drawings and explanations. That graph shows the program as
written, with all agents, and what *may* come next. The methods of the paper are defined, and its
figures drawn, on a transformed program of one agent, with meta-plans and with beliefs instead of
goals (Sect. 3.1). They also depend on the *order*: a trigger leads only to its first plan, and a
plan to the one tried after it (rules 3 and 4 of Sect. 3.2). The last step of a plan leads to the
step after the one that posted its goal (rule 2'). Triggers that unify share a node. No other
language declares these facts, and soundness does not depend on them. Both graphs share the search
for matching names (:mod:`volition.slicing.unification_index`) and reachability
(:mod:`volition.slicing.reachability`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from volition.languages.world.terms import Structure, Term, Variable, unifiable, variables
from volition.slicing.gwendolen.node_names import NodeName
from volition.slicing.gwendolen.transformation import (
    DeedPosition,
    TransformedPlan,
    TransformedProgram,
)
from volition.slicing.reachability import reachable
from volition.slicing.unification_index import TermIndex

__all__ = [
    "Graph",
    "GraphNode",
    "Link",
    "LinksByNode",
    "by_source",
    "by_target",
    "covers",
    "plan_numbers",
]

LinksByNode = Callable[[int], Sequence[int]]
"""Function from a node to the nodes that its links lead to, in one direction of the links."""

Depends = Callable[[Iterable[Term]], Iterable[Term]]
"""Function from belief atoms to all atoms on which their truth depends, for example through
reasoning rules."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """Node of the dependence graph of an agent. ``plan`` is an index into the plans of the
    transformed program and ``position`` an index into the steps of that plan; None where they do
    not apply. ``deed_position`` is the deed of the original program that a step comes from."""

    kind: Literal["trigger", "context", "step"]
    label: str
    name: NodeName | None
    plan: int | None = None
    position: int | None = None
    deed_position: DeedPosition | None = None

    def __str__(self) -> str:
        return self.label if self.name is None else f"{self.label} ({self.name})"


class Link(NamedTuple):
    """Link between two nodes of the dependence graph. ``rule`` is the rule of Sect. 3.2 of Winikoff
    et al. that creates a control link (1, 2, 2', 3 or 4), or ``belief``."""

    source: int
    target: int
    rule: str


class Graph:
    """Dependence graph of one agent: the nodes and edges that all slicing methods share, and the
    control and belief links of the new method of Winikoff et al."""

    def __init__(
        self, program: TransformedProgram, depends: Depends, is_exogenous: Callable[[Term], bool]
    ) -> None:
        self.plans = program.plans
        self._depends = depends
        self.nodes: list[GraphNode] = []
        self._add_triggers()
        self.contexts = [
            self._add(GraphNode("context", f"{plan.label}.c", None, number))
            for number, plan in enumerate(self.plans)
        ]
        self.steps = [
            [
                self._add(
                    GraphNode(
                        "step",
                        f"{plan.label}.s{position + 1}",
                        step.name,
                        number,
                        position,
                        step.position,
                    )
                )
                for position, step in enumerate(plan.steps)
            ]
            for number, plan in enumerate(self.plans)
        ]
        self.all_steps = [step for steps in self.steps for step in steps]
        self.roots = self._roots(program, is_exogenous)

    def _add(self, node: GraphNode) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def name(self, node: int) -> NodeName:
        """Return the name of a trigger or step node, such as ``+b`` or ``+!g``."""
        name = self.nodes[node].name
        assert name is not None
        return name

    def __getitem__(self, label: str) -> int:
        return next(number for number, node in enumerate(self.nodes) if node.label == label)

    # --- trigger nodes ----------------------------------------------------------------------------

    def _add_triggers(self) -> None:
        """Add the trigger nodes. Plan triggers that unify, directly or through other triggers,
        share one node. The plans of each node are stored in the order in which they are tried."""
        groups: list[list[int]] = []
        by_key: dict[tuple[str, str, str | None], list[list[int]]] = {}
        for number, plan in enumerate(self.plans):
            same = by_key.setdefault(plan.trigger.key, [])
            matching_groups = [
                group
                for group in same
                if any(self.plans[each].trigger.matches(plan.trigger) for each in group)
            ]
            if not matching_groups:
                matching_groups = [[]]
                same.append(matching_groups[0])
                groups.append(matching_groups[0])
            first, *others = matching_groups
            for other in others:
                first += other
                same.remove(other)
                groups.remove(other)
            first.append(number)
            first.sort()
        self.triggers: list[int] = []
        self.plans_for: dict[int, list[int]] = {}
        self.trigger_of: dict[int, int] = {}
        self._by_name: dict[tuple[str, str, str | None], TermIndex] = {}
        for count, group in enumerate(groups):
            trigger = self._add(GraphNode("trigger", f"T{count}", self.plans[group[0]].trigger))
            self.triggers.append(trigger)
            by_variable = [
                self._content_is_variable(plan) and self.plans[plan].trigger.kind != "received"
                for plan in group
            ]
            ordered = sorted(group, key=lambda plan: by_variable[group.index(plan)])
            self.plans_for[trigger] = ordered
            for each in ordered:
                self.trigger_of[each] = trigger
                name = self.plans[each].trigger
                assert name.content is not None
                self._by_name.setdefault(name.key, TermIndex()).add(name.content, trigger)

    def _content_is_variable(self, plan: int) -> bool:
        return isinstance(self.plans[plan].trigger.content, Variable)

    def triggers_of(self, name: NodeName) -> list[int]:
        """Return the trigger nodes that match a step or event with this name."""
        index = self._by_name.get(name.key)
        return [] if index is None or name.content is None else index.find(name.content)

    def may_fall_through(self, plan: int) -> bool:
        """Return whether the plan tried after this one for the same trigger node may be used: the
        guard of this plan may be false, or its trigger does not match every event of the node."""
        contents = [
            self.plans[each].trigger.content for each in self.plans_for[self.trigger_of[plan]]
        ]
        return not self.plans[plan].always or any(
            not covers(self.plans[plan].trigger.content, other) for other in contents
        )

    def _roots(
        self, program: TransformedProgram, is_exogenous: Callable[[Term], bool]
    ) -> list[int]:
        """Return the trigger nodes where control can start: those of initial goals, exogenous
        belief updates and messages (Winikoff et al., Sect. 3.3)."""
        roots = [trigger for name in program.initial for trigger in self.triggers_of(name)]
        for trigger in self.triggers:
            kinds = {self.plans[plan].trigger.kind for plan in self.plans_for[trigger]}
            contents = [self.plans[plan].trigger.content for plan in self.plans_for[trigger]]
            if "received" in kinds or (
                "belief" in kinds
                and any(is_exogenous(each) for each in contents if each is not None)
            ):
                roots.append(trigger)
        return list(dict.fromkeys(roots))

    # --- relations between nodes, for all slicing methods -----------------------------------------

    @cached_property
    def triggering(self) -> dict[int, list[int]]:
        """For each step ``+b``, ``-b`` or ``+!g``: the trigger nodes that match it."""
        found = {}
        for step in self.all_steps:
            name = self.name(step)
            if name.updates_belief or name.posts_goal:
                found[step] = self.triggers_of(name)
        return found

    @cached_property
    def postings(self) -> dict[int, list[int]]:
        """For each trigger node of a goal: the steps that post this goal."""
        found: dict[int, list[int]] = {}
        for step, triggers in self.triggering.items():
            for trigger in triggers if self.name(step).posts_goal else ():
                found.setdefault(trigger, []).append(step)
        return found

    def belief_links_to(self, *, through_rules: bool = True) -> list[Link]:
        """Return the links from each step ``+b`` or ``-b`` to each context and each wait step that
        contains b. With ``through_rules``, also to those that depend on b through reasoning rules.
        """
        readers: list[tuple[int, Iterable[Term]]] = [
            (self.contexts[number], plan.reads) for number, plan in enumerate(self.plans)
        ]
        for step in self.all_steps:
            name = self.name(step)
            if name.kind == "wait" and name.content is not None:
                readers.append((step, (name.content,)))
        index = TermIndex()
        for node, atoms in readers:
            for atom in self._depends(atoms) if through_rules else atoms:
                index.add(atom, node)
        updates = [
            (step, name.content)
            for step in self.all_steps
            if (name := self.name(step)).updates_belief
        ]
        return [
            Link(step, node, "belief")
            for step, atom in updates
            if atom is not None
            for node in index.find(atom)
        ]

    @cached_property
    def values(self) -> dict[int, list[int]]:
        """For each step: the earlier steps of the same plan that may bind a variable of it."""
        found: dict[int, list[int]] = {}
        for plan, steps in zip(self.plans, self.steps, strict=True):
            for index, step in enumerate(steps):
                needed = self._variables(step) - plan.given - {"_"}
                found[step] = [
                    before for before in steps[:index] if needed & self._variables(before)
                ]
        return found

    def _variables(self, step: int) -> frozenset[str]:
        content = self.name(step).content
        return frozenset() if content is None else frozenset(variables(content))

    # --- control links ----------------------------------------------------------------------------

    @cached_property
    def control_links(self) -> list[Link]:
        """Control links by rules 1 to 4 of Sect. 3.2 of Winikoff et al."""
        links = [
            Link(step, trigger, "1")
            for step, triggers in self.triggering.items()
            for trigger in triggers
        ]
        for number, steps in enumerate(self.steps):
            links.append(Link(self.contexts[number], steps[0], "2"))
            pairs = itertools.pairwise(steps)
            links += [
                Link(step, then, "2") for step, then in pairs if not self.name(step).posts_goal
            ]
            if not self.name(steps[-1]).posts_goal:
                links += [
                    Link(steps[-1], then, "2'")
                    for then in self._continuations(self.trigger_of[number])
                ]
        for trigger, plans in self.plans_for.items():
            links.append(Link(trigger, self.contexts[plans[0]], "3"))
            links += [
                Link(self.contexts[plan], self.contexts[then], "4")
                for plan, then in itertools.pairwise(plans)
                if self.may_fall_through(plan)
            ]
        return links

    def _continuations(self, trigger: int) -> list[int]:
        """Return the steps that may follow the end of a plan for a goal, given by its trigger node:
        the steps after the postings of the goal. If a posting is the last step of its plan, the
        steps that may follow the end of that plan are included."""
        postings = [
            posting
            for goal in reachable([trigger], self._ended_by)
            for posting in self.postings.get(goal, ())
        ]
        return list(
            dict.fromkeys(
                then for posting in postings if (then := self._next_step(posting)) is not None
            )
        )

    def _ended_by(self, goal: int) -> list[int]:
        """Return the trigger nodes that have a plan whose last step posts this goal."""
        last = [
            posting for posting in self.postings.get(goal, ()) if self._next_step(posting) is None
        ]
        return [
            self.trigger_of[plan]
            for posting in last
            if (plan := self.nodes[posting].plan) is not None
        ]

    def _next_step(self, step: int) -> int | None:
        """Return the step after this one in the same plan; None if it is the last."""
        plan, position = self.nodes[step].plan, self.nodes[step].position
        assert plan is not None
        assert position is not None
        return self.steps[plan][position + 1] if position + 1 < len(self.steps[plan]) else None

    @cached_property
    def control(self) -> LinksByNode:
        """Function from a node to the targets of its control links."""
        return by_source(self.control_links)

    # --- belief links -----------------------------------------------------------------------------

    @cached_property
    def possible_belief_links(self) -> list[Link]:
        """All belief links, including those that Winikoff et al. suppress: from belief updates to
        their readers, and from ``-!g`` to the steps that the goal g leads to."""
        return [*self.belief_links_to(), *self._drop_links()]

    def _drop_links(self) -> Iterator[Link]:
        for step in self.all_steps:
            name = self.name(step)
            if name.kind == "goal" and name.sign == "-":
                dropped = self.triggers_of(NodeName("goal", "+", name.type, name.content))
                steps_after = sorted(reachable(dropped, self.control))
                yield from (
                    Link(step, node, "belief")
                    for node in steps_after
                    if self.nodes[node].kind == "step"
                )

    @cached_property
    def suppressed(self) -> list[Link]:
        """Belief links that Winikoff et al. suppress, because the target of the link cannot occur
        after its source.

        We read this as follows. A root is a trigger node where control can start. Both ends of the
        link can be reached over control links from exactly one root, the same for both, and the
        target cannot be reached over control links from the source.
        """
        origins = self._origins
        found: list[Link] = []
        after: dict[int, Collection[int]] = {}
        for link in self.possible_belief_links:
            if origins.get(link.source) is not None and origins.get(link.source) == origins.get(
                link.target
            ):
                later = after.setdefault(link.source, ()) or reachable(
                    self.control(link.source), self.control
                )
                after[link.source] = later
                if link.target not in later:
                    found.append(link)
        return found

    @cached_property
    def _origins(self) -> dict[int, int | None]:
        """Mapping from each node that can be reached over control links from a root (a trigger node
        where control can start) to that root; to None if it can be reached from several roots.

        The computation terminates because the value for a node changes at most twice.
        """
        found: dict[int, int | None] = dict(zip(self.roots, self.roots, strict=True))
        waiting = list(self.roots)
        while waiting:
            node = waiting.pop()
            for target in self.control(node):
                origin = (
                    found[node] if target not in found or found[target] == found[node] else None
                )
                if target not in found or found[target] != origin:
                    found[target] = origin
                    waiting.append(target)
        return found

    @cached_property
    def belief_links(self) -> list[Link]:
        """Belief links of the new method: all possible ones except those that Winikoff et al.
        suppress."""
        suppressed = set(self.suppressed)
        return [each for each in self.possible_belief_links if each not in suppressed]

    @cached_property
    def reachable(self) -> Mapping[int, int | None]:
        """Nodes that can be reached over control links from a root, which is a trigger node where
        control can start (Winikoff et al., Sect. 3.3). Each node maps to its predecessor on a
        shortest path from a root; a root maps to None."""
        return reachable(self.roots, self.control)


def by_source(links: Iterable[Link]) -> LinksByNode:
    """Return a function from a node to the targets of the links that start at it."""
    found: dict[int, list[int]] = {}
    for link in links:
        found.setdefault(link.source, []).append(link.target)
    return lambda node: found.get(node, ())


def by_target(links: Iterable[Link]) -> LinksByNode:
    """Return a function from a node to the sources of the links that lead to it."""
    return by_source(Link(link.target, link.source, link.rule) for link in links)


def covers(general: Term | None, other: Term | None) -> bool:
    """Return whether every instance of the term ``other`` is also an instance of the term
    ``general``. May return False for complicated terms although this holds."""
    if isinstance(general, Variable) or general == other:
        return True
    if (
        not isinstance(general, Structure)
        or not isinstance(other, Structure)
        or not unifiable(general, other)
    ):
        return False
    names = [each.name for each in general.arguments if isinstance(each, Variable)]
    return len(names) == len(general.arguments) and len(set(names) - {"_"}) + names.count(
        "_"
    ) == len(names)


def plan_numbers(plans: Sequence[TransformedPlan]) -> dict[int, int]:
    """Return a mapping from the numbers of the program's plans to their indices in the transformed
    program."""
    return {plan.number: index for index, plan in enumerate(plans) if plan.number is not None}
