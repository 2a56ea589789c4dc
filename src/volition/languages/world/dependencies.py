"""Dependencies of a declared world, the input of slicing: the facts and variables that each rule
reads and changes (:mod:`volition.languages.common.dependencies`).

Facts are identified by patterns; computed values and variables in them become wildcards. ``remove
p(_)`` affects only facts that are initially true or added by some rule. A change of a fact or
variable that agents cannot perceive may be replaced by ``nothing``, which takes the same step.
Changes of percepts are kept, because they are events for the agents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from volition.languages.common.dependencies import (
    Edit,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    UnitStep,
    Write,
    symbol,
)
from volition.languages.world.interface import World
from volition.languages.world.property_terms import atom_of, fact_in
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import (
    ARITHMETIC,
    COUNT,
    ActionRule,
    Add,
    And,
    Assign,
    BooleanLiteral,
    Compare,
    Condition,
    Domain,
    FactCondition,
    Fail,
    If,
    NondeterministicChoice,
    Not,
    Or,
    OutputAssignment,
    ProbabilisticChoice,
    Quantified,
    RangeDomain,
    Remove,
    SetDomain,
    StepRule,
    WorldRule,
    WorldTree,
    all_effects,
)
from volition.languages.world.terms import Structure, Term, Variable, common_instance
from volition.logic.syntax import AtomicFormula, Identifier, Proposition

__all__ = ["WorldDependencies", "action_name", "fact_name", "world_dependencies"]

_SPONTANEOUS = symbol("event", "spontaneous step")


@dataclass(frozen=True)
class WorldDependencies:
    """Dependencies of a world, the input of slicing: the facts and variables that its rules read
    and change.

    ``counts_agents`` says whether the world refers to the set of all agents, for example in a
    quantifier; ``speaks_of`` are the agents that it mentions by name.
    """

    parts: tuple[ProgramUnit, ...] = ()
    roots: tuple[EntryPoint, ...] = ()
    counts_agents: bool = True
    speaks_of: frozenset[str] = frozenset()


def fact_name(pattern: Structure) -> SymbolPattern:
    """Return the symbol, in the dependencies for slicing, of the facts or percepts that match a
    pattern. For a variable of the world, the pattern is the variable's name without arguments."""
    return SymbolPattern("fact", pattern)


def action_name(action: Structure) -> SymbolPattern:
    """Return the symbol of an action in the dependencies for slicing. It is the same for all agents
    that execute the action."""
    return symbol("action", action.functor)


def world_dependencies(world: World) -> WorldDependencies:
    """Return what the rules of a world read and change, as input of slicing.

    The effects of a Python world are unknown: it may change every fact, and may refer to all
    agents.
    """
    if not isinstance(world, DeclaredWorld):
        is_empty = world.predicates is not None and not world.predicates and not world.actions
        return (
            WorldDependencies(counts_agents=False)
            if is_empty
            else WorldDependencies((_UNKNOWN,), (_WORLD,))
        )
    tree = world.tree
    rules: list[WorldRule] = [*tree.actions, *tree.steps]
    written = _Rules(tree)
    parts = [written.part(rule) for rule in rules]
    for each in tree.predicates:
        if each.free:
            update = Write(
                fact_name(each.signature),
                f"free percept {each.signature}",
                each.span,
                reason_not_removable=_PERCEIVED,
            )
            step = UnitStep(update.text, each.span, updates=(update,))
            parts.append(
                ProgramUnit(
                    f"free percept {each.signature.functor}",
                    each.span,
                    _SPONTANEOUS,
                    steps=(step,),
                    is_plan=False,
                )
            )
    mentioned = frozenset(
        name
        for each in tree.predicates
        if isinstance(each.visible_to, tuple)
        for name in each.visible_to
    )
    is_active = bool(tree.steps) or bool(world.free_percepts)
    return WorldDependencies(
        tuple(parts), (_WORLD,) if is_active else (), _counts_agents(world), mentioned
    )


