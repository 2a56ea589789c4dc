"""Logical consequence over beliefs and rules: in Jason's order, as deep as rules go, and no
deeper."""

from __future__ import annotations

import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.languages.jason.knowing import (
    Believer,
    answers,
    beliefs_of,
    believer,
    literal,
    term,
    values,
)
from volition.diagnostics import InputError
from volition.languages.jason import beliefs as base
from volition.languages.jason.queries import (
    MAX_CALLS,
    MAX_QUERIES,
    first_solution,
    solutions,
    solve_by_rules,
)
from volition.languages.jason.terms import And, List, Literal, Not, Or, Term, Variable
from volition.languages.jason.unification import apply, unify
from volition.logic.parsing.parser import parse

TOWERS = """
    clear(X) :- not on(_,X).
    tower([X]) :- on(X,table).
    tower([X,Y|T]) :- on(X,Y) & tower([Y|T]).
    on(f,g). on(g,table). on(d,e). on(e,table). on(a,b). on(b,c). on(c,table).
"""


# --- order ----------------------------------------------------------------------------------------


def test_solutions_come_in_the_order_of_beliefs_left_to_right_and_depth_first() -> None:
    knows = "p(1). p(2). q(a). q(b)."
    assert [(each["X"], each["Y"]) for each in answers("p(X) & q(Y)", knows)] == [
        ("1", "a"),
        ("1", "b"),
        ("2", "a"),
        ("2", "b"),
    ]
    assert values("p(X) | q(X)", knows) == ["1", "2", "a", "b"]
    assert values("(X = 9 | p(X)) & X > 1", knows) == ["9", "2"]


def test_the_newest_belief_is_found_first_and_the_first_rule_before_later_beliefs() -> None:
    beliefs, _ = base.add(beliefs_of("p(1). p(X) :- X = 5. p(2)."), literal("p(3)"))
    assert values("p(X)", Believer(beliefs)) == ["3", "1", "5", "2"]


def test_solutions_are_found_when_they_are_asked_for() -> None:
    knows = believer("n(0). n(N) :- n(M) & N = M + 1.")
    assert [
        apply(Variable("X"), each) for each in islice(solutions(term("n(X)"), {}, knows), 5)
    ] == [0, 1, 2, 3, 4]


def test_rules_over_lists() -> None:
    assert [each["X"] for each in answers("tower(X)", TOWERS)] == [
        "[g]",
        "[e]",
        "[c]",
        "[f,g]",
        "[d,e]",
        "[a,b,c]",
        "[b,c]",
    ]
    assert values("on(X,_) & clear(X)", TOWERS) == ["f", "d", "a"]
    assert values(
        "min([op(5),op(3),op(8),op(1),op(40)],op(1000),op(X))",
        """
        min([],M,M).
        min([op(C)|T],op(V),M) :- C < V & min(T,op(C),M).
        min([op(C)|T],op(V),M) :- C >= V & min(T,op(V),M).
    """,
    ) == ["1"]


def test_a_rule_may_give_the_same_solution_twice() -> None:
    knows = "a(10). a(20). a(30). c(x). c(y). c(20). v(X) :- a(X) & X > 15 | c(X). t(a) :- a(_)."
    assert values("v(X)", knows) == ["20", "30", "x", "y", "20"]
    assert len(answers("v(20)", knows)) == 2
    assert len(answers("t(a)", knows)) == 3


# --- variables and annotations --------------------------------------------------------------------


def test_sources_are_gone_through_only_if_they_are_asked_for() -> None:
    knows = "done[source(a),source(b)]."
    assert values(".count(done[source(_)],X)", knows) == ["2"]
    assert values(".count(done,X)", knows) == ["1"]
    assert values("done[source(X)]", knows) == ["a", "b"]
    assert values("done[|X]", knows) == ["[source(a),source(b)]"]


def test_the_annotations_of_a_query_are_among_those_of_a_rules_head() -> None:
    knows = "r(1)[a] :- true. r(2)[a,b] :- true. r(3) :- true."
    assert values("r(X)", knows) == ["1", "2", "3"]
    assert values("r(X)[a]", knows) == ["1", "2"]
    assert values("r(X)[a,b]", knows) == ["2"]
    assert answers("r(X)[source(_)]", knows) == []


