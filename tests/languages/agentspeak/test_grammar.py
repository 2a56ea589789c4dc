"""Reading programs: Fig. 1, what the case study uses beyond it, and what is refused by name."""

from __future__ import annotations

import pytest

from volition.diagnostics import Diagnostics, Source
from volition.languages.agentspeak import syntax as tree
from volition.languages.agentspeak.grammar import read_agent


def read(text: str) -> tree.AgentProgram:
    diagnostics = Diagnostics()
    program = read_agent(Source("test.asl", text), diagnostics)
    diagnostics.raise_errors()
    return program


def codes(text: str) -> list[str]:
    diagnostics = Diagnostics()
    read_agent(Source("test.asl", text), diagnostics)
    return [each.code for each in diagnostics]


def test_beliefs_goals_and_plans() -> None:
    program = read("myself(ag2).  bid(ag2,4).\n!start.\n+!start : true <- +started.")
    assert [str(atom) for atom, _ in program.beliefs] == ["myself(ag2)", "bid(ag2,4)"]
    assert [str(goal) for goal, _ in program.goals] == ["start"]
    assert [str(plan.trigger) for plan in program.plans] == ["+!start"]


@pytest.mark.parametrize("trigger", ["+p(X)", "-p(X)", "+!g", "-!g", "+?g(a)", "-?g(a)"])
def test_triggering_events_of_figure_1(trigger: str) -> None:
    assert str(read(f"{trigger} : true <- act.").plans[0].trigger) == trigger


def test_contexts() -> None:
    (plan,) = read("+p(X) : q(X,Y) & not(r(Y)) & not s & true & .gte(X,3) & Y < 4 <- act.").plans
    assert [type(each) for each in plan.context] == [
        tree.BeliefCondition,
        tree.NegatedBeliefCondition,
        tree.NegatedBeliefCondition,
        tree.Compare,
        tree.Compare,
    ]


def test_bodies() -> None:
    (plan,) = read(
        '+p(X) <- act(X); !g(X); ?q(Y); +r(X); -s(Y); .send(ag1, tell, q(X)); .broadcast(achieve, g(X)); .print("x = ", X);'  # noqa: E501
        " .plus(X, 1, Z); Z >= 3; .random([a, b], V); .random(1, 6, W); true."
    ).plans
    kinds = [
        tree.Act,
        tree.Achieve,
        tree.Test,
        tree.AddBelief,
        tree.RemoveBelief,
        tree.Send,
        tree.Broadcast,
        tree.Print,
        tree.Compute,
        tree.Compare,
        tree.RandomItem,
        tree.RandomNumber,
    ]
    assert [type(each) for each in plan.body] == kinds


@pytest.mark.parametrize(
    ("written", "relation"),
    [(".gte", ">="), (".gt", ">"), (".lte", "<="), (".lt", "<"), (".eq", "="), (".neq", "!=")],
)
def test_internal_actions_that_compare_are_comparisons(written: str, relation: str) -> None:
    """``.gte(X,Y)`` and ``X >= Y`` are two spellings of one thing."""
    infix_relation = "==" if relation == "=" else relation
    dotted, infix = read(
        f"+p(X,Y) : {written}(X,Y) <- a.\n+p(X,Y) : X {infix_relation} Y <- a."
    ).plans
    assert dotted.context == infix.context


def test_first_order_terms_and_lists() -> None:
    (plan,) = read('+route(from(A), [B|Rest], "via", -3, 1.5) <- go(to(B, [A, B])).').plans
    assert str(plan.trigger) == '+route(from(A),[B|Rest],"via",-3,1.5)'
    assert plan.variables == ("A", "B", "Rest")


def test_labels_name_plans() -> None:
    program = read("@greet +p <- a. +q <- b.")
    assert [plan.name for plan in program.plans] == ["greet", "p2"]


def test_comments_and_dots_inside_quotations() -> None:
    program = read('// p. q.\np("one. two"). /* r. */ s.')
    assert [str(atom) for atom, _ in program.beliefs] == ['p("one. two")', "s"]


@pytest.mark.parametrize(
    "text",
    [
        "~p.", "p[source(a)].", "p :- q.", "+p : q | r <- a.", "+p <- !!g.", "!!g.", "+p <- -+q(1).", "+p : ~q <- a.",  # noqa: E501
        "@x[atomic] +p <- a.", "+p <- !g[x].", "+p <- ?q(X)[source(self)].",
    ],
)  # fmt: skip
def test_what_agentspeak_f_leaves_out_is_refused_by_name(text: str) -> None:
    assert codes(text) == ["ASP002"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("+p <- .sned(a, tell, b).", "ASP010"),
        ("+p : .send(a, tell, b) <- c.", "ASP011"),
        ("+p <- .plus(1, 2).", "ASP012"),
        ("+p <- .send(a, tll, b).", "ASP013"),
        ("+p <- .send(a, tell, 3).", "ASP014"),
        ("+p <- q", "ASP001"),
    ],
)
def test_mistakes(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("+p(X) <- !g(X+1).", "arithmetic"),
        ("+p(X) <- !g(X-1).", "arithmetic"),
        ("+p(X) : X - 1 > 3 <- a.", "arithmetic"),
        ("+p : (q | r) & s <- a.", "brackets"),
        ("+p : not q | r <- a.", "disjunction"),
        ("+p <- if (q) { a }.", "if, for and while"),
        ("p(1)\n+q <- a.", "'.'"),
        ("+p <- a\n  +q.", "';'"),
    ],
)
def test_syntax_errors_of_who_knows_another_dialect_have_hints(text: str, hint: str) -> None:
    diagnostics = Diagnostics()
    read_agent(Source("test.asl", text), diagnostics)
    (found,) = diagnostics
    assert found.code == "ASP001"
    assert hint in (found.hint or "")


def test_all_mistakes_are_reported() -> None:
    assert codes("p(X.\n~q.\n+r <- .foo.\n+s <- a(.") == ["ASP001", "ASP002", "ASP010", "ASP001"]


def test_a_mistake_has_its_place() -> None:
    diagnostics = Diagnostics()
    read_agent(Source("test.asl", "p.\n\n+q : ~r <- a."), diagnostics)
    (found,) = diagnostics
    assert found.span is not None
    assert (found.span.line, found.span.column) == (3, 6)
