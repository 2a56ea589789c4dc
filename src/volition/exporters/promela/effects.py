"""Translation of the effects of rules in a declared world to Promela. Nondeterministic and
probabilistic choices both become nondeterministic choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from volition.diagnostics import Span
from volition.exporters.promela.bounds import ChannelBounds
from volition.exporters.promela.common import bound_assertion
from volition.exporters.promela.conditions import ConditionWriter, Known
from volition.exporters.promela.matching import Lines, indented, option, printf, when
from volition.exporters.promela.names import NIL, unsupported
from volition.languages.world.conditions import EvaluationScope, evaluate
from volition.languages.world.syntax import (
    Add,
    Assign,
    Effect,
    Effects,
    Fail,
    If,
    NondeterministicChoice,
    OutputAssignment,
    ProbabilisticChoice,
    Remove,
)
from volition.languages.world.terms import Structure, Term, Variable

__all__ = ["EffectWriter", "has_choices"]


def has_choices(effects: Effects) -> bool:
    """Return whether the effects of a rule contain a nondeterministic or probabilistic choice."""
    for each in effects:
        if isinstance(each, NondeterministicChoice | ProbabilisticChoice):
            return True
        if isinstance(each, If) and (has_choices(each.then) or has_choices(each.otherwise)):
            return True
    return False


SavedVariables = dict[str, int]
"""Map from a variable to the index in the Promela array ``_keep`` that stores its value between the
deterministic pieces of one step."""


@dataclass
class EffectWriter:
    """Writer of Promela code for the effects of one rule of a world.

    Effects without choices are one deterministic step. Effects with choices are deterministic
    pieces with the choices between them. Spin loses hidden variables when it backtracks to a
    choice. The values that pieces share are therefore stored in the array ``_keep``, which is part
    of the state.
    """

    conditions: ConditionWriter
    sizes: ChannelBounds
    kept: int = 0

    def deterministic(self, effects: Effects, known: Known) -> Lines:
        """Return Promela code for effects without choices; ``known`` are the bound variables."""
        return [line for each in effects for line in self._effect(each, known)]

    def with_choices(self, effects: Effects, known: Known) -> tuple[Lines, Lines]:
        """Return Promela code for effects with choices, in two parts. The first part saves the
        values of variables and belongs into a deterministic step. The second part executes the
        effects and belongs into an atomic step after it."""
        if sum(_max_probabilistic_choices(each) for each in effects) > 1:
            raise unsupported(
                "more than one 'chance' in one step",
                effects[0].span,
                "put the second into a step of its own",
            )
        kept = self._keep(known, {})
        return self._store(kept), self._pieces(effects, known, kept)

    def forget(self) -> Lines:
        """Return Promela code that resets the saved values in ``_keep`` to 0 at the end of the
        step."""
        return [f"_keep[{number}] = 0;" for number in range(self.kept)]

    # --- steps with choices -----------------------------------------------------------------------

    def _keep(self, known: Known, already: SavedVariables) -> SavedVariables:
        new = [name for name in known if name not in already]
        self.kept += len(new)
        return already | {name: self.kept - len(new) + offset for offset, name in enumerate(new)}

    def _store(self, kept: SavedVariables) -> Lines:
        return [
            f"_keep[{index}] = {self.conditions.names.variable(name)};"
            for name, index in kept.items()
        ]

    def _restore(self, kept: SavedVariables) -> Lines:
        return [
            f"{self.conditions.names.variable(name)} = _keep[{index}];"
            for name, index in kept.items()
        ]

    def _pieces(self, effects: Effects, known: Known, kept: SavedVariables) -> Lines:
        lines: Lines = []
        waiting: Lines = []
        for each in effects:
            if not has_choices((each,)):
                waiting += self._effect(each, known)
                continue
            lines += self._piece(waiting, kept)
            waiting = []
            lines += self._choice(each, known, kept)
        return lines + self._piece(waiting, kept)

    def _piece(self, lines: Lines, kept: SavedVariables) -> Lines:
        """Return a ``d_step`` block that restores the saved variables and runs the lines. Without
        lines, return nothing. The block ends with ``skip``, because Spin generates no C label after
        a loop at the end of a block."""
        return (
            ["d_step {", *indented([*self._restore(kept), *lines, "skip"]), "};"] if lines else []
        )

    def _choice(self, effect: Effect, known: Known, kept: SavedVariables) -> Lines:
        match effect:
            case NondeterministicChoice(branches):
                ways = [
                    [printf(f"@+ , alternative {number}"), *self._pieces(branch, known, kept)]
                    for number, branch in enumerate(branches, 1)
                ]
            case ProbabilisticChoice(branches):
                possible = [
                    (number, branch)
                    for number, (weight, branch) in enumerate(branches)
                    if self._weight(weight, effect.span) > 0
                ]
                ways = [
                    [f"_outcome = {number};", *self._pieces(branch, known, kept)]
                    for number, branch in possible
                ]
            case If(condition, then, otherwise):
                inside = self._known_inside(effect, known)
                more = self._keep(inside, kept)
                flag = self.conditions.matcher.flag()
                index = self.kept
                self.kept += 1
                ask = self.conditions.solve(
                    condition, known, lambda _: [f"{flag} = 1;"], unless=flag
                )
                found = [
                    f"{flag} = 0;",
                    *ask,
                    f"_keep[{index}] = {flag};",
                    *when(flag, self._store(more)),
                ]
                branches_ = when(
                    f"(_keep[{index}] == 1)",
                    self._pieces(then, inside, more),
                    self._pieces(otherwise, known, kept),
                )
                return [*self._piece(found, kept), *branches_]
            case Assign() | OutputAssignment() | Add() | Remove() | Fail():
                raise AssertionError(effect)
            case _:
                assert_never(effect)
        return ["if", *(line for way in ways for line in option("true", way)), "fi;"]

    # --- effects without choices ------------------------------------------------------------------

    def _effect(self, effect: Effect, known: Known) -> Lines:
        span = effect.span
        match effect:
            case Assign(variable, value):
                prelude, expression = self.conditions.value(value, known, span)
                return [
                    *prelude,
                    f"{self.conditions.names.world_variable(variable)} = {expression};",
                ]
            case Add(fact):
                return self._add(fact, known, span)
            case Remove(pattern):
                return self._remove(pattern, known, span)
            case If(condition, then, otherwise):
                flag = self.conditions.matcher.flag()
                ask = self.conditions.solve(
                    condition, known, lambda _: [f"{flag} = 1;"], unless=flag
                )
                inside = self.deterministic(then, self._known_inside(effect, known))
                return [
                    f"{flag} = 0;",
                    *ask,
                    *when(f"({flag} == 1)", inside, self.deterministic(otherwise, known)),
                ]
            case OutputAssignment() | NondeterministicChoice() | ProbabilisticChoice() | Fail():
                pass
            case _:
                assert_never(effect)
        raise AssertionError(effect)

    def _known_inside(self, effect: If, known: Known) -> Known:
        """Return the variables that are bound in the ``then`` branch of an ``if`` effect: those in
        ``known`` and those that its condition binds."""
        found = [known]

        def note(more: Known) -> Lines:
            found.append(more)
            return []

        self.conditions.solve(effect.condition, known, note)
        return max(found, key=len)

    def _weight(self, weight: Term, span: Span) -> Fraction:
        world = self.conditions.world
        value = evaluate(
            weight,
            EvaluationScope(world.parameters, world.agents, {}, lambda _, __: (), {}),
            {},
            span,
        )
        return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)

    # --- facts ------------------------------------------------------------------------------------

    def _add(self, fact: Structure, known: Known, span: Span) -> Lines:
        """Return Promela code that adds a fact to its channel, if it is not there yet. A percept is
        appended; other facts have no order, so they are inserted by sorted sending."""
        prelude, values = self._values(fact.arguments, known, span)
        channel = self.conditions.channel(fact)
        sent = self._fields(fact, values)
        query = self._fields(fact, [f"eval({each})" for each in values])
        perceived = channel.name == "_p_"
        size, what = (self.sizes.percepts, "percepts") if perceived else (self.sizes.facts, "facts")
        computed = [
            value
            for value, each in zip(values, fact.arguments, strict=True)
            if isinstance(each, Structure) and each.arguments
        ]
        prelude += [
            bound_assertion(self.conditions.names.is_number(value), "the largest number")
            for value in computed
        ]
        add = [
            bound_assertion(f"len({channel.name}) < {size}", what),
            f"{channel.name}{'!' if perceived else '!!'}{sent}",
        ]
        return [*prelude, *when(channel.poll(query), [], add)]

    def _values(
        self, arguments: Sequence[Term], known: Known, span: Span
    ) -> tuple[Lines, list[str]]:
        parts = [self.conditions.value(each, known, span) for each in arguments]
        return [line for prelude, _ in parts for line in prelude], [value for _, value in parts]

    def _fields(self, fact: Structure, values: Sequence[str]) -> str:
        names = self.conditions.names
        return ",".join([names.macro(fact.functor), *values, *[NIL] * (names.terms - len(values))])

    def _remove(self, pattern: Structure, known: Known, span: Span) -> Lines:
        """Return Promela code that removes every fact that matches a pattern: all facts are
        received, and only those that do not match are sent again."""
        names = self.conditions.names
        channel = self.conditions.channel(pattern).name
        conditions = [f"_t0 == {names.macro(pattern.functor)}"]
        prelude: Lines = []
        for position, each in enumerate(pattern.arguments, 1):
            if isinstance(each, Variable) and each.name not in known:
                conditions.append(f"_t{position} != {NIL}")
                continue
            first, value = self.conditions.value(each, known, span)
            prelude += first
            conditions.append(f"_t{position} == {value}")
        conditions += [
            f"_t{position} == {NIL}"
            for position in range(len(pattern.arguments) + 1, names.terms + 1)
        ]
        fields = names.fields("_t")
        look = [
            "_k0--;",
            f"{channel}?{fields};",
            *when(f"({' && '.join(conditions)})", [], [f"{channel}!{fields}"]),
        ]
        return [
            *prelude,
            f"_k0 = len({channel});",
            "do",
            *option("(_k0 > 0)", look),
            ":: else -> break",
            "od;",
        ]


def _max_probabilistic_choices(effect: Effect) -> int:
    """Return the largest number of probabilistic choices that one execution of an effect can
    make."""
    match effect:
        case ProbabilisticChoice(branches):
            return 1 + max(sum(map(_max_probabilistic_choices, branch)) for _, branch in branches)
        case NondeterministicChoice(branches):
            return max(sum(map(_max_probabilistic_choices, branch)) for branch in branches)
        case If(_, then, otherwise):
            return max(
                sum(map(_max_probabilistic_choices, then)),
                sum(map(_max_probabilistic_choices, otherwise)),
            )
        case Assign() | OutputAssignment() | Add() | Remove() | Fail():
            pass
        case _:
            assert_never(effect)
    return 0
