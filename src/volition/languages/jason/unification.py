"""Unification of terms.

Two literals ``p[A]`` and ``p[B]`` unify if their arguments unify and each annotation in A unifies
with a different annotation in B. So the left literal may have fewer annotations than the right one.
A tail, as in ``p[a|T]``, is bound to the remaining annotations. The left side is the trigger of a
plan (against an event), a query (against a belief or rule head), or the left side of ``=``. If
several matches of the annotations are possible, the first consistent one is used.

Expressions are evaluated before comparison and never inverted: as long as X is unbound, ``X + 1``
unifies only with itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from volition.languages.jason.substitution import apply, is_ground, variables, without_annotations
from volition.languages.jason.terms import (
    ANY_NAMESPACE,
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
    is_fixed,
)

__all__ = ["apply", "is_ground", "unifications", "unify", "variables", "without_annotations"]

_ANYTHING = "_"
"""Name of variables that match anything and are not bound."""


def unify(left: Term, right: Term, bindings: Bindings) -> dict[str, Term] | None:
    """Return the bindings extended by a unifier of two terms, or None if they do not unify. The
    annotations of the left term must be a subset of those of the right one."""
    attempt = _Attempt(bindings)
    return (
        {**bindings, **attempt.new}
        if attempt.terms(left, right) and attempt.annotations_too()
        else None
    )


def unifications(left: Term, right: Literal, bindings: Bindings) -> Iterator[dict[str, Term]]:
    """Yield the unifiers of a query (left) and a belief (right). In contrast to :func:`unify`,
    there is one for each set of the belief's annotations that matches.

    For the belief ``done[source(a),source(b)]``, the query ``done[source(S)]`` has two solutions
    and ``done`` has one. A query with a tail has one as well, since the tail is bound to all other
    annotations.
    """
    query = left.annotations if isinstance(left, Literal | Variable) else None
    known = query.items if isinstance(query, List) and query.tail is None else query
    if not isinstance(known, tuple) or not known or isinstance(right.annotations, List):
        found = unify(left, right, bindings)
        if found is not None:
            yield found
        return
    for some in combinations(right.annotations, len(known)):
        found = unify(left, replace(right, annotations=some), bindings)
        if found is not None:
            yield found


class _Attempt:
    """Unification in progress: the new bindings, and the pairs of annotations that are still to be
    matched.

    Annotations are matched last, because by then most variables are bound, so that few matches are
    tried in vain.
    """

    __slots__ = ("known", "new", "waiting")

    def __init__(self, known: Bindings) -> None:
        self.known = known
        self.new: dict[str, Term] = {}
        self.waiting: list[tuple[List, List]] = []

    def terms(self, left: Term, right: Term) -> bool:
        """Unify two terms, but defer their annotations. Return whether this succeeds."""
        left, right = self._value(left), self._value(right)
        if isinstance(left, Variable):
            return self._variable(left, right, on_left=True)
        if isinstance(right, Variable):
            return self._variable(right, left, on_left=False)
        if left is right or type(left) is not type(right):
            return left == right  # an int may equal a float
        if isinstance(left, Literal):
            return isinstance(right, Literal) and self._literals(left, right)
        if isinstance(left, List):
            return isinstance(right, List) and self._lists(left, right)
        if isinstance(left, int | float | Text):
            return left == right
        return self._formulas(left, right)

    def _formulas(self, left: Term, right: Term) -> bool:
        match left, right:
            case (And() | Or(), And() | Or()):
                return self._chains(left, right)
            case Compare(), Compare():
                same = left.relation == right.relation
                return (
                    same
                    and self.terms(left.left, right.left)
                    and self.terms(left.right, right.right)
                )
            case Not(), Not():
                return self.terms(left.operand, right.operand)
            case _:
                pass
        return left == right

    def annotations_too(self) -> bool:
        """Match the deferred annotations, and keep the bindings of the first consistent match.
        Return whether there is one."""
        if not self.waiting:
            return True
        (query, offered), *others = self.waiting
        for match in self._matches(self._known_list(query), self._known_list(offered), (), others):
            if match.annotations_too():
                self.new = match.new
                return True
        return False

    def _matches(
        self, query: List, offered: List, missing: tuple[Term, ...], others: list[tuple[List, List]]
    ) -> Iterator[_Attempt]:
        """Yield each way to match the annotations ``query`` with the annotations ``offered``, as an
        attempt that is extended by the new bindings.

        Each annotation in ``query`` needs a partner among the items of ``offered``, or must be
        matched by the tail of ``offered``. ``missing`` are the annotations of the query for which
        the tail has been chosen. ``others`` are pairs of annotation lists to match afterwards.
        """
        if not query.items:
            ended = self._copy(others)
            if missing and (offered.tail is None or not ended.terms(offered.tail, List(missing))):
                return
            if query.tail is None or ended.terms(
                query.tail, List(offered.items, None if missing else offered.tail)
            ):
                yield ended
            return
        first, more = query.items[0], List(query.items[1:], query.tail)
        for index, annotation in enumerate(offered.items):
            match = self._copy([])
            if match.terms(first, annotation):
                rest = List(offered.items[:index] + offered.items[index + 1 :], offered.tail)
                yield from match._matches(more, rest, missing, others + match.waiting)
        if offered.tail is not None:
            yield from self._matches(more, offered, (*missing, first), others)

    def _copy(self, waiting: list[tuple[List, List]]) -> _Attempt:
        copy = _Attempt(self.known)
        copy.new = dict(self.new)
        copy.waiting = list(waiting)
        return copy

    def _known_list(self, annotations: List) -> List:
        """Return a list of annotations in which a tail that is already bound is replaced by its
        value."""
        whole = annotations if annotations.tail is None else apply(annotations, self._all())
        return whole if isinstance(whole, List) else annotations

    def _lookup(self, name: str) -> Term | None:
        value = self.new.get(name)
        return self.known.get(name) if value is None else value

    def _value(self, term: Term) -> Term:
        """Return the value of a term, evaluated only as far as a comparison needs it."""
        if is_fixed(term):
            return term
        while isinstance(term, Variable) and (value := self._lookup(term.name)) is not None:
            bare = term.annotations is None and not term.negated and term.namespace is None
            term = value if bare else apply(term, self._all())
        if isinstance(term, Arithmetic | Negative | BracedTerm) or (
            isinstance(term, Literal) and "." in term.functor
        ):
            return apply(term, self._all())
        return term

    def _all(self) -> Bindings:
        return {**self.known, **self.new} if self.new else self.known

    def _variable(self, variable: Variable, other: Term, *, on_left: bool) -> bool:
        """Unify an unbound variable with another term, and return whether this succeeds.
        ``on_left`` means that the variable is on the left side.

        A variable with annotations, such as ``X[a]``, is bound to the other literal without its
        annotations. The annotations of both are matched later.
        """
        if isinstance(other, Variable):
            if variable.negated != other.negated or not _fit(variable.namespace, other.namespace):
                return False
            if variable.annotations is not None or other.annotations is not None:
                self._compare_later(variable.annotations, other.annotations, on_left=on_left)
            return variable.name == other.name or self._bind(variable.name, Variable(other.name))
        if isinstance(other, Literal):
            if (variable.negated and not other.negated) or not _fit(
                variable.namespace, other.namespace
            ):
                return False
            if variable.annotations is not None:
                self._compare_later(variable.annotations, other.annotations, on_left=on_left)
                other = without_annotations(other)
            if variable.negated or variable.namespace not in (None, ANY_NAMESPACE):
                other = replace(
                    other, negated=other.negated and not variable.negated, namespace=None
                )
        elif (
            variable.negated
            or variable.namespace not in (None, ANY_NAMESPACE)
            or variable.annotations is not None
        ):
            return False
        return self._bind(variable.name, other)

    def _compare_later(
        self, own: Term | None, others: Term | tuple[Term, ...] | None, *, on_left: bool
    ) -> None:
        mine, yours = _annotation_list(own), _annotation_list(others)
        self.waiting.append((mine, yours) if on_left else (yours, mine))

    def _bind(self, name: str, value: Term) -> bool:
        """Bind a variable. Return False if it occurs in its own value (occurs check)."""
        if name == _ANYTHING:
            return True
        if not is_fixed(value) and self._occurs(name, value):
            return False
        self.new[name] = value
        return True

    def _occurs(self, name: str, value: Term) -> bool:
        seen: set[str] = set()
        looking = list(variables(value))
        while looking:
            each = looking.pop()
            if each == name:
                return True
            if each not in seen:
                seen.add(each)
                inner = self._lookup(each)
                if inner is not None:
                    looking.extend(variables(inner))
        return False

    def _literals(self, left: Literal, right: Literal) -> bool:
        if left.functor != right.functor or len(left.arguments) != len(right.arguments):
            return False
        if left.negated != right.negated or left.namespace != right.namespace:
            return False
        for mine, yours in zip(left.arguments, right.arguments, strict=True):
            if not self.terms(mine, yours):
                return False
        if left.annotations:
            self.waiting.append(
                (_annotation_list(left.annotations), _annotation_list(right.annotations))
            )
        return True

    def _lists(self, left: List, right: List) -> bool:
        while True:
            for mine, yours in zip(left.items, right.items, strict=False):
                if not self.terms(mine, yours):
                    return False
            common = min(len(left.items), len(right.items))
            after_left, after_right = self._after(left, common), self._after(right, common)
            if not isinstance(after_left, List) or not isinstance(after_right, List):
                return self.terms(after_left, after_right)
            if (
                not after_left.items or not after_right.items
            ):  # a list without items has no tail here: it is empty
                return not after_left.items and not after_right.items
            left, right = after_left, after_right

    def _after(self, term: List, start: int) -> Term:
        """Return the rest of a list after its first ``start`` items. If only the tail is left,
        return the value of the tail."""
        while start == len(term.items):
            if term.tail is None:
                return List()
            tail = self._value(term.tail)
            if not isinstance(tail, List):
                return tail
            term, start = tail, 0
        return List(term.items[start:], term.tail)

    def _chains(self, left: And | Or, right: And | Or) -> bool:
        mine: Term = left
        yours: Term = right
        while (
            type(mine) is type(yours) and isinstance(mine, And | Or) and isinstance(yours, And | Or)
        ):
            if not self.terms(mine.left, yours.left):
                return False
            mine, yours = mine.right, yours.right
        return self.terms(mine, yours)


def _fit(one: str | None, other: str | None) -> bool:
    return one == other or ANY_NAMESPACE in (one, other)


def _annotation_list(annotations: Term | tuple[Term, ...] | None) -> List:
    if isinstance(annotations, List):
        return annotations
    return List(annotations) if isinstance(annotations, tuple) else List()