def test_variables_of_a_rule_have_nothing_to_do_with_those_of_the_query() -> None:
    knows = "p(X,Y) :- q(Y,X). q(1,2). same(X,X). pair(f(A),g(A,B))."
    assert answers("p(Y,X)", knows) == [{"Y": "2", "X": "1"}]
    assert answers("same(X,Y) & Y = 3", knows) == [{"X": "3", "Y": "3"}]
    assert answers("same(X,Y) & same(Z,W) & X = 1 & Z = 2", knows) == [
        {"X": "1", "Y": "1", "Z": "2", "W": "2"}
    ]
    (found,) = answers("pair(X,Y) & pair(V,W) & Y = g(1,2)", knows)
    assert (found["X"], found["Y"]) == ("f(1)", "g(1,2)")
    assert "1" not in found["W"]


def test_what_a_rule_leaves_open_has_no_value_afterwards() -> None:
    assert answers("q(g(X)) & X = 3", "q(B).") == [{"X": "3"}]
    assert answers("q(g(X))", "q(B).") == [{}]
    assert answers("same(f(X),Y)", "same(A,A).") == [{"Y": "f(X)"}]


def test_names_do_not_depend_on_what_was_asked_before() -> None:
    knows = believer("pair(f(A),g(A,B)).")
    once = first_solution(term("pair(X,Y)"), {}, knows)
    assert once is not None
    list(solutions(term("pair(X,Y) & pair(Z,W)"), {}, knows))
    assert first_solution(term("pair(X,Y)"), {}, knows) == once


def test_free_variables_of_two_answers_are_different() -> None:
    knows = believer("open(f(A)).")
    first = first_solution(term("open(X)"), {}, knows)
    assert first is not None
    second = first_solution(term("open(Y)"), first, knows)
    assert second is not None
    assert apply(Variable("X"), second) != apply(Variable("Y"), second)
    assert unify(Variable("X"), Variable("Y"), second) is not None


def test_a_variable_stands_for_the_query_that_is_its_value() -> None:
    knows = (
        "rule1(X) :- teste(X) & not prop(X) & X. teste(p(tom)). teste(p(bob)). p(tom). p(bob). "
        "prop(p(bob))."
    )
    assert values("rule1(X)", knows) == ["p(tom)"]
    assert values("X[d]", "b1[b]. b2[d].") == ["b2"]
    assert values("~X", "b1. ~b2.") == ["b2[source(self)]"]


def test_not_binds_nothing_and_is_failure_to_prove() -> None:
    assert answers("not p(X)", "") == [{}]
    assert answers("not p(X)", "p(1).") == []
    assert answers("X = 2 & not p(X)", "p(1).") == [{"X": "2"}]
    assert answers("not (not p(X))", "p(1).") == [{}]
    assert answers("not (p(X) & X > 1) & p(Y)", "p(1).") == [{"Y": "1"}]


def test_strong_negation_is_another_predicate() -> None:
    knows = "p(c). ~p(c)."
    assert len(answers("p(c) & ~p(c)", knows)) == 1
    assert answers("not ~p(d) & not p(d)", knows) == [{}]


# --- comparing and computing ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("p[a] == p[a]", True), ("p[a] == p", False), ("p[b,a] == p[a,b]", True), ("p[a] \\== p", True), ("p = p[a]", True),  # noqa: E501
        ("p[a] = p", False), ("1 + 1 == 2", True), ("1 < 2", True), ("a < b", True), ('1 < "a"', True), ('"a" < a', True), ("X > a", True),  # noqa: E501
        ("3 >= 3", True), ("f(1,2) > f(1)", True), ("a(3) < ~a(3)", True), ("~a(3) < b", True), ("true", True), ("false", False),  # noqa: E501
        ("3", False), ('"a"', False), ("not false & true", True),
    ],
)  # fmt: skip
def test_relations(formula: str, holds: bool) -> None:
    assert bool(answers(formula)) == holds


