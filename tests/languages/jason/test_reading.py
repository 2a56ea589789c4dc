"""Reading .asl files: words, terms, formulas, bodies and statements, as Jason's grammar has
them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition.diagnostics import Diagnostics, Source
from volition.languages.jason import syntax
from volition.languages.jason.parsing.statements import read_agent, read_term
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefRule,
    Constraint,
    For,
    Fork,
    If,
    InitialBelief,
    InternalAction,
    Plan,
    RemoveBelief,
    ReplaceBelief,
    Trigger,
    VariableStep,
    While,
)
from volition.languages.jason.terms import (
    TRUE,
    And,
    Arithmetic,
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
    atom,
)

X, Y, T = Variable("X"), Variable("Y"), Variable("T")
A, B, C = atom("a"), atom("b"), atom("c")
SPAN = Source("", "").span(0, 0)


def program(text: str) -> AgentProgram:
    """A program without mistakes."""
    diagnostics = Diagnostics()
    read = read_agent(Source("agent.asl", text), diagnostics)
    assert not list(diagnostics), [each.message for each in diagnostics]
    return read


def mistakes(text: str) -> list[tuple[str, int, int, str]]:
    """Code, line, column and message of each mistake."""
    diagnostics = Diagnostics()
    read_agent(Source("agent.asl", text), diagnostics)
    return [
        (each.code, each.span.line, each.span.column, each.message)
        for each in diagnostics
        if each.span
    ]


def hints(text: str) -> list[str | None]:
    diagnostics = Diagnostics()
    read_agent(Source("agent.asl", text), diagnostics)
    return [each.hint for each in diagnostics]


def term(text: str) -> Term:
    diagnostics = Diagnostics()
    read = read_term(Source("<term>", text), diagnostics, 0, len(text))
    assert not list(diagnostics)
    return read


def body(text: str) -> tuple[object, ...]:
    (plan,) = program(f"+!go <- {text}.").plans
    return plan.body


def step(text: str) -> object:
    (only,) = body(text)
    return only


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("7.5", 7.5),
        (".5", 0.5),
        ("7e-3", 0.007),
        ("7.0", 7),
        ("2e3", 2000),
        ("-4", -4),
        ("1.5e1", 15),
    ],
)
def test_numbers_are_doubles_and_whole_ones_integers(text: str, number: float) -> None:
    read = term(text)
    assert read == number
    assert isinstance(read, int) == float(number).is_integer()


def test_a_dotted_name_is_one_word_and_the_full_stop_is_not_part_of_it() -> None:
    assert term(".queue.add(X)") == Literal(".queue.add", (X,))
    assert term("jia.near(X)") == Literal("jia.near", (X,))
    assert [str(each) for each in program("p(a.b). q.").beliefs] == ["p(a.b)", "q"]


def test_a_full_stop_needs_a_space_behind_it() -> None:
    assert mistakes("p.q(1).\nr.") == [("JSN001", 1, 1, "'p.q(1)' is not a belief or goal")]
    assert hints("p(1).q(2).") == ["a full stop that ends a statement needs a space after it"]


def test_a_quotation_is_a_name_with_its_quotes() -> None:
    assert term("'A b'(X)") == Literal("'A b'", (X,))
    assert term("'a'") != term("a")
    assert not Literal("'a.b'").is_internal


def test_each_underscore_is_a_variable_of_its_own_unless_a_number_follows() -> None:
    (rule,) = program("p(_, _, _X, _X, _7, _7).").beliefs
    assert isinstance(rule, BeliefRule)
    *anonymous, seven, again = [
        each.name for each in rule.head.arguments if isinstance(each, Variable)
    ]
    assert len({*anonymous, seven}) == 5
    assert seven == again == "_7"


def test_equal_statements_are_equal_wherever_they_stand() -> None:
    first, second = program("+!g(_, X) : p(_) <- a(X).\n\n+!g(_, X) : p(_) <- a(X).").plans
    assert (first.trigger, first.context, first.body) == (
        second.trigger,
        second.context,
        second.body,
    )


def test_strings() -> None:
    assert term(r'"say \"x\"\n // no comment"') == Text('say "x"\n // no comment')


def test_comments_are_blank() -> None:
    assert program("/* p. ' \" */ q(1 /* , 2 */). // r.").beliefs == (
        InitialBelief(Literal("q", (1,)), span=SPAN),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p. /* q.", "this comment has no end"),
        ('p("a).', "this quotation has no end"),
        ("p$.", "unexpected '$'"),
        ("p('a).", "this quotation"),
    ],
)
def test_words_that_are_none(text: str, message: str) -> None:
    assert message in mistakes(text)[0][3]


# --- terms and formulas ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 ** 2", Arithmetic("+", 1, Arithmetic("*", 2, Arithmetic("**", 3, 2)))),
        ("X - 1 - 2", Arithmetic("-", Arithmetic("-", X, 1), 2)),
        ("X div 2 mod 3", Arithmetic("mod", Arithmetic("div", X, 2), 3)),
        ("2 ** 3 ** X", Arithmetic("**", 2, Arithmetic("**", 3, X))),
        ("-X * 2", Arithmetic("*", Negative(X), 2)),
        ("(X + 1) * 2", Arithmetic("*", Arithmetic("+", X, 1), 2)),
        ("a | b & c", Or(A, And(B, C))),
        ("a & b & c", And(A, And(B, C))),
        ("not a & b", And(Not(A), B)),
        ("not X > 3", Not(Compare(">", X, 3))),
        ("not (a | b)", Not(Or(A, B))),
        ("X + 1 = Y", Compare("=", Arithmetic("+", X, 1), Y)),
        ('X \\== "t"', Compare("\\==", X, Text("t"))),
        ("X =.. [a, Y]", Compare("=..", X, List((A, Y)))),
        ("[a, [b], X + 1 | T]", List((A, List((B,)), Arithmetic("+", X, 1)), T)),
        ("[a | [b | T]]", List((A, B), T)),
        ("[]", List()),
        ("p(a & not b, (X > 1))", Literal("p", (And(A, Not(B)), Compare(">", X, 1)))),
        (
            "~p(X)[source(S), b | T]",
            Literal("p", (X,), List((B, Literal("source", (Variable("S"),))), T), negated=True),
        ),
        ("p[b, a, b]", Literal("p", (), (A, B))),
        ("X[a]", Variable("X", List((A,)))),
        ("~X", Variable("X", negated=True)),
        ("n::p(1)", Literal("p", (1,), namespace="n")),
        ("::p", atom("p")),
        ("default::p", atom("p")),
        ("true", TRUE),
        ("end(begin)", Literal("end", (atom("begin"),))),
    ],
)
def test_terms_and_formulas(text: str, expected: Term) -> None:
    assert term(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "p()",
        "not not a",
        '"a" + 1',
        "[a, b > c]",
        "a >",
        "(a",
        "p(a,)",
        "1 < 2 < 3",
        "if",
        "[a|b]",
        "X::p(1) +",
    ],
)
def test_what_is_no_formula(text: str) -> None:
    assert mistakes(f"p :- {text}.")


def test_strong_negation_and_annotations_do_not_go_with_internal_actions() -> None:
    assert [each[0] for each in mistakes("p :- ~.member(X,[1]) & .member(X,[1])[a].")] == [
        "JSN002",
        "JSN002",
    ]


# --- blocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{}", tuple), ("{+b}", tuple), ("{-b; +c}", tuple), ("{a; !b}", tuple), ("{+!g}", Trigger), ("{-!g(X)}", Trigger),  # noqa: E501
        ("{+?g}", Trigger), ("{^!g[state(S)]}", Trigger), ("{+b : c}", Plan), ("{+!g <- a; b}", Plan), ("{@l[atomic] -b <- a}", Plan),  # noqa: E501
        ("{a(X) :- b & c}", BeliefRule),
        ("{ for (p(X)) { a(X) } }", tuple),
    ],
)  # fmt: skip
def test_what_stands_in_braces(text: str, kind: type) -> None:
    block = term(f"p({text})")
    assert isinstance(block, Literal)
    (argument,) = block.arguments
    assert isinstance(argument, BracedTerm)
    assert isinstance(argument.content, kind)


# --- bodies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("act(X)", Act(Literal("act", (X,)), span=SPAN)),
        (".print(X)", InternalAction(Literal(".print", (X,)), span=SPAN)),
        ("jia.f", InternalAction(Literal("jia.f"), span=SPAN)),
        ("!g", Achieve(atom("g"), span=SPAN)),
        ("!!g", Achieve(atom("g"), new_intention=True, span=SPAN)),
        ("!X", Achieve(X, span=SPAN)),
        ("?p(X) & X > 1", syntax.Test(And(Literal("p", (X,)), Compare(">", X, 1)), span=SPAN)),
        ("+b", AddBelief(B, span=SPAN)),
        ("++b", AddBelief(B, own_intention=True, span=SPAN)),
        ("+<b", AddBelief(B, span=SPAN)),
        ("+>b", AddBelief(B, last=True, span=SPAN)),
        ("+X", AddBelief(X, span=SPAN)),
        ("-b", RemoveBelief(B, span=SPAN)),
        ("--b", RemoveBelief(B, own_intention=True, span=SPAN)),
        ("-+b", ReplaceBelief(B, span=SPAN)),
        ("X = 2", Constraint(Compare("=", X, 2), span=SPAN)),
        (
            "(X + 1) * 2 > Y",
            Constraint(Compare(">", Arithmetic("*", Arithmetic("+", X, 1), 2), Y), span=SPAN),
        ),
        ("a & b", Constraint(And(A, B), span=SPAN)),
        ("false", Constraint(atom("false"), span=SPAN)),
        ("X", VariableStep(X, span=SPAN)),
    ],
)
def test_steps(text: str, expected: object) -> None:
    assert step(text) == expected


def test_true_is_no_step() -> None:
    assert body("true") == ()
    assert len(body("a; true; b")) == 2


def test_a_semicolon_may_end_a_body() -> None:
    assert body("a; b;") == body("a; b")


def test_statements_need_no_semicolon_behind_them() -> None:
    steps = body(
        "if (X > 1) { a } elif (X > 2) { b; } else { } for (p(X)) { a; b } while (not c) { } a"
    )
    one, other = Act(A, span=SPAN), Act(B, span=SPAN)
    inner = If(Compare(">", X, 2), (other,), span=SPAN)
    assert steps == (
        If(Compare(">", X, 1), (one,), (inner,), span=SPAN),
        For(Literal("p", (X,)), (one, other), span=SPAN),
        While(Not(C), (), span=SPAN),
        one,
    )


def test_forks_join_more_tightly_than_they_split() -> None:
    one, other, third = (Act(each, span=SPAN) for each in (A, B, C))
    inner = Fork("|&|", ((one, other), (third,)), span=SPAN)
    assert body("(a; b) |&| c ||| !d; a") == (
        Fork("|||", ((inner,), (Achieve(atom("d"), span=SPAN),)), span=SPAN),
        one,
    )


@pytest.mark.parametrize("change", ["+a", "-a", "++a", "--a", "-+a", "+<a", "+>a", "-a; +b"])
def test_a_change_of_beliefs_in_brackets_is_a_body(change: str) -> None:
    (step,) = body(f"({change}) |&| c")
    assert isinstance(step, Fork)
    assert step.branches == (body(change), body("c"))


def test_a_condition_in_brackets_may_begin_with_a_sign() -> None:
    for condition in ("(-X < 1)", "(-X == 1)", "(-X > 1 & a)"):
        (step,) = body(condition)
        assert isinstance(step, Constraint)


@pytest.mark.parametrize(
    "text", ["1", '"text"', "[a]", "X + 1", "!", "a b", "if (a) b", "+(a & b)", "a ;; b"]
)
def test_what_is_no_step(text: str) -> None:
    assert mistakes(f"+!go <- {text}.")


def test_steps_show_as_they_are_written() -> None:
    assert [str(each) for each in body("!g( X );\n  -+n(X +1)")] == ["!g( X )", "-+n(X +1)"]


# --- statements -----------------------------------------------------------------------------------


def test_statements_in_any_order() -> None:
    read = program(
        "+!g : p & q <- a. p(1). !g. r(X) :- p(X). ~q(2)[b]. s(X). @l[atomic] -!g[error(E)]. "
        "+?t(X). ^!g[state(S)] <- b. !h(1)."
    )
    assert [str(each) for each in read.beliefs] == ["p(1)", "r(X) :- p(X)", "~q(2)[b]", "s(X)"]
    assert [type(each) for each in read.beliefs] == [
        InitialBelief,
        BeliefRule,
        InitialBelief,
        BeliefRule,
    ]
    assert [str(each.literal) for each in read.goals] == ["g", "h(1)"]
    assert [(each.label, str(each.trigger), each.is_atomic) for each in read.plans] == [
        ("p__1", "+!g", False),
        ("l", "-!g[error(E)]", True),
        ("p__3", "+?t(X)", False),
        ("p__4", "^!g[state(S)]", False),
    ]


def test_a_label_may_be_annotations_alone() -> None:
    (plan,) = program("@[atomic] +b.").plans
    assert plan.is_atomic
    assert plan.label == "p__1"


def test_a_label_names_one_plan() -> None:
    assert mistakes("@l +!g.\n@l +!h.") == [("JSN004", 2, 1, "duplicate label 'l'")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("+!g <: p <- a.", "goal conditions ('<:')"),
        ("+!g <- a. { +!h <- b. }", "sub-plans"),
        ("+!g <- +{+!h <- a}.", "plans and rules that change at run time"),
        ("+!g <- -{p :- q}.", "plans and rules that change at run time"),
        ("+!g(N) <- !N::h.", "namespaces that are values of variables"),
    ],
)
def test_what_jason_has_and_nobody_can_verify_is_refused_by_name(text: str, what: str) -> None:
    ((code, _, _, message),) = mistakes(text)
    assert code == "JSN003"
    assert message.startswith(f"{what} cannot be verified, because ")


# --- modules --------------------------------------------------------------------------------------


def statements(text: str, **files: str) -> tuple[object, ...]:
    """What a program without mistakes says, with the files that it includes."""
    diagnostics = Diagnostics()
    read = read_agent(
        Source("agent.asl", text),
        diagnostics,
        lambda name, _: Source(name, files[name.removesuffix(".asl")]),
    )
    assert not list(diagnostics), [each.message for each in diagnostics]
    return read.beliefs, read.goals, read.plans


def namespaces(text: str, **files: str) -> list[str | None]:
    """The namespaces of a program's beliefs, which have no variables."""
    beliefs = statements(text, **files)[0]
    assert isinstance(beliefs, tuple)
    return [each.literal.namespace for each in beliefs]


