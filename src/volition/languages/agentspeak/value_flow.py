"""Value-flow analysis: which values the arguments of beliefs, goals, actions and facts can have.

The analysis ignores the order of events and does not distinguish agents. The values of an argument
are those of the terms that some plan, message, rule or initial fact puts there. They are listed one
by one; if an argument has too many of them, any value is assumed. The result is an
over-approximation: an excluded value never occurs, an allowed value may occur.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Literal, assert_never

from volition.diagnostics import did_you_mean
from volition.languages.agentspeak.plans import FUNCTIONS, compare
from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefCondition,
    Broadcast,
    Compare,
    Compute,
    Condition,
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
from volition.languages.world import DeclaredWorld, World
from volition.languages.world import syntax as world_tree
from volition.languages.world.terms import (
    Number,
    Structure,
    Term,
    Variable,
    constant,
    is_ground,
    is_large_number,
    list_items,
    number,
    predicate,
    show,
    unify,
    variables,
)

__all__ = ["ImpossibleArgument", "Kind", "ValueFlow"]

Kind = Literal["belief", "goal", "action", "fact", "variable"]
Values = frozenset[Term] | None
"""Possible values of a term; None if it can have any value."""

Scope = dict[str, Values]
"""Possible values of the variables of a plan or rule, by name."""

_MAX_VALUES = 50
_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


@dataclass(frozen=True, slots=True)
class ImpossibleArgument:
    """Explanation that an argument of an atom has a value which this argument can never have.
    ``text`` is the explanation, and ``hint`` suggests a value that was probably meant, or is None.
    """

    text: str
    hint: str | None


@dataclass(frozen=True, eq=False)
class ValueFlow:
    """Result of the value-flow analysis of a system of agents and their world."""

    agents: Mapping[str, AgentProgram]
    world: World
    _found: dict[tuple[Kind, str, int], Values] = field(default_factory=dict)

    def find_impossible_argument(self, kind: Kind, atom: Structure) -> ImpossibleArgument | None:
        """Return the first argument of an atom that can never have the value given in the atom, or
        None."""
        if kind in ("belief", "fact") and self.world.predicates is None:
            return None  # the percepts of the world are unknown
        for index, argument in enumerate(atom.arguments):
            values = self._flow.get((kind, predicate(atom), index), frozenset())
            if (
                isinstance(argument, Variable)
                or values is None
                or any(unify(argument, each, {}) is not None for each in values)
            ):
                continue
            if not values:
                return None  # unknown atoms are reported elsewhere
            known = sorted(map(show, values))
            which = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
            hint = (
                did_you_mean(show(argument), known)
                or f"it can be {', '.join(known[:8])}{', ...' if len(known) > 8 else ''}"
            )
            return ImpossibleArgument(
                f"the {which} argument of {predicate(atom)} is never {show(argument)}", hint
            )
        return None

    # --- computation of the fixed point -----------------------------------------------------------

    @cached_property
    def _flow(self) -> Mapping[tuple[Kind, str, int], Values]:
        self._initially()
        size = -1
        while size != (size := self._size()):
            for program in self.agents.values():
                for plan in program.plans:
                    self._plan(plan)
            if isinstance(self.world, DeclaredWorld):
                self._rules(self.world)
        return self._found

    def _size(self) -> int:
        return sum(
            _MAX_VALUES + 1 if values is None else len(values) for values in self._found.values()
        )

    def _add(self, kind: Kind, atom: Structure, values: Sequence[Values]) -> None:
        for index, new in enumerate(values):
            key = kind, predicate(atom), index
            known = self._found.get(key, frozenset())
            joint = None if known is None or new is None else known | new
            self._found[key] = None if joint is not None and len(joint) > _MAX_VALUES else joint

    def _put(self, kind: Kind, atom: Structure, scope: Scope) -> None:
        self._add(kind, atom, [_values(each, scope) for each in atom.arguments])

    def _of(self, kind: Kind, atom: Structure, index: int) -> Values:
        return self._found.get((kind, predicate(atom), index), frozenset())

    def _receive(self, kind: Kind, atom: Structure, scope: Scope) -> None:
        """Restrict the possible values of the variables of an atom, in ``scope``, to the values
        that the atom's arguments can have."""
        for index, argument in enumerate(atom.arguments):
            if isinstance(argument, Variable) and argument.name != "_":
                _narrow(argument, self._of(kind, atom, index), scope)
            for name in variables(argument):
                scope.setdefault(name, None)

    def _initially(self) -> None:
        for program in self.agents.values():
            for atom, _ in program.beliefs:
                self._put("belief", atom, {})
            for atom, _ in program.goals:
                self._put("goal", atom, {})
        for shown in () if isinstance(self.world, DeclaredWorld) else self.world.predicates or ():
            for kind in ("belief", "fact"):
                self._add(kind, shown, [None] * len(shown.arguments))

    # --- values that plans pass on ----------------------------------------------------------------

    def _plan(self, plan: Plan) -> None:
        scope: Scope = {"_": None}
        self._receive(
            "goal" if plan.trigger.kind == "achieve" else "belief", plan.trigger.atom, scope
        )
        for part in (*plan.context, *plan.body):
            self._part(part, scope)

    def _part(self, part: Condition | Formula, scope: Scope) -> None:
        match part:
            case BeliefCondition(atom) | Test(atom):
                self._receive("belief", atom, scope)
            case AddBelief(atom) | Send(_, "tell", atom) | Broadcast("tell", atom):
                self._put("belief", atom, scope)
            case Achieve(atom):
                self._put("goal", atom, scope)
                _forget(atom, scope)
            case Send(_, "achieve", atom) | Broadcast("achieve", atom):
                self._put("goal", atom, scope)
            case Act(atom):
                self._put("action", atom, scope)
            case Unify(left, right):
                _equate(left, right, _values(left, scope), _values(right, scope), scope)
            case RandomItem(items, Variable(name)):
                listed = list_items(items)
                scope.setdefault(
                    name,
                    None if listed is None else _union(_values(each, scope) for each in listed),
                )
            case RandomNumber(int(first), int(last), Variable(name)) if last - first < _MAX_VALUES:
                scope.setdefault(name, frozenset(range(first, last + 1)))
            case Compute(function, left, right, Variable(name)) if name not in scope:
                scope[name] = _pairwise(
                    _values(left, scope), _values(right, scope), FUNCTIONS[function]
                )
            case Compare(relation, left, right):
                of_left, of_right = _values(left, scope), _values(right, scope)
                _narrow(
                    left,
                    _related(
                        of_left, of_right, lambda values, others: compare(relation, values, others)
                    ),
                    scope,
                )
                _narrow(
                    right,
                    _related(
                        of_right, of_left, lambda values, others: compare(relation, others, values)
                    ),
                    scope,
                )
            case Compute(_, _, _, result) | RandomItem(_, result) | RandomNumber(_, _, result):
                _forget(result, scope)
            case NegatedBeliefCondition() | RemoveBelief() | Send() | Broadcast() | Print():
                pass
            case _:
                assert_never(part)

    # --- values that the world passes on ----------------------------------------------------------

    def _rules(self, world: DeclaredWorld) -> None:
        for declared in world.tree.variables:
            self._add(
                "variable", constant(declared.name), [self._expression(declared.value, {}, world)]
            )
        for fact in (
            *(each for declared in world.tree.predicates for each in declared.initially),
            *world.free_percepts,
        ):
            self._put_fact(fact, {}, world)
        for rule in world.tree.actions:
            scope: Scope = {"_": None}
            self._receive("action", rule.action, scope)
            if rule.agent:
                scope[rule.agent] = _agents(world)
            self._condition(rule.condition, scope, world)
            self._effects(rule.effects, scope, world)
        for step in world.tree.steps:
            scope = {"_": None}
            self._condition(step.condition, scope, world)
            self._effects(step.effects, scope, world)

    def _put_fact(self, fact: Structure, scope: Scope, world: DeclaredWorld) -> None:
        values = [self._expression(each, scope, world) for each in fact.arguments]
        self._add("fact", fact, values)
        if any(
            each.perceived and predicate(each.signature) == predicate(fact)
            for each in world.tree.predicates
        ):
            self._add("belief", fact, values)

    def _expression(self, term: Term, scope: Scope, world: DeclaredWorld) -> Values:
        if not isinstance(term, Structure):
            return _values(term, scope)
        if term.arguments:
            return None  # computed, counted, or a structure that contains a computed term
        if any(each.name == term.functor for each in world.tree.variables):
            return self._of_variable(term)
        return frozenset([world.parameters.get(term.functor, term)])

    def _of_variable(self, name: Structure) -> Values:
        return self._found.get(("variable", predicate(name), 0), frozenset())

    def _condition(
        self, condition: world_tree.Condition, scope: Scope, world: DeclaredWorld
    ) -> None:
        match condition:
            case world_tree.FactCondition(pattern):
                self._receive("fact", pattern, scope)
            case world_tree.Compare(_, left, right):
                _equate(
                    left,
                    right,
                    self._expression(left, scope, world),
                    self._expression(right, scope, world),
                    scope,
                )
            case world_tree.And(left_side, right_side):
                self._condition(left_side, scope, world)
                self._condition(right_side, scope, world)
            case world_tree.Or():
                for name in _names_in(condition):
                    scope.setdefault(name, None)
            case world_tree.Quantified("some", variable, domain, operand):
                scope[variable] = self._domain(domain, scope, world)
                self._condition(operand, scope, world)
            case world_tree.BooleanLiteral() | world_tree.Not() | world_tree.Quantified():
                pass
            case _:
                assert_never(condition)

    def _domain(self, domain: world_tree.Domain, scope: Scope, world: DeclaredWorld) -> Values:
        if isinstance(domain, world_tree.RangeDomain):
            return None
        return (
            _agents(world)
            if domain.items is None
            else _union(self._expression(each, scope, world) for each in domain.items)
        )

    def _effects(self, effects: world_tree.Effects, scope: Scope, world: DeclaredWorld) -> None:
        for effect in effects:
            match effect:
                case world_tree.Assign(variable, value):
                    self._add(
                        "variable", constant(variable), [self._expression(value, scope, world)]
                    )
                case world_tree.Add(fact):
                    self._put_fact(fact, scope, world)
                case world_tree.If(condition, then, otherwise):
                    inside = dict(scope)
                    self._condition(condition, inside, world)
                    self._effects(then, inside, world)
                    self._effects(otherwise, scope, world)
                case world_tree.NondeterministicChoice(branches):
                    for branch in branches:
                        self._effects(branch, scope, world)
                case world_tree.ProbabilisticChoice(weighted):
                    for _, branch in weighted:
                        self._effects(branch, scope, world)
                case world_tree.OutputAssignment() | world_tree.Remove() | world_tree.Fail():
                    pass
                case _:
                    assert_never(effect)


