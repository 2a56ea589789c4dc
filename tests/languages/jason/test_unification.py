"""Unification of Jason's terms: annotations are a set, of which the left has a part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.languages.jason.knowing import annotations_of, literal, term
from volition.diagnostics import InputError
from volition.languages.jason.ordering import annotation_set
from volition.languages.jason.substitution import MAX_NESTED, renamed
from volition.languages.jason.terms import Bindings, List, Literal, Term, Variable
from volition.languages.jason.unification import apply, is_ground, unifications, unify, variables


def values(left: str, right: str, **bindings: str) -> dict[str, str] | None:
    """What the variables are after both agree."""
    found = unify(term(left), term(right), {name: term(value) for name, value in bindings.items()})
    return (
        None
        if found is None
        else {name: str(apply(Variable(name), found)) for name in found if name.isalpha()}
    )


@pytest.mark.parametrize(
    ("left", "right", "agree"),
    [
        ("p", "p[source(x)]", True),
        ("p[source(x)]", "p", False),
        ("p[k]", "p[source(self)]", False),
        ("p[a]", "p[a,b]", True),
        ("p[a,b]", "p[a]", False),
        ("p[a,a]", "p[a]", True),
        ("p(q)", "p(q[a])", True),
        ("p(q[a])", "p(q)", False),
        ("p", "~p", False),
        ("~p(1)", "~p(1)", True),
        ("p(1)", "p(1,2)", False),
        ("n::p", "p", False),
        ("n::p", "n::p", True),
        ("a", "'a'", False),
        ('"a"', "a", False),
        ("2", "2.0", True),
        ("[a,b]", "[a]", False),
        ("[]", "[]", True),
        ("[a|[b]]", "[a,b]", True),
        ("p & q", "p & q", True),
        ("p & q", "p | q", False),
        ("1 + 1", "2", True),
        ("math.abs(-2)", "2", True),
    ],
)
def test_which_terms_agree(left: str, right: str, agree: bool) -> None:
    assert (values(left, right) is not None) == agree


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        ("p(X,Y)", "p(1,f(X))", {"X": "1", "Y": "f(1)"}),
        ("p(X,X)", "p(1,2)", None),
        ("X", "f(X)", None),
        ("p(X,Y)", "p(f(Y),f(X))", None),
        ("[H|T]", "[a,b,c]", {"H": "a", "T": "[b,c]"}),
        ("[H|T]", "[a]", {"H": "a", "T": "[]"}),
        ("[H|T]", "[]", None),
        ("[a,b|T]", "[X|[Y,c]]", {"T": "[c]", "X": "a", "Y": "b"}),
        ("p[source(S)]", "p[source(a),k]", {"S": "a"}),
        ("p[X,Y]", "p[a,b]", {"X": "a", "Y": "b"}),
        ("p[X,Y]", "p[a]", None),
        ("p(X)[a(X)]", "p(2)[a(1),a(2)]", {"X": "2"}),
        ("p[a(X),b(X)]", "p[a(1),a(2),b(2)]", {"X": "2"}),
        ("p(q[a(X)],r[b(X)])", "p(q[a(1),a(2)],r[b(2)])", {"X": "2"}),
        ("p[a|T]", "p[a,b,c]", {"T": "[b,c]"}),
        ("p[|T]", "p", {"T": "[]"}),
        ("p[H|T]", "p[a,b,c]", {"H": "a", "T": "[b,c]"}),
        ("p[a,b,c,d]", "p[a,c|T]", {"T": "[b,d]"}),
        ("X[source(A)]", "open[source(a)]", {"X": "open", "A": "a"}),
        ("X[source(self)]", "open[source(a)]", None),
        ("p(1)[a]", "X[a,b]", {"X": "p(1)"}),
        ("p(1)[a,b]", "X[a]", None),
        ("X", "p[a]", {"X": "p[a]"}),
        ("~X", "~p(1)", {"X": "p(1)"}),
        ("~X", "p(1)", None),
        ("n::X", "n::p(1)", {"X": "p(1)"}),
        ("n::X", "p(1)", None),
        ("X", "Y + 1", {"X": "(Y + 1)"}),
        ("Y + 1", "2", None),
    ],
)
def test_what_variables_become(left: str, right: str, found: dict[str, str] | None) -> None:
    assert values(left, right) == found


def test_a_variable_with_annotations_that_has_a_value_has_both() -> None:
    assert values("X[b]", "p[a,b,c]", X="p[a]") == {"X": "p[a]"}
    assert values("X[d]", "p[a,b,c]", X="p[a]") is None
    assert str(apply(term("X[b]"), {"X": term("p[a]")})) == "p[a,b]"


def test_values_are_looked_up_before_expressions_are_compared() -> None:
    assert values("p(X-1)", "p(Y)", X="3") == {"X": "3", "Y": "2"}
    assert (
        str(apply(term("g(N+1, -N, [N|T], q[N])"), {"N": 2, "T": List((3,))}))
        == "g(3,-2,[2,3],q[2])"
    )


def test_zero_is_a_value() -> None:
    assert values("p(X,X)", "p(0,1)") is None


def test_variables_of_the_same_name_with_digits_are_the_same_and_others_with_an_underline_are_not() -> (  # noqa: E501
    None
):
    assert values("p(_1,_1)", "p(a,b)") is None
    assert values("p(_x,_x,_,_)", "p(a,b,c,d)") is not None


def test_a_query_goes_through_the_annotations_it_could_be_about() -> None:
    belief = literal("p(10)[source(ag1),source(ag2),source(ag3),b,40,2]")
    found = [
        str(apply(Variable("X"), each))
        for each in unifications(term("p(Y)[source(X),b]"), belief, {})
    ]
    assert found == ["ag1", "ag2", "ag3"]
    assert len(list(unifications(term("p(Y)"), belief, {}))) == 1
    assert len(list(unifications(term("p(Y)[source(X)|T]"), belief, {}))) == 1


def test_annotations_are_a_sorted_set_in_every_instance() -> None:
    assert str(apply(term("p[a,X,c,d]"), {"X": Literal("b")})) == "p[a,b,c,d]"
    assert str(apply(term("p[a,X]"), {"X": Literal("a")})) == "p[a]"
    assert str(apply(term("p[c|T]"), {"T": List((Literal("a"),))})) == "p[a,c]"


def test_terms_in_braces_get_values_too() -> None:
    assert list(
        dict.fromkeys(variables(apply(term("f({+!g(X)}, {p(X) :- q(X,Y)})"), {"X": 3})))
    ) == ["Y"]


def test_renaming_is_done_at_once() -> None:
    assert str(renamed(term("p(X,Y)"), {"X": "Y", "Y": "X"})) == "p(Y,X)"


def test_only_the_names_that_a_term_has_are_looked_at() -> None:
    """A plan may have thousands of variables, and each of their values is renamed in every step."""

    class Names(dict[str, str]):
        def items(self) -> NoReturn:
            raise AssertionError("all names are looked at")

    assert str(renamed(term("p(X,[Y|X])"), Names(X="A", Z="B"))) == "p(A,[Y|A])"
    assert renamed(term("p(1)"), Names(X="A")) == term("p(1)")


def test_terms_that_grow_without_end_are_refused() -> None:
    bindings = {
        f"X{number}": Literal("s", (Variable(f"X{number + 1}"),))
        for number in range(MAX_NESTED + 2)
    }
    with pytest.raises(InputError, match="nested more than"):
        apply(Variable("X0"), bindings)


def test_long_lists_are_compared_in_one_go() -> None:
    many = tuple(range(10_000))
    assert unify(List((Variable("H"),), Variable("T")), List(many), {}) == {
        "H": 0,
        "T": List(many[1:]),
    }
    assert unify(List(many), List(many), {}) == {}
    assert unify(List(tuple(map(Variable, map("X{}".format, many)))), List(many), {}) == {
        f"X{each}": each for each in many
    }


# --- properties -----------------------------------------------------------------------------------

_NAMES, _VARIABLES = st.sampled_from("pq"), st.sampled_from("XYZ").map(Variable)


def _literals(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(
        lambda name, arguments, annotations, negated: Literal(
            name, tuple(arguments), annotation_set(annotations), negated
        ),
        _NAMES,
        st.lists(inner, max_size=2),
        st.lists(inner, max_size=3),
        st.booleans(),
    )


_LEAVES: st.SearchStrategy[Term] = st.one_of(st.integers(0, 1), _VARIABLES, _NAMES.map(Literal))


def _lists(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.lists(inner, max_size=2).map(lambda each: List(tuple(each)))


TERMS = st.recursive(
    _LEAVES, lambda inner: st.one_of(_literals(inner), _lists(inner)), max_leaves=5
)


def is_part(left: Term, right: Term) -> bool:
    """Whether two instances agree: the same, but that annotations of the left are among those of
    the right."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        same = (left.functor, left.negated, len(left.arguments)) == (
            right.functor,
            right.negated,
            len(right.arguments),
        )
        if not same or not all(map(is_part, left.arguments, right.arguments)):
            return False
        mine, yours = annotations_of(left), annotations_of(right)
        return any(all(map(is_part, mine, some)) for some in permutations(yours, len(mine)))
    if isinstance(left, List) and isinstance(right, List):
        return len(left.items) == len(right.items) and all(map(is_part, left.items, right.items))
    return left == right


