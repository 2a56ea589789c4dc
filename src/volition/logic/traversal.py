"""Functions that traverse, transform and classify the syntax trees of formulas."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import Field, fields, replace
from fractions import Fraction
from typing import Any, assert_never

from volition.diagnostics import Diagnostic, InputError
from volition.logic.parsing.term_parser import arguments_in
from volition.logic.syntax import (
    AgentQuantifier,
    And,
    Arithmetic,
    Atom,
    AtomicFormula,
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
from volition.logic.terms import NameTerm, terms_in

__all__ = [
    "BOOLEAN",
    "QUANTITATIVE",
    "STATE_LEAVES",
    "TEMPORAL",
    "atomic_formulas",
    "children",
    "conjunction",
    "constant_value",
    "counts_steps",
    "depth",
    "disjunction",
    "expand_agents",
    "is_ctl",
    "is_ltl",
    "is_path_formula",
    "is_propositional",
    "is_quantitative",
    "is_state_formula",
    "map_children",
    "mentions_variable",
    "modal_atoms",
    "subformulas",
]

_COMPUTE: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "min": min,
    "max": max,
}


def children(node: Any) -> tuple[Any, ...]:
    """Return the formulas and expressions directly below a node of the syntax tree, from left to
    right."""
    below: list[Any] = []
    for each in _semantic_fields(node):
        value = getattr(node, each.name)
        if isinstance(value, tuple):
            below.extend(value)
        elif hasattr(value, "span"):
            below.append(value)
    return tuple(below)


def _semantic_fields(node: Any) -> list[Field[Any]]:
    """Return the dataclass fields that determine the meaning of a node. Spans, and fields derived
    from other fields, are not included."""
    return [each for each in fields(node) if each.compare]


def map_children(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy of the node with ``change`` applied to each formula and expression directly
    below it."""
    changed: dict[str, Any] = {}
    for each in _semantic_fields(node):
        value = getattr(node, each.name)
        if isinstance(value, tuple):
            changed[each.name] = tuple(change(part) for part in value)
        elif hasattr(value, "span"):
            changed[each.name] = change(value)
    return replace(node, **changed) if changed else node


