"""Dependencies between the plans, beliefs and goals of a Gwendolen or EASS system, for diagrams and
explanations.

They do not determine what a slice removes: that depends on the stages of the reasoning cycle, and
:mod:`volition.slicing.gwendolen.sound` decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from volition.languages.common.dependencies import (
    Dependencies,
    DerivationRule,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    UnitStep,
    Write,
)
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    BeliefGuard,
    ComparisonGuard,
    Deed,
    DropGoal,
    GoalGuard,
    Guard,
    Lock,
    Plan,
    RemoveBelief,
    Send,
    SentGuard,
    Trigger,
    Unlock,
    WaitFor,
)
from volition.languages.world.dependencies import (
    action_name,
    asked_of_world,
    fact_name,
    world_dependencies,
)
from volition.languages.world.terms import Structure, Term, constant, is_ground
from volition.logic.syntax import Atom, Formula
from volition.logic.traversal import atomic_formulas

__all__ = ["dependencies_of"]


def dependencies_of(program: GwendolenProgram, formulas: Sequence[Formula]) -> Dependencies:
    """Return what each plan of a system reads and changes, and which names ``formulas`` query.

    Quantifiers over agents must be expanded in ``formulas``.
    """
    world = world_dependencies(program.world)
    agents = program.agents.items()
    return Dependencies(
        parts=(
            *(_plan(program, name, plan) for name, each in agents for plan in each.plans),
            *world.parts,
        ),
        roots=(
            *(root for name, each in agents for root in _roots(program, name, each)),
            *world.roots,
        ),
        queried=tuple(dict.fromkeys(_queried_symbols(program, formulas))),
        derived=tuple(
            derived for name, each in agents for derived in _derived(program, name, each)
        ),
    )


# --- symbols of beliefs, events and formulas ------------------------------------------------------


def _belief(atom: Term, agent: str) -> SymbolPattern:
    return SymbolPattern("belief", atom, agent)


def _event(mark: str, content: Term, agent: str) -> SymbolPattern:
    return SymbolPattern("event", Structure(mark, (content,)), agent)


def _trigger(trigger: Trigger, agent: str) -> SymbolPattern:
    match trigger.kind:
        case "belief":
            return _event(trigger.sign, trigger.content, agent)
        case "goal":
            return _event(f"{trigger.sign}!", trigger.content, agent)
        case "received":
            pass
        case _:
            assert_never(trigger.kind)
    return _event(
        "+.received ", Structure(trigger.performative or "tell", (trigger.content,)), agent
    )


def _queried_symbols(
    program: GwendolenProgram, formulas: Sequence[Formula]
) -> Iterator[QueriedSymbol]:
    model = program.model()
    for atom in (atomic for formula in formulas for atomic in atomic_formulas(formula)):
        if not isinstance(atom, Atom) or atom.modality not in (
            "Bel",
            "Des",
            "Int",
            "Does",
            "Last",
            "ItD",
        ):
            yield from asked_of_world(program.world, atom)
            continue
        agent, term = model.parse_agent_and_atom(atom)
        text = atom.span.text if atom.span else f"{atom.modality}({agent}, {term})"
        match atom.modality:
            case "Bel":
                yield QueriedSymbol(_belief(term, agent), text)
            case "Des":
                yield QueriedSymbol(SymbolPattern("goal", term, agent), text)
            case "Int":
                yield QueriedSymbol(_event("+!", term, agent), text)
            case _:
                yield QueriedSymbol(SymbolPattern("action", term, agent), text)


# --- dependencies of agents and plans -------------------------------------------------------------


def _roots(program: GwendolenProgram, agent: str, each: AgentProgram) -> Iterator[EntryPoint]:
    for goal, _ in each.goals:
        yield EntryPoint(
            f"goal {goal}" + _owner_suffix(program, agent), _event("+!", goal.atom, agent)
        )
    for percept in program.world.predicates or ():
        for sign in "+-":
            yield EntryPoint(
                f"percept {sign}{percept}" + _owner_suffix(program, agent),
                _event(sign, percept, agent),
            )


def _derived(program: GwendolenProgram, agent: str, each: AgentProgram) -> Iterator[DerivationRule]:
    for rule in each.rules:
        yield DerivationRule(
            _belief(rule.head, agent), tuple(_belief(atom, agent) for atom in rule.atoms)
        )
    for percept in program.world.predicates or ():
        yield DerivationRule(_belief(percept, agent), (fact_name(percept),))


def _plan(program: GwendolenProgram, agent: str, plan: Plan) -> ProgramUnit:
    reads = tuple(name for guard in plan.guard for name in _guard(guard, agent))
    steps = [_deed(program, agent, deed) for deed in plan.body]
    if steps and plan.trigger.type == "achieve" and plan.trigger.sign == "+":
        # After the last step of a plan for an achieve goal, the goal is posted again unless it is
        # believed by then.
        steps[-1] = replace(steps[-1], posts=(*steps[-1].posts, _trigger(plan.trigger, agent)))
    return ProgramUnit(
        f"plan {plan.number}" + _owner_suffix(program, agent),
        plan.span,
        _trigger(plan.trigger, agent),
        reads,
        tuple(steps),
        agent,
    )


def _owner_suffix(program: GwendolenProgram, agent: str) -> str:
    return f" of {agent}" if len(program.agents) > 1 else ""


def _guard(guard: Guard, agent: str) -> Iterator[SymbolPattern]:
    match guard.atom:
        case BeliefGuard(atom):
            yield _belief(atom, agent)
        case GoalGuard(goal):
            yield SymbolPattern("goal", goal.atom, agent)
        case SentGuard() | ComparisonGuard():
            pass
        case _:
            assert_never(guard.atom)


def _deed(program: GwendolenProgram, agent: str, deed: Deed) -> UnitStep:
    text, span = str(deed), deed.span
    match deed:
        case AddBelief(atom):
            return UnitStep(
                text,
                span,
                updates=(Write(_belief(atom, agent), text, span),),
                posts=(_event("+", atom, agent),),
            )
        case RemoveBelief(atom):
            return UnitStep(
                text,
                span,
                updates=(Write(_belief(atom, agent), text, span),),
                posts=(_event("-", atom, agent),),
            )
        case AddGoal(goal):
            ends = (_belief(goal.atom, agent),) if goal.type == "achieve" else ()
            pursued = Write(SymbolPattern("goal", goal.atom, agent), text, span)
            return UnitStep(
                text, span, reads=ends, updates=(pursued,), posts=(_event("+!", goal.atom, agent),)
            )
        case DropGoal(goal):
            return UnitStep(
                text,
                span,
                updates=(Write(SymbolPattern("goal", goal.atom, agent), text, span),),
                posts=(_event("-!", goal.atom, agent),),
            )
        case WaitFor(atom):
            return UnitStep(text, span, reads=(_belief(atom, agent),))
        case Send(recipient, performative, content):
            received = [
                each
                for each in program.agents
                if not is_ground(recipient) or recipient == constant(each)
            ]
            message = Structure(performative, (content,))
            return UnitStep(
                text, span, posts=tuple(_event("+.received ", message, each) for each in received)
            )
        case Act(action):
            inner = (
                action.arguments[0]
                if action.functor == "perf" and len(action.arguments) == 1
                else action
            )
            names = dict.fromkeys(
                [
                    SymbolPattern("action", action, agent),
                    SymbolPattern("action", inner, agent),
                    action_name(action),
                ]
            )
            return UnitStep(text, span, posts=tuple(names))
        case Lock() | Unlock():
            return UnitStep(text, span)
        case _:
            assert_never(deed)
