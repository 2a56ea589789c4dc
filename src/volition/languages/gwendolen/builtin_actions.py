"""Built-in actions that every environment provides, such as ``sum(X, Y, Z)``: they bind their last
argument to a computed value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from volition.languages.gwendolen.inference import computed
from volition.languages.world.terms import Bindings, Structure, Term, Text, show, unify

__all__ = ["BUILTIN", "INVISIBLE_ACTIONS"]

INVISIBLE_ACTIONS = ("print", "skip")
"""Actions that have no effect on the world and do not count as actions in formulas. A sliced
program has ``skip`` in place of a removed action."""

Builtin = Callable[[Structure], Bindings | None]
"""Function of a built-in action: from the action to the bindings of its variables, or to None if
the action fails."""


def _arithmetic(operator: str) -> Builtin:
    def compute(action: Structure) -> Bindings | None:
        if len(action.arguments) != 3:
            return None
        left, right, result = action.arguments
        value = computed(Structure(operator, (left, right)))
        return unify(result, value, {}) if isinstance(value, int | Fraction) else None

    return compute


def _append(action: Structure) -> Bindings | None:
    if len(action.arguments) != 3:
        return None
    left, right, result = action.arguments
    return unify(result, Text(_plain(left) + _plain(right)), {})


def _to_string(action: Structure) -> Bindings | None:
    if len(action.arguments) != 2:
        return None
    term, result = action.arguments
    return unify(result, Text(_plain(term)), {})


def _plain(term: Term) -> str:
    return term.value if isinstance(term, Text) else show(term)


BUILTIN: Mapping[str, Builtin] = {
    "sum": _arithmetic("+"),
    "minus": _arithmetic("-"),
    "times": _arithmetic("*"),
    "div": _arithmetic("/"),
    "append": _append,
    "toString": _to_string,
}