def test_expressions_are_evaluated_where_the_query_is() -> None:
    assert values("p(N) & q(N-1,X)", "p(3). q(2,ok). q(3,wrong).") == ["ok"]
    assert answers("q(X+1)", "q(3).") == [], "nothing is inverted"


def test_functions_over_beliefs() -> None:
    knows = Believer(
        beliefs_of("b(10). b(20). fac(0,1). fac(N,N*F) :- N > 0 & fac(N-1,F)."),
        functions={("my.fac", 1): "fac"},
    )
    assert values("X = .count(b(_)) + 1", knows) == ["3"]
    assert values("X = my.fac(5) * 2", knows) == ["240"]
    assert values("all(X)", "b(1). b(2). all(.count(b(_)) * 10) :- true.") == ["20"]
    assert values("b(Y) & X = .count(b(Y))", knows) == ["1", "1"]
    assert values(".findall(X-Y, b(X) & Y = .count(b(X)), X)", knows) == ["[9,19]"]


def test_an_error_in_an_internal_action_is_no_solution() -> None:
    assert answers(".nth(5,[a,b],X)") == []
    assert answers("not .nth(5,[a,b],X)") == [{}]
    assert values(".nth(5,[a,b],X) | X = 1") == ["1"]


def test_a_table_of_an_internal_action_is_asked_like_beliefs() -> None:
    rules = beliefs_of("price(apple,3). price(X,Y) :- b(X,Y).")
    knows = believer("b(pear,4).")
    found = solve_by_rules(literal("my.price(F,P)"), [], {}, knows)
    assert list(found) == []
    for query, requested in (("price(F,P)", [3, 4]), ("price(pear,P)", [4]), ("price(kiwi,P)", [])):
        assert [
            apply(Variable("P"), each) for each in solve_by_rules(literal(query), rules, {}, knows)
        ] == requested


# --- deep and wide --------------------------------------------------------------------------------


def test_rules_may_call_each_other_deeply() -> None:
    knows = believer(
        "down(0). down(N) :- N > 0 & down(N-1). even(0). even(N) :- N > 0 & not even(N-1). "
        "sum([],0). sum([H|T],H+S) :- sum(T,S)."
    )
    assert len(answers("down(2000)", knows)) == 1
    assert len(answers("even(500)", knows)) == 1
    assert answers("even(501)", knows) == []
    found = first_solution(Literal("sum", (List(tuple(range(500))), Variable("S"))), {}, knows)
    assert found is not None
    assert apply(Variable("S"), found) == sum(range(500))


def test_long_formulas_are_not_deep() -> None:
    chain: Term = literal("p(0)")
    either: Term = literal("q(0)")
    for _ in range(3_000):
        chain, either = And(literal("p(0)"), chain), Or(literal("q(0)"), either)
    knows = believer("p(0).")
    assert len(list(solutions(chain, {}, knows))) == 1
    assert list(solutions(either, {}, knows)) == []


@pytest.mark.parametrize(
    "rule",
    [
        "loop(X) :- loop(X).",
        "loop(X) :- loop(X+1).",
        "loop(X) :- other(X). other(X) :- loop(X).",
        "loop(X) :- not loop(X).",
    ],
)
def test_a_recursion_without_end_is_told_with_its_rule(rule: str) -> None:
    with pytest.raises(InputError, match=rf"(loop|other)/1 calls rules more than {MAX_CALLS:,}"):
        answers("loop(1)", rule)


def test_a_term_that_grows_without_end_is_told() -> None:
    with pytest.raises(InputError, match="nested more than"):
        answers("grow(a)", "grow(X) :- grow(f(X)).")


@pytest.mark.parametrize(
    "rule",
    [
        "all(X,L) :- .findall(M,all(X,M),L).",
        "all(X,L) :- L = .count(all(X,_)).",
        "all(X,L) :- not .count(all(X,_),0).",
    ],
)
def test_queries_inside_of_internal_actions_without_end_are_told(rule: str) -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        answers("all(1,L)", rule)