@pytest.mark.parametrize(
    ("module", "written_out"),
    [
        ("p(a). ~q(X).", "n::p(a). n::~q(X)."),
        ("m::p. default::p. ::p. this_ns::p.", "m::p. p. n::p. n::p."),
        ("!g(ok).", "!n::g(ok)."),
        ("h(X) :- p(X) & not (q | ~r) & X > a & b == X.", "n::h(X) :- n::p(X) & not (n::q | n::~r) "
                                                          "& X > a & b == X."),
        (
            "+!g(X)[source(S)] : p(Y)[k] <- !h(X); !!k; ?q(Y); +r; -s; -+t(p); act(X).",
            "+!n::g(X)[source(S)] : n::p(Y)[k] <- !n::h(X); !!n::k; ?n::q(Y); +n::r; -n::s; "
            "-+n::t(p); act(X).",
        ),
        ("+b <- .print(t); .count(p, N); .count(::p, M).", "+n::b <- .print(t); .count(p, N); "
                                                           ".count(n::p, M)."),
        ("+b <- X = blue; Y = X + 1 - -X; X < (Y); Z = [p | T].", "+n::b <- X = blue; Y = X + 1 - "
                                                                  "-X; X < (Y); Z = [p | T]."),
        ("+b <- +c(p, [p(q)], {+p; !g}, p & q)[p].", "+n::b <- +n::c(p, [p(q)], {+p; !g}, p & "
                                                     "q)[p]."),
        (
            "+b <- if (p) { +q } else { !r }; for (p(X)) { a |&| b }; while (not p) { {-q} }.",
            "+n::b <- if (n::p) { +n::q } else { !n::r }; for (n::p(X)) { a |&| b }; while (not "
            "n::p) { {-n::q} }.",
        ),
        ("+!G <- !G; G; act.", "+!n::G <- !n::G; G; act."),
        ("tell. source(a). m::self. source. true.", "tell. source(a). self. n::source. true."),
        ("p(this_ns). q(default, [this_ns::x, ::y]).", "n::p(n). n::q(default, [n::x, n::y])."),
        ("{begin namespace(m)} p. {end} q. {namespace(m)} r.", "m::p. n::q. n::r."),
        ("{begin namespace(default)} p. {end} {begin namespace(this_ns)} q. {end}", "p. n::q."),
    ],
)  # fmt: skip
def test_what_stands_in_a_module_has_its_namespace_but_terms_do_not(
    module: str, written_out: str
) -> None:
    expected = statements(written_out)
    assert statements(f"{{ begin namespace(n) }} {module} {{ end }}") == expected
    assert statements('{ include("module.asl", n) }', module=module) == expected
    assert (
        statements(
            '{ begin namespace(n, global) } { include("module.asl") } { end }', module=module
        )
        == expected
    )


