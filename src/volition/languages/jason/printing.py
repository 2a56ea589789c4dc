"""Texts of terms as Jason prints them and concatenates them to strings.

They are those of ``toString`` in Jason, because programs can inspect them. In messages and traces,
Volition writes formulas with fewer brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from volition.languages.jason.arithmetic import show_number
from volition.languages.jason.terms import (
    And,
    Arithmetic,
    Bindings,
    BracedTerm,
    Compare,
    List,
    Literal,
    Negative,
    Not,
    Or,
    Term,
    Text,
    Variable,
)

__all__ = ["printed"]

_WORDS = ("div", "mod")


def printed(term: Term, bindings: Bindings) -> str:
    """Return a term as ``.print`` and ``.concat`` show it: a string without its quotes, any other
    term as Jason writes it.

    A variable without a value is shown by the name of the first variable of the plan that is bound
    to it.
    """
    return term.value if isinstance(term, Text) else _text(term, _names(bindings))


def _names(bindings: Bindings) -> Mapping[str, str]:
    """Return a map from variables without a value, such as ``?0``, to the names of the plan's
    variables that are bound to them."""
    names: dict[str, str] = {}
    for name, value in sorted(bindings.items()):
        if isinstance(value, Variable) and not name.startswith("?"):
            names.setdefault(value.name, name)
    return names


def _text(term: Term, names: Mapping[str, str]) -> str:
    def inner(some: tuple[Term, ...]) -> str:
        return ",".join(_text(each, names) for each in some)

    match term:
        case int() | float():
            return show_number(term)
        case Text():
            return str(term)
        case Variable(name):
            return names.get(name, "_") if name.startswith("?") else str(term)
        case List(items, tail):
            return f"[{inner(items)}{'' if tail is None else f'|{_text(tail, names)}'}]"
        case Literal(_, arguments, annotations):
            bare = str(Literal(term.functor, (), (), term.negated, term.namespace))
            known = f"({inner(arguments)})" if arguments else ""
            if isinstance(annotations, List):
                return f"{bare}{known}{_text(annotations, names)}"
            return f"{bare}{known}{f'[{inner(annotations)}]' if annotations else ''}"
        case Arithmetic(operator, left, right):
            sign = f" {operator} " if operator in _WORDS else operator
            return f"({_text(left, names)}{sign}{_text(right, names)})"
        case Negative(operand):
            return f"(-{_text(operand, names)})"
        case Compare(relation, left, right):
            return f"({_text(left, names)} {relation} {_text(right, names)})"
        case Not(operand):
            return f"not ({_text(operand, names)})"
        case And(left, right):
            return f"({_text(left, names)} & {_text(right, names)})"
        case Or(left, right):
            return f"({_text(left, names)} | {_text(right, names)})"
        case BracedTerm():
            return str(term)
        case _:
            assert_never(term)
    assert_never(term)
