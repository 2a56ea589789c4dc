"""AgentSpeak(F) as Promela: Spin must find the same states plus one, the same verdicts, and runs
that our semantics can walk."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from tests.checking.properties import on_graph
from tests.exporters.spin import needs_spin, states_of
from tests.languages.agentspeak.random_systems import (
    BOUNDS,
    FORMULAS,
    SELECTIONS,
    SYSTEMS,
    WORLD,
    WORLDS,
    RandomSystem,
)
from tests.languages.agentspeak.systems import write_project
from volition.checking.spin.engine import Spin
from volition.checking.spin.tools import verifier
from volition.diagnostics import InputError
from volition.exporters.promela import bounds_from_space, model_for_spin, to_promela
from volition.kernel import STUTTER, Limits, StateSpace, explore
from volition.languages.agentspeak import AgentSpeakProgram, load
from volition.languages.agentspeak.state import BoundExceeded
from volition.logic.parsing.parser import parse

EXAMPLES = Path(__file__).parents[2] / "examples" / "agentspeak"
SPIN = Spin(model_for_spin, optimise="-O0")


def project(
    folder: Path, agents: dict[str, str], world: str | None = None, options: str = ""
) -> AgentSpeakProgram:
    return load(write_project(folder, agents, world, options), {})


def states_in_spin(program: AgentSpeakProgram, space: StateSpace) -> int:
    return states_of(to_promela(program, sizes=bounds_from_space(program, space)))


# --- the text -------------------------------------------------------------------------------------


def test_the_manner_of_section_4_1() -> None:
    """Identifiers are macros, data structures channels, plans inlines, agents and environment
    processes, specifications ltl blocks."""
    program = load(EXAMPLES / "auction", {})
    model = to_promela(
        program, {stated.name or "": parse(stated.text) for stated in program.properties}
    )
    for expected in ("#define place_bid ", "#define M_Int ", "chan _b[", "chan _p_ ", "chan _m[", "chan _e[", "chan _i[", "chan _a ",  # noqa: E501
                     "inline CheckMail(", "inline BRF(", "inline FindFreeSpace(", "inline Plan_ag3_p6(", "proctype Environment()",  # noqa: E501
                     "proctype Agent_ag1()", "d_step", "init {", "ltl P1 {", "ltl P3 {"):  # fmt: skip  # noqa: E501
        assert expected in model


def test_identifiers_that_promela_reserves_get_other_names(tmp_path: Path) -> None:
    model = to_promela(project(tmp_path, {"a": "me(run). !do. +!do : me(X) <- +active(X)."}))
    assert "#define run_ " in model
    assert "#define me_ " in model
    assert "#define active_ " in model


@needs_spin
def test_names_that_mean_something_else_in_the_model_or_its_world(tmp_path: Path) -> None:
    """Also two that differ by what Promela could take for the same."""
    agent = """active. active_. world_n. text_x. max(1,2). min. count(3). p("a b"). p("a_b"). p("é"). !mod.
        +!mod : max(X,2) <- count; +count(X); -active; ?p("a_b"); +q("x")."""  # noqa: E501
    program = project(
        tmp_path,
        {"a": agent},
        "variable n = -3\nfact min\naction count do n := (n - 2) mod 4; add min",
    )
    space = explore(program.model().system)
    assert states_in_spin(program, space) == space.num_states + 1
    holding = [
        "F Bel(a, count(1))",
        "F !Bel(a, active)",
        "G Bel(a, active_)",
        'G Bel(a, p("a_b"))',
        "F n = 3",
        "F min",
        "G Bel(a, min)",
    ]
    failing = ["F !Bel(a, active_)", "G n < 0", "F Bel(a, q(1))"]
    formulas = {f"F{number}": parse(text) for number, text in enumerate([*holding, *failing])}
    with verifier(
        to_promela(program, formulas, bounds_from_space(program, space)), optimise="-O0"
    ) as made:
        assert [not made.check(name).violated for name in formulas] == [True] * len(holding) + [
            False
        ] * len(failing)


def test_small_numbers_and_few_identifiers_fit_into_bytes(tmp_path: Path) -> None:
    narrow = to_promela(
        project(tmp_path / "1", {"a": "p(3). !g. +!g : p(X) <- .plus(X,1,Y); +p(Y)."})
    )
    wide = to_promela(
        project(tmp_path / "2", {"a": "p(3). !g. +!g : p(X) <- .minus(X,5,Y); +p(Y)."})
    )
    assert "of { byte,byte,byte };" in narrow
    assert "of { short,short,byte };" in wide


@pytest.mark.parametrize(
    ("agent", "world", "what"),
    [
        ("p(f(1)).", None, "structured term"),
        ("!g. +!g <- !find(X); +got(X). +!find(3) <- true.", None, "binds a variable"),
        ("p(100000).", None, "number"),
        ("p(1.5).", None, "number"),
        ("!g. +!g <- go.", "variable n = 3\naction go do n := n / 2", "quotient"),
        (
            "!g. +!g <- go.",
            "variable n = 0\naction go do chance 1/2 { n := 1 } or 1/2 { n := 2 }; chance 1/2 { n "
            ":= 3 } or 1/2 { n := 4 }",
            "chance",
        ),
    ],
)
def test_what_has_no_translation_is_refused(
    tmp_path: Path, agent: str, world: str | None, what: str
) -> None:
    with pytest.raises(InputError, match=what):
        to_promela(project(tmp_path, {"a": agent}, world))


@pytest.mark.parametrize("formula", ["X Bel(a, p)", "F<=3 Bel(a, p)"])
def test_formulas_without_translation(tmp_path: Path, formula: str) -> None:
    program = project(tmp_path, {"a": "p."})
    with pytest.raises(InputError, match="cannot be translated"):
        to_promela(program, {"f": parse(formula)})


# --- the same states ------------------------------------------------------------------------------

SYSTEMS_BY_FEATURE = {
    "beliefs and goals": (
        {
            "a": (
                "p(1). p(2). !g. +!g : p(X) & X > 1 <- +q(X); -p(X); ?p(Y); !h(Y). +!h(N) : "
                "not(q(N)) <- +r(N)."
            )
        },
        None,
        "",
    ),
    "two agents talk": (
        {
            "a": "friend(b). !g. +!g : friend(F) <- .send(F, tell, p); .send(F, achieve, h).",
            "b": "+p <- +q. +!h <- .send(a, untell, friend(b)).",
        },
        None,
        "",
    ),
    "broadcast and trust": (
        {
            "a": "!g. +!g <- .broadcast(tell, p); .broadcast(achieve, h).",
            "b": "+!h <- +q.",
            "c": "+!h <- +q.",
        },
        None,
        "c accepts tell from b\nb accepts achieve from nobody",
    ),
    "backtracking": (
        {
            "a": (
                "p(1,2). p(2,3). p(3,3). q(3). !g. +!g : p(X,Y) & p(Y,Z) & q(Z) & not(p(Z,X)) <- "
                "+r(X,Y,Z)."
            )
        },
        None,
        "",
    ),
    "the same variable twice": (
        {
            "a": (
                "p(1,2). p(3,3). !g. +!g : p(X,X) & not(p(Y,Y)) <- +q. +!g : p(X,X) <- ?p(Z,Z); "
                "+r(Z)."
            )
        },
        None,
        "",
    ),
    "arithmetic": (
        {"a": "!g(3). +!g(X) <- .plus(X,4,Y); .minus(Y,9,Z); .times(Z,Z,V); .plus(X,V,7); +p(V)."},
        None,
        "",
    ),
    "arithmetic in contexts": (
        {
            "a": (
                "p(1). p(3). q(4). !g(2). +!g(X) : p(Y) & .plus(X,Y,Z) & q(Z) & .times(Z,2,8) <- "
                "+r(Y,Z). +!g(X) : .minus(X,2,Z) <- +s(Z)."
            )
        },
        None,
        "",
    ),
    "equations": (
        {
            "a": "p(1). p(2). !g(2). !g(3). +!g(X) : p(Y) & Z = Y & Z = X & _ = Z & X == 2 <- U = Z; U = 2; 2 = V; V = _; +q(U,V)."  # noqa: E501
            " +!g(X) <- X = 2."
        },
        None,
        "",
    ),
    "random values": (
        {"a": "!g. +!g <- .random([red,green,1],X); .random(2,4,Y); +p(X,Y)."},
        None,
        "",
    ),
    "values drawn that were known before": (
        {
            "a": (
                "!g(2). !g(7). +!g(X) <- .random([1,2,2],X); .random(2,4,Y); .random(Y,3,Y); "
                ".random([Y],2); +p(X,Y)."
            )
        },
        None,
        "",
    ),
    "values drawn and not used": (
        {"a": "!g. +!g <- .random([1,2],_); .random(1,3,_); .plus(1,2,_); +p."},
        None,
        "",
    ),
    "events last in first out": (
        {"a": "!f. !g. !h. +!f <- +x. +!g <- +y. +!h <- +z; !f."},
        None,
        "SelectEvent = lifo",
    ),
    "events by priority": (
        {"a": "!f. !g. !h. +!f <- +x. +!g <- +y. +!h <- +z."},
        None,
        "SelectEvent = priority(h, g)",
    ),
    "events by a priority that names nothing": (
        {"a": "!f. !g. +!f <- +x. +!g <- +y."},
        None,
        "SelectEvent = priority(g, nosuch)",
    ),
    "intentions by a priority that names nothing": (
        {"a": "!f. !g. +!f <- +x. +!g <- +y."},
        None,
        "SelectIntention = priority(chan, g)",
    ),
    "any event": (
        {"a": "!f. !g. !h. +!f <- +x. +!g <- +y. +!h <- +z."},
        None,
        "SelectEvent = nondeterministic",
    ),
    "intentions to their end": (
        {"a": "!f. !g. +!f <- +x; !h; +y. +!g <- +u; +v. +!h <- +w; +t."},
        None,
        "SelectIntention = fifo",
    ),
    "youngest intention": (
        {"a": "!f. !g. +!f <- +x; +y. +!g <- +u; +v."},
        None,
        "SelectIntention = lifo",
    ),
    "intentions by priority": (
        {"a": "!f. !g. +!f <- +x; +y. +!g <- +u; +v."},
        None,
        "SelectIntention = priority(g)",
    ),
    "any intention": (
        {"a": "!f. !g. +!f <- +x; .random([1,2],R); +y(R). +!g <- +u; +v."},
        None,
        "SelectIntention = nondeterministic",
    ),
    "intentions that wait for ever": (
        {"a": "!f. !g. +!f <- !h; +x. +!g <- ?nothing(X); +y. +!h : never <- +z."},
        None,
        "",
    ),
    "the last event of several agents": (
        {"a": "!f. !g. +!f <- +x. +!g <- +y.", "b": "!f. +!f <- +x; +y."},
        None,
        "SelectEvent = lifo\nSelectIntention = lifo",
    ),
    "priorities of several agents": (
        {"a": "!f. !g. +!f <- +x. +!g <- +y.", "b": "!f. +!f <- +x; +y."},
        None,
        "SelectEvent = priority(g)\nSelectIntention = priority(g)",
    ),
    "goals for any value": (
        {"a": "!g(1,2). !g(2,2). +!g(_,_) <- +x; !h(3); +y. +!h(_) <- +z. +!g(X,_) <- +u."},
        None,
        "",
    ),
    "goals for any value that fail": (
        {
            "a": (
                "!g(1). !g(2). +!g(_) <- !h(3). +!h(_) <- ?nothing(0). -!h(_) <- +y; ?nothing(1). "
                "-!g(X) <- +failed(X)."
            )
        },
        None,
        "on_failure = event",
    ),
    "failure": (
        {
            "a": (
                "!f. +!f <- !g; +x. +!g <- !h(3); +y. +!h(N) <- +z; 1 > 2. -!h(N) <- 2 > 3. -!g "
                "<- +w."
            )
        },
        None,
        "on_failure = event",
    ),
    "idle agents cycle": ({"a": "!g. +!g <- +p.", "b": "q."}, None, "idle = cycle"),
    "percepts": (
        {
            "a": "!g. +!g <- press; put(2). +light <- +on. -light <- +off. +level(N) <- +at(N).",
            "b": "+light <- +seen.",
        },
        WORLD,
        "",
    ),
    "free percepts": (
        # One change in each cycle: with more, events come faster than an agent handles them, and
        # there is no end of states.
        {"a": '+at(X) <- .print("at ", X). -at(X) <- true.'},
        "free percept at(X) for X in {here}\nvariable n = 0\nstep count when at(X) and X != there "
        "and n < 2 do n := n + 1",
        "",
    ),
    "beliefs that are perceived and then told or added": (
        {
            "a": "+light : not(done) <- +done; .send(b, tell, light); +level(0); put(2); press; "
            "press. +!never <- ?level(0).",
            "b": "!g. +!g <- press. -light <- +dark. +light <- +seen.",
        },
        WORLD,
        "",
    ),
    "bounds of single agents": (
        {
            "a": "p(0). !g. +!g <- +p(1); +p(1,1); +q; .send(b, tell, p(1)); .send(b, tell, p(2)).",
            "b": "p(0). +p(X) <- +q.",
        },
        None,
        "a.M_Inst = 2\na.M_Bel = 4\na.M_Msg = 2\nb.M_Int = 2\nM_Ev = 4\nb.M_Ev = 2",
    ),
    "who sees what": (
        {"a": "!g. +!g <- write(b). +note(X) <- +read.", "b": "+note(X) <- +read."},
        "percept note(Who) seen by Who\npercept bell seen by a\naction write(X) do add note(X); "
        "add bell",
        "",
    ),
    "choice and chance": (
        {"a": "!g. +!g <- toss(3); roll(1). +side(X, Y) <- +got(X, Y)."},
        "percept side(Coin, N)\nvariable n = 0\n"
        "action toss(N) do either { add side(heads, N) } or { add side(tails, N); n := N }; n := n + N\n"  # noqa: E501
        "action roll(N) do if n > 3 { either { n := N } or { n := 0 } } else { chance 1/2 { n := 7 } or 1/2 { n := n + N } };"  # noqa: E501
        "   add side(edge, n)",
        "",
    ),
    "branches that end with a removal": (
        {"a": "!g. +!g <- toss; roll; toss. +side(X) <- +got(X)."},
        "percept side(X) initially side(none)\nfact used(N) initially used(1), used(2)\n"
        "action toss do either { add side(heads); remove used(1) } or { remove side(_) }\n"
        "action roll do chance 1/2 { remove used(_) } or 1/2 { if used(2) { remove used(2) } }",
        "",
    ),
    "instances of rules": (
        {"a": "!g. +!g <- pick(1); pick(9). +taken(X) <- +got(X)."},
        "percept taken(X)\nfact item(X, Size) initially item(ball, 1), item(box, 2), item(car, 1)\n"
        "action pick(S) when item(X, S) do remove item(X, _); add taken(X)\naction pick(S) otherwise do nothing\n"  # noqa: E501
        "step lose when item(X, 2) and some N in 1..2: count(item(_, N)) = N do remove item(X, 2)",
        "",
    ),
    "quantified conditions": (
        {"a": "!g. +!g <- ready; ready.", "b": "!g. +!g <- ready."},
        "fact done(A)\npercept go(N)\nvariable n = 0\naction ready by A do add done(A); n := n + 1\n"  # noqa: E501
        "step start when every A in agents: done(A) and not go(_) and max(n, 2) = n and some X in "
        "{1, n}: X >= 2 do add go(n)",
        "",
    ),
}


@needs_spin
@pytest.mark.parametrize("feature", SYSTEMS_BY_FEATURE)
def test_spin_has_the_same_states_and_the_one_before_init(tmp_path: Path, feature: str) -> None:
    program = project(tmp_path, *SYSTEMS_BY_FEATURE[feature])
    space = explore(program.model().system)
    assert space.num_states > 1
    assert states_in_spin(program, space) == space.num_states + 1


@needs_spin
@pytest.mark.parametrize(
    ("auctions", "idle", "states"), [(1, "cycle", 10_599), (3, "cycle", 89_728)]
)
def test_the_auction_has_the_same_states(auctions: int, idle: str, states: int) -> None:
    program = load(EXAMPLES / "auction", {"auctions": str(auctions), "idle": idle})
    assert states_in_spin(program, explore(program.model().system)) == states + 1


# --- the same answers -----------------------------------------------------------------------------


@needs_spin
def test_spin_finds_the_error_of_section_5_and_its_run_is_ours() -> None:
    """With five auctions, the fewest with the error."""
    program = load(EXAMPLES / "auction", {"auctions": "5"})
    (formula,) = [parse(stated.text) for stated in program.properties if stated.name == "P1"]
    verdict = SPIN.check(program, formula)
    assert verdict.holds is False
    run = verdict.run
    assert run is not None
    assert run.loop is not None
    texts = [str(run.space.label(choice)) for choice in run.choices]
    assert any("ag3: has no applicable plan for +!alliance(ag3,ag2)" in text for text in texts)
    ours = on_graph(program.model(), run.space, formula)
    assert ours.holds is False, "the run that Spin found violates the formula in our semantics too"


@needs_spin
@pytest.mark.parametrize(
    "example", [pytest.param("contract_net", marks=pytest.mark.soak), "factory"]
)
def test_examples_get_their_expected_answers_from_spin(example: str) -> None:
    program = load(EXAMPLES / example, {})
    properties = [
        stated
        for stated in program.properties
        if SPIN.unsupported_reason(program, parse(stated.text)) is None
    ]
    assert properties
    assert {
        stated.name: str(SPIN.check(program, parse(stated.text)).holds).lower()
        for stated in properties
    } == {stated.name: stated.expected for stated in properties}


@needs_spin
def test_existential_questions_are_answered_with_a_witness(tmp_path: Path) -> None:
    program = project(tmp_path, {"a": "!g. +!g <- .random([1,2],X); +p(X)."})
    assert SPIN.check(program, parse("E [ F Bel(a, p(2)) ]")).holds is True
    assert SPIN.check(program, parse("E [ F Bel(a, p(3)) ]")).holds is False
    run = SPIN.check(program, parse("E [ F Bel(a, p(2)) ]")).run
    assert run is not None
    assert "a: draws 2 from [1,2]" in [
        str(run.space.label(choice))
        for choice in run.choices
        if run.space.label(choice) is not STUTTER
    ]


@needs_spin
def test_variables_in_formulas_stand_for_anything(tmp_path: Path) -> None:
    """The same one twice is more than Spin can be asked: an answer for any two values would be
    wrong."""
    plans = "!g(1,2). +!g(X,Y) <- +b(X,Y); go(X,Y). +!h(X) <- +b(X,X); go(X,X); !g(X,X)."
    program = project(tmp_path, {"a": plans}, "percept e(X,Y)\naction go(X,Y) do add e(X,Y)")
    texts = [
        "F Bel(a, b(X,Y))",
        "F Does(a, go(X,_))",
        "F Int(a, g(X,Y))",
        "F Des(a, g(1,Y))",
        "F e(X,Y)",
        "G !Int(a, g(2,Y))",
    ]
    formulas = {f"F{number}": parse(text) for number, text in enumerate(texts)}
    with verifier(to_promela(program, formulas), optimise="-O0") as made:
        assert not any(made.check(name).violated for name in formulas)
    for atom in (
        "Bel(a, b(X,X))",
        "Does(a, go(X,X))",
        "Int(a, g(X,X))",
        "Des(a, g(X,X))",
        "e(X,X)",
    ):
        with pytest.raises(InputError, match="X, which occurs twice in an atom"):
            to_promela(program, {"f": parse(f"F {atom}")})


NUMBERS = """
variable n = 0
variable m = 3
action count do n := n + 1
label low = n - 5 < -2 and max(n, 1) < 3
"""


@needs_spin
def test_numbers_in_formulas(tmp_path: Path) -> None:
    """Spin takes ``n <-3`` and the arrow of a conditional expression for operators of formulas; its
    quotients are rounded."""
    program = project(tmp_path, {"a": "!g. +!g <- count; count; count."}, NUMBERS)
    answers = {
        "F max(n, 2) = 3": True,
        "F min(n, 2, m) > 2": False,
        "G n - 5 < -2": False,
        "F n * -2 = -4": True,
        "F n - -3 = 6": True,
        "G low": False,
        "F !low": True,
    }
    formulas = {f"F{number}": parse(text) for number, text in enumerate(answers)}
    with verifier(to_promela(program, formulas), optimise="-O0") as made:
        assert [not made.check(name).violated for name in formulas] == list(answers.values())
    model = program.model()
    space = explore(model.system)
    assert [on_graph(model, space, formula).holds for formula in formulas.values()] == list(
        answers.values()
    )
    assert on_graph(model, space, parse("F n / m = 1/3")).holds
    with pytest.raises(InputError, match="a quotient cannot be translated"):
        to_promela(program, {"f": parse("F n / m > 0")})


@needs_spin
def test_weak_fairness(tmp_path: Path) -> None:
    program = project(tmp_path, {"a": "!g. +!g <- +p.", "b": "q."}, options="idle = cycle")
    formula = parse("F Bel(a, p)")
    assert SPIN.check(program, formula).holds is False
    assert Spin(model_for_spin, fair=True, optimise="-O0").check(program, formula).holds is True


@needs_spin
def test_channels_get_the_room_that_they_need(tmp_path: Path) -> None:
    """Nine beliefs do not fit where a project states nothing; the model is made again with more
    room."""
    program = project(
        tmp_path, {"a": "!g. +!g <- " + "; ".join(f"+p({n})" for n in range(12)) + "."}
    )
    assert SPIN.check(program, parse("F Bel(a, p(11))")).holds is True


def test_room_that_is_not_stated_ends_where_ours_does(tmp_path: Path) -> None:
    program = project(tmp_path, {"a": "!g. +!g <- +p."}, options="M_Ev = 3")
    formula = parse("F Bel(a, p)")
    assert "#define M_Bel 100 " in model_for_spin(program, formula, {"M_Bel": 128})
    assert "#define M_Ev 3\n" in model_for_spin(program, formula, {"M_Bel": 16})
    with pytest.raises(InputError, match="M_Bel = 100"):
        model_for_spin(program, formula, {"M_Bel": 255})
    with pytest.raises(BoundExceeded, match="M_Bel = 100"):
        explore(
            project(
                tmp_path / "large",
                {"a": "!g. +!g <- " + "; ".join(f"+p({n})" for n in range(101)) + "."},
            )
            .model()
            .system
        )


@needs_spin
def test_a_stated_bound_that_is_exceeded_is_an_error(tmp_path: Path) -> None:
    program = project(tmp_path, {"a": "!g. +!g <- +p; +q."}, options="M_Bel = 1")
    with pytest.raises(InputError, match="M_Bel = 1"):
        SPIN.check(program, parse("F Bel(a, q)"))


@needs_spin
@pytest.mark.parametrize(
    ("agents", "bound"),
    [
        ({"a": "p(0). !g. +!g <- +p(1); +p(2); +q."}, "M_Inst = 2"),
        ({"a": "p(0). !g. +!g <- .send(b, tell, p(1)); +q.", "b": "p(2)."}, "b.M_Inst = 1"),
        ({"a": "!g. +!g <- .send(b, tell, p(1)); +q.", "b": "p(2)."}, "M_Bel = 3\nb.M_Bel = 1"),
        (
            {"a": "!g. +!g <- .send(b, tell, p(1)); +q.", "b": "+p(X) <- +q; !f; +r. +!f <- +s."},
            "M_Int = 3\nb.M_Int = 1",
        ),
        (
            {"a": "!g. +!g <- .send(b, tell, p(1)); .send(b, tell, p(2)); +q.", "b": "p(2)."},
            "a.M_Msg = 1",
        ),
        (
            {"a": "!g. +!g <- .send(b, achieve, h); .send(b, tell, r); +q.", "b": "+!h <- +s."},
            "b.M_Ev = 1",
        ),
    ],
)
def test_both_engines_refuse_what_exceeds_a_bound(
    tmp_path: Path, agents: dict[str, str], bound: str
) -> None:
    """Also one of a single agent, and M_Inst, which is not the size of a channel; with more room
    both answer."""
    formula = parse("F Bel(a, q)")
    program = project(tmp_path, agents, options=bound)
    with pytest.raises(BoundExceeded, match="exceeds the bound"):
        explore(program.model().system)
    with pytest.raises(InputError, match="exceeds the bound"):
        SPIN.check(program, formula)
    limit = int(bound[-1])
    roomy = project(tmp_path / "roomy", agents, options=f"{bound[:-1]}{limit + 5}")
    assert (
        SPIN.check(roomy, formula).holds
        is on_graph(roomy.model(), explore(roomy.model().system), formula).holds
        is True
    )


@needs_spin
@pytest.mark.parametrize("added", [".send(a, tell, light)", "+own"])
def test_a_belief_that_is_also_told_or_added_outlives_its_percept(
    tmp_path: Path, added: str
) -> None:
    """Only what is perceived and nothing else goes with the percept."""
    world = "percept light initially light\nfact gone\naction hide do remove light; add gone"
    agents = {
        "a": "+light : true <- true. +own <- +light; +kept.",
        "b": f"!g. +!g <- {added.replace('+own', '.send(a, tell, own)')}; hide.",
    }
    program = project(tmp_path, agents, world)
    model = program.model()
    space = explore(model.system)
    reported, perceived = (
        parse("A [ F G Bel(a, light) ]"),
        parse("A [ G (Bel(a, light) -> F !Bel(a, light)) ]"),
    )
    for formula in (reported, perceived):
        assert (
            SPIN.check(program, formula).holds
            is on_graph(model, space, formula).holds
            is (formula is reported)
        )


@needs_spin
def test_an_answer_that_takes_too_long_is_unknown() -> None:
    program = load(EXAMPLES / "auction", {})
    verdict = SPIN.check(program, parse(program.properties[0].text), seconds=0.05)
    assert verdict.holds is None
    assert verdict.unknown is not None


def test_missing_tools_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = project(tmp_path / "project", {"a": "p."})
    monkeypatch.setenv("PATH", str(tmp_path))
    why_not = SPIN.unsupported_reason(program, parse("F Bel(a, p)"))
    assert why_not is not None
    assert "spin and cc" in why_not
    with pytest.raises(InputError, match="'spin' is not installed"):
        SPIN.check(program, parse("F Bel(a, p)"))


def test_spin_says_what_it_cannot_answer(tmp_path: Path) -> None:
    program = project(tmp_path, {"a": "p(f(1))."})
    assert "next operator" in str(SPIN.unsupported_reason(program, parse("A [ X Bel(a, p) ]")))
    assert "LTL" in str(SPIN.unsupported_reason(program, parse("AG EF Bel(a, p)")))


@needs_spin
@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(SYSTEMS, WORLDS, st.lists(FORMULAS, min_size=3, max_size=3, unique=True))
def test_random_systems_and_formulas_get_the_same_answers(
    system: RandomSystem, world: str, texts: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        program = load(
            write_project(Path(folder), system.agents, world, f"{system.options}\n{BOUNDS}"), {}
        )
    model = program.model()
    try:
        space = explore(model.system, limits=Limits(states=20_000))
    except BoundExceeded:
        assume(False)
    assume(space.complete and space.num_states > 30)
    formulas = {f"F{number}": parse(f"A [ {text} ]") for number, text in enumerate(texts)}
    ours = {name: on_graph(model, space, formula).holds for name, formula in formulas.items()}
    with verifier(
        to_promela(program, formulas, bounds_from_space(program, space)), optimise="-O0"
    ) as made:
        spin = {name: made.check(name) for name in formulas}
    assert not [found for found in spin.values() if found.unknown or found.exceeded]
    assert {name: not found.violated for name, found in spin.items()} == ours


@needs_spin
@settings(
    max_examples=2,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(SYSTEMS, WORLDS, SELECTIONS)
def test_random_systems_have_the_same_states(
    system: RandomSystem, world: str, selections: str
) -> None:
    with TemporaryDirectory() as folder:
        program = load(
            write_project(
                Path(folder), system.agents, world, f"{system.options}\n{selections}\n{BOUNDS}"
            ),
            {},
        )
    try:
        space = explore(program.model().system, limits=Limits(states=20_000))
        to_promela(program)
    except InputError:  # a bound is exceeded, or .random has no translation
        assume(False)
    assume(space.complete and space.num_states > 30)
    assert states_in_spin(program, space) == space.num_states + 1
