"""Effects of worlds in Promela, one after the other; what nobody decides is a nondeterministic choice, and so is chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from volition.diagnostics import Span
from volition.export.promela.conditions import ConditionWriter, Known
from volition.export.promela.matching import Lines, indented, option, when
from volition.export.promela.names import NIL, refuse
from volition.export.promela.sizes import Sizes
from volition.languages.world.conditions import Scene, evaluate
from volition.languages.world.syntax import Add, Assign, Chance, Effect, Effects, Either, If, Remove
from volition.languages.world.terms import Structure, Term, Variable

__all__ = ["EffectWriter", "has_choices"]


def has_choices(effects: Effects) -> bool:
    """Whether something in the effects is left to choice or chance."""
    for each in effects:
        if isinstance(each, Either | Chance):
            return True
        if isinstance(each, If) and (has_choices(each.then) or has_choices(each.otherwise)):
            return True
    return False


@dataclass(frozen=True)
class EffectWriter:
    """Writes the effects of one world's rules."""

    conditions: ConditionWriter
    sizes: Sizes

    def effects(self, effects: Effects, known: Known) -> Lines:
        """The code of some effects in their order.  Without choices it may stand in a deterministic step."""
        if sum(_chances(each) for each in effects) > 1:
            raise refuse("more than one 'chance' in one step", effects[0].span, "put the second into a step of its own")
        return [line for each in effects for line in self._effect(each, known)]

    def _effect(self, effect: Effect, known: Known) -> Lines:
        names, span = self.conditions.names, effect.span
        match effect:
            case Assign(variable, value):
                prelude, expression = self.conditions.value(value, known, span)
                return _at_once([*prelude, f"{names.world_variable(variable)} = {expression};"])
            case Add(fact):
                return _at_once(self._add(fact, known, span))
            case Remove(pattern):
                return _at_once(self._remove(pattern, known, span))
            case If(condition, then, otherwise):
                flag = self.conditions.matcher.flag()
                ask = self.conditions.solve(condition, known, lambda _: [f"{flag} = 1;"], unless=flag)
                inside = self._known_inside(effect, known)
                return [
                    *_at_once([f"{flag} = 0;", *ask]),
                    *when(f"({flag} == 1)", self.effects(then, inside), self.effects(otherwise, known)),
                ]
            case Either(branches):
                options = [
                    line
                    for number, branch in enumerate(branches, 1)
                    for line in option("true", [f'printf(", alternative {number}");', *self.effects(branch, known)])
                ]
                return ["if", *options, "fi;"]
            case Chance(branches):
                possible = [(number, branch) for number, (weight, branch) in enumerate(branches) if self._weight(weight, span) > 0]
                options = [
                    line for number, branch in possible for line in option("true", [f"_outcome = {number};", *self.effects(branch, known)])
                ]
                return ["if", *options, "fi;"]

    def _known_inside(self, effect: If, known: Known) -> Known:
        found = [known]

        def note(more: Known) -> Lines:
            found.append(more)
            return []

        self.conditions.solve(effect.condition, known, note)
        return max(found, key=len)

    def _weight(self, weight: Term, span: Span) -> Fraction:
        world = self.conditions.world
        value = evaluate(weight, Scene(world.parameters, world.agents, {}, lambda _, __: (), {}), {}, span)
        return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)

    # --- facts -----------------------------------------------------------------------------------------------------------------------

    def _add(self, fact: Structure, known: Known, span: Span) -> Lines:
        """A percept that is new goes to the end; other facts have no order, which sorted sending makes true."""
        prelude, values = self._values(fact.arguments, known, span)
        channel = self.conditions.channel(fact)
        sent = self._fields(fact, values)
        asked = self._fields(fact, [f"eval({each})" for each in values])
        room = self.sizes.percepts if channel.name == "_p_" else self.sizes.facts
        send = "!" if channel.name == "_p_" else "!!"
        computed = [value for value, each in zip(values, fact.arguments, strict=True) if isinstance(each, Structure) and each.arguments]
        prelude += [f"assert({self.conditions.names.is_number(value)});" for value in computed]
        return [*prelude, *when(channel.poll(asked), [], [f"assert(len({channel.name}) < {room});", f"{channel.name}{send}{sent}"])]

    def _values(self, arguments: Sequence[Term], known: Known, span: Span) -> tuple[Lines, list[str]]:
        parts = [self.conditions.value(each, known, span) for each in arguments]
        return [line for prelude, _ in parts for line in prelude], [value for _, value in parts]

    def _fields(self, fact: Structure, values: Sequence[str]) -> str:
        names = self.conditions.names
        return ",".join([names.macro(fact.functor), *values, *[NIL] * (names.terms - len(values))])

    def _remove(self, pattern: Structure, known: Known, span: Span) -> Lines:
        """Every fact that matches is received and not sent again."""
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
        conditions += [f"_t{position} == {NIL}" for position in range(len(pattern.arguments) + 1, names.terms + 1)]
        fields = names.fields("_t")
        look = ["_k0--;", f"{channel}?{fields};", *when(f"({' && '.join(conditions)})", [], [f"{channel}!{fields}"])]
        return [*prelude, f"_k0 = len({channel});", "do", *option("(_k0 > 0)", look), ":: else -> break", "od;"]


def _at_once(lines: Lines) -> Lines:
    """One deterministic step, also within a step that is not."""
    return ["d_step {", *indented(lines), "};"] if len(lines) > 1 else lines


def _chances(effect: Effect) -> int:
    """The most times that chance speaks in an effect."""
    match effect:
        case Chance(branches):
            return 1 + max(sum(map(_chances, branch)) for _, branch in branches)
        case Either(branches):
            return max(sum(map(_chances, branch)) for branch in branches)
        case If(_, then, otherwise):
            return max(sum(map(_chances, then)), sum(map(_chances, otherwise)))
    return 0