def every_way(left: Term, right: Term, known: Bindings) -> Iterator[Bindings]:
    """The naive route: all ways to make two terms agree, one after the other."""
    left, right = apply(left, known), apply(right, known)
    if left == right and isinstance(left, Variable):
        yield known
    elif isinstance(left, Variable):
        if left.name not in variables(right):
            yield {**known, left.name: right}
    elif isinstance(right, Variable):
        if right.name not in variables(left):
            yield {**known, right.name: left}
    elif isinstance(left, Literal) and isinstance(right, Literal):
        if (left.functor, left.negated, len(left.arguments)) == (
            right.functor,
            right.negated,
            len(right.arguments),
        ):
            mine = annotations_of(left)
            for some in permutations(annotations_of(right), len(mine)):
                yield from _pairs(
                    [
                        *zip(left.arguments, right.arguments, strict=True),
                        *zip(mine, some, strict=True),
                    ],
                    known,
                )
    elif isinstance(left, List) and isinstance(right, List):
        if len(left.items) == len(right.items):
            yield from _pairs([*zip(left.items, right.items, strict=True)], known)
    elif left == right:
        yield known


def _pairs(pairs: list[tuple[Term, Term]], known: Bindings) -> Iterator[Bindings]:
    if not pairs:
        yield known
        return
    (left, right), *others = pairs
    for found in every_way(left, right, known):
        yield from _pairs(others, found)


