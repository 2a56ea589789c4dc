"""Promela names for the identifiers of AgentSpeak(F) programs and worlds (Bordini et al., Sect.
4.1).

Each identifier of a program is a macro for a unique number; numbers of a program stand for
themselves. Internal names start with an underscore, as in the paper (footnote 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from volition.diagnostics import Diagnostic, InputError, Span
from volition.languages.agentspeak.program import AgentSpeakProgram
from volition.languages.agentspeak.syntax import EVENT_VARIABLE, Compute
from volition.languages.world.semantics import DeclaredWorld
from volition.languages.world.terms import (
    EMPTY_LIST,
    Structure,
    Term,
    Text,
    Variable,
    list_items,
    show,
    variables,
)

__all__ = [
    "BYTE_ENCODING",
    "NIL",
    "SHORT_ENCODING",
    "UNBOUND",
    "PromelaNames",
    "TermEncoding",
    "unsupported",
    "variables_in",
]

NIL = "_nil"
"""Promela value of unused argument fields: all messages have equally many fields, and an atom may
have fewer arguments."""

UNBOUND = "_unbound"
"""Promela value of an unbound variable in a stored plan instance."""


@dataclass(frozen=True, slots=True)
class TermEncoding:
    """Encoding of terms as Promela numbers: numbers from ``first_symbol`` on stand for identifiers;
    those from ``lowest`` up to ``first_symbol - 1`` stand for themselves."""

    type: str
    lowest: int
    first_symbol: int
    nil: int
    unbound: int


BYTE_ENCODING = TermEncoding("byte", 0, 100, 254, 255)
SHORT_ENCODING = TermEncoding("short", -999, 1000, 32000, 32001)

_RESERVED = (
    # Names that the generated model uses itself.
    *(
        "counter",
        "force",
        "i_data",
        "index",
        "intention",
        "kind",
        "limit",
        "lost",
        "me",
        "parent",
        "plan",
        "sender",
        "sign",
    ),
    *("source", "to", "v", "variable"),
    # Reserved names of Promela and of its preprocessor.
    *(
        "active",
        "always",
        "assert",
        "atomic",
        "bit",
        "bool",
        "break",
        "byte",
        "chan",
        "d_step",
        "do",
        "else",
        "empty",
        "enabled",
    ),
    *(
        "equivalent",
        "eval",
        "eventually",
        "false",
        "fi",
        "for",
        "full",
        "get_priority",
        "goto",
        "hidden",
        "if",
        "implies",
        "in",
        "init",
    ),
    *(
        "inline",
        "int",
        "len",
        "linux",
        "local",
        "ltl",
        "mtype",
        "nempty",
        "never",
        "next",
        "nfull",
        "notrace",
        "od",
        "of",
        "pc_value",
    ),
    *(
        "pid",
        "printf",
        "printm",
        "priority",
        "proctype",
        "provided",
        "release",
        "return",
        "run",
        "select",
        "set_priority",
        "short",
    ),
    *(
        "show",
        "skip",
        "stronguntil",
        "timeout",
        "trace",
        "true",
        "typedef",
        "unix",
        "unless",
        "unsigned",
        "until",
        "weakuntil",
        "xr",
        "xs",
    ),
)


def unsupported(what: str, span: Span | None, hint: str | None = None) -> InputError:
    """Return the error for a construct that cannot be translated to Promela; ``what`` names it in
    the message."""
    return InputError([Diagnostic("ASP060", f"{what} cannot be translated to Promela", span, hint)])


@dataclass(frozen=True)
class PromelaNames:
    """Names in the Promela model of one program: macros for identifiers, variables, and the fields
    of messages. ``queried`` are the atoms of the exported formulas.

    In the Promela model, each identifier of the program is a number. Agents have the lowest of
    these numbers. So the index of an agent in an array is its number minus the lowest one.
    """

    program: AgentSpeakProgram
    queried: Sequence[Structure] = ()

    @cached_property
    def world(self) -> DeclaredWorld | None:
        """World of the program if it is declared in a world file; otherwise None."""
        return self.program.world if isinstance(self.program.world, DeclaredWorld) else None

    @cached_property
    def _trees(self) -> Sequence[Any]:
        agents = [(each.beliefs, each.goals, each.plans) for each in self.program.agents.values()]
        return [
            *agents,
            self.queried,
            *([self.world.tree] if self.world else []),
            *(self.program.world.parameters.values()),
        ]

    @cached_property
    def terms(self) -> int:
        """Bound M_Term of Bordini et al.: the number of argument fields of a message, which is the
        largest arity in the program."""
        return max(
            [
                1,
                *(
                    len(each.arguments)
                    for each in structures_in(self._trees)
                    if list_items(each) is None
                ),
            ]
        )

    # --- identifiers and constants of the program -------------------------------------------------

    @cached_property
    def symbols(self) -> Mapping[str, int]:
        """Map from the macro of each identifier to the number that stands for the identifier."""
        return {
            self.macro(name): self.cells.first_symbol + index
            for index, name in enumerate(self._identifiers)
        }

    @cached_property
    def cells(self) -> TermEncoding:
        """Encoding of terms as Promela numbers: bytes if identifiers are few, numbers are small,
        and the program neither subtracts nor multiplies; otherwise shorts."""
        numbers = list(numbers_in(self._trees))
        small = all(BYTE_ENCODING.lowest <= each < BYTE_ENCODING.first_symbol for each in numbers)
        shrinking = any(each.functor in ("-", "*") for each in structures_in(self._trees)) or any(
            isinstance(formula, Compute) and formula.function != "+"
            for agent in self.program.agents.values()
            for plan in agent.plans
            for formula in plan.body
        )
        return (
            BYTE_ENCODING
            if small
            and not shrinking
            and len(self._identifiers) < BYTE_ENCODING.nil - BYTE_ENCODING.first_symbol
            else SHORT_ENCODING
        )

    def is_number(self, expression: str) -> str:
        """Return a Promela expression that is true if the number that ``expression`` computes can
        be stored."""
        return f"{expression} >= {self.cells.lowest} && {expression} < {self.cells.first_symbol}"

    @cached_property
    def _identifiers(self) -> Sequence[str]:
        found = dict.fromkeys(self.program.agents)
        for term in structures_in(self._trees):
            # In worlds, count and max are functions; elsewhere they are ordinary names.
            if term.functor.isidentifier() and list_items(term) is None:
                found[term.functor] = None
        found |= dict.fromkeys(str(each) for each in texts_in(self._trees))
        selections = [
            each
            for own in self.program.settings.values()
            for each in (own.select_event, own.select_intention)
        ]
        # Priorities may contain names that do not occur in the programs.
        found |= dict.fromkeys(name for each in selections for name in each.priorities)
        return list(found)

    def remark(self, macro: str) -> str:
        """Return a Promela comment with the identifier that a macro stands for; an empty text if
        both have the same name."""
        name = next((each for each in self._identifiers if self.macro(each) == macro), macro)
        return "" if name == macro else f"   /* {name} */"

    @staticmethod
    def macro(name: str) -> str:
        """Return the name of the macro for an identifier: the identifier itself, unless Promela or
        the generated model reserves it. A string is encoded without its quotation marks.

        Different identifiers have different macros.
        """
        if name.startswith('"'):
            plain = (
                each if each.isascii() and each.isalnum() else f"_{ord(each):x}_"
                for each in name[1:-1]
            )
            return f"text_{''.join(plain)}"
        if name.startswith(("text_", "world_")):
            return f"_c_{name}"
        return f"{name}_" if name.rstrip("_") in _RESERVED else name

    def index(self, agent: str) -> int:
        """Return the index of an agent in the Promela arrays of channels."""
        return list(self.program.agents).index(agent)

    def constant(self, term: Term, span: Span | None) -> str:
        """Return a ground term as a Promela constant; raise :class:`InputError` if it has none."""
        if isinstance(term, int):
            if not SHORT_ENCODING.lowest <= term < SHORT_ENCODING.first_symbol:
                raise unsupported(
                    f"the number {term}",
                    span,
                    f"numbers must lie between {SHORT_ENCODING.lowest} and "
                    f"{SHORT_ENCODING.first_symbol - 1}",
                )
            return str(term)
        if isinstance(term, Text):
            return self.macro(str(term))
        if isinstance(term, Structure) and not term.arguments and term != EMPTY_LIST:
            return self.macro(term.functor)
        if isinstance(term, Fraction):
            raise unsupported(f"the number {show(term)}", span, "only whole numbers are supported")
        raise unsupported(
            f"the structured term {show(term)}",
            span,
            "as in the paper, terms must be constants, numbers or variables",
        )

    # --- variables --------------------------------------------------------------------------------

    @staticmethod
    def variable(name: str) -> str:
        """Return the name of the Promela variable for a variable of a plan or rule. A name that
        begins with an underscore gets the prefix ``V``, because internal names begin with an
        underscore.

        A variable that holds a part of the triggering event does not occur in the program; it gets
        an internal name.
        """
        if name.startswith(EVENT_VARIABLE):
            return f"_event{name.removeprefix(EVENT_VARIABLE)}"
        return f"V{name}" if name.startswith("_") else name

    @cached_property
    def plan_variables(self) -> Sequence[str]:
        """Names of the Promela variables for all variables of plans and rules. They hold a value
        only within a step, so all plans share them."""
        plans = [
            [*plan.variables, *variables(plan.trigger.pattern)]
            for agent in self.program.agents.values()
            for plan in agent.plans
        ]
        rules = [
            variables_in(each)
            for each in (
                [self.world.tree.actions, self.world.tree.steps, self.world.tree.labels]
                if self.world
                else []
            )
        ]
        names = dict.fromkeys(name for group in (*plans, *rules) for name in group)
        return [self.variable(name) for name in names]

    @staticmethod
    def world_variable(name: str) -> str:
        return f"world_{name}"

    def value(self, term: Term, span: Span | None) -> str:
        """Return a term as Promela: the name of the Promela variable for a variable, otherwise a
        constant."""
        return self.variable(term.name) if isinstance(term, Variable) else self.constant(term, span)

    # --- messages ---------------------------------------------------------------------------------

    def message(self, atom: Structure, span: Span | None) -> str:
        """Return the fields of the Promela message for an atom whose variables are bound: its
        symbol, its arguments, and nil in unused fields."""
        return ",".join(
            [
                self.macro(atom.functor),
                *self._padded([self.value(each, span) for each in atom.arguments]),
            ]
        )

    def pattern(self, atom: Structure, bound: frozenset[str], span: Span | None) -> str:
        """Return the fields of a Promela poll for an atom. Variables that are not in ``bound``
        match any value."""
        arguments = []
        for each in atom.arguments:
            if isinstance(each, Variable):
                arguments.append(f"eval({self.variable(each.name)})" if each.name in bound else "_")
            else:
                arguments.append(self.constant(each, span))
        return ",".join([self.macro(atom.functor), *self._padded(arguments)])

    def fields(self, prefix: str) -> str:
        """Return Promela variables for all fields of an atom, such as ``_t0,_t1,_t2`` for the
        prefix ``_t``."""
        return ",".join(f"{prefix}{number}" for number in range(self.terms + 1))

    def evaluated(self, prefix: str) -> str:
        """Return the fields of a Promela poll for the atom in the variables ``fields(prefix)``,
        such as ``eval(_t0),eval(_t1)``."""
        return ",".join(f"eval({prefix}{number})" for number in range(self.terms + 1))

    @property
    def anything(self) -> str:
        """Fields of a Promela poll that match any atom."""
        return ",".join(["_"] * (self.terms + 1))

    @property
    def types(self) -> str:
        """Promela types of the fields of an atom, for the declaration of a channel."""
        return ",".join([self.cells.type] * (self.terms + 1))

    def _padded(self, arguments: list[str]) -> list[str]:
        return arguments + [NIL] * (self.terms - len(arguments))


# --- search in syntax trees -----------------------------------------------------------------------


def structures_in(node: Any) -> Iterator[Structure]:
    """Yield every structure in a syntax tree of tuples, lists and dataclasses, outermost first."""
    return (each for each in _terms_in(node) if isinstance(each, Structure))


def texts_in(node: Any) -> Iterator[Text]:
    """Yield every string term in a syntax tree."""
    return (each for each in _terms_in(node) if isinstance(each, Text))


def numbers_in(node: Any) -> Iterator[int]:
    """Yield every integer in a syntax tree."""
    return (each for each in _terms_in(node) if isinstance(each, int))


def variables_in(node: Any) -> Iterator[str]:
    """Yield the name of every variable in a syntax tree, once for each occurrence. Then yield the
    variables that rules declare for agents and that quantifiers bind."""
    for each in _terms_in(node):
        if isinstance(each, Variable):
            yield each.name
    yield from _rule_variables(node)


def _rule_variables(node: Any) -> Iterator[str]:
    if isinstance(node, tuple | list):
        for each in node:
            yield from _rule_variables(each)
    elif is_dataclass(node) and not isinstance(node, Span):
        for name in ("agent", "variable"):
            value = getattr(node, name, None)
            if isinstance(value, str) and value[:1].isupper():
                yield value
        for field in fields(node):
            yield from _rule_variables(getattr(node, field.name))


def _terms_in(node: Any) -> Iterator[Term]:
    if isinstance(node, Structure | Text | Variable | int):
        yield node
    if isinstance(node, tuple | list):
        for each in node:
            yield from _terms_in(each)
    elif is_dataclass(node) and not isinstance(node, Span):
        for field in fields(node):
            yield from _terms_in(getattr(node, field.name))