def test_outside_of_modules_nothing_has_a_namespace_unless_written() -> None:
    assert namespaces("a. ::b. this_ns::c. {begin namespace(n)} d. {end} e.") == [
        None,
        None,
        None,
        "n",
        None,
    ]
    assert statements("p(this_ns).") == statements("p(default).")


def test_a_mistake_in_a_term_leaves_the_module_as_it_is() -> None:
    read = read_agent(
        Source("agent.asl", "{begin namespace(n)} p(a b). q. {end} r."), Diagnostics()
    )
    assert read.beliefs == program("n::q. r.").beliefs


def test_modules_may_have_the_same_labels() -> None:
    read = program(
        "@l +!g. {begin namespace(n)} @l[atomic] +!g. {end} {begin namespace(m)} @l +!g. {end}"
    )
    assert [(each.label, each.is_atomic) for each in read.plans] == [
        ("l", False),
        ("n::l", True),
        ("m::l", False),
    ]


def test_a_local_namespace_is_one_that_others_cannot_name() -> None:
    first, before, inside, named, again, after, other = namespaces(
        """{begin namespace(n)} first. {end} n::before. {begin namespace(n, local)} inside. {end} n::named.
        {begin namespace(n)} again. {end} after. {include("module.asl")}""",  # noqa: E501
        module="n::other.",
    )
    assert first == before == other == "n"
    assert inside == named == again
    assert inside is not None
    assert not inside[0].isalpha()
    assert after is None


