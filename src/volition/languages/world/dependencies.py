"""What depends on what in a declared world, as :mod:`volition.languages.kit.dependencies` has it.

Facts and variables are called by their functors: a name inside an expression may stand for a value, so that arguments say little.  A
change of something that nobody perceives may become ``nothing``, which takes the same step.  What agents perceive stays: it is an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from volition.languages.kit.dependencies import Asked, Edit, Name, Part, Root, Step, Update, named
from volition.languages.world.formula_terms import fact_in
from volition.languages.world.interface import World
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import (
    ActionRule,
    Add,
    Answer,
    Assign,
    Both,
    Chance,
    Compare,
    Condition,
    Domain,
    Holds,
    If,
    NoWay,
    OneOf,
    Quantified,
    Range,
    Remove,
    Rule,
    StepRule,
    Truth,
    Values,
    all_effects,
)
from volition.languages.world.terms import Structure, Term
from volition.logic.syntax import Atom, Identifier, Leaf, Proposition

__all__ = ["WorldDependencies", "action_name", "fact_name", "world_dependencies"]

_BY_ITSELF = named("event", "what happens by itself")


@dataclass(frozen=True)
class WorldDependencies:
    """``parts`` and ``roots`` of a world, and whether it speaks of all agents at once, or of some by name."""

    parts: tuple[Part, ...] = ()
    roots: tuple[Root, ...] = ()
    counts_agents: bool = True
    speaks_of: frozenset[str] = frozenset()


def fact_name(functor: str) -> Name:
    """The facts or percepts of a functor, or a variable."""
    return named("fact", functor)


def action_name(action: Structure) -> Name:
    """An action, whoever does it."""
    return named("action", action.functor)


def world_dependencies(world: World) -> WorldDependencies:
    """Those of a declared world; of one in Python nothing is known, and an agent is always taken to be counted in it."""
    if not isinstance(world, DeclaredWorld):
        return WorldDependencies(counts_agents=world.predicates is None or bool(world.predicates) or bool(world.actions))
    tree = world.tree
    perceived = {each.signature.functor for each in tree.predicates if each.perceived}
    rules: list[Rule] = [*tree.actions, *tree.steps]
    parts = [_rule(rule, perceived) for rule in rules]
    for each in tree.predicates:
        if each.free:
            name = each.signature.functor
            update = Update(fact_name(name), f"free percept {each.signature}", each.span, why_kept=_PERCEIVED)
            parts.append(
                Part(f"free percept {name}", each.span, _BY_ITSELF, steps=(Step(update.text, each.span, updates=(update,)),), is_plan=False)
            )
    mentioned = frozenset(name for each in tree.predicates if isinstance(each.seers, tuple) for name in each.seers)
    by_itself = bool(tree.steps) or bool(world.free_percepts)
    return WorldDependencies(tuple(parts), (Root("the world", _BY_ITSELF),) if by_itself else (), _counts_agents(world), mentioned)


def asked_of_world(world: World, leaf: Leaf) -> Iterator[Asked]:
    """What a leaf that is about the world asks for."""
    text = leaf.span.text if leaf.span else ""
    if isinstance(leaf, Identifier):
        yield Asked(fact_name(leaf.name), text or leaf.name)
        return
    functors = [fact_in(leaf).functor] if isinstance(leaf, Proposition) else _functors_of_percept(leaf)
    for functor in functors:
        yield Asked(fact_name(functor), text or functor)
        labels = world.tree.labels if isinstance(world, DeclaredWorld) else ()
        for label in (each for each in labels if each.name == functor):
            yield from (Asked(name, text or functor) for name in _reads(label.condition))


def _functors_of_percept(leaf: Atom) -> list[str]:
    return [leaf.arguments[-1].text.partition("(")[0].strip()] if leaf.arguments else []


_PERCEIVED = "agents perceive it: its coming and going is an event"


def _rule(rule: Rule, perceived: Iterable[str]) -> Part:
    updates: list[Update] = []
    reads: list[Name] = []
    for effect in all_effects(rule.effects):
        match effect:
            case Assign(variable, value):
                updates.append(_update(variable, effect, [value], perceived))
            case Add(fact):
                updates.append(_update(fact.functor, effect, fact.arguments, perceived))
            case Remove(pattern):
                updates.append(_update(pattern.functor, effect, pattern.arguments, perceived))
            case If(condition):
                reads += _reads(condition)
            case Chance(branches):
                reads += (name for weight, _ in branches for name in _in_term(weight))
            case Answer(_, value):
                reads += _in_term(value)
    what = f"step {rule.name}" if isinstance(rule, StepRule) else f"action {rule.action}"
    trigger = _BY_ITSELF if isinstance(rule, StepRule) else action_name(rule.action)
    head = list(_in_term(rule.action)) if isinstance(rule, ActionRule) else []
    step = Step(", ".join(each.text for each in updates) or "nothing", rule.span, tuple(dict.fromkeys(reads)), tuple(updates))
    asks = tuple(dict.fromkeys([*head, *_reads(rule.condition)]))
    return Part(what, rule.span, trigger, asks, (step,), is_plan=False)


def _update(functor: str, effect: Assign | Add | Remove, values: Iterable[Term], perceived: Iterable[str]) -> Update:
    reads = tuple(dict.fromkeys(name for value in values for name in _in_term(value)))
    text = " ".join(effect.span.text.split())
    if functor in perceived:
        return Update(fact_name(functor), text, effect.span, reads, None, _PERCEIVED)
    return Update(fact_name(functor), text, effect.span, reads, (Edit(effect.span, "nothing"),))


def _reads(condition: Condition) -> Iterator[Name]:
    match condition:
        case Truth():
            return
        case Holds(pattern):
            yield from _in_term(pattern)
        case Compare(_, left, right):
            yield from (*_in_term(left), *_in_term(right))
        case NoWay(operand):
            yield from _reads(operand)
        case Both(left, right) | OneOf(left, right):
            yield from (*_reads(left), *_reads(right))
        case Quantified(_, _, domain, operand):
            yield from (*_in_domain(domain), *_reads(operand))


def _in_domain(domain: Domain) -> Iterator[Name]:
    terms = [domain.first, domain.last] if isinstance(domain, Range) else domain.items or ()
    return (name for term in terms for name in _in_term(term))


def _in_term(term: Term) -> Iterator[Name]:
    """Every functor: that of a fact, of a variable, or of something else, which nobody changes."""
    if isinstance(term, Structure):
        yield fact_name(term.functor)
        for each in term.arguments:
            yield from _in_term(each)


def _counts_agents(world: DeclaredWorld) -> bool:
    """Whether some rule or label speaks of all agents."""
    tree = world.tree
    rules: list[Rule] = [*tree.actions, *tree.steps]
    asked = [*(rule.condition for rule in rules), *(label.condition for label in tree.labels)]
    asked += [each.condition for rule in rules for each in all_effects(rule.effects) if isinstance(each, If)]
    domains = [domain for each in tree.predicates for _, domain in each.domains]
    return any(_is_about_all(each) for each in asked) or any(isinstance(each, Values) and each.items is None for each in domains)


def _is_about_all(condition: Condition) -> bool:
    match condition:
        case NoWay(operand):
            return _is_about_all(operand)
        case Both(left, right) | OneOf(left, right):
            return _is_about_all(left) or _is_about_all(right)
        case Quantified(_, _, domain, operand):
            return (isinstance(domain, Values) and domain.items is None) or _is_about_all(operand)
    return False