_PERCEIVED = "agents perceive it, so its changes are events"
_WORLD = EntryPoint("the world", _SPONTANEOUS)
_ANY_FACT = Write(
    SymbolPattern("fact", Variable("_")),
    "Python code",
    None,
    reason_not_removable="its effects are unknown",
)
_UNKNOWN = ProgramUnit(
    "a world in Python",
    None,
    _SPONTANEOUS,
    steps=(UnitStep(_ANY_FACT.text, None, updates=(_ANY_FACT,)),),
    is_plan=False,
)


def asked_of_world(world: World, atom: AtomicFormula) -> Iterator[QueriedSymbol]:
    """Yield the facts, percepts and variables of the world that an atom of a formula is about, as
    symbols of the dependencies for slicing."""
    text = atom.span.text if atom.span else ""
    if isinstance(atom, Identifier):
        yield QueriedSymbol(fact_name(Structure(atom.name)), text or atom.name)
        return
    facts = (
        [fact_in(atom)]
        if isinstance(atom, Proposition)
        else [atom_of(each) for each in atom.arguments[-1:]]
    )
    for fact in facts:
        yield QueriedSymbol(fact_name(fact), text or fact.functor)
        if isinstance(world, DeclaredWorld):
            written = _Rules(world.tree)
            for label in world.tree.labels:
                if label.name == fact.functor:
                    yield from (
                        QueriedSymbol(name, text or fact.functor)
                        for name in written.reads(label.condition)
                    )


class _Rules:
    """Builder of the dependencies of a declared world: it collects what the rules in the world's
    syntax tree read and change."""

    def __init__(self, tree: WorldTree) -> None:
        self._tree = tree
        self._values = {each.name for each in tree.parameters} | {
            each.name for each in tree.variables
        }
        self._perceived = {each.signature.functor for each in tree.predicates if each.perceived}

    def part(self, rule: WorldRule) -> ProgramUnit:
        updates: list[Write] = []
        reads: list[SymbolPattern] = []
        for effect in all_effects(rule.effects):
            match effect:
                case Assign() | Add() | Remove():
                    updates.append(self._update(effect))
                case If(condition):
                    reads += self.reads(condition)
                case ProbabilisticChoice(branches):
                    reads += (name for weight, _ in branches for name in self._in_term(weight))
                case OutputAssignment(_, value):
                    reads += self._in_term(value)
                case NondeterministicChoice() | Fail():
                    pass
                case _:
                    assert_never(effect)
        what = f"step {rule.name}" if isinstance(rule, StepRule) else f"action {rule.action}"
        trigger = _SPONTANEOUS if isinstance(rule, StepRule) else action_name(rule.action)
        head = list(self._in_term(rule.action)) if isinstance(rule, ActionRule) else []
        step = UnitStep(
            ", ".join(each.text for each in updates) or "nothing",
            rule.span,
            tuple(dict.fromkeys(reads)),
            tuple(updates),
        )
        guard_reads = tuple(dict.fromkeys([*head, *self.reads(rule.condition)]))
        return ProgramUnit(what, rule.span, trigger, guard_reads, (step,), is_plan=False)

    def _update(self, effect: Assign | Add | Remove) -> Write:
        text = " ".join(effect.span.text.split())
        match effect:
            case Assign(variable, value):
                return Write(
                    fact_name(Structure(variable)),
                    text,
                    effect.span,
                    _distinct(self._in_term(value)),
                    (Edit(effect.span, "nothing"),),
                )
            case Add(fact) | Remove(fact):
                name = fact_name(self._pattern(fact))
            case _:
                assert_never(effect)
        reads = _distinct(name for value in fact.arguments for name in self._in_term(value))
        edits, reason = (
            (None, _PERCEIVED)
            if fact.functor in self._perceived
            else ((Edit(effect.span, "nothing"),), None)
        )
        return Write(
            name,
            text,
            effect.span,
            reads,
            edits,
            reason,
            self._removed(name) if isinstance(effect, Remove) else None,
        )

    def _removed(self, name: SymbolPattern) -> tuple[SymbolPattern, ...]:
        """Return the symbols of the facts that an effect ``remove name`` can remove. These facts
        match ``name``, and they are initially true or some rule may add them."""
        common = (common_instance(each, name.pattern) for each in self._ever_there)
        return tuple(
            dict.fromkeys(fact_name(each) for each in common if isinstance(each, Structure))
        )

    @cached_property
    def _ever_there(self) -> Collection[Structure]:
        """Patterns of all facts that are initially true or that some rule may add."""
        rules: list[WorldRule] = [*self._tree.actions, *self._tree.steps]
        effects = (effect for rule in rules for effect in all_effects(rule.effects))
        added = [effect.fact for effect in effects if isinstance(effect, Add)]
        initially = [fact for each in self._tree.predicates for fact in each.initially]
        free = [each.signature for each in self._tree.predicates if each.free]
        return dict.fromkeys((*map(self._pattern, (*added, *initially)), *free))

    def reads(self, condition: Condition) -> Iterator[SymbolPattern]:
        match condition:
            case BooleanLiteral():
                return
            case FactCondition(pattern):
                yield from self._in_fact(pattern)
            case Compare(_, left, right):
                yield from (*self._in_term(left), *self._in_term(right))
            case Not(operand):
                yield from self.reads(operand)
            case And(left, right) | Or(left, right):
                yield from (*self.reads(left), *self.reads(right))
            case Quantified(_, _, domain, operand):
                yield from (*self._in_domain(domain), *self.reads(operand))
            case _:
                assert_never(condition)

    def _in_domain(self, domain: Domain) -> Iterator[SymbolPattern]:
        terms = (
            [domain.first, domain.last] if isinstance(domain, RangeDomain) else domain.items or ()
        )
        return (name for term in terms for name in self._in_term(term))

    def _in_fact(self, fact: Structure) -> Iterator[SymbolPattern]:
        """Yield the symbol of a fact, and the symbols on which the values of its arguments
        depend."""
        yield fact_name(self._pattern(fact))
        for each in fact.arguments:
            yield from self._in_term(each)

    def _in_term(self, term: Term) -> Iterator[SymbolPattern]:
        """Yield the symbols on which the value of an expression depends: variables of the world,
        and counted facts."""
        if isinstance(term, Structure):
            if not term.arguments:
                yield fact_name(term)
            for each in term.arguments:
                yield from (
                    self._in_fact(each)
                    if term.functor == COUNT and isinstance(each, Structure)
                    else self._in_term(each)
                )

    def _pattern(self, fact: Structure) -> Structure:
        """Return the pattern that stands for a fact of a rule: the fact with its computed arguments
        replaced by ``_``."""
        return Structure(fact.functor, tuple(map(self._known, fact.arguments)))

    def _known(self, term: Term) -> Term:
        if not isinstance(term, Structure):
            return term
        is_computed = (
            term.functor in (*ARITHMETIC, COUNT) if term.arguments else term.functor in self._values
        )
        return Variable("_") if is_computed else self._pattern(term)