def test_each_file_has_its_own_local_names_each_time_it_is_included() -> None:
    module = "{namespace(n, local)} n::p. q. {namespace(n, global)} n::r."
    found = namespaces(
        '{include("module.asl", a)} {include("module.asl", b)} {namespace(n, local)} n::p.',
        module=module,
    )
    assert found[1:3] == ["a", "n"]
    assert found[4:6] == ["b", "n"]
    assert len({found[0], found[3], found[6], "n"}) == 4


def test_an_included_file_may_have_a_namespace_without_a_name() -> None:
    found = namespaces('{include("module.asl", N)} {include("module.asl", _)} p.', module="p. ::q.")
    assert found[0] == found[1] != found[2] == found[3]
    assert {each for each in found[:4] if each is None or each[0].isalpha()} == set()
    assert found[4] is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{begin namespace(X)} p. {end}", "JSN005"), ("{namespace(n, secret)}", "JSN005"), ("{namespace(n, local, x)}", "JSN005"),  # noqa: E501
        ("{namespace}", "JSN005"), ('{namespace("n")}', "JSN005"), ("{namespace(n(1))}", "JSN005"), ("{namespace(.n)}", "JSN005"),  # noqa: E501
        ('{include("f.asl", n(1))}', "JSN005"), ("{include(f)}", "JSN005"), ("{begin namespace(n)} p.", "JSN001"),  # noqa: E501
        ("{begin namespace(n)} {begin dg(g)} +!g. {end} {end}", "JSN003"),
        ("{namespace(n, local)} {begin dg(n::g)} +!n::g. {end}", "JSN003"),
        ("{namespace(n, local)} +!g <- .send(bob, tell, n::p).", "JSN003"),
        ("{begin namespace(n, local)} +!g : p <- if (p) { .broadcast(tell, q(::p)) }. {end}", "JSN003"),  # noqa: E501
        ("{begin namespace(n)} +!g(M) <- !M::h. {end}", "JSN003"),
    ],
)  # fmt: skip
def test_modules_with_mistakes(text: str, code: str) -> None:
    assert mistakes(text)[0][0] == code


