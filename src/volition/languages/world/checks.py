"""Static checks of a world declared in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import pairwise
from typing import assert_never

from volition.diagnostics import Diagnostics, InputError, Span, did_you_mean
from volition.languages.common.settings import report_duplicate
from volition.languages.world.conditions import EvaluationScope, evaluate
from volition.languages.world.syntax import (
    ARITHMETIC,
    COUNT,
    Add,
    And,
    Assign,
    BooleanLiteral,
    Compare,
    Condition,
    Domain,
    Effects,
    FactCondition,
    Fail,
    If,
    NondeterministicChoice,
    Not,
    Or,
    OutputAssignment,
    Predicate,
    ProbabilisticChoice,
    Quantified,
    RangeDomain,
    Remove,
    WorldRule,
    WorldTree,
    all_effects,
)
from volition.languages.world.terms import (
    Structure,
    Term,
    Variable,
    is_ground,
    predicate,
    show,
    variables,
)

__all__ = ["check_world"]

Bound = frozenset[str]
"""Names of the variables of a rule that have a value before a given condition or effect of the
rule."""

_ORDER = ("<", "<=", ">", ">=")


def check_world(
    tree: WorldTree, agents: Sequence[str], parameters: Mapping[str, Term], diagnostics: Diagnostics
) -> None:
    """Add every error and warning about a world to ``diagnostics``. A world without errors can be
    explored.

    Errors that show only at run time, such as a value that is not a number, are reported during the
    exploration.
    """
    _Check(tree, agents, parameters, diagnostics).world()


class _Check:
    def __init__(
        self,
        tree: WorldTree,
        agents: Sequence[str],
        parameters: Mapping[str, Term],
        diagnostics: Diagnostics,
    ) -> None:
        self._tree, self._agents, self._parameters = tree, agents, parameters
        self._diagnostics, self._error, self._warning = (
            diagnostics,
            diagnostics.error,
            diagnostics.warning,
        )
        self._variables = {each.name for each in tree.variables}
        self._predicates = {predicate(each.signature): each for each in tree.predicates}

    def world(self) -> None:
        self._check_unique_names()
        self._initial_values()
        for declared in self._tree.predicates:
            self._predicate(declared)
        for rule in self._tree.actions:
            given = {*variables(rule.action), *([rule.agent] if rule.agent else [])}
            self._effects(rule.effects, self._condition(rule.condition, frozenset(given)))
        for step in self._tree.steps:
            for effect in all_effects(step.effects):
                if isinstance(effect, Fail):
                    self._error(
                        "WLD035",
                        "a step of the world cannot fail, only an action can",
                        effect.span,
                        hint="replace 'fail' by 'nothing': no agent waits for a step of the world",
                    )
            self._effects(step.effects, self._condition(step.condition, frozenset()))
        for label in self._tree.labels:
            self._condition(label.condition, frozenset())
        self._check_duplicate_rules()
        if not self._diagnostics.errors:  # a rule with errors may add anything
            self._check_never_true()
            self._check_unused()

    def _check_duplicate_rules(self) -> None:
        """Report a rule that is identical to an earlier one. It only duplicates transitions."""
        rules: list[WorldRule] = [*self._tree.actions, *self._tree.steps]
        for index, rule in enumerate(rules):
            before = next((each for each in rules[:index] if each == rule), None)
            if before is not None:
                self._error(
                    "WLD012",
                    "duplicate rule",
                    rule.span,
                    hint=f"the first is at line {before.span.line}",
                )

    def _check_unused(self) -> None:
        """Warn about parameters and variables that are declared but never used in the world; they
        are superfluous or misspelt."""
        rules: list[WorldRule] = [*self._tree.actions, *self._tree.steps]
        roots = [
            *rules,
            *self._tree.labels,
            *self._tree.predicates,
            *(each.value for each in self._tree.variables),
        ]
        mentioned = set(_names_in([*roots, *(each.value for each in self._tree.parameters)]))
        for kind, declared in (
            ("parameter", self._tree.parameters),
            ("variable", self._tree.variables),
        ):
            for each in declared:
                if each.name not in mentioned:
                    hint = did_you_mean(each.name, mentioned)
                    self._warning(
                        "WLD009", f"the {kind} '{each.name}' is never used", each.span, hint=hint
                    )

    def _check_never_true(self) -> None:
        """Warn about declared percepts and facts that are neither initially true nor added by a
        rule. They are superfluous, or a rule that adds them is missing."""
        rules: list[WorldRule] = [*self._tree.actions, *self._tree.steps]
        added = {
            predicate(each.fact)
            for rule in rules
            for each in all_effects(rule.effects)
            if isinstance(each, Add)
        }
        for declared in self._tree.predicates:
            if (
                not declared.free
                and not declared.initially
                and predicate(declared.signature) not in added
            ):
                name = predicate(declared.signature)
                self._warning(
                    "WLD007",
                    f"{name} is never true",
                    declared.span,
                    hint="add it in a rule, or declare it: initially ...",
                )

    # --- checks of declarations -------------------------------------------------------------------

    def _check_unique_names(self) -> None:
        """Report names that are declared twice.

        Percepts may share a name if their arities differ, and so may facts. A percept and a fact
        may not.
        """
        first: dict[str, tuple[str, Span]] = {}
        for name, role, span in self._roles():
            known_role, known_span = first.setdefault(name, (role, span))
            if known_role != role or (
                span is not known_span and not role.startswith(("parameter", "percept", "fact"))
            ):
                self._error(
                    "WLD012",
                    f"'{name}' is declared twice",
                    span,
                    hint=f"it is already a {known_role} at line {known_span.line}",
                )
        report_duplicate(
            [(each.name, each.span) for each in self._tree.parameters], self._diagnostics
        )
        signatures: set[str] = set()
        for each in self._tree.predicates:
            if predicate(each.signature) in signatures:
                self._error("WLD012", f"'{predicate(each.signature)}' is declared twice", each.span)
            signatures.add(predicate(each.signature))

    def _roles(self) -> Iterator[tuple[str, str, Span]]:
        yield from ((each.name, "parameter", each.span) for each in self._tree.parameters)
        yield from ((each.name, "variable", each.span) for each in self._tree.variables)
        yield from (
            (each.signature.functor, "percept" if each.perceived else "fact", each.span)
            for each in self._tree.predicates
        )
        yield from ((each.name, "label", each.span) for each in self._tree.labels)

    def _initial_values(self) -> None:
        """Report initial values that use a variable of the world. Variables have no value yet when
        initial values are computed."""
        initial_values: list[tuple[object, Span]] = [
            (each.value, each.span) for each in self._tree.variables
        ]
        initial_values += [
            ((each.initially, each.domains), each.span) for each in self._tree.predicates
        ]
        for value, span in initial_values:
            for name in dict.fromkeys(_names_in(value)):
                if name in self._variables:
                    self._error(
                        "WLD027",
                        f"the variable '{name}' cannot be used here: it has no value yet",
                        span,
                        hint="write a number or a parameter",
                    )

    def _predicate(self, declared: Predicate) -> None:
        for fact in declared.initially:
            self._known(fact, declared.span)
            if not is_ground(fact):
                self._error(
                    "WLD013",
                    f"initial facts must be ground, but '{fact}' contains a variable",
                    declared.span,
                )
            if declared.initially.count(fact) > 1:
                self._warning(
                    "WLD008",
                    f"duplicate initial fact '{fact}'",
                    declared.span,
                    hint="remove one of them",
                )
                break
        if isinstance(declared.visible_to, tuple):
            for name in dict.fromkeys(
                each for each in declared.visible_to if declared.visible_to.count(each) > 1
            ):
                self._error(
                    "WLD012", f"duplicate agent '{name}'", declared.span, hint="remove one of them"
                )
            for name in declared.visible_to:
                if name not in self._agents:
                    self._error(
                        "WLD014",
                        f"unknown agent '{name}'",
                        declared.span,
                        hint=did_you_mean(name, self._agents),
                    )
        ranging = [name for name, _ in declared.domains]
        for name, domain in declared.domains:
            self._domain(domain, frozenset(), declared.span)
            if name not in set(variables(declared.signature)):
                self._error(
                    "WLD010",
                    f"the variable {name} is not an argument of {declared.signature}",
                    declared.span,
                )
        for name in dict.fromkeys(each for each in ranging if ranging.count(each) > 1):
            self._error(
                "WLD012",
                f"two ranges of values for {name}",
                declared.span,
                hint="remove one of them",
            )
        if declared.free:
            for name in dict.fromkeys(variables(declared.signature)):
                if name not in {each for each, _ in declared.domains}:
                    self._error(
                        "WLD015",
                        f"the argument {name} has no range of values",
                        declared.span,
                        hint=f"add: for {name} in {{...}}",
                    )

    def _known(self, fact: Structure, span: Span) -> None:
        if predicate(fact) in self._predicates or (
            not fact.arguments and fact.functor in self._variables
        ):
            return
        arities = [key for key in self._predicates if key.split("/")[0] == fact.functor]
        if arities:
            hint = f"it is declared as {' and '.join(arities)}"
            expected = " or ".join(key.split("/")[1] for key in arities)
            noun = "argument" if expected == "1" else "arguments"
            self._error(
                "WLD017",
                f"'{fact.functor}' expects {expected} {noun}, got {len(fact.arguments)}",
                span,
                hint=hint,
            )
            return
        names = {key.split("/")[0] for key in self._predicates} | self._variables
        self._error(
            "WLD018",
            f"unknown percept, fact or variable '{fact.functor}'",
            span,
            hint=did_you_mean(fact.functor, names),
        )

    # --- checks of conditions ---------------------------------------------------------------------

    def _condition(self, condition: Condition, bound: Bound) -> Bound:
        """Check a condition of a rule. ``bound`` are the variables that have a value before the
        condition is evaluated. Return the variables that have a value after it, if it holds."""
        match condition:
            case FactCondition(pattern):
                self._known(pattern, condition.span)
                for each in pattern.arguments:
                    self._names(each, condition.span)
                return bound | set(variables(pattern))
            case Compare():
                return self._comparison(condition, bound)
            case Not(operand):
                self._condition(operand, bound)
                return bound
            case And(left, right):
                return self._condition(right, self._condition(left, bound))
            case Or(left, right):
                return self._condition(left, bound) & self._condition(right, bound)
            case Quantified(quantifier, variable, domain, operand):
                self._domain(domain, bound, condition.span)
                inside = self._condition(operand, bound | {variable})
                return inside if quantifier == "some" else bound
            case BooleanLiteral():
                pass
            case _:
                assert_never(condition)
        return bound

    def _comparison(self, condition: Compare, bound: Bound) -> Bound:
        sides = (condition.left, condition.right)
        for side in sides:
            self._names(side, condition.span)
        self._compares_names(condition)
        if condition.relation == "=" and any(set(_needed(side)) <= bound for side in sides):
            return bound | {name for side in sides for name in _needed(side)}
        for side in sides:
            self._has_value(side, bound, condition.span)
            if condition.relation in _ORDER:
                self._is_number(side, condition.span)
        return bound

    def _compares_names(self, condition: Compare) -> None:
        """Report a comparison of two constants. It has the same result in every state, so one of
        the constants is probably misspelt."""
        sides = (condition.left, condition.right)
        constants = [side for side in sides if isinstance(side, Structure) and not side.arguments]
        if constants and all(self._is_constant(side) for side in sides):
            known = [*self._variables, *self._parameters]
            hint = next(
                (hint for side in constants if (hint := did_you_mean(side.functor, known))), None
            )
            message = (
                f"'{show(condition.left)}' and '{show(condition.right)}' are constants, so "
                "this comparison has the same result in every state"
            )
            self._error(
                "WLD037",
                message,
                condition.span,
                hint=hint or "compare a variable of the world, a parameter or an argument",
            )

    def _is_constant(self, term: Term) -> bool:
        if not isinstance(term, Structure):
            return not isinstance(term, Variable)
        if term.arguments:
            return term.functor not in (*ARITHMETIC, COUNT) and all(
                map(self._is_constant, term.arguments)
            )
        return term.functor not in self._variables and term.functor not in self._parameters

    def _domain(self, domain: Domain, bound: Bound, span: Span) -> None:
        ends = (
            (domain.first, domain.last) if isinstance(domain, RangeDomain) else domain.items or ()
        )
        if (
            isinstance(domain, RangeDomain)
            and isinstance(domain.first, int)
            and isinstance(domain.last, int)
            and domain.first > domain.last
        ):
            hint = f"the smaller number comes first: {domain.last}..{domain.first}"
            self._error(
                "WLD016", f"the range {domain.first}..{domain.last} is empty", span, hint=hint
            )
        for each in ends:
            self._has_value(each, bound, span)

    def _has_value(self, term: Term, bound: Bound, span: Span) -> None:
        for name in dict.fromkeys(_needed(term)):
            if name == "_" or name not in bound:
                self._error(
                    "WLD019",
                    f"the variable {name} has no value here",
                    span,
                    hint="mention it in an earlier condition or in the rule's head",
                )

    def _is_number(self, term: Term, span: Span) -> None:
        """Report a name used as a number that is neither a variable of the world nor a numeric
        parameter."""
        if (
            isinstance(term, Structure)
            and not term.arguments
            and term.functor not in self._variables
        ):
            value = self._parameters.get(term.functor)
            if not isinstance(value, int | Fraction):
                known = [*self._variables, *self._parameters]
                hint = (
                    did_you_mean(term.functor, known)
                    if value is None
                    else f"the parameter is '{show(value)}'"
                )
                self._error("WLD020", f"'{term.functor}' is not a number", span, hint=hint)

    def _names(self, term: Term, span: Span) -> None:
        """Check the expressions inside a term: arithmetic needs numbers, and ``count`` needs a
        declared fact."""
        if not isinstance(term, Structure) or not term.arguments:
            return
        if term.functor == COUNT and len(term.arguments) == 1:
            counted = term.arguments[0]
            if isinstance(counted, Structure):
                self._known(counted, span)
            return
        for each in term.arguments:
            self._names(each, span)
            if term.functor in ARITHMETIC:
                self._is_number(each, span)

    # --- checks of effects ------------------------------------------------------------------------

    def _effects(self, effects: Effects, bound: Bound, *, after_chance: bool = False) -> bool:
        """Check the effects of a rule in order. ``bound`` are the variables that have a value
        before the first effect. ``after_chance`` says whether a probabilistic choice comes before
        the effects.

        Return whether there is a probabilistic choice before or among the effects.
        """
        self._check_unreachable_effects(effects)
        for effect in effects:
            span = effect.span
            match effect:
                case Assign(variable, value):
                    if variable not in self._variables:
                        self._error(
                            "WLD021",
                            f"unknown variable '{variable}'",
                            span,
                            hint=did_you_mean(variable, self._variables),
                        )
                    self._names(value, span)
                    self._has_value(value, bound, span)
                case OutputAssignment(variable, value):
                    if variable not in bound:
                        self._error("WLD029", f"'{variable}' is not a variable of the action", span)
                    self._names(value, span)
                    self._has_value(value, bound, span)
                case Add(fact):
                    self._check_changeable(fact, span)
                    self._has_value(fact, bound, span)
                case Remove(pattern):
                    self._check_changeable(pattern, span)
                case If(condition, then, otherwise):
                    inside = self._condition(condition, bound)
                    in_then = self._effects(then, inside, after_chance=after_chance)
                    in_else = self._effects(otherwise, bound, after_chance=after_chance)
                    after_chance = in_then or in_else
                case NondeterministicChoice(branches):
                    if after_chance:
                        hint = "put 'either' first, or in a step of its own"
                        self._error(
                            "WLD022", "'either' cannot follow 'chance' in one step", span, hint=hint
                        )
                    chances = [
                        self._effects(each, bound, after_chance=after_chance) for each in branches
                    ]
                    after_chance = any(chances)
                case ProbabilisticChoice(weighted):
                    self._check_probabilities(effect, bound)
                    for _, branch in weighted:
                        self._effects(branch, bound, after_chance=True)
                    after_chance = True
                case Fail():
                    pass
                case _:
                    assert_never(effect)
        return after_chance

    def _check_unreachable_effects(self, effects: Effects) -> None:
        for effect, following in pairwise(effects):
            if isinstance(effect, Fail):
                self._error(
                    "WLD036",
                    "this effect never happens: the action has already failed",
                    following.span,
                    hint="put 'fail' last",
                )

    def _check_changeable(self, fact: Structure, span: Span) -> None:
        self._known(fact, span)
        for each in fact.arguments:
            self._names(each, span)
        declared = self._predicates.get(predicate(fact))
        if declared is not None and declared.free:
            self._error(
                "WLD023", f"'{fact.functor}' is a free percept, which rules cannot change", span
            )
        if declared is None and fact.functor in self._variables:
            self._error(
                "WLD024",
                f"'{fact.functor}' is a variable, not a fact",
                span,
                hint=f"write {fact.functor} := true",
            )

    def _check_probabilities(self, chance: ProbabilisticChoice, bound: Bound) -> None:
        scope = EvaluationScope(self._parameters, self._agents, {}, lambda _, __: (), {})
        total = Fraction(0)
        for weight, _ in chance.branches:
            self._has_value(weight, bound, chance.span)
            try:
                value = None if _counts(weight) else evaluate(weight, scope, {}, chance.span)
            except InputError:
                value = None
            if value is None:
                return self._error(
                    "WLD025",
                    "a probability must be a number or an expression over parameters",
                    chance.span,
                )
            if not isinstance(value, int | Fraction) or not 0 <= value <= 1:
                hint = "probabilities are between 0 and 1"
                return self._error(
                    "WLD025", f"'{show(value)}' is not a probability", chance.span, hint=hint
                )
            total += value
        if total != 1:
            return self._error(
                "WLD026", f"the probabilities sum to {show(total)}, not 1", chance.span
            )
        return None


def _names_in(root: object) -> Iterator[str]:
    """Yield the name of every constant, and of every assigned variable of the world, in a syntax
    tree."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Structure):
            waiting += node.arguments
            if not node.arguments:
                yield node.functor
        elif isinstance(node, OutputAssignment):
            waiting.append(node.value)
        elif isinstance(node, Assign):
            yield node.variable
            waiting.append(node.value)
        elif isinstance(node, tuple | list):
            waiting += node
        elif is_dataclass(node):
            waiting += [getattr(node, each.name) for each in fields(node) if each.name != "span"]


def _counts(term: Term) -> bool:
    """Return whether an expression contains ``count(...)``, the number of matching facts, so that
    its value depends on the state."""
    return isinstance(term, Structure) and (
        term.functor == COUNT or any(map(_counts, term.arguments))
    )


def _needed(term: Term) -> Iterator[str]:
    """Yield the variables whose values an expression needs. The variables in ``count(p(X))`` are
    wildcards and do not count."""
    if isinstance(term, Structure) and not (term.functor == COUNT and len(term.arguments) == 1):
        for each in term.arguments:
            yield from _needed(each)
    elif not isinstance(term, Structure):
        yield from variables(term)
