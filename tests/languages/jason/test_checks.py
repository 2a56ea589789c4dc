"""What is wrong with a program before it runs is refused, what looks wrong is told, and what nobody
can verify is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import pytest

from volition.diagnostics import Diagnostics, Source
from volition.languages.jason.checks import check_agents
from volition.languages.jason.goal_queries import GOAL_QUERIES
from volition.languages.jason.library import (
    NONDETERMINISTIC_ACTIONS,
    PURE_ACTIONS,
    communication,
    intentions,
    timing,
)
from volition.languages.jason.library.annotations import SOURCES
from volition.languages.jason.parsing.statements import read_agent, read_rule
from volition.languages.jason.settings import InternalActionModel, Settings
from volition.languages.jason.stubs import with_stubs
from volition.languages.jason.vocabulary import ACTIONS
from volition.languages.world import EmptyWorld, World, load_world


def checked(
    agents: str | Mapping[str, str], world: str | None = None, settings: Settings | None = None
) -> Diagnostics:
    """What the checks say about a system of one agent, called ``bob``, or of several."""
    texts = {"bob": agents} if isinstance(agents, str) else agents
    diagnostics = Diagnostics()
    programs = {
        name: read_agent(Source(f"{name}.asl", text), diagnostics) for name, text in texts.items()
    }
    empty_world: World = EmptyWorld(tuple(texts), {})
    if world is not None:
        empty_world = load_world(Source("w.world", world), tuple(texts), {}, diagnostics)
    diagnostics.raise_errors()
    settled = {
        name: with_stubs(program, settings or Settings()) for name, program in programs.items()
    }
    changed = {name: program for name, (program, _) in settled.items()}
    check_agents(
        changed, {name: each for name, (_, each) in settled.items()}, empty_world, diagnostics
    )
    return diagnostics


def told(*arguments: object, **settings: Settings) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in checked(*arguments, **settings)]  # type: ignore[arg-type]


def in_body(text: str) -> str:
    return f"!go. +!go <- {text}."


# --- refused by name ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (".create_agent(x, f)", "agents that are created or removed at run time (.create_agent)"),
        (".kill_agent(x)", "agents that are created or removed at run time (.kill_agent)"),
        (".add_plan({+!h})", "plans and rules that change at run time (.add_plan)"),
        (".queue.create(Q)", "mutable objects inside terms (.queue.create)"),
        (".set.add(S, 1)", "mutable objects inside terms (.set.add)"),
        (".term2string(a, S)", "reflection (.term2string)"),
        (".relevant_plans({+!g}, L)", "reflection (.relevant_plans)"),
        (".random(X)", "random real numbers (.random)"),
        ("X = math.random(3)", "random real numbers (math.random)"),
        (".date(Y, M, D)", "the current time (.date)"),
        ("X = system.time", "the current time (system.time)"),
        (".send(bob, tellHow, p)", "plans and rules that change at run time"),
    ],
)
def test_what_cannot_be_verified(step: str, what: str) -> None:
    found = [message for code, message in told(in_body(step)) if code == "JSN003"]
    assert any(each.startswith(f"{what} cannot be verified, because ") for each in found)


def test_a_project_can_say_what_time_it_is_and_which_numbers_come_at_random() -> None:
    settings = Settings(clock=datetime(2026, 3, 1), random=(0, 0.5))
    assert (
        told(
            in_body(
                ".date(Y, M, D); .random(X); X > math.random(2) - system.time; "
                ".current_intention(I); .print(I)"
            ),
            settings=settings,
        )
        == []
    )
    assert [code for code, _ in told("!go. +!go : X = math.random(2).", settings=settings)] == [
        "JSN003"
    ]
    assert [
        code for code, _ in told(in_body(".current_intention(I); I == 3"), settings=settings)
    ] == ["JSN003"]


def test_meta_events_that_never_occur() -> None:
    (state, goal) = checked(
        "!g. +!g. ^!g[state(started)]. ^!g[state(S)]. ^!g[state(finished)]. ^!gg."
    )
    assert (state.message, goal.message) == (
        "event ^!g[state(started)] never occurs",
        "event ^!gg never occurs",
    )
    assert state.hint is not None
    assert "executing" in state.hint


def test_what_the_interpreter_tells_of_itself() -> None:
    message = (
        "events about the interpreter (jag_sleeping) cannot be verified, because Jason's "
        "threads determine when they occur"
    )
    assert told("+jag_sleeping <- .print(z).") == [("JSN003", message)]


def test_priorities_of_plans() -> None:
    message = "plan priorities cannot be verified, because Volition does not support them"
    assert ("JSN003", message) in told("!g. @l[priority(2)] +!g.")


# --- internal actions -----------------------------------------------------------------------------


def test_internal_actions_that_nobody_knows() -> None:
    diagnostics = checked(in_body(".sned(bob, tell, p); my.thing(X, Y)"))
    misspelt, own = [each for each in diagnostics if each.code in ("JSN029", "JSN030")]
    assert misspelt.hint == "did you mean '.send'?"
    assert misspelt.span is not None
    assert misspelt.span.text == ".sned"
    assert (
        own.message == "the internal action my.thing is written in Java, which Volition cannot run"
    )
    assert own.hint is not None
    assert "internal my.thing(A, B) :- .." in own.hint


def test_internal_actions_that_the_project_declares() -> None:
    source = Source("p", "my.thing(1)")
    declared = InternalActionModel(
        "my.thing", (read_rule(source, Diagnostics(), 0, len(source.text)),)
    )
    assert told(in_body("my.thing(X)"), settings=Settings(internal={"my.thing": declared})) == []


def test_an_internal_action_is_declared_with_as_many_arguments_as_it_has() -> None:
    source = Source("p", "my.thing(1)")
    declared = InternalActionModel(
        "my.thing", (read_rule(source, Diagnostics(), 0, len(source.text)),)
    )
    (found,) = checked(
        in_body("my.thing(X); my.thing(X, 2)"), settings=Settings(internal={"my.thing": declared})
    )
    assert (found.code, found.message) == ("JSN048", "my.thing is declared with 1 argument, not 2")
    assert (
        told(
            in_body("my.thing(X, 2)"),
            settings=Settings(internal={"my.thing": InternalActionModel("my.thing")}),
        )
        == []
    )


def test_one_missing_declaration_is_told_once() -> None:
    found = [
        each
        for each in checked(in_body("my.thing(1); my.thing(2); my.thing(1, 2)"))
        if each.code == "JSN030"
    ]
    assert [each.message for each in found] == [
        "the internal action my.thing is written in Java, which Volition cannot run"
    ] * 2
    assert [each.hint is not None and "choice B in [..]" in each.hint for each in found] == [
        False,
        True,
    ]


def test_functions_in_java_are_declared_as_internal_actions() -> None:
    program = '{ register_function("my.sin") } !g. +!g <- X = my.sin(1) + 1.'
    (found,) = checked(program)
    assert (found.code, found.message) == (
        "JSN030",
        "the function my.sin is written in Java, which Volition cannot run",
    )
    assert found.hint is not None
    assert "internal my.sin(A, Value)" in found.hint


@pytest.mark.parametrize(
    "call",
    [
        ".member(X)",
        ".send(bob, tell)",
        ".nth(1, [a])",
        ".print(math.abs(1, 2))",
        ".drop_all_desires(x)",
    ],
)
def test_the_number_of_arguments(call: str) -> None:
    assert [code for code, _ in told(in_body(call))] == ["JSN048"]


def test_the_vocabulary_is_what_is_implemented() -> None:
    deeds = {
        *communication.STATEFUL_ACTIONS,
        *intentions.STATEFUL_ACTIONS,
        *timing.STATEFUL_ACTIONS,
    }
    of_default_plans = {".answer", ".remove_source_annot", ".signal"}
    implemented = {
        *PURE_ACTIONS,
        *NONDETERMINISTIC_ACTIONS,
        *GOAL_QUERIES,
        *SOURCES,
        *deeds,
    } - of_default_plans
    assert set(ACTIONS) == implemented | {".date", ".time"}  # these two have stand-ins


def test_what_cannot_stand_in_a_query() -> None:
    choice = Settings(internal={"my.one": InternalActionModel("my.one", is_choice=True)})
    assert [code for code, _ in told("!g. +!g : .drop_desire(g).")] == ["JSN032"]
    assert told("!g. +!g : .send(bob, tell, p).") == [
        ("JSN032", ".send cannot be used in a context, a rule or a test")
    ]
    assert told("!g. r(X) :- q(X). q(X) :- my.one(X). +!g : r(X).", settings=choice) == []
    for deciding in (
        "+!g <- for (my.one(X)) { .print(X) }.",
        "+!g <- while (my.one(X)) { .print(X) }.",
    ):
        assert [code for code, _ in told(f"!g. {deciding}", settings=choice)] == ["JSN028"]
    for step in (
        "my.one(X)",
        "?my.one(X)",
        "?r(X)",
        "if (r(X)) { .print(X) }",
        "my.one(X) & X > 1",
    ):
        assert told(f"r(X) :- my.one(X). !g. +!g <- {step}.", settings=choice) == []


def test_only_numbers_are_computed_with() -> None:
    diagnostics = checked("!g(1). +!g(N) <- X = n + 1; Y = f(N) - 1; Z = -a.")
    assert [each.message for each in diagnostics] == [
        "'n' is not a number",
        "'f(N)' is not a number",
        "'a' is not a number",
    ]
    assert next(iter(diagnostics)).hint == "a variable starts with a capital letter: N"
    assert told('{ register_function("my.f", 1, "p") } p(1, 2). !g. +!g <- Y = my.f(1) + 1.') == []


# --- messages and actions -------------------------------------------------------------------------


def test_receivers_and_performatives() -> None:
    agents = {
        "ann": "!go. +!go <- .send(bab, tell, p); .send(bob, tel, p); .send([bob], achieve, gaol); "
        ".send(bob, propose, 1).",
        "bob": "+!goal.",
    }
    assert told(agents) == [
        ("JSN035", "unknown agent 'bab', so this step fails"),
        ("JSN027", "bob has no plan for the performative 'tel'"),
        ("JSN033", "no plan of bob handles the goal !gaol/0"),
        ("JSN027", "bob has no plan for the performative 'propose'"),
        ("JSN031", "event +!goal never occurs"),
    ]
    assert told({**agents, "bob": "+!gaol. +!kqml_received(S, F, C, I)."}) == [
        ("JSN035", "unknown agent 'bab', so this step fails")
    ]


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ("+!h", ["no agent has a plan for the performative 'offer'"]),
        ("+!kqml_received(S, offr, C, I)", ["no agent has a plan for the performative 'offer'"]),
        ("+!kqml_received(S, offer, C, I)", []),
        ("+!kqml_received(S, F, C, I)", []),
        ("+!G", []),
    ],
)
def test_performatives_for_whoever_it_is(plan: str, expected: list[str]) -> None:
    agents = {"ann": "!go(bob). +!go(Who) <- .send(Who, offer, p).", "bob": f"!h. {plan}."}
    assert [message for code, message in told(agents) if code == "JSN027"] == expected


def test_actions_and_the_world() -> None:
    text = in_body("wave; wav(1)")
    assert told(text) == [
        ("JSN046", "there is no world, so the action wave/0 always fails"),
        ("JSN046", "there is no world, so the action wav/1 always fails"),
    ]
    assert told(text, "action wave do nothing\naction wink do nothing") == [
        ("JSN037", "no agent ever executes the action wink/0"),
        ("JSN036", "the world does not define the action wav/1"),
    ]


@pytest.mark.parametrize(
    ("world", "what"),
    [
        ("percept on\npercept off\naction act do add on; add off", "the events +on/0 and +off/0"),
        (
            "percept on\npercept off\naction act do remove on; remove off",
            None,
        ),  # no plan is for that
        (
            "percept on\npercept off\naction act do add on; remove off",
            None,
        ),  # what goes, goes first
        ("percept on\npercept off\naction act do either { add on } or { add off }", None),
        ("percept on\npercept off seen by amy\naction act do add on; add off", None),
        ("percept at(X) initially at(1), at(2)\naction act do nothing", "several events +at/1"),
    ],
)
def test_percepts_that_come_at_once(world: str, what: str | None) -> None:
    """Jason takes them up in the order of a hash table."""
    agents = {"bob": "!go. +!go <- act. +on. +off. +at(X).", "amy": "q."}
    found = [message for code, message in told(agents, world) if code == "JSN018"]
    assert found == (
        []
        if what is None
        else [f"{what} can occur at the same time for bob, and Jason does not specify their order"]
    )
    assert "JSN018" not in [code for code, _ in told(agents, world, Settings(percept_order="any"))]


# --- what never happens ---------------------------------------------------------------------------


def test_goals_without_plans() -> None:
    diagnostics = checked("!strat. +!start <- !go(1); !!on; !Any. +!go(X, Y). +!on.")
    assert [(each.code, each.message) for each in diagnostics] == [
        ("JSN033", "no plan handles the goal !strat/0"),
        ("JSN033", "no plan handles the goal !go/1"),
    ]
    first, second = diagnostics
    assert first.hint == "did you mean 'start'?"
    assert second.hint == "did you mean go/2?"


def test_a_plan_for_any_goal_handles_all() -> None:
    assert told("!g. +!G <- .print(G).") == []


def test_beliefs_that_never_come() -> None:
    assert told(
        "blief(1). !g. +!g : belief(X) & not ~blief(X) <- ?blief(Y); -other; .count(third(_), N)."
    ) == [
        ("JSN034", "the agent never believes belief/1"),
        ("JSN034", "the agent never believes ~blief/1"),
        ("JSN034", "the agent never believes other/0, so there is nothing to remove"),
        ("JSN034", "the agent never believes third/1"),
    ]


@pytest.mark.parametrize(
    "where",
    [
        "q(1).", "q(X) :- p(X). p(1).", "!h. +!h <- +q(1).", "!h. +!h <- -+q(2).", "p(q(1)). !h. +!h : p(B) <- +B.", "+?q(X).",  # noqa: E501
        "!h. +!h <- .send(bob, askOne, q(_)).", "!h. +!h <- { +q(1) }.",
    ],
)  # fmt: skip
def test_where_beliefs_may_come_from(where: str) -> None:
    assert [each for each in told(f"!g. +!g : q(X). {where}") if each[0] == "JSN034"] == []


def test_beliefs_from_the_world_and_from_others() -> None:
    assert (
        told(
            "!g. +!g : seen(X) <- act.", "percept seen(X) initially seen(1)\naction act do nothing"
        )
        == []
    )
    assert told({"bob": "!g. +!g : q(X).", "ann": "!g. +!g <- .broadcast(tell, q(1))."}) == []
    assert told({"bob": "!g. +!g : q(X).", "ann": "!g. +!g <- .send(bob, tell, [p, q(1)])."}) == []
    assert (
        told(
            {
                "bob": "!g. +!g : q(X).",
                "ann": "!g. +!g <- .send(ann, tell, q(1)); .my_name(M); M == ann.",
            }
        )[0][0]
        == "JSN034"
    )


def test_events_that_never_occur() -> None:
    assert told("b. !g. +!g <- -b. +c. -b. -!h. +?t. ^!g[state(S)]. -!g. +b.") == [
        ("JSN031", "event +c never occurs"),
        ("JSN031", "event -!h never occurs"),
        ("JSN031", "event +?t never occurs"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "!g. +!g <- .df_subscribe(s). +provider(A, S). -provider(A, S).", "!g. +!g <- .send(bob, "
                                                                          "askOne, q(_)). +q(X). "
                                                                          "-q(X).",
        "!g. +!g <- .at(\"now\", {+!h}). +!h. -!h.", "!g. +!g <- .send(bob, signal, s). +s.", "!g. +!g <- "  # noqa: E501
                                                                                              ".abolish(p(_)). "  # noqa: E501
                                                                                              "p(1). "  # noqa: E501
                                                                                              "-p(X).",
        "!g. +!g : p(X) <- -+p(X + 1). p(1). +p(X). -p(X).", "+!kqml_received(S, F, C, I).", "+X[source(percept)] <- .print(X).",  # noqa: E501
    ],
)  # fmt: skip
def test_events_that_may_occur(text: str) -> None:
    assert [each for each in told(text) if each[0] == "JSN031"] == []


def test_a_plan_that_is_written_twice() -> None:
    assert told("!g. +!g : p(X) <- .print(X). p(1). +!g : p(X) <- .print(X).") == [
        ("JSN038", "this plan is written twice")
    ]


def test_a_program_that_several_agents_run_is_told_once() -> None:
    diagnostics = Diagnostics()
    program = read_agent(Source("a.asl", "!g. +!g <- .sned(1)."), diagnostics)
    check_agents(
        {"a": program, "b": program},
        {"a": Settings(), "b": Settings()},
        EmptyWorld(("a", "b"), {}),
        diagnostics,
    )
    assert len(list(diagnostics)) == 1