def test_a_module_without_end_is_read_once() -> None:
    read = read_agent(
        Source("agent.asl", "{begin namespace(n)} p. {begin dg(g)} q."), Diagnostics()
    )
    assert read.beliefs == program("n::p. n::q.").beliefs


# --- mistakes -------------------------------------------------------------------------------------


def test_all_mistakes_are_reported_at_once_and_the_rest_is_read() -> None:
    text = "p(1.\nq(2).\n+!g <- a b; c.\n!h.\n+!h : & <- a.\nr)."
    assert [each[:3] for each in mistakes(text)] == [
        ("JSN001", 1, 4),
        ("JSN001", 3, 10),
        ("JSN001", 5, 7),
        ("JSN001", 6, 2),
    ]
    assert [
        each.literal for each in read_agent(Source("agent.asl", text), Diagnostics()).goals
    ] == [atom("h")]


def test_a_forgotten_full_stop_costs_no_further_statement() -> None:
    text = "p(1)\nq(2).\n+!g <- a\n+!h <- b."
    assert mistakes(text) == [("JSN001", 1, 4, "missing '.'"), ("JSN001", 3, 8, "missing '.'")]
    read = read_agent(Source("agent.asl", text), Diagnostics())
    assert [str(each) for each in read.beliefs] == ["p(1)", "q(2)"]
    assert [str(each.trigger) for each in read.plans] == ["+!h"]


