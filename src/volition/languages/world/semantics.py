"""The meaning of a world file: its slots, what agents perceive in it, and how it moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, cast

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
    alike,
    answer_slot,
    failed_outcome,
    format_bindings,
    format_value,
    is_open_variable,
    raise_unknown_name,
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
"""The branches taken at each ``either``, counted from 1."""


class DeclaredWorld(World):
    """A world as its file says, with the values of its parameters and the names of the agents in
    it.

    One slot holds the percepts in the order in which they came, one the free percepts, and one each
    variable and each fact's functor.  Facts that nobody perceives have no order.
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
        """``given`` are the parameters that do not have the values of the file, ``chances`` the
        parameters for probabilities, if they are not the same as everywhere else.
        """
        super().__init__(agents, parameters)
        self.tree = tree
        self._given = given
        self._chances = parameters if chances is None else chances

    # --- parameters -------------------------------------------------------------------------------

    @classmethod
    def from_tree(
        cls,
        tree: WorldTree,
        agents: Sequence[str],
        given: Mapping[str, Term],
        diagnostics: Diagnostics,
    ) -> DeclaredWorld:
        """The world with some values of its parameters given; what is wrong with it goes to
        ``diagnostics``."""
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
        """The world of another text, with the same values of its parameters."""
        return self.from_tree(tree, agents, self._given, diagnostics)

    def with_symbolic(self, names: Collection[str]) -> DeclaredWorld:
        from volition.kernel.weights import (
            FixedParameters,
            ParameterSpace,
            ParameterValueNeeded,
        )  # imports SymPy, which takes its time

        open_ones = ParameterSpace({name: _number(self.parameters[name], None) for name in names})
        # A parametric weight computes like the number that it stands for.
        given = cast("Mapping[str, Term]", {**self._given, **open_ones})
        chances = parameter_values(self.tree, self.agents, given, Diagnostics())
        if any(
            isinstance(value, Structure) and value != self.parameters[name]
            for name, value in chances.items()
        ):
            raise ParameterValueNeeded(
                frozenset(names)
            )  # an open parameter is part of a term, and no term is open
        return DeclaredWorld(
            self.tree, self.agents, FixedParameters(chances), self._given, chances=chances
        )

    # --- the state --------------------------------------------------------------------------------

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
        """All instances of the percepts that come and go freely."""
        scene = self._scope({})
        instances = []
        for each in self.tree.predicates:
            if each.free:
                names = [name for name, _ in each.domains]
                ranges = [domain_values(domain, scene, {}, each.span) for _, domain in each.domains]
                instances += [
                    substitute(each.signature, dict(zip(names, values, strict=True)))
                    for values in product(*ranges)
                ]
        return [each for each in instances if isinstance(each, Structure)]

    @cached_property
    def slots(self) -> Mapping[str, Hashable]:
        scene = self._scope({})

        def initial(perceived: bool, functor: str | None = None) -> list[Structure]:
            return [
                _structure(evaluate(fact, scene, {}, each.span), each.span)
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
                variable.value, scene, {}, variable.span
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

    # --- what agents see and do -------------------------------------------------------------------

    @property
    def actions(self) -> Sequence[Structure]:
        return [each.action for each in self.tree.actions]

    @property
    def predicates(self) -> Sequence[Structure]:
        return [each.signature for each in self._perceived.values()]

    @property
    def labels(self) -> Sequence[str]:
        """Also variables that are true or false."""
        truths = (constant("true"), constant("false"))
        return [
            *(each.name for each in self.tree.labels),
            *(name for name, slot in self._variables.items() if self.slots[slot] in truths),
        ]

    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:
        return tuple(each for each in self._all_percepts(state) if self._sees(agent, each))

    def _sees(self, agent: str, percept: Structure) -> bool:
        seers = self._perceived[predicate(percept)].visible_to
        if seers == ALL_AGENTS:
            return True
        return (
            percept.arguments[seers] == constant(agent)
            if isinstance(seers, int)
            else agent in seers
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
        """The values of the variables in the head of a rule; names of parameters and variables
        stand for their values there too."""
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
                        f"actions of {language} cannot be told to fail",
                        effect.span,
                        hint=CANNOT_FAIL,
                    )
        for each in self.tree.predicates:
            if is_negated(each.signature):
                diagnostics.error(
                    "WLD071",
                    f"{language} has no strong negation, so nobody can perceive '{each.signature}'",
                    each.span,
                )
        return self

    # --- what happens by itself -------------------------------------------------------------------

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
                [each for each, there in zip(self.free_percepts, subset, strict=True) if there]
            )
            for subset in subsets
        ]

    @staticmethod
    def _draw(percepts: Sequence[Structure]) -> WorldTransition:
        text = f"{', '.join(map(show, percepts)) or 'nothing'} can be perceived"
        return WorldTransition("draw", text, ((Fraction(1), {FREE: tuple(percepts)}),))

    def _toggle(self, percept: Structure, now: set[Structure]) -> WorldTransition:
        then = now ^ {percept}
        # In the order of their declaration: when they came says nothing, and all orders would only
        # multiply the states.
        ordered = tuple(each for each in self.free_percepts if each in then)
        text = f"{percept} {'goes' if percept in now else 'comes'}"
        return WorldTransition(
            text, text, ((Fraction(1), {FREE: ordered}),), self._perceived[predicate(percept)].span
        )

    def _moves(
        self, rule: WorldRule, what: str, state: SlotView, given: Bindings
    ) -> Iterator[WorldTransition]:
        """A rule's instances: one for each way to make its condition true, and for each alternative
        of its effects."""
        name = rule.name if isinstance(rule, StepRule) else rule.action.functor
        known: list[Bindings] = []
        for bindings in solutions(rule.condition, self._scope(state), given):
            if bindings in known:
                continue
            known.append(bindings)
            found = {key: value for key, value in bindings.items() if key not in given}
            for way, outcomes in self._alternatives(rule.effects, state, {}, bindings):
                which = "".join(f", alternative {branch}" for branch in way)
                fails = (
                    ", which fails"
                    if all(split_failure(writes)[1] for _, writes in outcomes)
                    else ""
                )
                yield WorldTransition(
                    name, f"{what}{format_bindings(found)}{which}{fails}", outcomes, rule.span
                )

    # --- effects ----------------------------------------------------------------------------------

    def _alternatives(
        self, effects: Effects, state: SlotView, writes: Writes, bindings: Bindings
    ) -> list[tuple[BranchPath, Distribution]]:
        """The distributions among which nobody decides, with the branches that lead to each; what
        effects write, one after the other."""
        position = 0
        while position < len(effects) and not isinstance(
            effect := effects[position], NondeterministicChoice | ProbabilisticChoice | If | Fail
        ):
            if isinstance(effect, OutputAssignment):
                bindings = self._answered(effect, self._scope(_Written(state, writes)), bindings)
            else:
                writes = {**writes, **self._effect(effect, _Written(state, writes), bindings)}
            position += 1
        if position == len(effects):
            return [((), ((Fraction(1), {**writes, **_answers(bindings)}),))]
        first, rest = effects[position], effects[position + 1 :]
        match first:
            case Fail():
                return [((), ((Fraction(1), failed_outcome(writes)),))]
            case NondeterministicChoice(branches):
                return [
                    ((number, *way), outcomes)
                    for number, branch in enumerate(branches, 1)
                    for way, outcomes in self._alternatives(branch + rest, state, writes, bindings)
                ]
            case ProbabilisticChoice(branches):
                scene = replace(self._scope(_Written(state, writes)), parameters=self._chances)
                distribution: Distribution = ()
                for weight, branch in branches:
                    probability: Any = evaluate(
                        weight, scene, bindings, first.span
                    )  # a number: the static checks see to it
                    ((_, inner),) = self._alternatives(branch + rest, state, writes, bindings)
                    distribution += tuple((probability * weight, then) for weight, then in inner)
                return [((), distribution)]
            case If(condition, then, otherwise):
                scene = self._scope(_Written(state, writes))
                found = next(solutions(condition, scene, bindings), None)
                branch = otherwise if found is None else then
                return self._alternatives(
                    branch + rest, state, writes, bindings if found is None else found
                )
        raise AssertionError(first)

    @staticmethod
    def _answered(answer: OutputAssignment, scene: EvaluationScope, bindings: Bindings) -> Bindings:
        """With the value of a variable of the action; one that the agent has given stays."""
        value = _finite(evaluate(answer.value, scene, bindings, answer.span), answer.span)
        found = unify(Variable(answer.variable), value, bindings)
        return bindings if found is None else found

    def _effect(
        self, effect: Effect, state: SlotView, bindings: Bindings
    ) -> Mapping[str, Hashable]:
        scene = self._scope(state)
        match effect:
            case Assign(variable, value):
                return {
                    self._variables[variable]: _finite(
                        evaluate(value, scene, bindings, effect.span), effect.span
                    )
                }
            case Add(fact):
                new = _structure(
                    _finite(evaluate(fact, scene, bindings, effect.span), effect.span), effect.span
                )
                slot = self._hidden.get(new.functor)
                if slot is not None:
                    return {slot: _as_set([*self._all_of(state, slot), new])}
                return {PERCEPTS: tuple(dict.fromkeys((*self._all_of(state, PERCEPTS), new)))}
            case Remove(pattern):
                slot = self._hidden.get(pattern.functor, PERCEPTS)
                query = evaluate(pattern, scene, bindings, effect.span)
                return {
                    slot: tuple(
                        each
                        for each in self._all_of(state, slot)
                        if unify(query, each, bindings) is None
                    )
                }
        raise AssertionError(effect)

    # --- formulas and people ----------------------------------------------------------------------

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
                alike(name, [*known, *self._variables, *(each.name for each in self.tree.labels)]),
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
    """What the variables that an agent left open in its action have got."""
    queried = {
        name
        for name in (*bindings, *(each for value in bindings.values() for each in variables(value)))
        if is_open_variable(name)
    }
    values = {name: substitute(Variable(name), bindings) for name in sorted(queried)}
    return {answer_slot(name): value for name, value in values.items() if is_ground(value)}


class _Written:
    """A state with some slots changed."""

    def __init__(self, state: SlotView, writes: Mapping[str, Hashable]) -> None:
        self._state = state
        self._writes = writes

    def __getitem__(self, slot: str) -> Any:
        return self._writes[slot] if slot in self._writes else self._state[slot]


def _as_set(facts: Sequence[Structure]) -> tuple[Structure, ...]:
    return tuple(sorted(set(facts), key=show))


def _finite(term: Term, span: Span) -> Term:
    if is_too_large(term):
        hint = "a list or structure that gets longer each time makes infinitely many states"
        raise InputError([Diagnostic("WLD034", f"a term {TOO_LARGE} here", span, hint)])
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
