"""The PRISM language: a small tree of a program and its printer, for the translations of all
languages.

Only what translations need is here.  Conditions are built with :func:`both`, :func:`either` and
:func:`negation`, which leave out what is constantly true or false, so that the printed program
contains nothing superfluous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from textwrap import fill
from typing import Literal

__all__ = [
    "FALSE",
    "TRUE",
    "BoolVariable",
    "BooleanLiteral",
    "Command",
    "Comment",
    "Constant",
    "Expression",
    "Formula",
    "Heading",
    "Identifiers",
    "IntVariable",
    "Label",
    "Module",
    "Number",
    "Operation",
    "PrismFiles",
    "PrismProgram",
    "Reference",
    "RewardEntry",
    "RewardStructure",
    "Update",
    "arithmetic",
    "compare",
    "conjunction",
    "disjunction",
    "equals",
    "negation",
    "render",
]  # fmt: skip

# --- expressions ----------------------------------------------------------------------------------

Operator = Literal["&", "|", "!", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/"]

_PRECEDENCE: dict[Operator, int] = {
    "|": 1,
    "&": 2,
    "!": 3,
    "=": 4,
    "!=": 4,
    "<": 5,
    "<=": 5,
    ">": 5,
    ">=": 5,
    "+": 6,
    "-": 6,
    "*": 7,
    "/": 7,
}
_SPACED = ("|", "&")


@dataclass(frozen=True, slots=True)
class BooleanLiteral:
    """``true`` or ``false``."""

    value: bool

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True)
class Number:
    """An exact number, printed as a decimal where one is exact and as a quotient otherwise."""

    value: Fraction

    def __str__(self) -> str:
        decimal = f"{float(self.value):.15g}"
        return (
            decimal
            if Fraction(decimal) == self.value
            else f"{self.value.numerator}/{self.value.denominator}"
        )


@dataclass(frozen=True, slots=True)
class Reference:
    """A variable or constant."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its operands: one for ``!``, two or more for ``&`` and ``|``, two for the
    others."""

    operator: Operator
    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        if self.operator == "!":
            return f"!({self.operands[0]})"
        joint = f" {self.operator} " if self.operator in _SPACED else self.operator
        return joint.join(
            _bracketed(each, self.operator, first=position == 0)
            for position, each in enumerate(self.operands)
        )


Expression = BooleanLiteral | Number | Reference | Operation
TRUE, FALSE = BooleanLiteral(True), BooleanLiteral(False)


def _bracketed(operand: Expression, outer: Operator, *, first: bool) -> str:
    """An operand as text, in brackets where it does not bind more than the operator around it, or
    where a reader may doubt it."""
    if not isinstance(operand, Operation):
        return (
            f"({operand})" if "/" in str(operand) and outer == "/" and not first else str(operand)
        )
    inner, context = _PRECEDENCE[operand.operator], _PRECEDENCE[outer]
    clear = operand.operator != "&" and (
        inner > context or (inner == context and first and outer in "+-*/")
    )
    return str(operand) if clear else f"({operand})"


def conjunction(*conditions: Expression) -> Expression:
    """The conjunction of any number of conditions."""
    return _joined("&", conditions, neutral=TRUE, dominant=FALSE)


def disjunction(*conditions: Expression) -> Expression:
    """The disjunction of any number of conditions."""
    return _joined("|", conditions, neutral=FALSE, dominant=TRUE)


def negation(condition: Expression) -> Expression:
    """The opposite of a condition."""
    match condition:
        case BooleanLiteral(value):
            return BooleanLiteral(not value)
        case Operation("!", (operand,)):
            return operand
    return Operation("!", (condition,))


def compare(
    name: str, relation: Literal["=", "!=", "<", "<=", ">", ">="], value: int
) -> Expression:
    """A variable compared with a number."""
    return Operation(relation, (Reference(name), Number(Fraction(value))))


def equals(name: str, value: int) -> Expression:
    """``name=value``."""
    return compare(name, "=", value)


def arithmetic(
    operator: Literal["+", "-", "*", "/"],
    left: Expression | Fraction | int,
    right: Expression | Fraction | int,
) -> Expression:
    """Two numbers taken together."""
    return Operation(
        operator,
        tuple(
            Number(Fraction(each)) if isinstance(each, Fraction | int) else each
            for each in (left, right)
        ),
    )


def _joined(
    operator: Literal["&", "|"],
    conditions: tuple[Expression, ...],
    *,
    neutral: BooleanLiteral,
    dominant: BooleanLiteral,
) -> Expression:
    parts: dict[Expression, None] = {}
    for condition in conditions:
        if isinstance(condition, Operation) and condition.operator == operator:
            parts |= dict.fromkeys(condition.operands)
        elif condition != neutral:
            parts[condition] = None
    if dominant in parts:
        return dominant
    if len(parts) < 2:
        return next(iter(parts), neutral)
    return Operation(operator, tuple(parts))


# --- programs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IntVariable:
    """``name : [low..high] init initial;``"""

    name: str
    low: int
    high: int
    initial: int


@dataclass(frozen=True, slots=True)
class BoolVariable:
    """``name : bool init initial;``; its name alone is a condition."""

    name: str
    initial: bool


@dataclass(frozen=True, slots=True)
class Constant:
    """``const int name = value;``"""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Update:
    """What variables become, with a probability unless it is certain.  No assignments: nothing
    changes."""

    assignments: tuple[tuple[str, Expression], ...]
    probability: Expression | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """``[label] guard -> updates;``"""

    label: str
    guard: Expression
    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment line."""

    text: str