def test_a_plan_behind_a_forgotten_full_stop_is_no_sum() -> None:
    text = "+!g <- a // nothing more\n+b : c <- d.\n-b <- c\n-c : d."
    assert mistakes(text) == [("JSN001", 1, 8, "missing '.'"), ("JSN001", 3, 7, "missing '.'")]
    read = read_agent(Source("agent.asl", text), Diagnostics())
    assert [str(each.trigger) for each in read.plans] == ["+b", "-c"]


def test_what_is_missing_between_two_lines_is_missing_in_the_first() -> None:
    assert mistakes("+!g\n  <- a;\n     b\n     c.") == [("JSN001", 3, 6, "missing '.' or ';'")]
    assert mistakes("+!g : p\n  a.") == [("JSN001", 1, 7, "missing '.' or '<-'")]


@pytest.mark.parametrize(
    ("text", "sign", "hint"),
    [
        ("+!h(X) : X != 3.", "!=", "write \\=="),
        ("+!h(X) : X \\= 3.", "\\=", "write \\=="),
        ("+!h(X) : X =< 3.", "=<", "write <="),
        ("+!h(X) : p && q.", "&&", "write &"),
        ("+!h(X) : p and q.", "and", "write &"),
        ("p :- q || r.", "||", "write |"),
        ("p :- q or r.", "or", "write |"),
        ("p :- \\+ q.", "\\+", "write not"),
        ("+!h <- X is 3 + 4.", "is", "write ="),
        ("+!h <- X := 3 + 4.", ":=", "write ="),
        ("+!h(X) : X <> 3.", "<>", "write \\=="),
        ("+!h <- if (p) { a } else if (q) { b }.", "if", "write elif"),
        ("+!h : p -> a.", "->", "write <-"),
        ("+!h :- a.", ":-", "a plan has : before its context and <- before its body"),
        (
            "!h <- a.",
            "<-",
            "a plan begins with its trigger: +!goal, +belief, -belief; a rule has :- instead of <-",
        ),
        (
            "p(X) <- q(X).",
            "<-",
            "a plan begins with its trigger: +!goal, +belief, -belief; a rule has :- instead of <-",
        ),
    ],
)
def test_what_people_write_who_come_from_other_languages(text: str, sign: str, hint: str) -> None:
    assert [each[3] for each in mistakes(f"{text}\nr.")] == [f"unexpected '{sign}'"]
    assert hints(text) == [hint]


def test_hints_say_what_could_stand_there() -> None:
    assert hints("p(1)") == ["expected '.'"]
    assert hints("+!g : p a.") == ["expected '.' or '<-'"]
    assert hints("p(1 2).") == ["expected ')' or ','"]
    assert hints("p().") == ["without arguments, write p without brackets"]


