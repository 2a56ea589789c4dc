"""The graph of a program: nodes, edges, and the links of the new method (Sect. 2.2 and 3.2).

A *trigger* node for each trigger, a *context* node for each plan, a *step* node for each step.
Nodes are numbers; their labels are ``T0``, ``p1.c`` and ``p1.s1``, ``M1.c`` for meta-plans.

Why it is not :class:`volition.slicing.dependency_graph.DependencyGraph`, which every language has,
this one too, for its pictures and explanations: that is the program as it is written, all agents
together, and what *may* come next.  The methods of the paper are defined, and its figures drawn, on
another program, one agent's with meta-plans and beliefs in the place of goals (Sect. 3.1), and on
what comes next *in order*: a trigger leads to its first plan only and a plan to the one tried after
it (rules 3 and 4), the last step of a plan to what follows on the posting of its goal (rule 2'),
and triggers that unify are one node.  No other language says these things of its programs, and to
soundness they do not matter.  What does not depend on them is shared: how names are found and
matched (:mod:`volition.slicing.unification_index`), and what is reached
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
from volition.slicing.gwendolen.transformation import Place, TransformedPlan, TransformedProgram
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
"""Nodes ▶ those that links lead to."""

Depends = Callable[[Iterable[Term]], Iterable[Term]]
"""Atoms ▶ what their truth depends on."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """``plan`` counts the plans of the transformed program; None for a trigger."""

    kind: Literal["trigger", "context", "step"]
    label: str
    name: NodeName | None
    plan: int | None = None
    position: int | None = None
    place: Place | None = None

    def __str__(self) -> str:
        return self.label if self.name is None else f"{self.label} ({self.name})"


class Link(NamedTuple):
    """From one node to another, by rule 1, 2, 2', 3 or 4 of Sect. 3.2, or ``belief``."""

    source: int
    target: int
    rule: str


class Graph:
    """The nodes and edges that both methods have in common, and the links of the new one."""

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
        """Of a trigger or a step."""
        name = self.nodes[node].name
        assert name is not None
        return name

    def __getitem__(self, label: str) -> int:
        return next(number for number, node in enumerate(self.nodes) if node.label == label)

    # --- triggers ---------------------------------------------------------------------------------

    def _add_triggers(self) -> None:
        """One node for triggers that unify, also through others, with the plans for them in the
        order in which they are tried."""
        groups: list[list[int]] = []
        by_key: dict[tuple[str, str, str | None], list[list[int]]] = {}
        for number, plan in enumerate(self.plans):
            same = by_key.setdefault(plan.trigger.key, [])
            fitting = [
                group
                for group in same
                if any(self.plans[each].trigger.matches(plan.trigger) for each in group)
            ]
            if not fitting:
                fitting = [[]]
                same.append(fitting[0])
                groups.append(fitting[0])
            first, *others = fitting
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
        """The triggers that a step of this name, or an event, is for."""
        index = self._by_name.get(name.key)
        return [] if index is None or name.content is None else index.find(name.content)

    def may_fall_through(self, plan: int) -> bool:
        """Whether the plan after this one may be tried: the guard may be false, or the trigger may
        be for something else."""
        contents = [
            self.plans[each].trigger.content for each in self.plans_for[self.trigger_of[plan]]
        ]
        return not self.plans[plan].always or any(
            not covers(self.plans[plan].trigger.content, other) for other in contents
        )

    def _roots(
        self, program: TransformedProgram, is_exogenous: Callable[[Term], bool]
    ) -> list[int]:
        """Initial goals, exogenous updates of beliefs, messages (Sect. 3.3)."""
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

    # --- edges ------------------------------------------------------------------------------------

    @cached_property
    def triggering(self) -> dict[int, list[int]]:
        """Steps ``+b``, ``-b`` and ``+!g`` ▶ triggers of that name."""
        found = {}
        for step in self.all_steps:
            name = self.name(step)
            if name.updates_belief or name.posts_goal:
                found[step] = self.triggers_of(name)
        return found

    @cached_property
    def postings(self) -> dict[int, list[int]]:
        """Triggers of goals ▶ the steps that post them."""
        found: dict[int, list[int]] = {}
        for step, triggers in self.triggering.items():
            for trigger in triggers if self.name(step).posts_goal else ():
                found.setdefault(trigger, []).append(step)
        return found

    def belief_links_to(self, *, through_rules: bool = True) -> list[Link]:
        """From each ``+b`` and ``-b`` to each context and wait that contains b; ``through_rules``:
        also by what b supports."""
        readers: list[tuple[int, Iterable[Term]]] = [
            (self.contexts[number], plan.asks) for number, plan in enumerate(self.plans)
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
        """Steps ▶ the steps before them in the same plan that may give a value to one of their
        variables."""
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
        """Sect. 3.2, rules 1 to 4."""
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
        """What is done when a plan for a goal has ended: the steps after its postings, or after the
        goals that these end."""
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
        """The goals with plans whose last step posts this one."""
        last = [
            posting for posting in self.postings.get(goal, ()) if self._next_step(posting) is None
        ]
        return [
            self.trigger_of[plan]
            for posting in last
            if (plan := self.nodes[posting].plan) is not None
        ]

    def _next_step(self, step: int) -> int | None:
        """The step after another one in the same plan."""
        plan, position = self.nodes[step].plan, self.nodes[step].position
        assert plan is not None
        assert position is not None
        return self.steps[plan][position + 1] if position + 1 < len(self.steps[plan]) else None

    @cached_property
    def control(self) -> LinksByNode:
        """The control links from nodes to nodes."""
        return by_source(self.control_links)

    # --- belief links -----------------------------------------------------------------------------

    @cached_property
    def possible_belief_links(self) -> list[Link]:
        """Belief links with those that the paper suppresses: from updates to who reads them, from
        ``-!g`` to what g leads to."""
        return [*self.belief_links_to(), *self._drop_links()]

    def _drop_links(self) -> Iterator[Link]:
        for step in self.all_steps:
            name = self.name(step)
            if name.kind == "goal" and name.sign == "-":
                dropped = self.triggers_of(NodeName("goal", "+", name.type, name.content))
                led_to = sorted(reachable(dropped, self.control))
                yield from (
                    Link(step, node, "belief") for node in led_to if self.nodes[node].kind == "step"
                )

    @cached_property
    def suppressed(self) -> list[Link]:
        """Belief links of which the paper says that the second node cannot occur after the first.

        Reading: both are control-reachable from exactly one root, the same, and the second is not
        control-reachable from the first.
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
        """Nodes ▶ the one root that leads to them, None where there are several.  Each node changes
        at most twice."""
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
        """Those that are left."""
        gone = set(self.suppressed)
        return [each for each in self.possible_belief_links if each not in gone]

    @cached_property
    def reachable(self) -> Mapping[int, int | None]:
        """What can be reached from a root (Sect. 3.3), with the node before it."""
        return reachable(self.roots, self.control)


def by_source(links: Iterable[Link]) -> LinksByNode:
    """Where links lead from a node."""
    found: dict[int, list[int]] = {}
    for link in links:
        found.setdefault(link.source, []).append(link.target)
    return lambda node: found.get(node, ())


def by_target(links: Iterable[Link]) -> LinksByNode:
    """From where links lead to a node: the way back."""
    return by_source(Link(link.target, link.source, link.rule) for link in links)


def covers(general: Term | None, other: Term | None) -> bool:
    """Whether every event that the other is for is one that this is for."""
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
    """Numbers of plans in the program ▶ their places in the transformed program."""
    return {plan.number: index for index, plan in enumerate(plans) if plan.number is not None}
