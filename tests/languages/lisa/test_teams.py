"""Several agents in one folder: messages, names, mistakes (Izzo, Sect. 3.3.1 and 7.3;
``docs/reference/lisa.md``)."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import volition
from tests.languages.lisa.projects import (
    EXAMPLES,
    action,
    codes,
    folder_mistakes,
    project,
    reasoning,
    team,
)
from tests.languages.lisa.random_projects import teams
from tests.languages.lisa.test_semantics import cycles, space_of
from tests.languages.test_state_views import expect_states_told_apart
from volition.checking.check import check
from volition.diagnostics import InputError
from volition.kernel import explore
from volition.languages.lisa import LisaProgram, load
from volition.logic import parse
from volition.reporting.coverage import coverage
from volition.slicing.text_slice import slice_program_text

SAYS = "If ^[Go] then\n-^[Go]\n[Send ^[Hello] to b.]."
HEARS = "If ^[Hello] then\n+^[Greeted]."


def messages(*sentences: str) -> str:
    return "Monitor the following messages:\n" + "\n".join(sentences)


def two(
    a: str = SAYS,
    b: str = HEARS,
    *,
    actions: str = "",
    perceives: str = "Hello.",
    files: dict[str, str] | None = None,
) -> LisaProgram:
    """An agent that says something, and one that hears it."""
    asking = reasoning(beliefs="Go.", actions=actions, plans=a)
    return team(
        {
            "a.sej": asking,
            "b.sej": reasoning(percepts=messages(perceives), plans=b),
            **(files or {}),
        }
    )


# --- messages -------------------------------------------------------------------------------------


def test_a_message_is_held_in_the_cycle_after_it_was_sent() -> None:
    space = space_of(two())
    assert cycles(space, "a_plan_1", 5) == [1, 2, 0, 0, 0]
    assert cycles(space, "b_hello", 5) == [0, 0, 1, 0, 0]
    assert cycles(space, "b_plan_1", 5) == [0, 0, 1, 0, 0]
    assert cycles(space, "b_greeted", 5) == [0, 0, 0, 1, 1]


def test_messages_in_cycles_after_each_other_are_one_long_message() -> None:
    """The truth of a message is what its sender does."""
    space = space_of(
        two(
            "If ^[Go] then\n-^[Go]\n[Send ^[Hello] to b.]\n[Send ^[Hello] to b.].",
            "If +^[Hello] then\n+^[Greeted].",
        )
    )
    assert cycles(space, "b_hello", 6) == [0, 0, 1, 1, 0, 0]
    assert cycles(space, "b_plan_1", 6) == [0, 0, 1, 0, 0, 0]


def test_a_message_among_the_initial_actions_comes_in_the_first_cycle() -> None:
    space = space_of(two("If ^[Go] then\n-^[Go].", actions="[Send ^[Hello] to b.]"))
    assert space.value(0, "b_hello") == 2
    assert cycles(space, "b_hello", 3) == [1, 0, 0]
    assert cycles(space, "b_greeted", 3) == [0, 1, 1]


def test_a_message_to_all() -> None:
    plans = SAYS.replace("to b", "to all")
    received = reasoning(percepts=messages("Hello."), plans=HEARS)
    space = space_of(
        team({"a.sej": reasoning(beliefs="Go.", plans=plans), "b.sej": received, "c.sej": received})
    )
    assert cycles(space, "b_hello", 4) == cycles(space, "c_hello", 4) == [0, 0, 1, 0]


def test_what_is_not_declared_is_an_unknown_message() -> None:
    plans = (
        "If ^[Go] then\n-^[Go]\n[Send ^[Hello] to b.]\n[Send ^[Nonsense] to b.]\n[Send "
        "^[Humbug] to b.]."
    )
    program = two(plans, HEARS, perceives="Hello.\nUnknown message received.")
    assert not program.warnings
    space = space_of(program)
    assert cycles(space, "b_hello", 6) == [0, 0, 1, 0, 0, 0]
    assert cycles(space, "b_unknown_message_received", 6) == [0, 0, 0, 1, 1, 0]


def test_messages_from_outside_are_drawn_by_their_triples() -> None:
    """Nobody here sends *Recall*, and somebody sends *Hello*, whose triples were for when nobody
    did."""
    program = two(perceives="Hello. {[],[0.5,1,0],[1,1,0]}\nRecall. {[],[0.25,1,0],[1,1,0]}")
    assert [each.code for each in program.warnings] == ["LIS082"]
    assert [each.name for each in program.agents[1].percepts] == ["recall"]
    assert [name for name in program.parameters if name.startswith("b_")] == [
        f"b_recall.{process}.{part}"
        for process in ("activation", "deactivation")
        for part in ("p", "mu", "sigma")
    ]


def test_one_agent_of_a_folder_can_be_taken_alone(tmp_path: Path) -> None:
    """Then its messages come by their triples, and what it sends leaves the model."""
    (tmp_path / "a.sej").write_text(reasoning(beliefs="Go.", plans=SAYS))
    (tmp_path / "b.sej").write_text(
        reasoning(percepts=messages("Hello. {[],[0.5,1,0],[1,1,0]}"), plans=HEARS)
    )
    alone = load(tmp_path / "b.sej", {})
    assert not alone.warnings
    assert next(iter(alone.parameters)) == "hello.activation.p"
    assert cycles(space_of(load(tmp_path / "a.sej", {})), "plan_1", 3) == [1, 2, 0]
    assert len(load(tmp_path, {}).agents) == 2
    assert volition.load(tmp_path).model().agents == ("a", "b")


# --- agents that have nothing to do with each other -----------------------------------------------


def test_strangers_behave_as_if_they_were_alone() -> None:
    """The product of two chains that share the clock: what is asked of one is what it is alone."""
    percepts = "P. {[],[0.25,2,1],[0.5,1,0]}"
    one = reasoning(percepts=percepts, plans="If ^[P] then\n[Act.] {cost=1}.")
    files = {"act.sep": action("act", "Done[0.5,2,1], Failed[0.5,2,1]")}
    both = team({"a.sej": one, "b.sej": one, **files})
    alone = project(one, {"act": files["act.sep"]})
    for formula in (
        "P=? [ F<=20 {}failed = 1 ]",
        "P=? [ F<=9 ({}plan_1 = 1 & {}done > 1) ]",
        'R{{"{}cost"}}=? [ C<=20 ]',
    ):
        expected = check(alone, [formula.format("", "")]).answers[0].verdict.value
        found = [
            check(both, [formula.format(prefix, prefix)]).answers[0].verdict.value
            for prefix in ("a_", "b_")
        ]
        assert found == pytest.approx([expected, expected])
    total = check(both, ['R{"cost"}=? [ C<=20 ]']).answers[0].verdict.value
    assert total == pytest.approx(
        2 * float(check(alone, ['R{"cost"}=? [ C<=20 ]']).answers[0].verdict.value or 0)
    )
    assert (
        check(both, ["P=? [ F<=9 forall a. Int(a, plan_1) ]"]).answers[0].verdict.value is not None
    )


# --- files, parameters, tables --------------------------------------------------------------------


def test_action_files_in_the_folder_of_an_agent_are_its_own() -> None:
    """Others are for those that call them."""
    plans = "If ^[Go] then\n[Act.]\n[Both act.]."
    files = {f"{name}.sej": reasoning(beliefs="Go.", plans=plans) for name in "ab"}
    files |= {"a/act.sep": action("act", "Done[1,1,0]"), "b/act.sep": action("act", "Done[1,3,0]")}
    files |= {
        "actions/both_act.sep": action("both act", "Both done[1,2,0]"),
        "unused.sep": action("unused", "Never[1,1,0]"),
    }
    program = team(files)
    assert [each.code for each in program.warnings] == ["LIS071"]
    assert [{each.name for each in agent.actions} for agent in program.agents] == [
        {"act", "both_act"}
    ] * 2
    assert {
        name: value for name, value in program.parameters.items() if name.endswith("act.mu")
    } == {
        "a_act.mu": 1,
        "a_both_act.mu": 2,
        "b_act.mu": 3,
        "b_both_act.mu": 2,
    }
    assert team(files, {"b_both_act.mu": "4"}).parameters["b_both_act.mu"] == 4
    changed = program.with_parameters({"a_act.mu": Fraction(5)})
    assert [
        {each.name: each.mean for each in agent.actions}["act"] for agent in changed.agents
    ] == [5, 3]


def test_tables_name_the_agents() -> None:
    tables = {table.title: table for table in load(EXAMPLES / "mine_hunt", {}).tables()}
    assert tables["Model"].rows[0][0] == "MDP"
    assert list(tables["Messages"].rows[0]) == ["Contact found", "vessel", "drone", "plan_2 = 4"]
    assert "drone: Plans" in tables
    assert ["energy", "drone_energy", "sum"] in [list(row) for row in tables["Rewards"].rows]


def test_coverage_names_the_agents() -> None:
    model = load(EXAMPLES / "mine_hunt", {}).model()
    found = coverage(model, explore(model.system))
    assert "drone: send_contact_is_a_rock_to_vessel" in found.used["actions"]
    assert {"vessel: plan_6", "drone: plan_3"} <= set(found.used["plans"])
    assert found.unused == {"plans": (), "actions": ()}


def test_the_mine_hunt() -> None:
    report = check(load(EXAMPLES / "mine_hunt", {}))
    assert [
        (answer.prop.name, answer.as_expected)
        for answer in report.answers
        if answer.as_expected is not True
    ] == []
    assert len(report.answers) == 10


# --- formulas -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("P=? [ F Bel(greeted) ]", "does not name an agent"),
        ("P=? [ F Bel(c, greeted) ]", "unknown agent 'c'"),
        ("P=? [ F Bel(a, greeted) ]", "unknown belief 'greeted' of agent 'a'"),
        ("P=? [ F greeted ]", "name the agent: Bel(b, greeted)"),
        ("P=? [ F plan_1 = 1 ]", "unknown variable 'plan_1'"),
        ("P=? [ F Goal(a, go) ]", "not supported for LISA"),
    ],
)
def test_formulas_say_whom_they_ask(formula: str, text: str) -> None:
    with pytest.raises(InputError) as found:
        check(two(), [formula])
    assert text in str(found.value)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ('P=? [ F<=7 Does(a, "Send ^[Hello] to b") ]', 1),
        ("P=? [ F<=3 Does(a, [Send ^[Hello] to b.]) ]", 0),
        ("P=? [ F<=7 b_greeted ]", 1),
        ("P=? [ F<=6 b_greeted ]", 0),
        ("P=? [ F (Bel(b, ^[Hello] and ~^[Greeted]) & x = 1 & a_plan_1 = 2) ]", 1),
        ("P=? [ F (exists y. Int(y, plan_1)) & (F forall y. !Int(y, plan_1)) ]", 1),
    ],
)
def test_formulas(formula: str, value: float) -> None:
    assert check(two(), [formula]).answers[0].verdict.value == value


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "code", "position"),
    [
        ("[Send ^[Hello] to c.]", "LIS059", "c"),
        ("[Send ^[Hello] to a.]", "LIS066", "a"),
        ("[Send ^[Hello].]", "LIS017", "[Send ^[Hello].]"),
        ("[Send ^[Hello] to .]", "LIS017", "[Send ^[Hello] to .]"),
        ("[Tell ^[Hello] to b.]", "LIS017", "[Tell ^[Hello] to b.]"),
        ("[Send ^[] to b.]", "LIS002", ""),
    ],
)
def test_messages_that_cannot_be_sent(sentence: str, code: str, position: str) -> None:
    plans = f"If ^[Go] then\n-^[Go]\n{sentence}."
    found = folder_mistakes(
        {
            "a.sej": reasoning(beliefs="Go.", plans=plans),
            "b.sej": reasoning(percepts=messages("Hello."), plans=HEARS),
        }
    )
    assert codes(found) == [code]
    assert found[0].span is not None
    assert (found[0].span.text, Path(found[0].span.source.name).name) == (position, "a.sej")


def test_an_agent_alone_has_nobody_to_write_to() -> None:
    with pytest.raises(InputError) as found:
        project(reasoning(beliefs="Go.", plans=SAYS))
    assert "no other agent" in str(found.value)


@pytest.mark.parametrize(
    ("perceives", "code", "hint"),
    [
        ("Hullo.", "LIS081", "did you mean 'Hullo'?"),
        (
            "Monitor the following booleans:\nHello. {[],[1,1,0],[1,1,0]}",
            "LIS081",
            "below 'Monitor the following messages:'",
        ),
    ],
)
def test_messages_that_nobody_reads(perceives: str, code: str, hint: str) -> None:
    b = reasoning(percepts="", plans="If ^[Go] then\n+^[Go].", beliefs="Go.")
    heading = "" if perceives.startswith("Monitor") else "Monitor the following messages:\n"
    b = b.replace("Monitor the following booleans:\n", heading + perceives)
    program = team({"a.sej": reasoning(beliefs="Go.", plans=SAYS), "b.sej": b})
    found = next(each for each in program.warnings if each.code == code)
    assert hint in (found.hint or "")
    assert found.span is not None
    assert found.span.text == "Hello"


def test_messages_that_nobody_sends() -> None:
    program = two(perceives="Hello.\nGood bye.")
    assert [(each.code, each.span and each.span.text) for each in program.warnings] == [
        ("LIS083", "Good bye")
    ]
    assert cycles(space_of(program), "b_good_bye", 4) == [0, 0, 0, 0]


def test_a_message_is_no_feedback_and_no_note() -> None:
    b = reasoning(
        beliefs="Go.",
        percepts=messages("Hello.", "Done."),
        plans="If ^[Go] then\n+^[Hello]\n[Act.].",
    )
    a = reasoning(beliefs="Go.", plans=SAYS + "\nIf ^[Go] while ^[Go] then\n[Send ^[Done] to b.].")
    assert codes(
        folder_mistakes({"a.sej": a, "b.sej": b, "act.sep": action("act", "Done[1,1,0]")})
    ) == ["LIS047", "LIS045"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("a", "A"), ["LIS065"]),
        (("a b", "c"), ["LIS064"]),
        (("all", "c"), ["LIS064"]),
        (("2", "c"), ["LIS064"]),
    ],
)
def test_names_of_agents(names: tuple[str, str], expected: list[str]) -> None:
    assert (
        codes(
            folder_mistakes(
                {
                    f"{name}.sej": reasoning(beliefs="Go.", plans="If ^[Go] then\n-^[Go].")
                    for name in names
                }
            )
        )
        == expected
    )


def test_names_must_not_meet() -> None:
    first = reasoning(beliefs="B found.", plans="If ^[B found] then\n-^[B found].")
    second = reasoning(beliefs="Found.", plans="If ^[Found] then\n-^[Found].")
    assert codes(folder_mistakes({"a.sej": first, "a_b.sej": second})) == ["LIS065"]
    assert team({"a.sej": first, "ab.sej": second}).agents


def test_mistakes_of_all_agents_at_once() -> None:
    files = {
        f"{name}.sej": reasoning(beliefs="Go.", plans=f"If ^[Gone {name}] then\n-^[Go].")
        for name in "ab"
    }
    found = folder_mistakes(files)
    assert [(each.code, each.span and Path(each.span.source.name).name) for each in found] == [
        ("LIS040", "a.sej"),
        ("LIS040", "b.sej"),
    ]


# --- random teams ---------------------------------------------------------------------------------

SOME = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
ATOMS = [
    "Bel(a, answer)",
    "Bel(b, question)",
    "Bel(b, unknown_message_received)",
    "Int(a, plan_1)",
    "Des(b, plan_1)",
    "b_plan_1 = 1",
    "Bel(a, ^[Note one] and ~^[Note two])",
    'Does(a, "+^[Note one]")',
]


@SOME
@given(teams())
def test_portraits_tell_states_apart(files: dict[str, str]) -> None:
    expect_states_told_apart(team(files), "Does(a, +Note one)")


@SOME
@given(teams(), st.sampled_from(ATOMS))
def test_a_slice_answers_as_the_whole(files: dict[str, str], atom: str) -> None:
    program = team(files)
    properties = [f"{quantity}=? [ F<=12 {atom} ]" for quantity in ("Pmin", "Pmax")]
    sliced = slice_program_text(program, [parse(prop) for prop in properties]).program
    values = [
        [answer.verdict.value for answer in check(each, properties).answers]
        for each in (program, sliced)
    ]
    assert values[0] == pytest.approx(values[1])


def test_a_slice_leaves_out_an_agent_that_does_not_matter() -> None:
    plans = "If ^[Go] then\n-^[Go].\nIf ^[Hello] then\n+^[Greeted]."
    program = two(b=plans.replace("^[Go]", "^[Own]") + "\nIf ^[Greeted] then\n+^[Own].")
    sliced = slice_program_text(program, [parse("P=? [ F a_go = 0 ]")])
    assert sliced.removed_plans == 3
    assert check(sliced.program, ["P=? [ F a_go = 0 ]"]).answers[0].verdict.value == 1
