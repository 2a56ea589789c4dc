"""Generator of Promela code that matches atoms with the messages in channels: the nested loops of
Bordini et al., Sect. 4.1, and polls where no loop is needed.

A channel is used as a list. To visit all messages, each is received and sent again, so that the
channel is unchanged after a full rotation. For this reason no loop is left early; the flag
``unless`` prevents that later messages overwrite the first match.
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
"""Names of the variables that are bound at a position of the generated code."""

Then = Callable[[Bound], Lines]


def indented(lines: Sequence[str], by: int = 1) -> Lines:
    """Return lines of Promela code with ``by`` more levels of indentation."""
    return ["    " * by + line if line else line for line in lines]


def option(guard: str, lines: Sequence[str]) -> Lines:
    """Return the Promela option ``:: guard -> lines``."""
    if not lines:
        return [f":: {guard} -> skip"]
    return (
        [f":: {guard} -> {lines[0]}"] if len(lines) == 1 else [f":: {guard} ->", *indented(lines)]
    )


def when(condition: str, then: Sequence[str], otherwise: Sequence[str] = ()) -> Lines:
    """Return the Promela statement ``if :: condition -> ... :: else -> ... fi``."""
    return ["if", *option(condition, then), *option("else", otherwise), "fi;"]


def printf(text: str, *values: str) -> str:
    """Return a Promela statement that prints a line; each ``%d`` in the text is replaced by one of
    the values."""
    quoted = '"' + text.replace("\\", "").replace('"', "'") + '\\n"'
    return f"printf({', '.join([quoted, *values])});"


@dataclass(frozen=True, slots=True)
class Channel:
    """Promela channel whose messages are atoms. In a belief base (``sourced``), messages have an
    additional field for the source of the belief."""

    name: str
    sourced: bool = False

    def poll(self, fields: str) -> str:
        """Return a Promela expression that is true if the channel has a message with these
        fields."""
        return f"{self.name}??[{fields}{',_' if self.sourced else ''}]"

    def copy(self, fields: str) -> str:
        """Return a Promela statement that reads the first message with these fields, without
        removing it."""
        return f"{self.name} ?? <{fields}{',_' if self.sourced else ''}>;"

    def rotate(self, fields: str) -> str:
        """Return Promela statements that receive the first message of a channel into the variables
        ``fields`` and send it to the end of the channel."""
        all_fields = fields + (",_s" if self.sourced else "")
        return f"{self.name}?{all_fields}; {self.name}!{all_fields};"


class Matcher:
    """Generator of Promela code that matches atoms with messages. It remembers how many auxiliary
    variables (loop counters and flags) the generated code uses, so that they can be declared."""

    def __init__(self, names: PromelaNames) -> None:
        self._names = names
        self._depth = 0
        self.counters = 0
        self.flags = 0

    def flag(self) -> str:
        """Return the name of a new auxiliary Promela variable that holds a value only within a
        step."""
        self.flags += 1
        return f"Q{self.flags}__"

    def exists(
        self, channel: Channel, atom: Structure, bound: Bound, span: Span
    ) -> tuple[Lines, str]:
        """Return Promela code to run first, and an expression that is true if a message of the
        channel matches the atom."""
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
        """Return Promela code that finds the first message of a channel that matches an atom. If
        there is one, the code assigns its values to the unbound variables of the atom and continues
        with ``then``. Otherwise it continues with ``otherwise``."""
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
        """Return the fields for reading a message that matches the atom: unbound variables receive
        values, bound ones are compared."""
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
        """Return Promela code that runs ``then`` for each message of the channel that matches the
        atom, in order, as long as the flag ``unless`` is not set.

        If the atom has no unbound named variables, all matching messages give the same result, and
        the code runs ``then`` only once. With ``always_loop`` it runs ``then`` for each of them.
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
        """Return, for matching a message with an atom: the conditions on the fields of the message,
        and the assignments to the unbound variables of the atom."""
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
    """Return whether an unbound variable occurs twice in the atom. A Promela poll cannot require
    two fields to be equal, so a loop is needed."""
    free = [name for name in variables(atom) if name != "_" and name not in bound]
    return len(free) != len(set(free))
