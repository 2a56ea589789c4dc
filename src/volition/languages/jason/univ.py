"""Operator ``X =.. [n, p, [t1, .., tn], [a1, .., am]]`` ("univ"): it decomposes a literal into
namespace, name, arguments and annotations, or composes it from them.

The namespace may be omitted. Strong negation is part of the name.
"""

from __future__ import annotations

from volition.languages.jason.namespaces import DEFAULT
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.terms import FALSE, TRUE, Bindings, List, Literal, Term, Variable
from volition.languages.jason.unification import unify

__all__ = ["solve_univ"]


def solve_univ(left: Term, right: Term, bindings: Bindings) -> Bindings | None:
    """Return the bindings after ``left =.. right``, or None if it does not hold."""
    match left:
        case Literal() if left not in (TRUE, FALSE) and not left.is_internal:
            parts = _parts(left)
            is_short = (
                isinstance(right, List)
                and right.tail is None
                and len(right.items) == len(parts) - 1
            )
            return unify(List(parts[1:] if is_short else parts), right, bindings)
        case Variable():
            literal = _literal(right)
            return None if literal is None else unify(left, literal, bindings)
        case _:
            pass
    return None


def _parts(literal: Literal) -> tuple[Term, ...]:
    name = Literal(literal.functor, negated=literal.negated)
    return (
        Literal(literal.namespace or DEFAULT),
        name,
        List(literal.arguments),
        List(literal.known_annotations),
    )


def _literal(parts: Term) -> Literal | None:
    """Return the literal that is composed of the parts in a list term (optional namespace, name,
    arguments, annotations), or None if they are invalid."""
    if not isinstance(parts, List) or parts.tail is not None or not 3 <= len(parts.items) <= 4:
        return None
    *module, name, arguments, annotations = parts.items
    match name, arguments, annotations, module:
        case Literal(functor, (), ()), List(several, None), List(known, None), [] | [
            Literal(_, (), ())
        ]:
            namespace = str(module[0]) if module and module[0] != Literal(DEFAULT) else None
            return Literal(
                functor, several, annotation_set(known), negated=name.negated, namespace=namespace
            )
        case _:
            pass
    return None
