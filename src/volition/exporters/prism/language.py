"""Abstract syntax and printer of the PRISM language, used by all translations to PRISM.

The syntax covers only what the translations need. Conditions are built with :func:`conjunction`,
:func:`disjunction` and :func:`negation`, which simplify constants, so that the printed program
contains nothing superfluous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from textwrap import fill
from typing import Literal, assert_never

__all__ = [
    "FALSE",
    "TRUE",
    "BoolVariable",
    "BooleanLiteral",
    "Command",
    "Comment",
    "ConstantDeclaration",
    "Expression",
    "Formula",
    "Identifiers",
    "IntVariable",
    "LabelDeclaration",
    "Module",
    "NumberLiteral",
    "Operation",
    "PrismFiles",
    "PrismProgram",
    "Reference",
    "RewardEntry",
    "RewardStructure",
    "SectionComment",
    "Update",
    "arithmetic",
    "compare",
    "conjunction",
    "disjunction",
    "equals",
    "negation",
    "render",
]  # fmt: skip

# --- syntax of expressions ------------------------------------------------------------------------

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
    """PRISM expression ``true`` or ``false``."""

    value: bool

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """Exact number in a PRISM expression, printed as a decimal if that is exact, otherwise as a
    quotient."""

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
    """Reference to a variable or constant in a PRISM expression."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """PRISM expression of an operator and its operands: one for ``!``, two or more for ``&`` and
    ``|``, two for all other operators."""

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


Expression = BooleanLiteral | NumberLiteral | Reference | Operation
TRUE, FALSE = BooleanLiteral(True), BooleanLiteral(False)


def _bracketed(operand: Expression, outer: Operator, *, first: bool) -> str:
    """Return an operand of a PRISM operation as text, in parentheses if its precedence requires
    them or if they make it easier to read."""
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
    """Return the simplified conjunction of any number of conditions."""
    return _joined("&", conditions, neutral=TRUE, dominant=FALSE)


def disjunction(*conditions: Expression) -> Expression:
    """Return the simplified disjunction of any number of conditions."""
    return _joined("|", conditions, neutral=FALSE, dominant=TRUE)


def negation(condition: Expression) -> Expression:
    """Return the simplified negation of a condition."""
    match condition:
        case BooleanLiteral(value):
            return BooleanLiteral(not value)
        case Operation("!", (operand,)):
            return operand
        case NumberLiteral() | Reference() | Operation():
            pass
        case _:
            assert_never(condition)
    return Operation("!", (condition,))


def compare(
    name: str, relation: Literal["=", "!=", "<", "<=", ">", ">="], value: int
) -> Expression:
    """Return the PRISM comparison of a variable with a number."""
    return Operation(relation, (Reference(name), NumberLiteral(Fraction(value))))


def equals(name: str, value: int) -> Expression:
    """Return the PRISM condition ``name=value``."""
    return compare(name, "=", value)


def arithmetic(
    operator: Literal["+", "-", "*", "/"],
    left: Expression | Fraction | int,
    right: Expression | Fraction | int,
) -> Expression:
    """Return an arithmetic operation on two expressions or numbers."""
    return Operation(
        operator,
        tuple(
            NumberLiteral(Fraction(each)) if isinstance(each, Fraction | int) else each
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


# --- syntax of programs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IntVariable:
    """PRISM declaration ``name : [low..high] init initial;``"""

    name: str
    low: int
    high: int
    initial: int


@dataclass(frozen=True, slots=True)
class BoolVariable:
    """PRISM declaration ``name : bool init initial;``. The name alone is a condition."""

    name: str
    initial: bool


@dataclass(frozen=True, slots=True)
class ConstantDeclaration:
    """PRISM declaration ``const int name = value;``"""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Update:
    """Update of a PRISM command: assignments to variables, with a probability unless it is 1. An
    update without assignments changes nothing."""

    assignments: tuple[tuple[str, Expression], ...]
    probability: Expression | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """PRISM command ``[label] guard -> updates;``"""

    label: str
    guard: Expression
    updates: tuple[Update, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """Comment line of a PRISM program."""

    text: str


@dataclass(frozen=True, slots=True)
class Module:
    """PRISM module; ``comments`` are printed above it."""

    name: str
    variables: tuple[IntVariable | BoolVariable, ...]
    body: tuple[Command | Comment, ...]
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionComment:
    """Heading comment of the PRISM modules that follow it."""

    text: str


@dataclass(frozen=True, slots=True)
class RewardEntry:
    """Entry ``condition : value;`` of a PRISM reward structure."""

    condition: Expression
    value: Fraction


@dataclass(frozen=True, slots=True)
class RewardStructure:
    name: str
    entries: tuple[RewardEntry, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """PRISM declaration ``formula name = condition;``"""

    name: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class LabelDeclaration:
    """PRISM declaration ``label "name" = condition;``, followed by ``remark`` as a comment."""

    name: str
    condition: Expression
    remark: str = ""


@dataclass(frozen=True, slots=True)
class PrismProgram:
    kind: Literal["dtmc", "mdp"]
    remarks: tuple[str, ...]
    parts: tuple[SectionComment | Module, ...]
    rewards: tuple[RewardStructure, ...] = ()
    labels: tuple[LabelDeclaration, ...] = ()
    constants: tuple[ConstantDeclaration, ...] = ()
    formulas: tuple[Formula, ...] = ()


# --- unique identifiers ---------------------------------------------------------------------------

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
"""Words that PRISM or Storm do not accept as names."""

_WORDS = {"~": "not ", "!": "not ", "&": " and ", "|": " or "}


class Identifiers:
    """Map from names of a program to unique PRISM identifiers. A name is kept if it is a valid and
    unused identifier."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        """Return the PRISM identifier of a name. Repeated calls with the same name return the same
        identifier."""
        if name not in self._given:
            self._given[name] = self.fresh(name)
        return self._given[name]

    def fresh(self, name: str) -> str:
        """Return an unused PRISM identifier similar to a name; logical connectives in the name
        become words."""
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


# --- printing of programs -------------------------------------------------------------------------

_WIDTH = 120
"""Maximum line length of a printed PRISM program, unless a single name or number is longer."""


@dataclass(frozen=True, slots=True)
class PrismFiles:
    """Text of a model file for PRISM or Storm, and the texts of its properties, in the order of the
    exported formulas."""

    model: str
    properties: tuple[str, ...]


def render(program: PrismProgram) -> str:
    """Return a PRISM program as text."""
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
        entries = [
            f"  {each.condition} : {NumberLiteral(each.value)};" for each in structure.entries
        ]
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
    """Return the parts of a PRISM statement on one line or, if that is too long, on separate lines.
    The caller adds the indentation of the first line."""
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
