"""Promela code that matches atoms in channels: the nested loops of Bordini et al., Sect. 4.1, with
polls where no loop is needed.

A channel is used as a list. To visit all messages, each is received and sent again, so that the
channel is unchanged after a full rotation. For this reason no loop is left early; the flag
``unless`` protects the first match.
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
"""Variables that are bound at some point of the generated code."""

Then = Callable[[Bound], Lines]


def indented(lines: Sequence[str], by: int = 1) -> Lines:
    """Return the lines with more indentation."""
    return ["    " * by + line if line else line for line in lines]


def option(guard: str, lines: Sequence[str]) -> Lines:
    """Return ``:: guard -> lines``."""
    if not lines:
        return [f":: {guard} -> skip"]
    return (
        [f":: {guard} -> {lines[0]}"] if len(lines) == 1 else [f":: {guard} ->", *indented(lines)]
    )


def when(condition: str, then: Sequence[str], otherwise: Sequence[str] = ()) -> Lines:
    """Return ``if :: condition -> ... :: else -> ... fi``."""
    return ["if", *option(condition, then), *option("else", otherwise), "fi;"]


def printf(text: str, *values: str) -> str:
    """Return code that prints a line; each ``%d`` in it is a number."""
    quoted = '"' + text.replace("\\", "").replace('"', "'") + '\\n"'
    return f"printf({', '.join([quoted, *values])});"


@dataclass(frozen=True, slots=True)
class Channel:
    """Channel of atoms; messages of a belief base have an additional field for the source."""

    name: str
    sourced: bool = False

    def poll(self, fields: str) -> str:
        """Return an expression for whether there is a message with such fields."""
        return f"{self.name}??[{fields}{',_' if self.sourced else ''}]"

    def copy(self, fields: str) -> str:
        """Return code that copies the first message with such fields."""
        return f"{self.name} ?? <{fields}{',_' if self.sourced else ''}>;"

    def rotate(self, fields: str) -> str:
        """Return code that reads the first message and moves it to the end."""
        all_fields = fields + (",_s" if self.sourced else "")
        return f"{self.name}?{all_fields}; {self.name}!{all_fields};"


class Matcher:
    """Generator of matching code for one model; it counts the loop counters and flags that the code
    needs."""

    def __init__(self, names: PromelaNames) -> None:
        self._names = names
        self._depth = 0
        self.counters = 0
        self.flags = 0

    def flag(self) -> str:
        """Return a new Boolean variable for use within a step."""
        self.flags += 1
        return f"Q{self.flags}__"

    def exists(
        self, channel: Channel, atom: Structure, bound: Bound, span: Span
    ) -> tuple[Lines, str]:
        """Return code to run first, and an expression for whether some message matches."""
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
        """Return code that binds unbound variables to the values of the first matching message."""
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
        """Return the fields of an atom in which unbound variables receive values."""
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
        """Return code that runs ``then`` for each matching message, in order, as long as the flag
        ``unless`` is not set.

        Messages that differ only in fields that the atom does not mention count once, unless
        ``always_loop`` visits every message.
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
        """Return the conditions on the fields of a message, and the assignments of variables."""
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
    """Return whether an unbound variable occurs twice. A poll cannot require two fields to be
    equal."""
    free = [name for name in variables(atom) if name != "_" and name not in bound]
    return len(free) != len(set(free))
