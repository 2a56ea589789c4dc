"""The internal actions that only compute; each row is what Jason's documentation says of it."""

from __future__ import annotations

import pytest

from tests.languages.jason.knowing import Believer, answers, believer, literal, term, values
from tests.languages.jason.systems import prints
from volition.diagnostics import InputError
from volition.languages.jason import beliefs as base
from volition.languages.jason.library import NONDETERMINISTIC_ACTIONS, PURE_ACTIONS
from volition.languages.jason.queries import ActionError, solutions
from volition.languages.jason.terms import List, Literal, Variable
from volition.languages.jason.unification import apply

BELIEFS = "a(30). a(20). b(1,2). b(3,4). b(5,6). c(100). c(200). d(X) :- c(X)."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (".member(X,[a,b,c])", ["a", "b", "c"]),
        (".member(b(X),[a(1),b(2),c(3),b(4)])", ["2", "4"]),
        (".length([a,b,c],X)", ["3"]),
        ('.length("abcd",X)', ["4"]),
        (".nth(0,[a,b,c],X)", ["a"]),
        (".nth(2,[a,b,c],X)", ["c"]),
        (".nth(5,[a,b,c],X)", []),
        (".nth(-1,[a,b,c],X)", []),
        (".nth(X,[a,b,c,a,e],a)", ["0", "3"]),
        ('.nth(1,"abc",X)', ['"b"']),
        (".reverse([a,b,c],X)", ["[c,b,a]"]),
        ('.reverse("abc",X)', ['"cba"']),
        (".sort([c,a,b,a],X)", ["[a,a,b,c]"]),
        (
            ".sort([b,[1,1,1],c,10,g,casa,f(10),5,[3,10],f(4),[3,4]],X)",
            ["[5,10,[1,1,1],[3,4],[3,10],b,c,casa,f(4),f(10),g]"],
        ),
        (".max([c,a,b],X)", ["c"]),
        (".min([3,2,5],X)", ["2"]),
        (".min([],X)", []),
        (".max([],X)", []),
        (".max(V,a(V),X)", ["30"]),
        (".min(V,a(V),X)", ["20"]),
        (".min(V,none(V),X)", []),
        (".range(X,1,5)", ["1", "2", "3", "4", "5"]),
        (".range(X,1,6,2)", ["1", "3", "5"]),
        (".range(X,5,1,-1)", ["5", "4", "3", "2", "1"]),
        (".range(X,5,1)", []),
        (".range(X,1,5,0)", []),
        (".concat([a,b,c],[d,e],[f,g],X)", ["[a,b,c,d,e,f,g]"]),
        ('.concat("a","b",X)', ['"ab"']),
        ('.concat("a b",1,a,X)', ['"a b1a"']),
        (".concat(p(1),\"-\",'q r',2.5,X)", ['"p(1)-q r2.5"']),
        (".sublist(X,[a,b,c])", ["[a,b,c]", "[a,b]", "[a]", "[b,c]", "[b]", "[c]", "[]"]),
        (".prefix(X,[a,b,c])", ["[a,b,c]", "[a,b]", "[a]", "[]"]),
        ('.prefix(X,"ab")', ['"ab"', '"a"', '""']),
        (".suffix(X,[a,b,c])", ["[a,b,c]", "[b,c]", "[c]", "[]"]),
        (".suffix([c(X)],[a(1),b(2),c(3)])", ["3"]),
        (".delete(a,[a,b,a,c,a],X)", ["[b,c]"]),
        (".delete(3,[a,b,a,c,a],X)", ["[a,b,a,a]"]),
        (".delete(p(_),[p(1),q,p(2)],X)", ["[q]"]),
        (".delete(1,3,[a,b,c,a],X)", ["[a,a]"]),
        ('.delete(0,"banana",X)', ['"anana"']),
        ('.delete("a","banana",X)', ['"bnn"']),
        ('.delete(2,4,"abcdef",X)', ['"abef"']),
        ('.delete(9,"abc",X)', ['"abc"']),
        (".union([a,b,c],[a,b,d,e],X)", ["[a,b,c,d,e]"]),
        (".intersection([c,a,b,c],[b,a,d,e],X)", ["[a,b]"]),
        (".difference([c,a,b,c],[b,a,d,e],X)", ["[c]"]),
        (".difference([c,a,b,c],[],X)", ["[a,b,c]"]),
        ('.substring("a","abbacca",X)', ["0", "3", "6"]),
        ('.substring("aa","aaa",X)', ["0", "1"]),
        (".substring(a(10),b(t1,a(10)),X)", ["5"]),
        ('.substring("b","aaa",X)', []),
        (".substring(X,a(10,20),5)", ['"20)"']),
        (".substring(X,a(10,20),5,7)", ['"20"']),
        (".substring(X,a(10,20),5,70)", []),
        ('.substring("bb","abbc",1,X)', ["2"]),
        ('.replace("hello day","day","world",X)', ['"hello world"']),
        ('.lower_case("CArtAgO",X)', ['"cartago"']),
        (".upper_case(ok(a),X)", ['"OK(A)"']),
        (".findall(V,a(V),X)", ["[30,20]"]),
        (".findall(c(V,U),b(U,V),X)", ["[c(2,1),c(4,3),c(6,5)]"]),
        (
            ".findall(r(V,A,B),(a(V) & b(A,B) & A*B < V),X)",
            ["[r(30,1,2),r(30,3,4),r(20,1,2),r(20,3,4)]"],
        ),
        (".findall(V,.member(p(_,V),[p(a,10),p(b,20)]),X)", ["[10,20]"]),
        (".findall(V,none(V),X)", ["[]"]),
        (".setof(V,.member(V,[c,a,b,a]),X)", ["[a,b,c]"]),
        (".count(b(_,_),X)", ["3"]),
        (".count((a(V) & V > 20),X)", ["1"]),
        (".count(d(_),X)", ["2"]),
        (".eval(X,true | false)", ["true"]),
        (".eval(X,3 < 5 & not 4+2 < 3)", ["true"]),
        (".eval(X,none(_))", ["false"]),
        (".belief(c(X))", ["100", "200"]),
        (".belief(d(X))", []),
        (".type(b,X)", ["atom", "literal", "structure", "ground"]),
        (".type(10,X)", ["number", "ground"]),
        (".type([V],X)", ["list", "structure"]),
        (".type(V,X)", ["free"]),
        (".my_name(X)", ["bob"]),
        (".all_names(X)", ["[bob,maria]"]),
        (".add_annot([a,[ok(10)]],source(rafa),X)", ["[a[source(rafa)],[ok(10)[source(rafa)]]]"]),
        (".random([a,b,a],X)", ["a", "b"]),
        (".random([],X)", []),
        (".shuffle([a,b,a],X)", ["[a,b,a]", "[a,a,b]", "[b,a,a]"]),
    ],
)
def test_what_they_find(query: str, found: list[str]) -> None:
    assert values(query, BELIEFS) == found


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        (".member(a,[a,b])", True), (".member(d,[a,b])", False), (".nth(0,[a,b,c],d)", False), (".nth(0,[a,b,c],a)", True),  # noqa: E501
        (".max([3,2,5],2)", False), (".max([3,2,5],5)", True), (".range(3,1,5)", True), (".range(6,1,5)", False),  # noqa: E501
        ('.concat("a","b","a")', False), ("not .concat(a,X)", False), (".sublist([b,c],[a,b,c])", True), (".sublist([a,c],[a,b,c])", False),  # noqa: E501
        (".prefix([b,c],[a,b,c])", False), (".prefix([a],[a,b])", True), (".delete(a,[a,b,c,a],[c])", False), (".empty([])", True),  # noqa: E501
        ('.empty("")', True), (".empty([a])", False), (".empty(X)", False), ('.substring("a","bbacc")', True),  # noqa: E501
        ('.substring("b","aaa")', False),
        ('.substring("a","bbacc",0)', False), (".count(a(_),2)", True), (".count(a(_),5)", False), (".print(a,X)", True),  # noqa: E501
        (".ground(p(a))", True), (".ground(p(X))", False), (".atom(a)", True), (".atom(a(1))", False), (".atom(a[k])", False),  # noqa: E501
        (".atom(~a)", False), ('.atom("a")', False), (".atom(X)", False), (".structure(b(10))", True), (".structure(b)", True),  # noqa: E501
        (".structure(10)", False), ('.structure("home page")', False), (".structure(X)", False), (".structure(a(X))", True),  # noqa: E501
        (".structure([a,b])", True), (".literal(~p(1)[k])", True), (".literal(b)", True), (".literal(10)", False), (".literal([a])", False),  # noqa: E501
        (".literal(X)", False), (".list([a])", True), (".list(a)", False), (".number(1+1)", True), (".number(a)", False),  # noqa: E501
        ('.string("a")', True),
        (".string(a)", False), (".type(b(10),string)", False), ('.type("home page",string)', True), (".var(X)", True),  # noqa: E501
        ("X = 1 & .var(X)", False),
    ],
)  # fmt: skip
def test_what_they_say(query: str, holds: bool) -> None:
    assert bool(answers(query, BELIEFS)) == holds


