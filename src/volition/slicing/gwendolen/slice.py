"""Slice of a Gwendolen program for given formulas, by one of three methods: ``bordini``,
``winikoff`` or ``sound``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import Literal, assert_never

from volition.diagnostics import Diagnostic
from volition.languages.gwendolen.dependencies import dependencies_of
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import Act, AgentProgram
from volition.languages.world.terms import Structure, Term, constant
from volition.logic import expand_agents
from volition.logic.syntax import Formula
from volition.slicing.dependency_graph import DependencyGraph
from volition.slicing.drawing import SliceStatus
from volition.slicing.gwendolen.bordini import bordini_slice
from volition.slicing.gwendolen.decisions import AgentSlice, PlanDecision
from volition.slicing.gwendolen.defects import defects
from volition.slicing.gwendolen.node_names import name_of_deed, name_of_trigger
from volition.slicing.gwendolen.queried import (
    QueriedAtoms,
    queried_atoms_by_agent,
    reject_step_counting,
    remembers_last_action,
)
from volition.slicing.gwendolen.sound import sound_slice
from volition.slicing.gwendolen.winikoff import winikoff_slice
from volition.slicing.gwendolen.world_facts import WorldFacts

__all__ = ["METHODS", "Method", "SlicedProgram", "slice_program"]

Method = Literal["bordini", "winikoff", "sound"]
METHODS: Sequence[Method] = ("bordini", "winikoff", "sound")


@dataclass(frozen=True)
class SlicedProgram:
    """Slice of a Gwendolen program: the remaining program, and the decisions about the plans and
    deeds of each agent (``fates``). ``whole`` is the complete program."""

    whole: GwendolenProgram
    formulas: tuple[Formula, ...]
    method: Method
    fates: Mapping[str, AgentSlice]
    program: GwendolenProgram
    no_op: Structure
    warnings: tuple[Diagnostic, ...] = ()

    @cached_property
    def graph(self) -> DependencyGraph:
        """Dependency graph of the complete program, before slicing."""
        agents = self.whole.model().agents
        return DependencyGraph(
            dependencies_of(self.whole, [expand_agents(each, agents) for each in self.formulas])
        )

    def plan_decision(self, part: int) -> PlanDecision | None:
        """Return the decision about a plan of the dependency graph. ``part`` is the index of a
        program unit, which is a plan or a rule of the world. Return None for a rule of the world,
        because such a rule is always kept."""
        plans = [plan for fate in self.fates.values() for plan in fate.plans]
        return plans[part] if part < len(plans) else None

    def status(self, node: int) -> SliceStatus:
        """Return whether the slice keeps, changes or leaves out a node of the dependency graph."""
        position = self.graph.nodes[node]
        if position.kind == "trigger":
            parts = [
                number
                for number, part in enumerate(self.graph.dependencies.parts)
                if self.graph.triggers[part.trigger] == node
            ]
            fates = [self.plan_decision(each) for each in parts]
            return "kept" if any(each is None or each.kept for each in fates) else "left out"
        plan = None if position.part is None else self.plan_decision(position.part)
        if plan is None:
            return "kept"
        if not plan.kept:
            return "left out"
        return (
            "kept"
            if position.step is None or plan.deeds[position.step].fate == "kept"
            else "changed"
        )

    @property
    def is_smaller(self) -> bool:
        return self.removed_plans + self.removed_writes > 0

    @property
    def removed_plans(self) -> int:
        return sum(len(each.removed_plans) for each in self.fates.values())

    @property
    def removed_writes(self) -> int:
        """Number of deeds that are removed or replaced by a no-op in plans that the slice keeps."""
        return sum(1 for each in self.fates.values() for _ in each.changed_deeds())

    @property
    def plans(self) -> int:
        """Number of plans of the complete program, before slicing."""
        return sum(len(each.plans) for each in self.fates.values())


def slice_program(
    program: GwendolenProgram, formulas: Iterable[Formula], method: Method = "sound"
) -> SlicedProgram:
    """Return the slice of a program for formulas by one of the three methods. Raise
    :class:`InputError` for formulas whose verdict a sound slice does not preserve."""
    formulas = tuple(formulas)
    if method == "sound":
        reject_step_counting(formulas)
    queried = queried_atoms_by_agent(program, formulas)
    world_facts = WorldFacts(program)
    keep_actions = remembers_last_action(program, formulas)
    fates = {
        name: _fate(agent, queried[name], world_facts, method, keep_actions)
        for name, agent in program.agents.items()
    }
    no_op = _unused(program, queried.values())
    agents = {name: fate.sliced(no_op) for name, fate in fates.items()}
    warnings = tuple(each.warning for each in defects(program, method, fates, queried))
    sliced = replace(program, agents=agents, unsliced=program.unsliced or program.agents)
    return SlicedProgram(program, formulas, method, fates, sliced, no_op, warnings)


def _fate(
    agent: AgentProgram,
    query: QueriedAtoms,
    world_facts: WorldFacts,
    method: Method,
    keep_actions: bool,
) -> AgentSlice:
    is_alone = len(world_facts.program.agents) == 1
    match method:
        case "bordini":
            return bordini_slice(agent, query, world_facts.is_exogenous, is_alone=is_alone)
        case "winikoff":
            return winikoff_slice(agent, query, world_facts.is_exogenous, is_alone=is_alone)
        case "sound":
            return sound_slice(agent, query, world_facts, keep_actions=keep_actions)
        case _:
            assert_never(method)


def _unused(program: GwendolenProgram, queried: Iterable[QueriedAtoms]) -> Structure:
    """Return a name for the no-op that is not in use: ``skip``, or ``skip2``, ``skip3`` and so on
    if the program, its world or the formulas use ``skip``."""
    used = {
        each.functor
        for agent in program.agents.values()
        for each in _mentioned(agent)
        if isinstance(each, Structure)
    }
    used |= {
        each.functor for each in (*(program.world.actions or ()), *(program.world.predicates or ()))
    }
    used |= {
        term.functor for each in queried for _, term in each.about() if isinstance(term, Structure)
    }
    names = (f"skip{'' if number == 1 else number}" for number in count(1))
    return constant(next(name for name in names if name not in used))


def _mentioned(agent: AgentProgram) -> Iterable[Term | None]:
    yield from (atom for atom, _ in agent.beliefs)
    yield from (rule.head for rule in agent.rules)
    for plan in agent.plans:
        yield name_of_trigger(plan.trigger).content
        for deed in plan.body:
            content = name_of_deed(deed).content
            yield content
            if isinstance(deed, Act):
                yield from deed.action.arguments
