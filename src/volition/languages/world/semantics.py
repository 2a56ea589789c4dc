"""Semantics of a world declared in a world file: its slots, percepts and transitions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, assert_never, cast

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Span, did_you_mean
from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot, world_slot
from volition.languages.protocols import StateView
from volition.languages.world.checks import check_world
from volition.languages.world.conditions import EvaluationScope, domain_values, evaluate, solutions
from volition.languages.world.grammar import without_comments
from volition.languages.world.interface import (
    CANNOT_FAIL,
    World,
    WorldTransition,
    answer_slot,
    failed_outcome,
    format_bindings,
    format_value,
    is_open_variable,
    raise_unknown_name,
    spelling_hint,
    split_failure,
)
from volition.languages.world.syntax import (
    ALL_AGENTS,
    ActionRule,
    Add,
    Assign,
    Effect,
    Effects,
    Fail,
    If,
    NondeterministicChoice,
    OutputAssignment,
    Predicate,
    ProbabilisticChoice,
    Remove,
    StepRule,
    WorldRule,
    WorldTree,
    all_effects,
)  # fmt: skip
from volition.languages.world.terms import (
    TOO_LARGE,
    Bindings,
    Structure,
    Term,
    Variable,
    constant,
    is_ground,
    is_negated,
    is_too_large,
    predicate,
    show,
    substitute,
    unify,
    variables,
)
from volition.languages.world.world_parameters import collect_errors, parameter_values

__all__ = ["PERCEPTS", "DeclaredWorld"]

PERCEPTS = Slot("percepts", "percept")
FREE = Slot("free percepts", "percept")

_LABEL = (
    "formulas only compare numbers; for other values declare a label, such as: label waiting "
    "= mode = slow"
)

Writes = Mapping[str, Hashable]
Distribution = tuple[tuple[Fraction, Writes], ...]
BranchPath = tuple[int, ...]
"""Branches taken at the nondeterministic choices (``either``) of a rule: the number of the branch
at each choice, in order. Branches are numbered from 1."""


class DeclaredWorld(World):
    """World declared in a world file, with parameter values and agents.

    One slot holds the percepts in order of arrival, one holds the free percepts, and each variable
    and each functor of a fact has its own slot. Facts that agents cannot perceive are unordered.
    """

    def __init__(
        self,
        tree: WorldTree,
        agents: Sequence[str],
        parameters: Mapping[str, Term],
        given: Mapping[str, Term],
        *,
        chances: Mapping[str, Term] | None = None,
    ) -> None:
        """Create a world from a syntax tree.

        - ``parameters`` has the values of all parameters of the world.
        - ``given`` has the parameter values that override those in the world file.
        - ``chances`` has the values of all parameters for use in probabilities. There, a parameter
          may be a symbol instead of a number. If ``chances`` is None, probabilities use
          ``parameters`` too.
        """
        super().__init__(agents, parameters)
        self.tree = tree
        self._given = given
        self._chances = parameters if chances is None else chances

    # --- worlds with other parameter values -------------------------------------------------------

    @classmethod
    def from_tree(
        cls,
        tree: WorldTree,
        agents: Sequence[str],
        given: Mapping[str, Term],
        diagnostics: Diagnostics,
    ) -> DeclaredWorld:
        """Check the world of a syntax tree and return it. ``given`` are the parameter values that
        override those in the file. Errors are added to ``diagnostics``."""
        parameters = parameter_values(tree, agents, given, diagnostics)
        check_world(tree, agents, parameters, diagnostics)
        world = cls(tree, agents, parameters, given)
        if not diagnostics.errors:
            with collect_errors(diagnostics):
                world.slots  # noqa: B018
        return world

    def with_parameters(self, values: Mapping[str, Term]) -> DeclaredWorld:
        diagnostics = Diagnostics()
        world = self.from_tree(self.tree, self.agents, {**self._given, **values}, diagnostics)
        diagnostics.raise_errors()
        return world

    def reparse(
        self, tree: WorldTree, agents: Sequence[str], diagnostics: Diagnostics
    ) -> DeclaredWorld:
        """Return the world of a changed syntax tree, with the same overridden parameter values as
        this world."""
        return self.from_tree(tree, agents, self._given, diagnostics)

    def with_symbolic(self, names: Collection[str]) -> DeclaredWorld:
        from volition.kernel.weights import (
            FixedParameters,
            ParameterSpace,
            ParameterValueNeeded,
        )  # imported late: SymPy is slow to import

        symbolic = ParameterSpace({name: _number(self.parameters[name], None) for name in names})
        # A symbolic parameter supports the same arithmetic as a number, so it can take the place of
        # one.
        given = cast("Mapping[str, Term]", {**self._given, **symbolic})
        chances = parameter_values(self.tree, self.agents, given, Diagnostics())
        if any(
            isinstance(value, Structure) and value != self.parameters[name]
            for name, value in chances.items()
        ):
            raise ParameterValueNeeded(
                frozenset(names)
            )  # a term cannot contain a symbolic parameter
        return DeclaredWorld(
            self.tree, self.agents, FixedParameters(chances), self._given, chances=chances
        )

    # --- slots of the state -----------------------------------------------------------------------

    @cached_property
    def _variables(self) -> Mapping[str, str]:
        return {each.name: world_slot(each.name) for each in self.tree.variables}

    @cached_property
    def _perceived(self) -> Mapping[str, Predicate]:
        return {predicate(each.signature): each for each in self.tree.predicates if each.perceived}

    @cached_property
    def _hidden(self) -> Mapping[str, str]:
        return {
            each.signature.functor: world_slot(each.signature.functor)
            for each in self.tree.predicates
            if not each.perceived
        }

    @cached_property
    def free_percepts(self) -> Sequence[Structure]:
        """Return all free percepts (they appear and disappear at any time) as ground atoms."""
        scope = self._scope({})
        instances = []
        for each in self.tree.predicates:
            if each.free:
                names = [name for name, _ in each.domains]
                ranges = [domain_values(domain, scope, {}, each.span) for _, domain in each.domains]
                instances += [
                    substitute(each.signature, dict(zip(names, values, strict=True)))
                    for values in product(*ranges)
                ]
        return [each for each in instances if isinstance(each, Structure)]

    @cached_property
    def slots(self) -> Mapping[str, Hashable]:
        scope = self._scope({})

        def initial(perceived: bool, functor: str | None = None) -> list[Structure]:
            return [
                _structure(evaluate(fact, scope, {}, each.span), each.span)
                for each in self.tree.predicates
                if each.perceived == perceived and functor in (None, each.signature.functor)
                for fact in each.initially
            ]

        slots: dict[str, Hashable] = {PERCEPTS: tuple(dict.fromkeys(initial(perceived=True)))}
        if self.free_percepts:
            slots[FREE] = ()
        for functor, slot in self._hidden.items():
            slots[slot] = _as_set(initial(perceived=False, functor=functor))
        for variable in self.tree.variables:
            slots[self._variables[variable.name]] = evaluate(
                variable.value, scope, {}, variable.span
            )
        return slots

    def _scope(self, state: SlotView) -> EvaluationScope:
        return EvaluationScope(self.parameters, self.agents, self._variables, self._facts, state)

    def _facts(self, state: SlotView, functor: str) -> Sequence[Structure]:
        if functor in self._hidden:
            return self._all_of(state, self._hidden[functor])
        return [fact for fact in self._all_percepts(state) if fact.functor == functor]

    @staticmethod
    def _all_of(state: SlotView, slot: str) -> Sequence[Structure]:
        facts: tuple[Structure, ...] = state[slot]
        return facts

    def _all_percepts(self, state: SlotView) -> tuple[Structure, ...]:
        ordered: tuple[Structure, ...] = state[PERCEPTS]
        return ordered + state[FREE] if self.free_percepts else ordered

    # --- percepts and actions ---------------------------------------------------------------------

    @property
    def actions(self) -> Sequence[Structure]:
        return [each.action for each in self.tree.actions]

    @property
    def predicates(self) -> Sequence[Structure]:
        return [each.signature for each in self._perceived.values()]

    @property
    def labels(self) -> Sequence[str]:
        """Return the names that formulas can use as atomic propositions: the declared labels, and
        the variables whose initial value is ``true`` or ``false``."""
        truths = (constant("true"), constant("false"))
        return [
            *(each.name for each in self.tree.labels),
            *(name for name, slot in self._variables.items() if self.slots[slot] in truths),
        ]

    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:
        return tuple(each for each in self._all_percepts(state) if self._sees(agent, each))

    def _sees(self, agent: str, percept: Structure) -> bool:
        visible_to = self._perceived[predicate(percept)].visible_to
        if visible_to == ALL_AGENTS:
            return True
        return (
            percept.arguments[visible_to] == constant(agent)
            if isinstance(visible_to, int)
            else agent in visible_to
        )

    def execute(self, state: SlotView, agent: str, action: Structure) -> Sequence[WorldTransition]:
        for otherwise in (False, True):
            moves = [
                move
                for rule in self.tree.actions
                if rule.otherwise == otherwise
                and (bindings := self._match(rule, agent, action, state)) is not None
                for move in self._moves(rule, f"does {action}", state, bindings)
            ]
            if moves:
                return moves
        return ()

    def _match(
        self, rule: ActionRule, agent: str, action: Structure, state: SlotView
    ) -> Bindings | None:
        """Match an agent's action with the head of an action rule, and return the values of the
        variables in the head. Return None if they do not match. Parameters and variables of the
        world in the head stand for their values."""
        bindings = unify(evaluate(rule.action, self._scope(state), {}, rule.span), action, {})
        if bindings is None or rule.agent is None:
            return bindings
        return unify(constant(agent), Variable(rule.agent), bindings)

    def restricted_for(self, language: str, diagnostics: Diagnostics) -> DeclaredWorld:
        for rule in self.tree.actions:
            for effect in all_effects(rule.effects):
                if isinstance(effect, Fail):
                    diagnostics.error(
                        "WLD070",
                        f"actions cannot fail in {language}",
                        effect.span,
                        hint=CANNOT_FAIL,
                    )
        for each in self.tree.predicates:
            if is_negated(each.signature):
                diagnostics.error(
                    "WLD071",
                    f"agents cannot perceive '{each.signature}': {language} has no strong negation",
                    each.span,
                )
        return self

    # --- spontaneous transitions and free percepts ------------------------------------------------

    def spontaneous_transitions(self, state: SlotView) -> Sequence[WorldTransition]:
        return [
            move for rule in self.tree.steps for move in self._moves(rule, rule.name, state, {})
        ]

    @property
    def has_spontaneous_transitions(self) -> bool:
        return bool(self.tree.steps)

    @property
    def has_free_percepts(self) -> bool:
        return bool(self.free_percepts)

    def perceives_free_percepts(self, agent: str) -> bool:
        return any(self._sees(agent, each) for each in self.free_percepts)

    def free_percept_changes(self, state: SlotView) -> Sequence[WorldTransition]:
        if not self.free_percepts:
            return ()
        now = set(state[FREE])
        return [self._toggle(each, now) for each in self.free_percepts]

    def free_percept_choices(self, state: SlotView) -> Sequence[WorldTransition]:  # noqa: ARG002
        subsets = product(*([False, True] for _ in self.free_percepts))
        return [
            self._draw(
                [
                    each
                    for each, is_present in zip(self.free_percepts, subset, strict=True)
                    if is_present
                ]
            )
            for subset in subsets
        ]

    @staticmethod
    def _draw(percepts: Sequence[Structure]) -> WorldTransition:
        text = f"{', '.join(map(show, percepts)) or 'nothing'} can be perceived"
        return WorldTransition("draw", text, ((Fraction(1), {FREE: tuple(percepts)}),))

    def _toggle(self, percept: Structure, now: set[Structure]) -> WorldTransition:
        then = now ^ {percept}
        # Free percepts are kept in order of declaration: their order of arrival is irrelevant and
        # would only multiply the states.
        ordered = tuple(each for each in self.free_percepts if each in then)
        text = f"{percept} {'goes' if percept in now else 'comes'}"
        return WorldTransition(
            text, text, ((Fraction(1), {FREE: ordered}),), self._perceived[predicate(percept)].span
        )

    def _moves(
        self, rule: WorldRule, what: str, state: SlotView, given: Bindings
    ) -> Iterator[WorldTransition]:
        """Yield the transitions of a rule in a state: one for each solution of its condition and
        each nondeterministic alternative of its effects."""
        name = rule.name if isinstance(rule, StepRule) else rule.action.functor
        known: list[Bindings] = []
        for bindings in solutions(rule.condition, self._scope(state), given):
            if bindings in known:
                continue
            known.append(bindings)
            found = {key: value for key, value in bindings.items() if key not in given}
            for path, outcomes in self._alternatives(rule.effects, state, {}, bindings):
                which = "".join(f", alternative {branch}" for branch in path)
                fails = (
                    ", which fails"
                    if all(split_failure(writes)[1] for _, writes in outcomes)
                    else ""
                )
                yield WorldTransition(
                    name, f"{what}{format_bindings(found)}{which}{fails}", outcomes, rule.span
                )

    # --- outcomes of effects ----------------------------------------------------------------------

    def _alternatives(
        self, effects: Effects, state: SlotView, writes: Writes, bindings: Bindings
    ) -> list[tuple[BranchPath, Distribution]]:
        """Return the probability distributions that a sequence of effects can lead to. There is one
        for each way to resolve the nondeterministic choices (``either``), with the branches taken.

        Effects are applied in order; each one sees the writes of those before it.
        """
        position = 0
        while position < len(effects) and not isinstance(
            effect := effects[position], NondeterministicChoice | ProbabilisticChoice | If | Fail
        ):
            if isinstance(effect, OutputAssignment):
                bindings = self._answered(effect, self._scope(_StateAfter(state, writes)), bindings)
            else:
                writes = {**writes, **self._effect(effect, _StateAfter(state, writes), bindings)}
            position += 1
        if position == len(effects):
            return [((), ((Fraction(1), {**writes, **_answers(bindings)}),))]
        first, rest = effects[position], effects[position + 1 :]
        match first:
            case Fail():
                return [((), ((Fraction(1), failed_outcome(writes)),))]
            case NondeterministicChoice(branches):
                return [
                    ((number, *path), outcomes)
                    for number, branch in enumerate(branches, 1)
                    for path, outcomes in self._alternatives(branch + rest, state, writes, bindings)
                ]
            case ProbabilisticChoice(branches):
                scope = replace(self._scope(_StateAfter(state, writes)), parameters=self._chances)
                distribution: Distribution = ()
                for weight, branch in branches:
                    probability: Any = evaluate(
                        weight, scope, bindings, first.span
                    )  # the static checks ensure that it is a number
                    ((_, inner),) = self._alternatives(branch + rest, state, writes, bindings)
                    distribution += tuple((probability * weight, then) for weight, then in inner)
                return [((), distribution)]
            case If(condition, then, otherwise):
                scope = self._scope(_StateAfter(state, writes))
                found = next(solutions(condition, scope, bindings), None)
                branch = otherwise if found is None else then
                return self._alternatives(
                    branch + rest, state, writes, bindings if found is None else found
                )
            case Assign() | OutputAssignment() | Add() | Remove():
                pass
            case _:
                assert_never(first)
        raise AssertionError(first)

    @staticmethod
    def _answered(answer: OutputAssignment, scope: EvaluationScope, bindings: Bindings) -> Bindings:
        """Return the bindings after an effect ``X := e``, which binds a variable that the agent
        left unbound in its action. If the agent gave the variable a value, that value stays."""
        value = _finite(evaluate(answer.value, scope, bindings, answer.span), answer.span)
        found = unify(Variable(answer.variable), value, bindings)
        return bindings if found is None else found

    def _effect(
        self, effect: Effect, state: SlotView, bindings: Bindings
    ) -> Mapping[str, Hashable]:
        scope = self._scope(state)
        match effect:
            case Assign(variable, value):
                return {
                    self._variables[variable]: _finite(
                        evaluate(value, scope, bindings, effect.span), effect.span
                    )
                }
            case Add(fact):
                new = _structure(
                    _finite(evaluate(fact, scope, bindings, effect.span), effect.span), effect.span
                )
                slot = self._hidden.get(new.functor)
                if slot is not None:
                    return {slot: _as_set([*self._all_of(state, slot), new])}
                return {PERCEPTS: tuple(dict.fromkeys((*self._all_of(state, PERCEPTS), new)))}
            case Remove(pattern):
                slot = self._hidden.get(pattern.functor, PERCEPTS)
                query = evaluate(pattern, scope, bindings, effect.span)
                return {
                    slot: tuple(
                        each
                        for each in self._all_of(state, slot)
                        if unify(query, each, bindings) is None
                    )
                }
            case (
                OutputAssignment()
                | If()
                | NondeterministicChoice()
                | ProbabilisticChoice()
                | Fail()
            ):
                pass
            case _:
                assert_never(effect)
        raise AssertionError(effect)

    # --- formulas and display ---------------------------------------------------------------------

    def proposition(self, name: Structure, span: Span | None) -> Callable[[SlotView], bool]:
        label = next(
            (each for each in self.tree.labels if each.name == name.functor and not name.arguments),
            None,
        )
        if label is not None:
            return lambda state: (
                next(solutions(label.condition, self._scope(state), {}), None) is not None
            )
        if name.functor in self._variables and not name.arguments:
            slot = self._variables[name.functor]
            return lambda state: state[slot] == constant("true")
        known = {predicate(each.signature) for each in self.tree.predicates}
        if predicate(name) not in known:
            raise raise_unknown_name(
                name,
                spelling_hint(
                    name, [*known, *self._variables, *(each.name for each in self.tree.labels)]
                ),
                span,
            )
        return lambda state: any(
            unify(name, fact, {}) is not None for fact in self._facts(state, name.functor)
        )

    def number(self, name: str, span: Span | None) -> Callable[[SlotView], Any]:
        if name in self.parameters:
            value = self.parameters[name]
            return lambda _: value
        if name not in self._variables:
            hint = did_you_mean(name, [*self._variables, *self.parameters]) or _LABEL
            raise InputError([Diagnostic("WLD050", f"unknown variable '{name}'", span, hint)])
        slot = self._variables[name]
        return lambda state: _number(state[slot], span, _LABEL)

    def summary(self) -> Sequence[tuple[str, str]]:
        tree = self.tree
        parts = (
            *tree.parameters,
            *tree.variables,
            *tree.predicates,
            *tree.actions,
            *tree.steps,
            *tree.labels,
        )
        spans = sorted((each.span for each in parts), key=lambda span: span.start)
        texts = [" ".join(without_comments(span.text).split()) for span in spans]
        return [(kind, rest) for kind, _, rest in (text.partition(" ") for text in texts)]

    def describe(self, state: SlotView) -> StateView:
        inside = {name: format_value(state[slot]) for name, slot in self._variables.items()}
        hidden = {
            show(fact): "" for slot in self._hidden.values() for fact in self._all_of(state, slot)
        }
        return {
            "percepts": {show(each): "" for each in self._all_percepts(state)},
            "world": {**inside, **hidden},
        }


def _answers(bindings: Bindings) -> dict[str, Hashable]:
    """Return the answers of the world: the values of variables that the agent left unbound in its
    action. The keys are those of :func:`answer_slot`."""
    queried = {
        name
        for name in (*bindings, *(each for value in bindings.values() for each in variables(value)))
        if is_open_variable(name)
    }
    values = {name: substitute(Variable(name), bindings) for name in sorted(queried)}
    return {answer_slot(name): value for name, value in values.items() if is_ground(value)}


class _StateAfter:
    """View of a state with some slots changed."""

    def __init__(self, state: SlotView, writes: Mapping[str, Hashable]) -> None:
        self._state = state
        self._writes = writes

    def __getitem__(self, slot: str) -> Any:
        return self._writes[slot] if slot in self._writes else self._state[slot]


def _as_set(facts: Sequence[Structure]) -> tuple[Structure, ...]:
    return tuple(sorted(set(facts), key=show))


def _finite(term: Term, span: Span) -> Term:
    if is_too_large(term):
        hint = "a list or structure that grows in every step leads to infinitely many states"
        raise InputError([Diagnostic("WLD034", f"a term here {TOO_LARGE}", span, hint)])
    return term


def _structure(term: Term, span: Span) -> Structure:
    if isinstance(term, Structure) and is_ground(term):
        return term
    raise InputError(
        [Diagnostic("WLD033", f"'{show(term)}' is not a fact: a variable in it has no value", span)]
    )


def _number(term: Term, span: Span | None, hint: str | None = None) -> int | Fraction:
    if isinstance(term, int | Fraction):
        return term
    raise InputError([Diagnostic("WLD030", f"expected a number, found '{show(term)}'", span, hint)])