def subformulas(node: Any) -> Iterator[Any]:
    """Yield the node and all formulas and expressions below it, outermost first, from left to
    right."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children(node)))


def constant_value(expression: Expression) -> Fraction | None:
    """Return the value of an arithmetic expression without variables; None if it has variables."""
    match expression:
        case Number(value=value):
            return value
        case Arithmetic():
            a, b = constant_value(expression.left), constant_value(expression.right)
            return None if a is None or b is None else _COMPUTE[expression.operator](a, b)
        case Identifier():
            return None
        case _:
            assert_never(expression)


def depth(formula: Formula) -> int:
    """Return the nesting depth of a formula. This function is not recursive, so that any depth is
    allowed."""
    level: list[Any] = [formula]
    levels = 0
    while level:
        level = [part for node in level for part in children(node)]
        levels += 1
    return levels


def atomic_formulas(formula: Formula) -> tuple[AtomicFormula, ...]:
    """Return the atoms, propositions and identifiers of a formula, which the programming language
    of the agents evaluates. Each is listed once, from left to right."""
    found = (
        each for each in subformulas(formula) if isinstance(each, Atom | Proposition | Identifier)
    )
    return tuple(dict.fromkeys(found))


def modal_atoms(formula: Formula) -> tuple[Atom, ...]:
    """Return the atoms of a formula (``Bel(..)``, ``Does(..)``), each once, from left to right."""
    return tuple(each for each in atomic_formulas(formula) if isinstance(each, Atom))


def conjunction(parts: Sequence[Formula]) -> Formula:
    """Return the conjunction ``a & b & c`` of formulas; ``true`` for an empty sequence."""
    result: Formula = Constant(True)
    for index, part in enumerate(parts):
        result = And(result, part) if index else part
    return result


def disjunction(parts: Sequence[Formula]) -> Formula:
    """Return the disjunction ``a | b | c`` of formulas; ``false`` for an empty sequence."""
    result: Formula = Constant(False)
    for index, part in enumerate(parts):
        result = Or(result, part) if index else part
    return result


def expand_agents(formula: Formula, agents: Sequence[str]) -> Formula:
    """Return an equivalent formula without quantifiers over agents: ``forall x. f`` becomes the
    conjunction of ``f`` for each agent, ``exists x. f`` the disjunction.

    The variable is replaced where it is a name in the arguments of an atom or a proposition, but
    not in quotations (Bordini et al., Sect. 4.2: ``∀x.(M x at)``, x over a finite set of agent
    labels). Raise :class:`InputError` if the program has no agents.
    """
    if isinstance(formula, AgentQuantifier):
        if not agents:
            raise InputError(
                [
                    Diagnostic(
                        "LOG010",
                        f"'{formula.quantifier} {formula.variable}' needs an agent, but the "
                        "program has none",
                        formula.span,
                    )
                ]
            )
        join = conjunction if formula.quantifier == "forall" else disjunction
        return join(
            [
                expand_agents(_substitute(formula.body, formula.variable, agent), agents)
                for agent in agents
            ]
        )
    result: Formula = map_children(
        formula,
        lambda part: (
            part
            if isinstance(part, Number | Identifier | Arithmetic)
            else expand_agents(part, agents)
        ),
    )
    return result


def mentions_variable(formula: Formula, variable: str) -> bool:
    """Return whether an agent variable occurs in some atom or proposition of the formula."""
    return bool(_substitute(formula, variable, f"{variable}'") != formula)


def _substitute(node: Any, variable: str, agent: str) -> Any:
    if isinstance(node, AgentQuantifier) and node.variable == variable:
        return node
    if isinstance(node, Atom):
        text = _substitute_text(node.text, variable, agent)
        return (
            node
            if text == node.text
            else replace(
                node, text=text, arguments=arguments_in(text, f"<formula, {variable} = {agent}>")
            )
        )
    if isinstance(node, Proposition | Identifier):
        name, bracket, arguments = node.name.partition("(")
        if arguments.endswith(")"):
            return replace(
                node, name=name + bracket + _substitute_text(arguments[:-1], variable, agent) + ")"
            )
        return node
    return map_children(node, lambda part: _substitute(part, variable, agent))


def _substitute_text(text: str, variable: str, agent: str) -> str:
    """Return the text of arguments with a variable replaced by the name of an agent. A text that
    cannot be parsed as arguments, such as part of a quoted label, is returned unchanged."""
    try:
        terms = list(terms_in(arguments_in(text)))
    except InputError:
        return text
    for name in reversed(
        [each for each in terms if isinstance(each, NameTerm) and each.text == variable]
    ):
        text = text[: name.span.start] + agent + text[name.span.end :]
    return text


STATE_LEAVES = Constant | Atom | Proposition | Comparison
BOOLEAN = Not | And | Or | Implies | Iff | AgentQuantifier
TEMPORAL = Next | Finally | Globally | Until | WeakUntil | Release
QUANTITATIVE = Probability | Reward | SteadyState | Multi


def is_propositional(formula: Formula) -> bool:
    """Return whether the formula is a Boolean combination of atoms, without temporal, path or
    quantitative operators."""
    return all(isinstance(each, STATE_LEAVES) for each in _below_booleans(formula))


def is_state_formula(formula: Formula) -> bool:
    """Return whether the formula is a state formula: every temporal operator is inside A, E, P or
    R."""
    return not any(isinstance(each, TEMPORAL) for each in _below_booleans(formula))


def _below_booleans(formula: Formula) -> Iterator[Any]:
    """Yield the outermost subformulas whose operator is not Boolean. This function is not
    recursive, so that any depth is allowed."""
    waiting: list[Any] = [formula]
    while waiting:
        part = waiting.pop()
        if isinstance(part, BOOLEAN):
            waiting.extend(children(part))
        else:
            yield part


def is_path_formula(formula: Formula) -> bool:
    """Return whether the formula is a path formula: some temporal operator is outside of every A,
    E, P and R."""
    return not is_state_formula(formula)


def is_quantitative(formula: Formula) -> bool:
    """Return whether the formula contains a probability, reward or long-run operator."""
    return any(isinstance(part, QUANTITATIVE) for part in subformulas(formula))


def counts_steps(formula: Formula) -> bool:
    """Return whether the value of the formula depends on the number of steps, even of steps that
    change nothing. This is the case if it has a next operator, a step bound, a reward or a long-run
    operator."""
    parts = list(subformulas(formula))
    return any(
        isinstance(each, Next | Reward | SteadyState | Multi)
        or getattr(each, "bound", None) is not None
        for each in parts
    )


def is_ltl(path: Formula) -> bool:
    """Return whether a path formula is in LTL: it contains no A, E, P, R or S."""
    return not any(isinstance(part, PathQuantifier | QUANTITATIVE) for part in subformulas(path))


def is_ctl(formula: Formula) -> bool:
    """Return whether the formula is in CTL: every A or E is followed by exactly one temporal
    operator over CTL formulas (Clarke and Emerson 1981)."""
    if isinstance(formula, STATE_LEAVES):
        return True
    if isinstance(formula, BOOLEAN):
        return all(is_ctl(part) for part in children(formula))
    if isinstance(formula, PathQuantifier) and isinstance(formula.path, TEMPORAL):
        return all(is_ctl(part) for part in children(formula.path))
    return False