def _distinct(names: Iterable[SymbolPattern]) -> tuple[SymbolPattern, ...]:
    return tuple(dict.fromkeys(names))


def _counts_agents(world: DeclaredWorld) -> bool:
    """Return whether a rule, label or domain of a world refers to the set of all agents."""
    tree = world.tree
    rules: list[WorldRule] = [*tree.actions, *tree.steps]
    queried = [*(rule.condition for rule in rules), *(label.condition for label in tree.labels)]
    queried += [
        each.condition
        for rule in rules
        for each in all_effects(rule.effects)
        if isinstance(each, If)
    ]
    domains = [domain for each in tree.predicates for _, domain in each.domains]
    return any(_quantifies_over_agents(each) for each in queried) or any(
        isinstance(each, SetDomain) and each.items is None for each in domains
    )


def _quantifies_over_agents(condition: Condition) -> bool:
    match condition:
        case Not(operand):
            return _quantifies_over_agents(operand)
        case And(left, right) | Or(left, right):
            return _quantifies_over_agents(left) or _quantifies_over_agents(right)
        case Quantified(_, _, domain, operand):
            return (
                isinstance(domain, SetDomain) and domain.items is None
            ) or _quantifies_over_agents(operand)
        case BooleanLiteral() | FactCondition() | Compare():
            pass
        case _:
            assert_never(condition)
    return False
