"""Programs in Gwendolen and EASS: what is read of them, and what is said where something is
wrong."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import volition
from volition import InputError, load
from volition.languages.gwendolen import GwendolenProgram
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AgentProgram,
    BeliefGuard,
    ComparisonGuard,
    Cut,
    Derivable,
    Goal,
    GoalGuard,
    Negated,
    Plan,
    RemoveBelief,
    SentGuard,
    WaitFor,
)
from volition.languages.world.terms import Structure, Text, Variable, constant, list_of, show

FIGURE_2 = """
:Reasoning Rules:
can_accelerate :- safe, ~ driver_accelerates, ~ driver_brakes;

:Initial Goals:
at_speed_limit [achieve]

:Plans:
+! at_speed_limit [achieve] : {B can_accelerate}
← perf(accelerate), wait;
+! at_speed_limit [achieve] : {~B safe} ← *safe;
+! at_speed_limit [achieve] : {B driver_accelerates}
← *~driver_accelerates;
+! at_speed_limit [achieve] : {B driver_brakes}
← *~driver_brakes;
+at_speed_limit: {B can_accelerate, B at_speed_limit}
← perf(maintain_speed);
-at_speed_limit: {~G at_speed_limit [achieve],
~B at_speed_limit} ← +! at_speed_limit[achieve];
-safe: {~B driver_brakes ∧ ¬B safe} ← perf(brake);
+driver_accelerates: {B safe, ~B driver_brakes,
B driver_accelerates} ← perf(accelerate);
+driver_brakes: {B driver_brakes} ← perf(brake);
"""
WHOLE = (
    "GWENDOLEN\n:name: a\n:Initial Beliefs:\n{beliefs}\n:Reasoning Rules:\n{rules}\n:Initial "
    "Goals:\n{goals}\n:Plans:\n{plans}\n"
)


def program_of(
    folder: Path, text: str, name: str = "test.gwen", **settings: str
) -> GwendolenProgram:
    (folder / name).write_text(text)
    program = load(folder / name, settings)
    assert isinstance(program, GwendolenProgram)
    return program


def agent_of(
    folder: Path,
    *,
    beliefs: str = "",
    rules: str = "",
    goals: str = "",
    plans: str = "",
    header: str = "GWENDOLEN",
) -> AgentProgram:
    text = WHOLE.format(beliefs=beliefs, rules=rules, goals=goals, plans=plans).replace(
        "GWENDOLEN", header
    )
    return program_of(folder, text).agents["a"]


def plan_of(folder: Path, text: str, header: str = "GWENDOLEN") -> Plan:
    (plan,) = agent_of(folder, plans=text, header=header).plans
    return plan


def mistakes(folder: Path, text: str, name: str = "test.gwen") -> list[tuple[str, int]]:
    """Code and line of each error; all of them are told at once."""
    with pytest.raises(InputError) as caught:
        program_of(folder, text, name)
    return [(each.code, each.span.line if each.span else 0) for each in caught.value.diagnostics]


def warnings(folder: Path, text: str, name: str = "test.gwen") -> list[tuple[str, int]]:
    return [
        (each.code, each.span.line) for each in program_of(folder, text, name).warnings if each.span
    ]


# --- the paper's program --------------------------------------------------------------------------


def test_the_figure_of_the_paper_as_printed(tmp_path: Path) -> None:
    program = program_of(tmp_path, FIGURE_2, "car.eass")
    (agent,) = program.agents.values()
    assert (program.language, agent.name, agent.cycle, len(agent.plans), len(agent.rules)) == (
        "EASS",
        "car",
        "eass",
        9,
        1,
    )
    assert [str(deed) for deed in agent.plans[0].body] == ["perf(accelerate)", "wait"]
    assert [(each.positive, type(each.atom)) for each in agent.plans[5].guard] == [
        (False, GoalGuard),
        (False, BeliefGuard),
    ]
    assert [each.positive for each in agent.plans[6].guard] == [False, False]
    assert agent.plans[2].body == (
        WaitFor(constant("driver_accelerates"), positive=False, span=agent.plans[2].body[0].span),
    )
    assert next(iter(program.warnings)).code == "GWN007"


# --- terms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("p(-8.18)", Structure("p", (Fraction("-8.18"),))),
        ("p(3.0)", Structure("p", (3,))),
        ("p(a.b.c)", Structure("p", (constant("a.b.c"),))),
        ('p("a; b")', Structure("p", (Text("a; b"),))),
        ("p('// no comment')", Structure("p", (Text("// no comment"),))),
        ("p([a, b(1)])", Structure("p", (list_of([constant("a"), Structure("b", (1,))]),))),
        ("p([])", Structure("p", (list_of([]),))),
        (
            "p(q([x,\n  y]))",
            Structure("p", (Structure("q", (list_of([constant("x"), constant("y")]),)),)),
        ),
    ],
)
def test_initial_beliefs(tmp_path: Path, text: str, term: Structure) -> None:
    assert [
        atom for atom, _ in agent_of(tmp_path, beliefs=f"first {text} // remark\nlast").beliefs
    ] == [
        constant("first"),
        term,
        constant("last"),
    ]


def test_arithmetic_and_variables_in_plans(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path, "+p(_, [H | T]) : {True} <- .send(b, :tell, bid((C + X), Name)), q((N - 1));"
    )
    assert plan.trigger.content == Structure(
        "p", (Variable("_"), list_of([Variable("H")], Variable("T")))
    )
    assert [str(deed) for deed in plan.body] == [".send(b, :tell, bid(+(C,X),Name))", "q(-(N,1))"]


# --- sections -------------------------------------------------------------------------------------


def test_reasoning_rules(tmp_path: Path) -> None:
    text = """empty :- in_hands(X), threshold(Y), !, [X < Y];
    area :- ~ (square(X, Y), ~ clear(X, Y)), ~[X == (Y + 1)];
    fact([], N, N);"""
    cut, negation, fact = agent_of(tmp_path, rules=text).rules
    assert isinstance(cut.body[2], Cut)
    assert cut.body[3] == ComparisonGuard("<", Variable("X"), Variable("Y"))
    square, clear = (
        Structure(name, (Variable("X"), Variable("Y"))) for name in ("square", "clear")
    )
    assert negation.body[0] == Negated((Derivable(square), Negated((Derivable(clear),))))
    assert negation.body[1] == Negated(
        (ComparisonGuard("==", Variable("X"), Structure("+", (Variable("Y"), 1))),)
    )
    assert (show(fact.head), fact.body) == ("fact([],N,N)", ())


def test_reasoning_rules_as_they_were_written_earlier(tmp_path: Path) -> None:
    earlier = "B free(X) :- (B square(X), (~ (B at(X)), ~ ((B human(X), ~ (B seen)))));"
    now = "free(X) :- square(X), ~at(X), ~(human(X), ~seen);"
    assert agent_of(tmp_path, rules=earlier).rules == agent_of(tmp_path, rules=now).rules


def test_initial_goals(tmp_path: Path) -> None:
    goals = agent_of(tmp_path, goals="leave [achieve] at(1,\n 2)\n[perform]").goals
    assert [goal for goal, _ in goals] == [
        Goal(constant("leave"), "achieve"),
        Goal(Structure("at", (1, 2)), "perform"),
    ]


def test_several_agents_and_abstraction_engines(tmp_path: Path) -> None:
    text = """EASS
    :abstraction: car
    :Initial Beliefs: near
    :Plans:
    +speed(S) : {True} <- assert_shared(fast);
    EASS
    :name: car
    :Initial Beliefs:
    :Capabilities:
    {pos(X), true} turn(A) {pos(X), angle(A)}
    {} stop {}
    :Initial Goals:
    :Plans:
    +fast : {True};"""
    engine, car = program_of(tmp_path, text, "car.eass").agents.values()
    assert (engine.name, engine.abstracts, len(engine.beliefs)) == ("abstraction_car", "car", 1)
    assert (car.name, car.abstracts, car.plans[0].body) == ("car", None, ())
    assert [(show(each.name), len(each.before), len(each.after)) for each in car.capabilities] == [
        ("turn(A)", 2, 2),
        ("stop", 0, 0),
    ]


def test_the_language_is_that_of_the_header_not_of_the_file(tmp_path: Path) -> None:
    assert program_of(tmp_path, "GWENDOLEN\n:name: a\n:Plans:\n", "a.eass").language == "Gwendolen"
    assert program_of(tmp_path, ":name: a\n:Plans:\n", "b.eass").language == "EASS"


# --- guards and deeds -----------------------------------------------------------------------------


def test_guards(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        "+p(B) : {True, .B q(B), ~ .G g [perform], B < 3, [X == Y], ~(X < Y), .sent(b, :tell, m), "
        "~.sent(R, a, :achieve, M)};",
    )
    atoms = [(each.positive, each.atom) for each in plan.guard]
    assert atoms == [
        (True, BeliefGuard(Structure("q", (Variable("B"),)))),
        (False, GoalGuard(Goal(constant("g"), "perform"))),
        (True, ComparisonGuard("<", Variable("B"), 3)),
        (True, ComparisonGuard("==", Variable("X"), Variable("Y"))),
        (False, ComparisonGuard("<", Variable("X"), Variable("Y"))),
        (True, SentGuard(constant("b"), None, "tell", constant("m"))),
        (False, SentGuard(Variable("R"), constant("a"), "achieve", Variable("M"))),
    ]


@pytest.mark.parametrize("guard", ["B B", "~B B", ".B B"])
def test_a_belief_that_is_a_variable_called_like_the_guard(tmp_path: Path, guard: str) -> None:
    plan = plan_of(tmp_path, f"+.received(:tell, B) : {{{guard}}} <- +B;")
    assert [each.atom for each in plan.guard] == [BeliefGuard(Variable("B"))]


def test_deeds(tmp_path: Path) -> None:
    text = (
        "+p : {True} <- + b, -b(_), +!g [achieve], -! g[perform], + .lock, -.lock, * w, *~w, "
        ".send(R, :perform, m), act, +!G [perform];"
    )
    expected = (
        "+b, -b(_), +!g [achieve], -!g [perform], +.lock, -.lock, *w, *~w, .send(R, "
        ":perform, m), act, +!G [perform]"
    )
    assert ", ".join(map(str, plan_of(tmp_path, text).body)) == expected


def test_a_query_is_three_deeds(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "+p : {True} <- .query(near(X)), ±limit(3);", header="EASS")
    ask, wait, forget, *update = plan.body
    assert (str(ask), str(wait), str(forget)) == (
        "query(near(X))",
        "*near(X)",
        "remove_shared(near(X))",
    )
    assert isinstance(ask, Act)
    assert isinstance(wait, WaitFor)
    assert [type(each) for each in update] == [RemoveBelief, AddBelief]
    assert list(map(str, update)) == ["-limit(_)", "+limit(3)"]


def test_a_goal_without_type_is_a_perform_goal(tmp_path: Path) -> None:
    text = WHOLE.format(beliefs="", rules="", goals="go", plans="+!go : {True} <- +done;")
    program = program_of(tmp_path, text)
    assert [goal.type for goal, _ in program.agents["a"].goals] == ["perform"]
    assert program.agents["a"].plans[0].trigger.type == "perform"
    assert [each.code for each in program.warnings] == ["GWN013", "GWN013"]


# --- mistakes -------------------------------------------------------------------------------------


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    text = """GWENDOLEN
:name: a
:Initial Beliefs:
ok
bad(
:Reasoning Rules:
p :- q r;
p :- q;
:Initial Goals:
go [acheive]
:Plans:
+p : {True} <- x;
+p <- x;
+q : {True} <- ?x;
+r : {X > Y} <- x;
+.received(:ask, M) : {True} <- X;
"""
    expected = [
        ("GWN001", 5),
        ("GWN001", 7),
        ("GWN014", 10),
        ("GWN001", 13),
        ("GWN001", 14),
        ("GWN015", 15),
        ("GWN017", 16),
        ("GWN019", 16),
    ]
    assert mistakes(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("plan", "hint"),
    [
        ("+p <- x;", "a plan needs a guard before its body: write : {True}"),
        ("+p : {B q | B r} <- x;", "guards have no disjunction: write one plan for each case"),
        ("+p : {not B q} <- x;", "write ~ for not, as in ~B p"),
        ("+p : {True} <- x\n+q : {True} <- y;", "is the ';' of the statement above missing?"),
        ("+p : {X > 3} <- x;", "write 3 < X"),
        ("+p : {True} <- +!g [perfrom];", "did you mean 'perform'?"),
        ("+p : {True} <- q((a + 1));", "arithmetic is possible only with numbers and variables"),
    ],
)
def test_hints(tmp_path: Path, plan: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        plan_of(tmp_path, plan)
    assert [each.hint for each in caught.value.diagnostics] == [hint]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "GWN002"),
        ("JASON\n:name: a\n:Plans:\n", "GWN003"),
        ("GWENDOLEN\n:name:\n:Plans:\n", "GWN009"),
        ("GWENDOLEN\n:name: a b\n:Plans:\n", "GWN003"),
        ("GWENDOLEN\n:name: a\n:Initial Belief:\np\n:Plans:\n", "GWN004"),
        ("GWENDOLEN\n:name: a\n:imports:\nprolog(x);\n:Plans:\n", "GWN004"),
        ("GWENDOLEN\n:name: a\n:Plans:\n:Plans:\n", "GWN005"),
        ("GWENDOLEN\n:abstraction: a\n:Plans:\n", "GWN006"),
        ("GWENDOLEN\n:name: a\n:Initial Beliefs:\np(X)\n", "GWN011"),
        ("GWENDOLEN\n:name: a\n:Initial Beliefs:\n~p\n", "GWN012"),
        ("GWENDOLEN\n:name: a\n:Plans:\n:name: a\n:Plans:\n", "GWN081"),
    ],
)
def test_mistakes_in_the_layout(tmp_path: Path, text: str, code: str) -> None:
    assert [found for found, _ in mistakes(tmp_path, text)] == [code]


def test_a_deep_program_is_refused(tmp_path: Path) -> None:
    assert mistakes(
        tmp_path, WHOLE.format(beliefs="p(" * 400 + "x" + ")" * 400, rules="", goals="", plans="")
    ) == [("WLD004", 4)]


# --- doubts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plans", "expected"),
    [
        ("+!go [achieve] : {True} <- +!other [perform];", [("GWN030", 10)]),
        ("+!go [achieve] : {True} <- +!go [perform];", [("GWN030", 10)]),
        ("+!go [achieve] : {True} <- +!G [perform];", [("GWN037", 10)]),
        ("+!G [achieve] : {True} <- +!other [achieve];", []),
        (
            "+.received(:tell, B) : {True} <- x;\n+.received(:tell, p) : {True} <- x;",
            [("GWN030", 8), ("GWN031", 11)],
        ),
        (
            "+.received(:tell, B) : {B p} <- x;\n+.received(:tell, p) : {True} <- x;",
            [("GWN030", 8)],
        ),
        ("+!go [achieve] : {True} <- .send(b, :tell, x);", [("GWN032", 10)]),
        ("+!go [achieve] : {B never} <- x;", [("GWN033", 2)]),
        ("+!go [achieve] : {~B never, B p} <- +q, *q;\n+q : {B p} <- x;", []),
    ],
)
def test_doubts(tmp_path: Path, plans: str, expected: list[tuple[str, int]]) -> None:
    assert (
        warnings(tmp_path, WHOLE.format(beliefs="p", rules="", goals="go [achieve]", plans=plans))
        == expected
    )


def test_messages_and_shared_beliefs_are_believed(tmp_path: Path) -> None:
    text = """EASS
    :name: a
    :Plans:
    +.received(:tell, B) : {True} <- +B;
    +told(X) : {B shared} <- x;
    :name: b
    :Plans:
    +start : {True} <- .send(a, :tell, told(1)), assert_shared(shared);"""
    assert warnings(tmp_path, text, "a.eass") == [("GWN033", 6)]


def test_with_a_world_each_unknown_belief_and_misspelt_action_is_told(tmp_path: Path) -> None:
    (tmp_path / "test.world").write_text("percept dirty\naction clean do add dirty\n")
    text = WHOLE.format(
        beliefs="", rules="", goals="", plans="+dirty : {True} <- cleen;\n+dirti : {True} <- clean;"
    )
    found = program_of(tmp_path, text).warnings
    assert [(each.code, each.hint) for each in found] == [
        ("GWN034", "did you mean 'clean'?"),
        ("GWN033", "did you mean 'dirty'?"),
    ]


# --- what is made of it ---------------------------------------------------------------------------


def test_tables_and_pickling(tmp_path: Path) -> None:
    program = program_of(tmp_path, FIGURE_2, "car.eass")
    titles = [table.title for table in program.tables()]
    assert titles == ["Agents", "Reasoning rules", "Plans", "Execution settings"]
    rules = program.tables()[1].rows
    assert rules == [("car", "can_accelerate :- safe, ~driver_accelerates, ~driver_brakes")]
    assert program.tables()[2].rows[5][3] == "~G at_speed_limit [achieve], ~B at_speed_limit"
    again = pickle.loads(pickle.dumps(program))
    assert [again.agents["car"].plans, again.options] == [
        program.agents["car"].plans,
        program.options,
    ]


# --- rules that need themselves -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        ("q :- ~q;", "q/0 -> q/0"),
        ("q :- p, ~r; r :- s; s :- p, q;", "q/0 -> r/0 -> s/0 -> q/0"),
        ("q(X) :- ~(p, ~q(X));", "q/1 -> q/1"),
        ("q(X) :- p(X), ~q(_);", "q/1 -> q/1"),
        ("q(X, Y) :- ~r(X); r(Z) :- q(Z, _);", "q/2 -> r/1 -> q/2"),
    ],
)
def test_rules_that_need_themselves_under_negation_are_refused(
    tmp_path: Path, rules: str, path: str
) -> None:
    with pytest.raises(InputError) as refused:
        agent_of(tmp_path, rules=rules)
    (error,) = refused.value.diagnostics
    assert (error.code, error.span is not None) == ("GWN020", True)
    assert f"({path})" in error.message


def test_rules_that_may_need_themselves_under_negation_are_doubted(tmp_path: Path) -> None:
    """Whether ``win`` ends depends on the moves: with these it does, with a circle of moves it is
    an error of the run."""
    text = WHOLE.format(
        beliefs="move(1, 2)\nmove(2, 3)",
        rules="win(X) :- move(X, Y), ~win(Y);",
        goals="g [perform]",
        plans="{plan}",
    )
    text = text.replace("{plan}", "+!g [perform] : {B win(2), ~B win(1)} <- +done;")
    program = program_of(tmp_path, text)
    assert [each.code for each in program.warnings] == ["GWN035"]
    assert volition.check(program, "A [ F Bel(a, done) ]")[0].verdict.holds is True
    program = program_of(tmp_path, text.replace("move(2, 3)", "move(2, 1)"))
    with pytest.raises(InputError, match="GWN060"):
        volition.check(program, "A [ F Bel(a, done) ]")


@pytest.mark.parametrize(
    "rules",
    [
        "q :- p, p, p, p, p, p, p, p, p, p, q;",
        "q :- ~r; r :- ~s(1); s(X) :- t(X); t(X) :- u(X); u(X) :- ~v(X); v(X) :- ~u((X + 1));",
        "q :- r(1); r(X) :- r(s(s(s(s(s(s(s(s(s(X))))))))));",
        "q :- r(1); r(X) :- r(f(X, X));",
    ],
)
def test_endless_rules_are_an_error_of_the_run(tmp_path: Path, rules: str) -> None:
    text = WHOLE.format(
        beliefs="p",
        rules=rules,
        goals="g [perform]",
        plans="+!g [perform] : {B q} <- +done;".replace("{", "{{").replace("}", "}}"),
    )
    program = program_of(tmp_path, text.replace("{{", "{").replace("}}", "}"))
    with pytest.raises(InputError, match=r"GWN060|GWN063"):
        volition.check(program, "A [ F Bel(a, done) ]")


def test_a_header_behind_a_header_is_refused(tmp_path: Path) -> None:
    text = WHOLE.format(beliefs="", rules="", goals="", plans="")
    for header in ("GWENDOLEN\n\n// twice\n", "EASS\n", "GWENDOLEN "):
        with pytest.raises(InputError) as refused:
            program_of(tmp_path, header + text)
        assert [each.code for each in refused.value.diagnostics] == [
            "GWN008" if header.endswith("\n") else "GWN003"
        ]


def test_a_comment_that_is_never_closed_is_read_in_linear_time(tmp_path: Path) -> None:
    """A regular expression once looked for the end of each ``/*`` in all that follows: the process
    would not end."""
    with pytest.raises(InputError):
        program_of(
            tmp_path, WHOLE.format(beliefs="p", rules="", goals="", plans="") + "/*" * 200_000
        )


# --- goals that nothing sets, beliefs that nothing adds -------------------------------------------


def doubts(
    folder: Path, text: str, name: str = "a.gwen", world: str = "free percept dirty"
) -> list[tuple[str, int, str | None]]:
    (folder / "the.world").write_text(world)
    found = program_of(folder, text, name, world="the.world").warnings
    return [
        (each.code, each.span.line if each.span else 0, each.hint)
        for each in found
        if each.code.startswith("GWN")
    ]


def block(
    name: str, *, beliefs: str = "", rules: str = "", goals: str = "", plans: str = ""
) -> str:
    return (
        f":name: {name}\n:Initial Beliefs:\n{beliefs}\n:Reasoning Rules:\n{rules}\n:Initial "
        f"Goals:\n{goals}\n:Plans:\n{plans}\n"
    )


@pytest.mark.parametrize(
    ("plans", "expected"),
    [
        ("+!go [perform] : {True} <- +!clean [achieve];\n+!clean [achieve] : {True} <- +clean;", []),  # noqa: E501
        ("+!go [perform] : {True} <- x;\n+!goo [perform] : {True} <- x;", [("GWN036", 11, "did you mean 'go'?")]),  # noqa: E501
        ("+!go [perform] : {True} <- x;\n+!go [achieve] : {True} <- x;", [("GWN036", 11, "it is posted as go/0 [perform]")]),  # noqa: E501
        ("+!go [perform] : {True} <- x;\n-!gone(X) [perform] : {True} <- x;", [("GWN036", 11, None)]),  # noqa: E501
        ("+!go [perform] : {True} <- x;\n+.received(:perform, G) : {True} <- +!G "
         "[perform];\n+!sent [perform] : {True} <- x;", []),
        ("+!go [perform] : {True} <- x;\n+.received(:perform, G) : {True} <- +!G [perform];\n+!sen "
         "[perform] : {True} <- x;",
         [("GWN036", 12, "did you mean 'sent'?")]),
        ("+!go [perform] : {B any(X)} <- +!X [perform];\n+!other [perform] : {True} <- x;", [("GWN033", 10, None)]),  # noqa: E501
        ("+!go [perform] : {~B dirt} <- x;", [("GWN033", 10, "did you mean 'dirty'?")]),
        ("+!go [perform] : {~B dirty} <- +seen, -sen;", [("GWN033", 10, "did you mean 'seen'?")]),
        ("+!go [perform] : {~B dirty, ~B told, ~B derived} <- x;\n+.received(:tell, B) : {True} <- "
         "+B;", []),
    ],
)  # fmt: skip
def test_plans_for_goals_that_nothing_sets_and_guards_on_beliefs_that_nothing_adds(
    tmp_path: Path, plans: str, expected: list[tuple[str, int, str | None]]
) -> None:
    other = block(
        "other",
        goals="tell [perform]",
        plans="+!tell [perform] : {True} <- .send(a, :perform, sent), .send(a, :tell, told);",
    )
    text = (
        "GWENDOLEN\n"
        + block("a", rules="derived :- ~dirty;", goals="go [perform]", plans=plans)
        + other
    )
    assert doubts(tmp_path, text) == expected


def test_an_abstraction_engine_performs_what_its_agent_asks(tmp_path: Path) -> None:
    engine = block(
        "x",
        plans="+.received(:perform, G) : {True} <- +!G [perform];\n+!turn [perform] : {True} <- x;",
    )
    agent = block("a", goals="go [perform]", plans="+!go [perform] : {True} <- perf(turn);")
    text = "EASS\n" + engine.replace(":name: x", ":abstraction: a") + agent
    assert doubts(tmp_path, text, "a.eass") == []
    assert [
        each[0] for each in doubts(tmp_path, text.replace("perf(turn)", "perf(tur)"), "a.eass")
    ] == ["GWN036", "GWN038"]
