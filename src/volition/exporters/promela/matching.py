"""Promela code that asks channels for atoms: the nested loops of Bordini et al., Sect. 4.1, with
polls where no loop is needed.

A channel is used as a list.  To look at all its messages, each is received and sent again, so that
after a full turn the channel is as before; therefore no loop is left early, and what was found
first is protected by a flag (``unless``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from volition.diagnostics import Span
from volition.exporters.promela.names import NIL, PromelaNames
from volition.languages.world.terms import Structure, Variable, variables

__all__ = ["Bound", "Channel", "Lines", "Matcher", "indented", "option", "printf", "when"]

Lines = list[str]
Bound = frozenset[str]
"""The variables that have a value at some place of the generated code."""

Then = Callable[[Bound], Lines]


def indented(lines: Sequence[str], by: int = 1) -> Lines:
    """The lines, further right."""
    return ["    " * by + line if line else line for line in lines]


def option(guard: str, lines: Sequence[str]) -> Lines:
    """``:: guard -> lines``."""
    if not lines:
        return [f":: {guard} -> skip"]
    return (
        [f":: {guard} -> {lines[0]}"] if len(lines) == 1 else [f":: {guard} ->", *indented(lines)]
    )


def when(condition: str, then: Sequence[str], otherwise: Sequence[str] = ()) -> Lines:
    """``if :: condition -> ... :: else -> ... fi``."""
    return ["if", *option(condition, then), *option("else", otherwise), "fi;"]


def printf(text: str, *values: str) -> str:
    """Prints a line; ``%d`` in it are numbers."""
    quoted = '"' + text.replace("\\", "").replace('"', "'") + '\\n"'
    return f"printf({', '.join([quoted, *values])});"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of atoms; messages of a belief base have one more field, for the source."""

    name: str
    sourced: bool = False

    def poll(self, fields: str) -> str:
        """Whether there is a message with such fields."""
        return f"{self.name}??[{fields}{',_' if self.sourced else ''}]"

    def copy(self, fields: str) -> str:
        """Copies the first message with such fields."""
        return f"{self.name} ?? <{fields}{',_' if self.sourced else ''}>;"

    def rotate(self, fields: str) -> str:
        """Looks at the first message and puts it behind the others."""
        all_fields = fields + (",_s" if self.sourced else "")
        return f"{self.name}?{all_fields}; {self.name}!{all_fields};"


class Matcher:
    """Generates matching code for one model; remembers how many loop counters and flags it
    needs."""

    def __init__(self, names: PromelaNames) -> None:
        self._names = names
        self._depth = 0
        self.counters = 0
        self.flags = 0

    def flag(self) -> str:
        """A new variable for a truth value within a step."""
        self.flags += 1
        return f"Q{self.flags}__"

    def exists(
        self, channel: Channel, atom: Structure, bound: Bound, span: Span
    ) -> tuple[Lines, str]:
        """Whether some message matches: code to run first, and an expression."""
        if not _repeats(atom, bound):
            return [], channel.poll(self._names.pattern(atom, bound, span))
        flag = self.flag()
        return [
            f"{flag} = 0;",
            *self.every(channel, atom, bound, span, lambda _: [f"{flag} = 1;"], unless=flag),
        ], flag

    def first(
        self,
        channel: Channel,
        atom: Structure,
        bound: Bound,
        span: Span,
        then: Lines,
        otherwise: Lines,
    ) -> Lines:
        """Code that gives free variables the values of the first message that matches."""
        if _repeats(atom, bound):
            flag = self.flag()
            return [
                f"{flag} = 0;",
                *self.every(channel, atom, bound, span, lambda _: [f"{flag} = 1;"], unless=flag),
                *when(flag, then, otherwise),
            ]
        poll = channel.poll(self._names.pattern(atom, bound, span))
        if not _free(atom, bound):
            return when(poll, then, otherwise)
        return when(poll, [channel.copy(self._receiving(atom, bound, span)), *then], otherwise)

    def _receiving(self, atom: Structure, bound: Bound, span: Span) -> str:
        """The fields of an atom where free variables receive values."""
        fields = [self._names.macro(atom.functor)]
        for each in atom.arguments:
            if isinstance(each, Variable) and each.name in bound:
                fields.append(f"eval({self._names.variable(each.name)})")
            else:
                fields.append("_" if each == Variable("_") else self._names.value(each, span))
        return ",".join([*fields, *[NIL] * (self._names.terms + 1 - len(fields))])

    def every(
        self,
        channel: Channel,
        atom: Structure,
        bound: Bound,
        span: Span,
        then: Then,
        *,
        unless: str | None = None,
        always_loop: bool = False,
    ) -> Lines:
        """Code that does something for each message that matches, in their order, as long as the
        flag ``unless`` is not set.

        Messages that differ only in what the atom does not ask for count once, unless
        ``always_loop`` looks at every message.
        """
        guard = [f"!{unless}"] if unless else []
        if not always_loop and not _free(atom, bound):
            return when(
                " && ".join([*guard, channel.poll(self._names.pattern(atom, bound, span))]),
                then(bound),
            )
        self._depth += 1
        self.counters = max(self.counters, self._depth)
        counter = f"_k{self._depth}"
        conditions, bindings = self._conditions(atom, bound, span)
        inner = then(bound | _free(atom, bound))
        self._depth -= 1
        look = [
            f"{counter}--;",
            channel.rotate(self._names.fields("_t")),
            *when(" && ".join([*guard, *conditions]), [*bindings, *inner]),
        ]
        return [
            f"{counter} = len({channel.name});",
            "do",
            *option(f"({counter} > 0)", look),
            ":: else -> break",
            "od;",
        ]

    def _conditions(self, atom: Structure, bound: Bound, span: Span) -> tuple[Lines, Lines]:
        """What the fields of a message must be, and what they give to variables."""
        conditions = [f"_t0 == {self._names.macro(atom.functor)}"]
        bindings: Lines = []
        seen: dict[str, str] = {}
        for number, each in enumerate(atom.arguments, 1):
            field = f"_t{number}"
            if isinstance(each, Variable) and each.name not in bound:
                if each.name in seen:
                    conditions.append(f"{field} == {seen[each.name]}")
                elif each.name != "_":
                    seen[each.name] = field
                    bindings.append(f"{self._names.variable(each.name)} = {field};")
            else:
                conditions.append(f"{field} == {self._names.value(each, span)}")
        conditions += [
            f"_t{number} == {NIL}"
            for number in range(len(atom.arguments) + 1, self._names.terms + 1)
        ]
        return conditions, bindings


def _free(atom: Structure, bound: Bound) -> frozenset[str]:
    return frozenset(variables(atom)) - bound - {"_"}


def _repeats(atom: Structure, bound: Bound) -> bool:
    """Whether a free variable occurs twice: then a poll cannot say that both places are the
    same."""
    free = [name for name in variables(atom) if name != "_" and name not in bound]
    return len(free) != len(set(free))