@dataclass(frozen=True, slots=True)
class Module:
    """A module; ``remarks`` stand above it."""

    name: str
    variables: tuple[IntVariable | BoolVariable, ...]
    body: tuple[Command | Comment, ...]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heading:
    """A title for the modules that follow it."""

    text: str


@dataclass(frozen=True, slots=True)
class RewardEntry:
    """``condition : value;``"""

    condition: Expression
    value: Fraction


@dataclass(frozen=True, slots=True)
class RewardStructure:
    name: str
    entries: tuple[RewardEntry, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """``formula name = condition;``: a condition with a name."""

    name: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class Label:
    """``label "name" = condition;``, with what it says behind it."""

    name: str
    condition: Expression
    remark: str = ""


@dataclass(frozen=True, slots=True)
class PrismProgram:
    kind: Literal["dtmc", "mdp"]
    remarks: tuple[str, ...]
    parts: tuple[Heading | Module, ...]
    rewards: tuple[RewardStructure, ...] = ()
    labels: tuple[Label, ...] = ()
    constants: tuple[Constant, ...] = ()
    formulas: tuple[Formula, ...] = ()


# --- names ----------------------------------------------------------------------------------------

_RESERVED = {
    "A",
    "C",
    "E",
    "F",
    "G",
    "I",
    "P",
    "Pmax",
    "Pmin",
    "R",
    "Rmax",
    "Rmin",
    "S",
    "U",
    "W",
    "X",
    "bool",
    "ceil",
    "clock",
    "const",
    "ctmc",
    "double",
    "dtmc",
    "endinit",
    "endinvariant",
    "endmodule",
    "endobservables",
    "endplayer",
    "endrewards",
    "endsystem",
    "false",
    "filter",
    "floor",
    "formula",
    "func",
    "global",
    "init",
    "int",
    "invariant",
    "label",
    "log",
    "ma",
    "max",
    "mdp",
    "min",
    "mod",
    "module",
    "nondeterministic",
    "observable",
    "observables",
    "of",
    "player",
    "pomdp",
    "popta",
    "pow",
    "prob",
    "probabilistic",
    "pta",
    "rate",
    "rewards",
    "round",
    "smg",
    "stochastic",
    "system",
    "true",
}
"""Words that neither PRISM nor Storm takes as names."""

_WORDS = {"~": "not ", "!": "not ", "&": " and ", "|": " or "}


class Identifiers:
    """Gives names identifiers of PRISM: a name itself where it is one and still free."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        """The identifier of a name, always the same."""
        if name not in self._given:
            self._given[name] = self.fresh(name)
        return self._given[name]

    def fresh(self, name: str) -> str:
        """An identifier that was not given before; connectives in a name become words."""
        identifier = name
        if not re.fullmatch(r"\w+", name, re.ASCII):
            for connective, word in _WORDS.items():
                identifier = identifier.replace(connective, word)
            identifier = re.sub(r"\W+", "_", identifier, flags=re.ASCII).rstrip("_") or "_"
        if identifier[0].isdigit():
            identifier = f"_{identifier}"
        while identifier in _RESERVED or identifier in self._taken:
            identifier += "_"
        self._taken.add(identifier)
        return identifier


# --- printing -------------------------------------------------------------------------------------

_WIDTH = 120
"""The length of a line, as far as a name or number does not exceed it."""


@dataclass(frozen=True, slots=True)
class PrismFiles:
    """A program and its properties, each the text of a file for PRISM or Storm; the properties are
    in the order given."""

    model: str
    properties: tuple[str, ...]


def render(program: PrismProgram) -> str:
    """The program as text."""
    lines = [*(f"// {each}" for each in program.remarks), program.kind]
    if program.constants:
        lines += ["", *(f"const int {each.name} = {each.value};" for each in program.constants)]
    if program.formulas:
        lines += [
            "",
            *(_wrap([f"formula {each.name} = {each.condition};"], "") for each in program.formulas),
        ]
    for part in program.parts:
        lines += [
            "",
            *(_module(part) if isinstance(part, Module) else [f"// ***** {part.text} ***** //"]),
        ]
    for structure in program.rewards:
        entries = [f"  {each.condition} : {Number(each.value)};" for each in structure.entries]
        lines += ["", f'rewards "{structure.name}"', *entries, "endrewards"]
    if program.labels:
        remarks = [f"  // {each.remark}" if each.remark else "" for each in program.labels]
        labels = (
            _wrap([f'label "{each.name}" = {each.condition};'], "") for each in program.labels
        )
        lines += ["", *map(str.__add__, labels, remarks)]
    return "\n".join(lines) + "\n"


def _module(module: Module) -> Iterator[str]:
    yield from (f"// {each}" for each in module.comments)
    yield f"module {module.name}"
    for variable in module.variables:
        yield f"  {variable.name} : {_values(variable)};"
    if module.variables:
        yield ""
    for line in module.body:
        yield f"  // {line.text}" if isinstance(line, Comment) else f"  {_command(line)}"
    yield "endmodule"


def _values(variable: IntVariable | BoolVariable) -> str:
    if isinstance(variable, BoolVariable):
        return f"bool init {str(variable.initial).lower()}"
    return f"[{variable.low}..{variable.high}] init {variable.initial}"


def _command(command: Command) -> str:
    first, *others = (_update(each) for each in command.updates)
    *parts, last = (
        f"[{command.label}] {command.guard}",
        f"-> {first}",
        *(f"+ {each}" for each in others),
    )
    return _wrap([*parts, f"{last};"], "  ")


def _wrap(parts: list[str], indentation: str) -> str:
    """The parts of a statement on one line, or each on lines of its own if that is too long; the
    first line is indented by others."""
    whole = " ".join(parts)
    if len(indentation) + len(whole) <= _WIDTH:
        return whole
    broken = (
        fill(
            part,
            _WIDTH,
            initial_indent=indentation + ("    " if number else ""),
            subsequent_indent=f"{indentation}        ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for number, part in enumerate(parts)
    )
    return "\n".join(broken).removeprefix(indentation)


def _update(update: Update) -> str:
    effect = " & ".join(f"({name}'={value})" for name, value in update.assignments) or "true"
    return effect if update.probability is None else f"{update.probability} : {effect}"