def test_the_bound_on_nested_queries_does_not_depend_on_the_recursion_limit() -> None:
    """A long formula raises Python's limit beyond what the stack of the process has room for."""
    limit = sys.getrecursionlimit()
    try:
        parse(" & ".join(["light"] * 100))
        assert sys.getrecursionlimit() > 10_000
        with pytest.raises(InputError, match="nested too deeply"):
            answers("all(1,L)", "all(X,L) :- not .count(all(X,_),0).")
        assert values(
            "down(150,X)", "down(0,0). down(N,X) :- N > 0 & .findall(Y,down(N-1,Y),[X])."
        ) == ["0"]
    finally:
        sys.setrecursionlimit(limit)
    assert values("p(X)", "p(1).") == ["1"]


def test_queries_one_after_the_other_are_not_inside_each_other() -> None:
    knows = believer("p(1). p(2).")
    begun = [solutions(term("p(X)"), {}, knows) for _ in range(MAX_QUERIES + 1)]
    assert all(next(each) for each in begun)
    assert values(f".range(I,1,{MAX_QUERIES + 1}) & .count(p(_),X)", knows) == ["2"] * (
        MAX_QUERIES + 1
    )


def test_a_thousand_beliefs() -> None:
    knows = Believer(
        base.add_all((), [literal(f"p({each},{each + 1})") for each in range(1_000)])[0]
    )
    assert len(answers("p(X,Y)", knows)) == 1_000
    assert values("p(X,1000)", knows) == ["999"]


# --- a naive second route -------------------------------------------------------------------------

_ATOMS = st.builds(
    Literal,
    st.sampled_from("pq"),
    st.tuples(st.one_of(st.integers(0, 2), st.sampled_from("XY").map(Variable))),
)
FORMULAS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.builds(And, inner, inner), st.builds(Or, inner, inner), st.builds(Not, inner)
    ),
    max_leaves=6,
)


def naive(
    formula: Term, bindings: dict[str, Term], beliefs: list[Literal]
) -> list[dict[str, Term]]:
    """All solutions at once, by what each connective means."""
    match formula:
        case And(left, right):
            return [
                then
                for found in naive(left, bindings, beliefs)
                for then in naive(right, found, beliefs)
            ]
        case Or(left, right):
            return naive(left, bindings, beliefs) + naive(right, bindings, beliefs)
        case Not(operand):
            return [] if naive(operand, bindings, beliefs) else [bindings]
        case Literal(functor, (argument,)):
            known = bindings.get(argument.name) if isinstance(argument, Variable) else argument
            same = [
                each
                for each in beliefs
                if each.functor == functor and known in (None, each.arguments[0])
            ]
            return [
                {**bindings, argument.name: each.arguments[0]}
                if isinstance(argument, Variable)
                else bindings
                for each in same
            ]
    raise AssertionError(formula)


@given(
    FORMULAS, st.lists(st.tuples(st.sampled_from("pq"), st.integers(0, 2)), max_size=5, unique=True)
)
def test_solutions_against_the_meaning_of_each_connective(
    formula: Term, facts: list[tuple[str, int]]
) -> None:
    beliefs = [Literal(name, (value,)) for name, value in facts]
    knows = Believer(base.add_all((), reversed(beliefs))[0])
    assert [dict(each) for each in solutions(formula, {}, knows)] == naive(formula, {}, beliefs)


# --- literals and their parts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("p(1,a)[k,j] =.. X", ["[default,p,[1,a],[j,k]]"]),
        ("~p =.. X", ["[default,~p,[],[]]"]),
        ("n::p(1) =.. X", ["[n,p,[1],[]]"]),
        ("X =.. [p,[1,a],[k]]", ["p(1,a)[k]"]),
        ("X =.. [~p,[],[]]", ["~p"]),
        ("X =.. [default,p,[],[]]", ["p"]),
        ("p(1) =.. [p,[X],[]]", ["1"]),
        ("p(1)[k] =.. [_,p,_,X]", ["[k]"]),
        ("p(1) =.. [q,[X],[]]", []),
        ("p(1) =.. [X]", []),
        ("X =.. [p(1),[],[]]", []),
        ("X =.. p", []),
        ("X =.. [p,[]]", []),
        ("7 =.. X", []),
        ('"a" =.. X', []),
    ],
)
def test_a_literal_and_its_parts(formula: str, expected: list[str]) -> None:
    assert values(formula, "p.") == expected
