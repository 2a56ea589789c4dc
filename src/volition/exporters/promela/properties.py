"""Translation of properties to Spin's LTL (Bordini et al., Sect. 4.2): each atom is an expression
over the data structures of the Promela model."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import assert_never

from volition.checking.graph.propositions import predicate, resolve_atoms
from volition.diagnostics import Source
from volition.exporters.promela.bodies import stored_variables
from volition.exporters.promela.bounds import ChannelBounds
from volition.exporters.promela.conditions import ConditionWriter, arithmetic
from volition.exporters.promela.matching import Lines
from volition.exporters.promela.names import PromelaNames, unsupported
from volition.languages.agentspeak.atom_variables import parse_atom
from volition.languages.agentspeak.model import AgentSpeakModel
from volition.languages.world.syntax import FactCondition
from volition.languages.world.terms import Structure, Variable, substitute, variables
from volition.languages.world.terms import predicate as predicate_of
from volition.logic.printing import as_typed, formula_text
from volition.logic.syntax import (
    AgentQuantifier,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Expression,
    Finally,
    Formula,
    Globally,
    Identifier,
    Iff,
    Implies,
    Multi,
    Next,
    Not,
    Number,
    Or,
    PathQuantifier,
    Probability,
    Proposition,
    Release,
    Reward,
    SteadyState,
    Until,
    WeakUntil,
)

__all__ = ["PropertyWriter"]

_INFIX: dict[type, str] = {And: "&&", Or: "||", Implies: "->", Iff: "<->", Until: "U", Release: "V"}
_RELATIONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


_NEGATIVE = re.compile(r"([-+*<>=]) -(\d+)")
"""Pattern for a negative number after an operator. Spin would print the two without a space, and
read ``n <-3`` as an arrow."""


@dataclass
class PropertyWriter:
    """Writer of ``ltl`` blocks; it collects the Promela macros for the atoms of the formulas.

    Spin starts in the state before ``init`` has run, in which agents have no beliefs yet. In this
    state each macro already has its value of the initial state, so formulas without the next
    operator cannot distinguish the two states.
    """

    names: PromelaNames
    sizes: ChannelBounds
    model: AgentSpeakModel
    conditions: ConditionWriter | None
    macros: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Map from the Promela expression of an atom to the name of its macro and the text of the atom.
    """
    blocks: set[str] = field(default_factory=set)

    def ltl(self, name: str, formula: Formula) -> Lines:
        """Return the ``ltl`` block for a formula."""
        text = self._formula(
            formula.path
            if isinstance(formula, PathQuantifier) and formula.quantifier == "A"
            else formula
        )
        return [f"ltl {self._block_name(name)} {{ {text} }}"]

    def definitions(self) -> Lines:
        """Return the definitions of the macros for the atoms of all formulas translated before."""
        return [
            f"/* {meaning} */\n#define {name} ({expression})"
            for expression, (name, meaning) in self.macros.items()
        ]

    def _block_name(self, name: str) -> str:
        """Return a unique name for an ``ltl`` block that Promela accepts. It starts with a capital
        letter, so that it differs from the macros of identifiers."""
        word = re.sub(r"\W", "_", name, flags=re.ASCII)
        word = word[:1].upper() + word[1:] if word[:1].isalpha() else f"P{word}"
        while word in self.blocks:
            word += "_"
        self.blocks.add(word)
        return word

    # --- operators --------------------------------------------------------------------------------

    def _formula(self, formula: Formula) -> str:
        if getattr(formula, "bound", None) is not None:
            raise unsupported("an operator with a step bound", formula.span)
        match formula:
            case Constant(value):
                return "true" if value else "false"
            case Not(operand):
                return f"! {self._operand(operand)}"
            case Globally(operand):
                return f"[]{self._operand(operand)}"
            case Finally(operand):
                return f"<>{self._operand(operand)}"
            case WeakUntil(left, right):
                return self._formula(Or(Until(left, right), Globally(left)))
            case (
                And(left, right)
                | Or(left, right)
                | Implies(left, right)
                | Iff(left, right)
                | Until(left, right)
                | Release(left, right)
            ):
                return f"{self._operand(left)} {_INFIX[type(formula)]} {self._operand(right)}"
            case Comparison(relation, left_side, right_side):
                return self._macro(
                    formula,
                    f"{self._number(left_side)} {_RELATIONS[relation]} {self._number(right_side)}",
                )
            case Atom() | Proposition():
                return self._macro(formula, self._atom_expression(formula))
            case (
                Next()
                | PathQuantifier()
                | Probability()
                | Reward()
                | SteadyState()
                | Multi()
                | AgentQuantifier()
            ):
                pass
            case _:
                assert_never(formula)
        raise unsupported(
            f"'{as_typed(formula)}'",
            formula.span,
            "as in the paper, formulas are those of LTL without the next operator",
        )

    def _operand(self, formula: Formula) -> str:
        text = self._formula(formula)
        return f"({text})" if isinstance(formula, (WeakUntil, *_INFIX)) else text

    def _macro(self, formula: Comparison | Atom | Proposition, expression: str) -> str:
        holds = predicate(formula, resolve_atoms(self.model, formula))(self.model.system.slots)
        expression = _NEGATIVE.sub(r"\1 (0 - \2)", expression)
        sometime = f"!_started || ({expression})" if holds else f"_started && ({expression})"
        return self.macros.setdefault(
            sometime, (f"_atom{len(self.macros) + 1}", formula_text(formula))
        )[0]

    def _number(self, expression: Expression) -> str:
        match expression:
            case Number(value) if value.denominator == 1:
                return str(value)
            case Identifier(name) if self.conditions is not None:
                return self.conditions.value(Structure(name), (), expression.span)[1]  # type: ignore[arg-type]
            case Arithmetic("/"):
                raise unsupported(
                    "a quotient",
                    expression.span,
                    "Promela rounds quotients; multiply instead: 'n > 3 * m' for 'n / m > 3'",
                )
            case Arithmetic(function, left, right):
                return arithmetic(function, self._number(left), self._number(right))
            case Number() | Identifier():
                pass
            case _:
                assert_never(expression)
        raise unsupported("this number", expression.span)

    # --- atoms ------------------------------------------------------------------------------------

    def _atom_expression(self, atomic: Atom | Proposition) -> str:
        if isinstance(atomic, Proposition) or atomic.modality == "Percept":
            return self._environment(atomic)
        agent, named = self.model.parse_agent_and_atom(atomic)
        atom = _without_names(named, atomic)
        me = self.names.index(agent)
        fields = self.names.pattern(atom, frozenset(), atomic.span)
        match atomic.modality:
            case "Bel":
                return f"_b[{me}]??[{fields},_]"
            case "Des":
                return f"(_e[{me}]??[_,_ADD,_GOAL,{fields}] || {self._intended(agent, atom)})"
            case "Int":
                return self._intended(agent, atom)
            case "Does":
                return f"_a?[{self.names.macro(agent)},{fields}]"
            case _:
                pass
        raise unsupported(f"the atom {atomic.modality}", atomic.span)

    def _intended(self, agent: str, atom: Structure) -> str:
        """Return a Promela expression that is true if the agent has an intention for a goal. This
        is so if the array ``i_data`` has a started plan that the goal triggered and that does not
        wait forever."""
        me = self.names.index(agent)
        cases = []
        for number, plan in enumerate(self.names.program.agents[agent].plans, 1):
            pattern = plan.trigger.pattern
            if not plan.trigger.is_goal or predicate_of(pattern) != predicate_of(atom):
                continue
            position = {name: index for index, name in enumerate(stored_variables(plan))}
            for index in range(self.sizes.bounds["M_Int"]):
                entry = f"_d[{me}].i_data[{index}]"
                same = [f"{entry}.plan == {number}", f"!{entry}.lost"]
                for mine, query in zip(pattern.arguments, atom.arguments, strict=True):
                    if query == Variable("_"):
                        continue
                    value = (
                        f"{entry}.v[{position[mine.name]}]"
                        if isinstance(mine, Variable)
                        else self.names.constant(mine, plan.span)
                    )
                    same.append(f"{value} == {self.names.constant(query, None)}")
                cases.append(f"({' && '.join(same)})")
        return f"({' || '.join(cases) or '0'})"

    def _environment(self, atomic: Atom | Proposition) -> str:
        """Return a Promela expression for an atom about the environment: a percept in channel p, a
        fact, a variable or a label of the world."""
        atom = parse_atom(atomic, self.model)
        if self.conditions is None or not isinstance(atom, Structure):
            raise unsupported(f"'{atomic}'", atomic.span)
        atom = _without_names(atom, atomic)
        world = self.conditions.world
        label = next(
            (
                each
                for each in world.tree.labels
                if each.name == atom.functor and not atom.arguments
            ),
            None,
        )
        span = atomic.span or Source("<formula>", str(atom)).span(0, 1)
        condition = FactCondition(atom, span=span) if label is None else label.condition
        expression = self.conditions.expression(condition)
        if expression is None:
            raise unsupported(f"the label '{atom}', whose condition needs a loop,", atomic.span)
        return expression


def _without_names(atom: Structure, atomic: Atom | Proposition) -> Structure:
    """Return the atom with its variables replaced by ``_``, which matches any value. Raise
    :class:`InputError` if a variable occurs twice, because a Promela poll cannot require equal
    values."""
    names = [name for name in variables(atom) if name != "_"]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise unsupported(
            f"{repeated[0]}, which occurs twice in an atom,",
            atomic.span,
            "write the formula for each value",
        )
    free = substitute(atom, dict.fromkeys(names, Variable("_")))
    assert isinstance(free, Structure)
    return free