@pytest.mark.parametrize(
    "action",
    [
        ".member(a,b)", ".member(a)", ".length(a,N)", ".nth(a,[a],X)", ".nth(5,[a],X)", ".sort(X,Y)", ".range(X,a,3)", ".range(X,1,5,0)",  # noqa: E501
        ".concat([a],b,X)", ".concat([a],[b],c)", ".concat(a)", ".findall(X,p(X))", ".count(p)", ".eval(X)", ".union([a],b,X)",  # noqa: E501
        '.replace("a","(","b",X)', ".replace(a,b,c,X)", ".delete(a,b,[c],X)", ".belief(1)", ".range(X,1,1/0)", ".random(a,X)",  # noqa: E501
    ],
)  # fmt: skip
def test_errors_in_their_use_are_told(action: str) -> None:
    called = literal(action)
    with pytest.raises(ActionError):
        list(
            {**PURE_ACTIONS, **NONDETERMINISTIC_ACTIONS}[called.functor](
                called.arguments, {}, believer(BELIEFS)
            )
        )
    assert answers(action, BELIEFS) == []


def test_what_a_query_inside_finds_is_lost_afterwards() -> None:
    assert answers(".count(a(X),N)", BELIEFS) == [{"N": "2"}]
    assert answers(".findall(X,a(X),L)", BELIEFS) == [{"L": "[30,20]"}]
    assert answers("X = 20 & .findall(X,a(X),L)", BELIEFS) == [{"X": "20", "L": "[20]"}]