def test_a_quotation_without_an_end_is_one_mistake() -> None:
    text = '+!g <- .print("hello, X); !h.\n+!h <- .print("hi).\np("a".'
    assert [each[1:] for each in mistakes(text)] == [
        (1, 15, "this quotation has no end"),
        (2, 15, "this quotation has no end"),
        (3, 6, "unexpected '.'"),
    ]


def test_a_body_without_its_arrow() -> None:
    assert mistakes("+!g : p +done.\nq.") == [("JSN001", 1, 7, "'p +done' is not a condition")]
    assert hints("+!g : p +done.") == ["write <- before the body"]


def test_labels_with_arguments() -> None:
    read = program("@go(1) +!g. @go(2)[atomic] +!g. @go[k] +!g. @[atomic] +!g.")
    assert [(plan.label, plan.is_atomic) for plan in read.plans] == [
        ("go(1)", False),
        ("go(2)", True),
        ("go", False),
        ("p__4", True),
    ]


def test_names_with_capital_letters() -> None:
    assert hints("!Go.") == ["names begin with a lower-case letter: go"]


DEEP = 5_000


@pytest.mark.parametrize(
    "text",
    [
        f"p({'f(' * DEEP}a{')' * DEEP}).",
        f"p({'[' * DEEP}{']' * DEEP}).",
        f"+!g : {'(' * DEEP}a{')' * DEEP}.",
        f"+!g <- {'if (a) {' * DEEP} b {'}' * DEEP}.",
        f"+!g <- {'(a; ' * DEEP} b {')' * DEEP}.",
        f"+!g : {'a & ' * DEEP} a.",
        f"+!g : {'a | ' * DEEP} a.",
        f"+!g <- X = {'1 + ' * DEEP} 1.",
        f"+!g <- X = {'2 ** ' * DEEP} 1.",
        f"p({'{ !g(' * DEEP}",
        f"+!g <- if (a) {{}} {'elif (a) {} ' * DEEP}.",
    ],
    ids=range(11),
)
def test_what_nests_too_deeply_is_an_error_like_any_other(text: str) -> None:
    found = mistakes(text + " q.")
    assert found[0][0] == "JSN001"
    assert "more than" in found[0][3]


def test_a_long_program_is_read_whole() -> None:
    read = program("p(1).\n" * 3000 + "+!g <- " + "; ".join(["a"] * 3000) + ".")
    assert len(read.beliefs) == 3000
    assert len(read.plans[0].body) == 3000


# --- round trip -----------------------------------------------------------------------------------

_names = st.sampled_from(["a", "b", "foo", "'q x'", "end"])
_variables = st.sampled_from(["X", "Yy", "_3"]).map(Variable)
_numbers = st.one_of(st.integers(0, 99), st.sampled_from([0.5, 2.25, 1e-07]))
_literals = st.builds(Literal, _names)


def _deeper(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    literals = st.builds(
        Literal,
        _names,
        st.lists(inner, max_size=2).map(tuple),
        st.lists(_literals, max_size=2, unique=True).map(lambda each: tuple(sorted(each, key=str))),
        st.booleans(),
        st.sampled_from([None, "ns"]),
    )
    sums = st.builds(
        Arithmetic,
        st.sampled_from(["+", "-", "*", "/", "div", "mod", "**"]),
        _variables,
        st.one_of(_numbers, _variables),
    )
    lists = st.builds(
        List,
        st.lists(st.one_of(literals, sums, _numbers), max_size=2).map(tuple),
        st.one_of(st.none(), _variables),
    )
    relations = st.builds(
        Compare,
        st.sampled_from(["<", "<=", "==", "\\==", "=", ">", ">="]),
        st.one_of(sums, lists),
        st.one_of(literals, sums),
    )
    logical = st.one_of(literals, relations)
    return st.one_of(
        literals,
        relations,
        lists,
        sums,
        st.builds(Not, logical),
        st.builds(And, logical, logical),
        st.builds(Or, logical, logical),
    )


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(
        st.one_of(_literals, _variables, _numbers, st.just(Text("t"))), _deeper, max_leaves=8
    )
)
def test_a_term_is_read_as_it_is_shown(written: Term) -> None:
    assert term(str(written)) == written