def _values(term: Term, scope: Scope) -> Values:
    if isinstance(term, Variable):
        return scope.get(term.name)
    return frozenset([term]) if is_ground(term) else None


def _narrow(term: Term, values: Values, scope: Scope) -> None:
    """Restrict the possible values of a variable, in ``scope``, to the given values. If the term is
    not a variable, do nothing."""
    if isinstance(term, Variable) and values is not None:
        known = scope.get(term.name)
        scope[term.name] = values if known is None else known & values
    elif isinstance(term, Variable):
        scope.setdefault(term.name, None)


def _related(values: Values, others: Values, related: Callable[[Term, Term], bool]) -> Values:
    """Return those of ``values`` for which ``related(value, other)`` holds for some ``other`` in
    ``others``. If either set is unknown (None), return ``values`` unchanged."""
    if values is None or others is None:
        return values
    return frozenset(each for each in values if any(related(each, other) for other in others))


def _pairwise(left: Values, right: Values, function: Callable[[Any, Any], Any]) -> Values:
    """Return the results of an arithmetic function on all pairs of a left and a right value. Pairs
    with a value that is not a number have no result."""
    if left is None or right is None:
        return None
    numbers = [[each for each in side if isinstance(each, Number)] for side in (left, right)]
    results = frozenset(number(function(*pair)) for pair in product(*numbers))
    return None if any(map(is_large_number, results)) else results