def test_each_action_says_what_it_does() -> None:
    for name, action in {**PURE_ACTIONS, **NONDETERMINISTIC_ACTIONS}.items():
        assert "``." in (action.__doc__ or ""), name


def test_too_many_orders_are_told() -> None:
    with pytest.raises(InputError, match="more than"):
        answers(".shuffle([1,2,3,4,5,6,7,8],X)")


def test_long_lists() -> None:
    many = List(tuple(range(10_000)))
    knows = Believer(base.add_all((), [Literal("l", (many,))])[0])
    for query, requested in {
        "l(L) & .length(L,X)": "10000", "l(L) & .nth(9999,L,X)": "9999", "l(L) & .max(L,X)": "9999", "l(L) & .member(9998,L) & X = 1": "1",  # noqa: E501
        "l(L) & .reverse(L,R) & .nth(0,R,X)": "9999", "l(L) & .concat(L,L,R) & .length(R,X)": "20000", "l([_|T]) & .length(T,X)": "9999",  # noqa: E501
        "l(L) & .findall(Y,.member(Y,L),R) & .length(R,X)": "10000", "l(L) & X = math.sum(L)": "49995000",  # noqa: E501
        "l(L) & .union(L,L,R) & .length(R,X)": "10000",
    }.items():  # fmt: skip
        (found,) = solutions(term(query), {}, knows)
        assert str(apply(Variable("X"), found)) == requested


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ('.concat("", 3 > 4, S); .print(S)', "(3 > 4)"),
        (".print(f(a & b), not a, (a | b))", "f((a & b))not (a)(a | b)"),
        (".print(X + 1, f(X mod 2), X div 2, -X, 2 ** X)", "(X+1)f((X mod 2))(X div 2)(-X)(2**X)"),
        (
            ".print(1e20, f(1e20), [1.0e-5], 123456789 * 1000, 2 ** 70)",
            "1.0E20f(1.0E20)[1.0E-5]1234567890001.1805916207174113E21",
        ),
        ('.concat("n", 1e20, S); .print(S)', "n1.0E20"),
        (".print(X, f(Y, X))", "Xf(Y,X)"),
        ("!show(Y)", "Af(A,B)"),
        ("!join(Y)", "A"),
    ],
)
def test_terms_become_the_texts_that_jason_writes(step: str, text: str) -> None:
    plans = '+!show(A) <- .print(A, f(A, B)). +!join(A) <- .concat("", A, S); .print(S).'
    assert prints(f"!go. +!go <- {step}. {plans}") == [text]


def test_fail_in_a_query_has_no_solution() -> None:
    body = (
        "if (.fail) { .print(1) } else { .print(2) }; if (not .fail) { .print(3) }; if "
        "(.fail(error(e))) { .print(4) }"
    )
    assert prints(f"!go. +!go <- {body}.") == ["2", "3"]
