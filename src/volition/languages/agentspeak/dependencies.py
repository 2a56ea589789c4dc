"""Dependencies of an AgentSpeak(F) system, the input of slicing: the symbols that each plan and
each rule of the world reads, changes and triggers (:mod:`volition.languages.common.dependencies`).

Changes of beliefs are never removed: each is an event, and the cycle processes the event even if it
triggers no plan. Slicing removes plans that no event can trigger, changes of facts and variables of
the world that no agent perceives, and whole agents whose absence cannot be observed: see
:class:`_Agents`. ``docs/explanation/slicing.md`` has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from volition.diagnostics import Source, Span
from volition.languages.agentspeak.atoms import ATOMS
from volition.languages.agentspeak.model import AgentSpeakModel
from volition.languages.agentspeak.project import Project
from volition.languages.agentspeak.settings import Settings
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefCondition,
    Broadcast,
    Compare,
    Compute,
    Force,
    Formula,
    NegatedBeliefCondition,
    Plan,
    Print,
    RandomItem,
    RandomNumber,
    RemoveBelief,
    Send,
    Test,
    Unify,
)
from volition.languages.common.dependencies import (
    Dependencies,
    DerivationRule,
    Edit,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    UnitStep,
    Write,
    including_full_stop,
)
from volition.languages.world.dependencies import action_name, asked_of_world, world_dependencies
from volition.languages.world.interface import World
from volition.languages.world.terms import Structure, Term, Variable, constant, is_ground
from volition.logic.syntax import Atom
from volition.logic.syntax import Formula as LogicFormula
from volition.logic.traversal import atomic_formulas, counts_steps

__all__ = ["dependencies_of"]

_EVENT = "every change of a belief is an event, which the agent has to process"
_ANYTHING = Variable("_")


@dataclass(frozen=True)
class MultiAgentSystem:
    """Agents with their programs and settings, their world, and the project file that lists
    them."""

    agents: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    project: Project


def dependencies_of(
    system: MultiAgentSystem,
    model: AgentSpeakModel,
    formulas: Sequence[LogicFormula],
    properties: Sequence[Span],
) -> Dependencies:
    """Return what each part of a system reads, changes and triggers, as input of slicing. The slice
    has to preserve the truth of ``formulas``. ``properties`` are the positions in the project file
    at which the project states its own properties."""
    atoms = [
        atom
        for formula in formulas
        for atom in atomic_formulas(formula)
        if isinstance(atom, Atom) and atom.modality in ATOMS
    ]
    queried = frozenset(model.parse_agent_and_atom(each)[0] for each in atoms)
    agents = _Agents(system, formulas, queried)
    world = world_dependencies(system.world)
    return Dependencies(
        parts=(*(part for name in system.agents for part in agents.parts(name)), *world.parts),
        roots=(*(agents.root(name) for name in system.agents), *world.roots),
        queried=tuple(dict.fromkeys(_queried_symbols(system, model, formulas))),
        derived=tuple(_perception_rules(system)),
        writes_are_complete=True,
        properties=tuple(properties),
        heading=(system.project.source, "properties"),
        limitations=agents.remarks,
    )


# --- symbols of events, agents and formulas -------------------------------------------------------


def _event(agent: str, mark: str, atom: Term) -> SymbolPattern:
    """Return the symbol of an event of an agent. ``mark`` is ``+`` or ``-`` for a belief, ``+!`` or
    ``-!`` for an achievement goal, and ``+?`` for a test goal."""
    return SymbolPattern("event", Structure(mark, (atom,)), agent)


def _existence(agent: str) -> SymbolPattern:
    """Return the symbol that stands for the existence of an agent. It triggers the agent's initial
    goals and percepts, and a message to the agent triggers it."""
    return SymbolPattern("event", constant("starts"), agent)


def _mailbox(agent: str) -> SymbolPattern:
    return SymbolPattern("message", constant("mail"), agent)


def _queried_symbols(
    system: MultiAgentSystem, model: AgentSpeakModel, formulas: Sequence[LogicFormula]
) -> Iterator[QueriedSymbol]:
    for atomic in (leaf for formula in formulas for leaf in atomic_formulas(formula)):
        model.resolve(atomic)  # raises the error if there is one
        if not isinstance(atomic, Atom) or atomic.modality == "Percept":
            yield from asked_of_world(system.world, atomic)
            continue
        agent, atom = model.parse_agent_and_atom(atomic)
        text = atomic.span.text if atomic.span else f"{atomic.modality}({agent}, {atom})"
        match atomic.modality:
            case "Bel":
                yield QueriedSymbol(SymbolPattern("belief", atom, agent), text)
            case "Des" | "Int":
                yield QueriedSymbol(_event(agent, "+!", atom), text)
            case "Does":
                yield QueriedSymbol(SymbolPattern("action", atom, agent), text)
            case _:
                pass


def _perception_rules(system: MultiAgentSystem) -> Iterator[DerivationRule]:
    """Yield the rules by which percepts become beliefs. If the world does not declare its percepts,
    any atom may be perceived."""
    known = system.world.predicates
    for percept in [_ANYTHING] if known is None else known:
        yield from (
            DerivationRule(
                SymbolPattern("belief", percept, agent), (SymbolPattern("fact", percept),)
            )
            for agent in system.agents
        )


# --- dependencies of agents and plans -------------------------------------------------------------


class _Agents:
    """Builder of the dependencies of all agents (which symbols their plans read, change and
    trigger), with the decision which agents slicing may remove.

    Agents take their steps in any order, so an agent can be removed if all of these hold:
    - it executes no action, and neither sends messages to the remaining agents nor receives any
      from them;
    - the project and the world do not mention it elsewhere;
    - it starts a cycle only if it has work, and it terminates because its plans do not trigger
      themselves;
    - the formula does not count steps.
    """

    def __init__(
        self, system: MultiAgentSystem, formulas: Sequence[LogicFormula], queried: frozenset[str]
    ) -> None:
        self._system = system
        self._queried = queried
        self._counts = any(counts_steps(each) for each in formulas)
        shared = [program.source for program in system.agents.values()]
        self._shared = {id(each) for each in shared if sum(other is each for other in shared) > 1}
        self._world = world_dependencies(system.world)

    @property
    def remarks(self) -> tuple[str, ...]:
        found = {
            name: why
            for name in self._system.agents
            if (why := self._reason_not_removable(name)) is not None
        }
        return (
            tuple(f"agent {name} could not be left out: {why}" for name, why in found.items())
            if len(self._system.agents) > 1
            else ()
        )

    def root(self, name: str) -> EntryPoint:
        entry = next(each for each in self._system.project.agents if each.name == name)
        edits = (
            None
            if self._reason_not_removable(name) or name == self._last_agent
            else (Edit(entry.span),)
        )
        return EntryPoint(f"agent {name}", _existence(name), edits)

    def parts(self, name: str) -> Iterator[ProgramUnit]:
        program, world = self._system.agents[name], self._system.world
        requested = [_event(name, "+!", goal) for goal, _ in program.goals]
        posts = list(requested)
        for percept in world.predicates or ():
            posts += [_event(name, "+", percept), _event(name, "-", percept)]
        if world.predicates is None:
            posts += [_event(name, mark, _ANYTHING) for mark in "+-"]
        if self._system.settings[name].on_failure == "event":
            posts.append(_event(name, "-!", _ANYTHING))
        seen = [
            Write(
                SymbolPattern("belief", each, name),
                f"perceives {each}",
                None,
                reason_not_removable=_EVENT,
            )
            for each in world.percepts(world.slots, name)
        ]
        begins = UnitStep(
            "initial goals and percepts", None, updates=tuple(seen), posts=tuple(posts)
        )
        written = (
            *(SymbolPattern("belief", each, name) for each, _ in program.beliefs),
            *requested,
        )
        yield ProgramUnit(
            f"agent {name}",
            None,
            _existence(name),
            (_mailbox(name),),
            (begins,),
            name,
            is_plan=False,
            extra_symbols=written,
        )
        shared = id(program.source) in self._shared
        for plan in program.plans:
            yield self._plan(name, plan, editable=not shared)

    def _plan(self, agent: str, plan: Plan, *, editable: bool) -> ProgramUnit:
        trigger = plan.trigger
        mark = trigger.sign + {"belief": "", "achieve": "!", "test": "?"}[trigger.kind]
        reads = tuple(
            SymbolPattern("belief", each.atom, agent)
            for each in plan.context
            if isinstance(each, BeliefCondition | NegatedBeliefCondition)
        )
        label = f"plan {plan.name}" + (f" of {agent}" if len(self._system.agents) > 1 else "")
        whole = including_full_stop(plan.span)
        edits = (Edit(whole),) if editable and whole is not None else None
        steps = tuple(self._step(agent, each) for each in plan.body)
        return ProgramUnit(
            label, plan.span, _event(agent, mark, trigger.atom), reads, steps, agent, edits
        )

    def _step(self, agent: str, formula: Formula) -> UnitStep:
        text, span = str(formula), formula.span
        match formula:
            case Act(atom):
                return UnitStep(
                    text, span, posts=(SymbolPattern("action", atom, agent), action_name(atom))
                )
            case Achieve(atom):
                return UnitStep(text, span, posts=(_event(agent, "+!", atom),))
            case Test(atom):
                return UnitStep(text, span, reads=(SymbolPattern("belief", atom, agent),))
            case AddBelief(atom):
                return UnitStep(
                    text,
                    span,
                    updates=(_update(agent, atom, text, span),),
                    posts=(_event(agent, "+", atom),),
                )
            case RemoveBelief(atom):
                # If the agent still perceives a belief that is removed, belief revision adds it
                # again.
                posts = (_event(agent, "-", atom), _event(agent, "+", atom))
                return UnitStep(
                    text,
                    span,
                    reads=(SymbolPattern("belief", atom, agent),),
                    updates=(_update(agent, atom, text, span),),
                    posts=posts,
                )
            case Send(receiver, force, content):
                return self._message(self._receivers(receiver), force, content, formula)
            case Broadcast(force, content):
                return self._message(
                    [each for each in self._system.agents if each != agent], force, content, formula
                )
            case Print() | Compare() | Unify() | Compute() | RandomItem() | RandomNumber():
                pass
            case _:
                assert_never(formula)
        return UnitStep(text, span)

    def _receivers(self, receiver: Term) -> list[str]:
        return [
            each
            for each in self._system.agents
            if not is_ground(receiver) or receiver == constant(each)
        ]

    def _message(
        self, receivers: Sequence[str], force: Force, content: Structure, formula: Formula
    ) -> UnitStep:
        """Return what a step that sends a message reads, changes and triggers. It needs the
        receiver, changes the receiver's mailbox, and may trigger an event of the receiver."""
        text, span = str(formula), formula.span
        mark = {"tell": "+", "untell": "-", "achieve": "+!"}[force]
        posts = [
            name for each in receivers for name in (_existence(each), _event(each, mark, content))
        ]
        updates = [
            Write(
                _mailbox(each),
                text,
                span,
                reason_not_removable="another agent receives the message",
            )
            for each in receivers
        ]
        if force != "achieve":
            updates += [_update(each, content, text, span) for each in receivers]
        return UnitStep(text, span, updates=tuple(updates), posts=tuple(posts))

    # --- removal of whole agents ------------------------------------------------------------------

    @cached_property
    def _last_agent(self) -> str | None:
        """Agent that stays in the slice only because a project needs at least one agent. None if
        some agent cannot be removed anyway."""
        return (
            None
            if any(map(self._reason_not_removable, self._system.agents))
            else next(iter(self._system.agents))
        )

    def _reason_not_removable(self, name: str) -> str | None:
        """Return the reason why an agent may not be removed, as text for the user, or None if it
        may."""
        system, program = self._system, self._system.agents[name]
        project = system.project
        named_elsewhere = (
            {each for each, _ in project.trusted}
            | {owner for owner, *_ in project.options if owner}
            | self._world.speaks_of
        )
        entry = next(each for each in project.agents if each.name == name)
        if name in self._queried:
            return "the property refers to it"
        if self._counts:
            return "the property counts steps or rewards"
        if len(system.agents) == 1:
            return "there is no other agent"
        if system.settings[name].idle != "block":
            return "it keeps starting cycles, even if it has nothing to do"
        if system.settings[name].on_failure == "event":
            return "failures of its plans are events"
        if any(isinstance(each, Act) for plan in program.plans for each in plan.body):
            return "it executes actions"
        if (
            name in named_elsewhere
            or sum(each.span == entry.span for each in project.agents) > 1
            or self._world.counts_agents
        ):
            return "the project or the world mentions it"
        return None if self._terminates(name) else "its plans may trigger themselves"

    def _terminates(self, name: str) -> bool:
        """Return whether every event of an agent is processed in finitely many steps: no plan
        triggers itself, directly or through other plans."""
        plans = self._plans_of[name]
        leads = [
            [index for index, other in enumerate(plans) if _leads_to(part, other)] for part in plans
        ]
        done: set[int] = set()
        while ready := [
            position
            for position in range(len(plans))
            if position not in done and all(each in done for each in leads[position])
        ]:
            done.update(ready)
        return len(done) == len(plans)

    @cached_property
    def _plans_of(self) -> Mapping[str, list[ProgramUnit]]:
        return {
            name: [self._plan(name, plan, editable=False) for plan in each.plans]
            for name, each in self._system.agents.items()
        }


def _leads_to(part: ProgramUnit, other: ProgramUnit) -> bool:
    return any(name.matches(other.trigger) for step in part.steps for name in step.posts)


def _update(agent: str, atom: Structure, text: str, span: Span) -> Write:
    return Write(SymbolPattern("belief", atom, agent), text, span, reason_not_removable=_EVENT)


def sources_in_use(agents: Mapping[str, AgentProgram], sources: Sequence[Source]) -> list[Source]:
    """Return the sources of a project without the ``.asl`` programs that no agent runs."""
    used = {id(program.source) for program in agents.values()}
    return [each for each in sources if not each.name.endswith(".asl") or id(each) in used]