def _union(groups: Iterator[Values]) -> Values:
    joint: frozenset[Term] = frozenset()
    for each in groups:
        if each is None:
            return None
        joint |= each
    return joint


def _equate(left: Term, right: Term, of_left: Values, of_right: Values, scope: Scope) -> None:
    """Record in ``scope`` that two terms are equal: an unbound variable gets the possible values of
    the other side. Variables inside structures can have any value."""
    for side, other in ((left, of_right), (right, of_left)):
        if isinstance(side, Variable):
            scope.setdefault(side.name, other)
        _forget(side, scope)


def _forget(term: Term, scope: Scope) -> None:
    for name in variables(term):
        scope.setdefault(name, None)


def _agents(world: World) -> Values:
    return frozenset(constant(each) for each in world.agents)


def _names_in(condition: world_tree.Condition) -> Iterator[str]:
    """Yield the names of the variables in a condition of the world, including repetitions."""
    match condition:
        case world_tree.FactCondition(pattern):
            yield from variables(pattern)
        case world_tree.Compare(_, left, right):
            yield from (*variables(left), *variables(right))
        case world_tree.And(left_side, right_side) | world_tree.Or(left_side, right_side):
            yield from (*_names_in(left_side), *_names_in(right_side))
        case world_tree.Quantified(_, variable, _, operand):
            yield from (variable, *_names_in(operand))
        case world_tree.BooleanLiteral() | world_tree.Not():
            pass
        case _:
            assert_never(condition)
