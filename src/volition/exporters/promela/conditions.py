"""Translation of the conditions and expressions of declared worlds to Promela."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, assert_never

from volition.diagnostics import Span
from volition.exporters.promela.matching import Channel, Lines, Matcher, option, when
from volition.exporters.promela.names import PromelaNames, unsupported
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.syntax import (
    ARITHMETIC,
    COUNT,
    And,
    BooleanLiteral,
    Compare,
    Condition,
    Domain,
    FactCondition,
    Not,
    Or,
    Quantified,
    RangeDomain,
    SetDomain,
)
from volition.languages.world.terms import (
    Structure,
    Term,
    Variable,
    constant,
    predicate,
    substitute,
    unify,
    variables,
)

__all__ = ["ConditionWriter", "Known", "arithmetic"]

Known = tuple[str, ...]
"""Names of the variables that are bound at a position of the generated code, in the order in which
they were bound."""

Then = Callable[[Known], Lines]

_RELATIONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass(frozen=True)
class ConditionWriter:
    """Writer of Promela code for the conditions of one declared world: an expression if possible,
    otherwise nested loops."""

    names: PromelaNames
    world: DeclaredWorld
    matcher: Matcher

    # --- values -----------------------------------------------------------------------------------

    def value(self, term: Term, known: Known, span: Span) -> tuple[Lines, str]:
        """Return the value of an expression of the world as Promela: code that must run first, and
        an expression for the value."""
        if isinstance(term, Variable) and term.name not in known:
            raise unsupported(f"the variable {term}, which is unbound here,", span)
        if not isinstance(term, Structure):
            return [], self.names.value(term, span)
        if (
            term.functor == COUNT
            and len(term.arguments) == 1
            and isinstance(term.arguments[0], Structure)
        ):
            return self._count(term.arguments[0], known, span)
        if term.functor == "/" and len(term.arguments) == 2:
            raise unsupported("a quotient", span, "Promela rounds quotients")
        if term.functor in ARITHMETIC and len(term.arguments) == 2:
            (first, left), (second, right) = (
                self.value(each, known, span) for each in term.arguments
            )
            return first + second, arithmetic(term.functor, left, right)
        if not term.arguments and term.functor in self._variables:
            return [], self.names.world_variable(term.functor)
        return [], self.names.constant(
            self.world.parameters.get(term.functor, term) if not term.arguments else term, span
        )

    @property
    def _variables(self) -> set[str]:
        return {each.name for each in self.world.tree.variables}

    def _count(self, pattern: Structure, known: Known, span: Span) -> tuple[Lines, str]:
        counter = self.matcher.flag()
        prelude, atom, positions = self._matchable(pattern, known, span)
        count = self.matcher.every(
            self.channel(atom),
            atom,
            frozenset(known + positions),
            span,
            lambda _: [f"{counter}++;"],
            always_loop=True,
        )
        return [*prelude, f"{counter} = 0;", *count], counter

    def channel(self, atom: Structure) -> Channel:
        """Return the Promela channel that holds the facts or percepts with the functor of an
        atom."""
        perceived = any(
            each.perceived and each.signature.functor == atom.functor
            for each in self.world.tree.predicates
        )
        return Channel("_p_") if perceived else Channel(self.names.world_variable(atom.functor))

    def _matchable(
        self, pattern: Structure, known: Known, span: Span
    ) -> tuple[Lines, Structure, Known]:
        """Replace each argument of a pattern that must be computed by a new variable, because
        Promela cannot match expressions. Return Promela code that computes the new variables, the
        new pattern, and the names of the new variables."""
        prelude: Lines = []
        arguments: list[Term] = []
        positions: list[str] = []
        for each in pattern.arguments:
            if isinstance(each, Variable) or self.is_constant(each):
                arguments.append(each)
                continue
            first, value = self.value(each, known, span)
            positions.append(self.matcher.flag())
            prelude += [*first, f"{positions[-1]} = {value};"]
            arguments.append(Variable(positions[-1]))
        return prelude, Structure(pattern.functor, tuple(arguments)), tuple(positions)

    def is_constant(self, term: Term) -> bool:
        """Return whether a term has the same value in every state."""
        if not isinstance(term, Structure):
            return True
        return (
            not term.arguments
            and term.functor not in self._variables
            and term.functor not in self.world.parameters
        )

    # --- conditions as expressions ----------------------------------------------------------------

    def expression(self, condition: Condition, known: Known = ()) -> str | None:
        """Return the condition as a Promela expression without side effects; None if it needs a
        loop or binds variables."""
        match condition:
            case BooleanLiteral(value):
                return "1" if value else "0"
            case FactCondition(pattern):
                return self._poll(pattern, known, condition.span, any_value=False)
            case Compare():
                return self._comparison(condition, known)
            case Not(FactCondition(pattern)):
                inner = self._poll(pattern, known, condition.span, any_value=True)
                return None if inner is None else f"!{inner}"
            case Not(operand):
                inner = self.expression(operand, known)
                return None if inner is None else f"!({inner})"
            case And(left, right) | Or(left, right):
                sides = [self.expression(left, known), self.expression(right, known)]
                joint = " && " if isinstance(condition, And) else " || "
                return None if None in sides else f"({joint.join(str(each) for each in sides)})"
            case Quantified("every", variable, domain, operand):
                values = self._static_values(domain)
                if values is None:
                    return None
                parts = [
                    self.expression(_instance(operand, variable, value), known) for value in values
                ]
                return (
                    None
                    if None in parts
                    else f"({' && '.join(str(each) for each in parts) or '1'})"
                )
            case Quantified():
                pass
            case _:
                assert_never(condition)
        return None

    def _poll(self, pattern: Structure, known: Known, span: Span, *, any_value: bool) -> str | None:
        """Return a Promela expression that is true if a fact matches the pattern, or None if that
        needs a loop. With ``any_value``, used under a negation, unbound variables match any value;
        without it, they need a loop."""
        if not pattern.arguments and pattern.functor in self._variables:
            return (
                f"({self.names.world_variable(pattern.functor)} == "
                f"{self.names.constant(constant('true'), span)})"
            )
        free = [name for name in variables(pattern) if name != "_" and name not in known]
        if (free and not any_value) or len(free) != len(set(free)) or self._is_free(pattern):
            return self._free_poll(pattern, known) if self._is_free(pattern) and not free else None
        fields_ = [self.names.macro(pattern.functor)]
        for each in pattern.arguments:
            if isinstance(each, Variable) and each.name not in known:
                fields_.append("_")
            else:
                prelude, value = self.value(each, known, span)
                if prelude:
                    return None
                fields_.append(
                    value
                    if self.is_constant(each) and not isinstance(each, Variable)
                    else f"eval({value})"
                )
        padded = fields_ + ["_nil"] * (self.names.terms + 1 - len(fields_))
        return self.channel(pattern).poll(",".join(padded))

    def _comparison(self, condition: Compare, known: Known) -> str | None:
        sides = []
        for each in (condition.left, condition.right):
            if not set(_outer_variables(each)) <= set(known):
                return None
            prelude, value = self.value(each, known, condition.span)
            if prelude:
                return None
            sides.append(value)
        return f"({sides[0]} {_RELATIONS[condition.relation]} {sides[1]})"

    def _static_values(self, domain: Domain) -> Sequence[Term] | None:
        """Return the values of the domain of a quantifier if they are the same in every state;
        otherwise None."""
        if isinstance(domain, RangeDomain):
            ends = [
                self.world.parameters.get(each.functor, each)
                if isinstance(each, Structure)
                else each
                for each in (domain.first, domain.last)
            ]
            first, last = ends
            return (
                range(first, last + 1) if isinstance(first, int) and isinstance(last, int) else None
            )
        if domain.items is None:
            return [constant(agent) for agent in self.world.agents]
        return domain.items if all(self.is_constant(each) for each in domain.items) else None

    # --- free percepts ----------------------------------------------------------------------------

    def _is_free(self, pattern: Structure) -> bool:
        return any(
            each.free and predicate(each.signature) == predicate(pattern)
            for each in self.world.tree.predicates
        )

    def _instances(self, pattern: Structure) -> list[tuple[int, dict[str, Term]]]:
        """Return the percepts that match a pattern among those that may appear and disappear at any
        time. Each is given by its index, with the values that the variables of the pattern get."""
        found = [
            (number, unify(pattern, each, {}))
            for number, each in enumerate(self.world.free_percepts)
        ]
        return [(number, bindings) for number, bindings in found if bindings is not None]

    def _free_poll(self, pattern: Structure, known: Known) -> str:
        parts = []
        for number, bindings in self._instances(pattern):
            same = [
                f"{self.names.variable(name)} == {self.names.constant(value, None)}"
                for name, value in bindings.items()
                if name in known
            ]
            parts.append(f"({' && '.join([f'_free[{number}]', *same])})")
        return f"({' || '.join(parts) or '0'})"

    # --- conditions as loops ----------------------------------------------------------------------

    def solve(
        self, condition: Condition, known: Known, then: Then, unless: str | None = None
    ) -> Lines:
        """Return Promela code that runs the code ``then`` for each solution of a condition, that
        is, for all values of its unbound variables that satisfy it. Once the flag ``unless`` is
        set, no more solutions are tried."""
        guard = [f"!{unless}"] if unless else []
        expression = self.expression(condition, known)
        if expression is not None:
            return when(" && ".join([*guard, expression]), then(known))
        match condition:
            case FactCondition(pattern) if self._is_free(pattern):
                return self._solve_free(pattern, known, then, guard)
            case FactCondition(pattern):
                prelude, atom, positions = self._matchable(pattern, known, condition.span)
                new = tuple(
                    name
                    for name in dict.fromkeys(variables(pattern))
                    if name not in known and name != "_"
                )
                bound = frozenset(known + positions)
                return [
                    *prelude,
                    *self.matcher.every(
                        self.channel(atom),
                        atom,
                        bound,
                        condition.span,
                        lambda _: then(known + new),
                        unless=unless,
                    ),
                ]
            case Compare():
                return self._solve_comparison(condition, known, then, guard)
            case Not(operand):
                flag = self.matcher.flag()
                return [
                    f"{flag} = 0;",
                    *self.solve(operand, known, lambda _: [f"{flag} = 1;"]),
                    *when(" && ".join([*guard, f"!{flag}"]), then(known)),
                ]
            case And(left, right):
                return self.solve(
                    left, known, lambda more: self.solve(right, more, then, unless), unless
                )
            case Or(left, right):
                return [
                    *self.solve(left, known, then, unless),
                    *self.solve(right, known, then, unless),
                ]
            case Quantified("every", variable, domain, operand):
                every, one = self.matcher.flag(), self.matcher.flag()
                inner = [
                    f"{one} = 0;",
                    *self.solve(operand, (*known, variable), lambda _: [f"{one} = 1;"]),
                    *when(f"!{one}", [f"{every} = 0"]),
                ]
                return [
                    f"{every} = 1;",
                    *self._for_each(variable, domain, known, condition.span, inner, []),
                    *when(" && ".join([*guard, every]), then(known)),
                ]
            case Quantified("some", variable, domain, operand):
                inner = self.solve(operand, (*known, variable), then, unless)
                return self._for_each(variable, domain, known, condition.span, inner, guard)
            case BooleanLiteral() | Quantified():
                pass
            case _:
                assert_never(condition)
        raise AssertionError(condition)

    def _solve_free(self, pattern: Structure, known: Known, then: Then, guard: Lines) -> Lines:
        new = tuple(
            name for name in dict.fromkeys(variables(pattern)) if name not in known and name != "_"
        )
        lines: Lines = []
        for number, bindings in self._instances(pattern):
            same = [
                f"{self.names.variable(name)} == {self.names.constant(value, None)}"
                for name, value in bindings.items()
                if name in known
            ]
            bind = [
                f"{self.names.variable(name)} = {self.names.constant(bindings[name], None)};"
                for name in new
            ]
            lines += when(
                " && ".join([*guard, f"_free[{number}]", *same]), [*bind, *then(known + new)]
            )
        return lines

    def _solve_comparison(
        self, condition: Compare, known: Known, then: Then, guard: Lines
    ) -> Lines:
        """Return Promela code for a comparison that is not a plain expression: its sides need code
        to run first, or it is an equation that binds a variable."""
        for target, source in (
            (condition.left, condition.right),
            (condition.right, condition.left),
        ):
            if (
                condition.relation == "="
                and isinstance(target, Variable)
                and target.name not in known
            ):
                prelude, value = self.value(source, known, condition.span)
                return [
                    *prelude,
                    *when(
                        " && ".join(guard) or "true",
                        [
                            f"{self.names.variable(target.name)} = {value};",
                            *then((*known, target.name)),
                        ],
                    ),
                ]
        first, left = self.value(condition.left, known, condition.span)
        second, right = self.value(condition.right, known, condition.span)
        return [
            *first,
            *second,
            *when(
                " && ".join([*guard, f"({left} {_RELATIONS[condition.relation]} {right})"]),
                then(known),
            ),
        ]

    def _for_each(
        self, variable: str, domain: Domain, known: Known, span: Span, inner: Lines, guard: Lines
    ) -> Lines:
        """Return Promela code that runs ``inner`` for each value of the domain of a quantified
        variable, as long as the conditions in ``guard`` hold."""
        name = self.names.variable(variable)
        values = self._static_values(domain)
        if values is None and isinstance(domain, SetDomain):
            values = domain.items
        if values is not None:
            lines: Lines = []
            for each in values:
                prelude, value = self.value(each, known, span)
                lines += when(
                    " && ".join(guard) or "true", [*prelude, f"{name} = {value};", *inner]
                )
            return lines
        assert isinstance(domain, RangeDomain)
        counter = self.matcher.flag()
        first, start = self.value(domain.first, known, span)
        second, end = self.value(domain.last, known, span)
        body = [
            *when(" && ".join(guard) or "true", [f"{name} = {counter};", *inner]),
            f"{counter}++",
        ]
        return [
            *first,
            *second,
            f"{counter} = {start};",
            "do",
            *option(f"({counter} <= {end})", body),
            ":: else -> break",
            "od;",
        ]


def arithmetic(function: str, left: str, right: str) -> str:
    """Return an arithmetic operation on two Promela expressions. It does not use ``->``, which
    would be an implication in an ltl block."""
    match function:
        case "mod":
            # In C the remainder of a negative number is negative or 0.
            return f"((({left} % {right}) + {right}) % {right})"
        case "min":
            return f"(({left} < {right}) * {left} + ({left} >= {right}) * {right})"
        case "max":
            return f"(({left} > {right}) * {left} + ({left} <= {right}) * {right})"
        case _:
            pass
    return f"({left} {function} {right})"


def _outer_variables(term: Term) -> list[str]:
    """Return the variables whose values an expression needs. Variables inside ``count`` are not
    included, because they match any value."""
    if isinstance(term, Structure) and term.functor == COUNT:
        return []
    if isinstance(term, Structure):
        return [name for each in term.arguments for name in _outer_variables(each)]
    return list(variables(term))


def _instance(node: Any, variable: str, value: Term) -> Any:
    """Return a condition of a world, given as a syntax tree, with a variable replaced by a
    value."""
    if isinstance(node, Structure | Variable):
        return substitute(node, {variable: value})
    if isinstance(node, tuple):
        return tuple(_instance(each, variable, value) for each in node)
    if is_dataclass(node) and not isinstance(node, Span) and not isinstance(node, type):
        changed = {
            each.name: _instance(getattr(node, each.name), variable, value)
            for each in fields(node)
            if each.name != "span"
        }
        return replace(node, **changed)
    return node