@given(TERMS, TERMS)
def test_what_unifies_agrees_and_nothing_that_could_agree_is_missed(
    left: Term, right: Term
) -> None:
    found = unify(left, right, {})
    naive = next(every_way(left, right, {}), None)
    assert (found is None) == (naive is None)
    if found is not None:
        assert is_part(apply(left, found), apply(right, found))


@given(
    _literals(_LEAVES), st.lists(st.sampled_from([Literal("p"), Literal("q"), 0, 1]), max_size=3)
)
def test_a_query_has_one_solution_for_each_set_of_annotations_that_could_be_meant(
    query: Literal, known: list[Term]
) -> None:
    belief = Literal(query.functor, query.arguments, annotation_set(known), query.negated)
    chosen = combinations(annotations_of(belief), len(annotations_of(query)))
    agreeing = [
        some
        for some in chosen
        if unify(query, Literal(query.functor, query.arguments, some, query.negated), {})
        is not None
    ]
    found = list(unifications(query, belief, {}))
    assert len(found) == (len(agreeing) if query.annotations else 1)
    assert all(is_part(apply(query, each), apply(belief, each)) for each in found)


@given(TERMS, TERMS)
def test_known_values_stay(left: Term, right: Term) -> None:
    known: Bindings = {"X": 0, "Y": Literal("p")}
    found = unify(left, right, known)
    assert found is None or {name: found[name] for name in known} == known


@given(TERMS)
def test_a_term_agrees_with_itself_and_with_what_has_more_annotations(one: Term) -> None:
    assert unify(one, one, {}) is not None
    if isinstance(one, Literal):
        more = Literal(
            one.functor,
            one.arguments,
            annotation_set((*annotations_of(one), Literal("more"))),
            one.negated,
        )
        assert unify(one, more, {}) is not None


@given(TERMS, TERMS)
def test_instances_are_ground_where_all_is_known_and_instances_of_instances_are_the_same(
    left: Term, right: Term
) -> None:
    found = unify(left, right, {})
    if found is not None:
        once = apply(left, found)
        assert apply(once, found) == once
        assert is_ground(once) == (not set(variables(once)))
        assert not set(variables(once)) & set(found)
