"""Project files: agents, world, options, trust, parameters, properties, and what is wrong with
them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.agentspeak.systems import explored, write_project
from volition.diagnostics import InputError
from volition.languages import load as load_any
from volition.languages.agentspeak import load
from volition.languages.agentspeak.state import BoundExceeded

COUNTER = "parameter top = 3\nvariable n = 0\nstep tick when n < top do n := n + 1"


def codes(
    folder: Path,
    agents: dict[str, str],
    world: str | None = None,
    options: str = "",
    **settings: str,
) -> list[str]:
    """The codes of errors; every mistake in all files is reported at once."""
    with pytest.raises(InputError) as caught:
        load(write_project(folder, agents, world, options), settings)
    return sorted(each.code for each in caught.value.diagnostics)


def test_a_folder_and_its_project_file_are_the_same_program(tmp_path: Path) -> None:
    folder = write_project(tmp_path, {"a": "p."})
    assert load_any(folder).properties == load_any(folder / "test.mas").properties
    assert load_any(folder).language == "AgentSpeak(F)"


def test_properties_with_their_expected_results(tmp_path: Path) -> None:
    folder = write_project(
        tmp_path,
        {"a": "p."},
        properties='// RESULT: true\n"first": Bel(a, p)\n\n// RESULT: false\nBel(a, q)\n',
    )
    stated = load(folder, {}).properties
    assert [(each.name, each.text, each.expected) for each in stated] == [
        ("first", "Bel(a, p)", "true"),
        (None, "Bel(a, q)", "false"),
    ]


def test_agents_may_share_a_program_and_have_beliefs_of_their_own(tmp_path: Path) -> None:
    write_project(tmp_path, {})
    (tmp_path / "robot.asl").write_text("!go. +!go : home(H) <- +at(H).")
    (tmp_path / "test.mas").write_text(
        "agent r1 = robot.asl believes home(dock), slow\nagent r2, r3 = robot.asl believes "
        "home(bay)\n"
    )
    program = load(tmp_path, {})
    assert {
        name: [str(atom) for atom, _ in each.beliefs] for name, each in program.agents.items()
    } == {
        "r1": ["home(dock)", "slow"],
        "r2": ["home(bay)"],
        "r3": ["home(bay)"],
    }


def test_parameters_come_from_the_world_the_project_and_the_user(tmp_path: Path) -> None:
    agents = {"a": ""}
    assert explored(tmp_path / "1", agents, COUNTER).space.num_states == 4
    assert explored(tmp_path / "2", agents, COUNTER, "parameter top = 5").space.num_states == 6
    assert (
        explored(
            tmp_path / "3", agents, COUNTER, "parameter top = 5", {"top": "7"}
        ).space.num_states
        == 8
    )


def test_options_can_be_set_from_outside(tmp_path: Path) -> None:
    settings = {
        "idle": "cycle",
        "SelectIntention": "round-robin",
        "a.SelectEvent": "priority(g)",
        "M_Ev": "3",
    }
    program = load(write_project(tmp_path, {"a": "", "b": ""}, options="idle = block"), settings)
    assert program.settings["a"].idle == "cycle"
    assert str(program.settings["a"].select_event) == "priority(g)"
    assert str(program.settings["b"].select_event) == "fifo"
    assert program.settings["b"].bounds.explicit == {"M_Ev": 3}


def test_tables_show_what_was_read(tmp_path: Path) -> None:
    tables = load(
        write_project(
            tmp_path, {"a": "p. +p : q & not(r) <- +s; !g. +!g <- true."}, COUNTER, "M_Ev = 3"
        ),
        {},
    ).tables()
    rows = [row for table in tables for row in table.rows]
    assert ("a", "p1", "+p", "q & not(r)", "+s; !g") in rows
    assert ("a", "fifo", "round-robin", "block", "drop", "M_Ev = 3") in rows
    assert ("top", "3") in rows
    assert ("step", "tick when n < top do n := n + 1") in rows


def test_tables_show_who_trusts_whom(tmp_path: Path) -> None:
    tables = load(
        write_project(
            tmp_path,
            {"a": "", "b": ""},
            options="a accepts tell from b\nb accepts achieve from nobody",
        ),
        {},
    ).tables()
    (trust,) = (table for table in tables if table.title == "Trust")
    assert list(trust.rows) == [("a", "tell", "b"), ("b", "achieve", "nobody")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("agent a = b.asl", "ASP021"),
        ("agent environment = b.asl", "ASP022"),
        ("agent nobody = b.asl", "ASP022"),
        ("idle = sometimes", "ASP023"),
        ("SelectEvent = round-robin", "ASP023"),
        ("SelectIntention = priority", "ASP023"),
        ("M_Ev = 0", "ASP023"),
        ("M_Foo = 3", "ASP024"),
        ("SelectPlan = fifo", "ASP024"),
        ("c.M_Ev = 3", "ASP026"),
        ("a accepts tell from c", "ASP026"),
        ("a accepts from b", "ASP020"),
        ("a accepts tell from b\na accepts tell, achieve from b", "LNG010"),
        ("a accepts tell, tell from b", "ASP021"),
        ("a accepts tell from b, b", "ASP021"),
        ("a accepts tell from nobody, b", "ASP019"),
        ("nobody accepts tell from a", "ASP026"),
        ("idle = block\nidle = cycle", "LNG010"),
        ("a.M_Ev = 3\na.M_Ev = 3", "LNG010"),
        ("agent c = a.asl believes p(1), q, p(1)", "ASP021"),
        ("SelectEvent = priority(p, q, p)", "ASP021"),
        ("agent c = missing.asl", "ASP027"),
        ("parameter top = 3", "ASP028"),
        ("what is this", "ASP020"),
    ],
)
def test_mistakes_in_project_files(tmp_path: Path, line: str, code: str) -> None:
    assert codes(tmp_path, {"a": "", "b": ""}, options=line) == [code]


@pytest.mark.parametrize(
    ("line", "hint", "position"),
    [
        ("wrld = w.world", "did you mean 'world'?", "wrld"),
        ("selectEvent = fifo", "did you mean 'SelectEvent'?", "selectEvent"),
        ("a.SelctEvent = fifo", "did you mean 'SelectEvent'?", "a.SelctEvent"),
        ("what is this", "expected agent, world", "what"),
        ("a accept tell from b", "expected 'accepts'", "accept"),
        ("a accepts tell from bb", "did you mean 'b'?", "bb"),
    ],
)
def test_mistakes_in_project_files_are_told_with_place_and_hint(
    tmp_path: Path, line: str, hint: str, position: str
) -> None:
    with pytest.raises(InputError) as caught:
        load(write_project(tmp_path, {"a": "", "b": ""}, options=line), {})
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.text == position
    assert hint in (found.hint or "")


def test_parameters_are_given_once(tmp_path: Path) -> None:
    assert codes(tmp_path, {"a": ""}, "parameter n = 1", "parameter n = 2\nparameter n = 3") == [
        "LNG010"
    ]


def test_what_is_set_for_all_and_for_one_is_not_set_twice(tmp_path: Path) -> None:
    program = load(
        write_project(tmp_path, {"a": "", "b": ""}, options="idle = block\na.idle = cycle"),
        {"b.idle": "cycle"},
    )
    assert [each.idle for each in program.settings.values()] == ["cycle", "cycle"]


@pytest.mark.parametrize("text", ["3 // 4", "3 /* 4 */", "cycle // block"])
def test_a_comment_inside_a_value_from_outside_is_refused(tmp_path: Path, text: str) -> None:
    folder = write_project(tmp_path, {"a": ""}, "parameter n = 1\nlabel one = n = 1")
    for key in ("n", "idle"):
        with pytest.raises(InputError, match="cannot be"):
            load(folder, {key: text})


def test_an_agent_without_file_is_reported_once(tmp_path: Path) -> None:
    agents = {"a": "+p <- .send(c, tell, q)."}
    assert codes(
        tmp_path, agents, "percept p seen by c", "agent c = missing.asl\na accepts tell from c"
    ) == ["ASP027"]


def test_a_world_without_file_is_reported_once(tmp_path: Path) -> None:
    assert codes(tmp_path, {"a": "+p <- act."}, options="world = missing.world") == ["ASP027"]


def test_an_action_whose_rule_cannot_be_read_is_not_missed_as_well(tmp_path: Path) -> None:
    assert codes(tmp_path, {"a": "!go. +!go <- act."}, "action act doo nothing") == ["WLD001"]


def test_a_system_needs_an_agent(tmp_path: Path) -> None:
    assert codes(tmp_path, {}) == ["ASP025"]


def test_unknown_parameters(tmp_path: Path) -> None:
    assert codes(tmp_path, {"a": ""}, COUNTER, tpo="4") == ["WLD003"]


def test_mistakes_in_all_files_are_reported_at_once(tmp_path: Path) -> None:
    found = codes(
        tmp_path,
        {"a": "p(X).", "b": "+p <- q(."},
        "variable n = 0\nstep s do m := 1",
        "idle = never",
    )
    assert found == ["ASP001", "ASP003", "ASP023", "WLD021"]


# --- bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bound", "agents"),
    [
        ("M_Bel", {"a": "!g. +!g <- +p; +q.", "b": ""}),
        ("M_Inst", {"a": "!g. +!g <- +p(1); +p(2).", "b": ""}),
        ("M_Ev", {"a": "!g. +!g <- +p; !h. +!h <- true.", "b": "!g. +!g <- .send(a, achieve, h)."}),
        ("M_Int", {"a": "!g. +!g <- !h. +!h <- +p.", "b": ""}),
        ("M_Msg", {"a": "!g. +!g <- .send(b, tell, p); .send(b, tell, q).", "b": ""}),
    ],
)
def test_a_bound_that_is_exceeded_is_an_error_with_the_run(
    tmp_path: Path, bound: str, agents: dict[str, str]
) -> None:
    """Sect. 4.1: an assertion fails and interrupts the verification; here it names the bound, the
    agent and the run."""
    with pytest.raises(BoundExceeded) as caught:
        explored(tmp_path, agents, options=f"{bound} = 1")
    (found,) = caught.value.diagnostics
    assert found.code == "ASP050"
    assert f"the bound {bound} = 1" in found.message
    assert found.hint is not None
    assert "takes plan p1 for +!g" in found.hint


def test_the_bound_of_waiting_actions(tmp_path: Path) -> None:
    with pytest.raises(BoundExceeded, match="M_Act = 1"):
        explored(
            tmp_path, {"a": "!g. +!g <- press; press."}, "action press do nothing", "M_Act = 1"
        )


def test_a_system_that_grows_for_ever_is_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(BoundExceeded, match="M_Int = 100") as caught:
        explored(tmp_path, {"a": "!g. +!g <- !g."})
    text = caught.value.diagnostics[0].hint or ""
    assert "the project sets no M_Int" in text
    assert "more ..." in text
    assert len(text.splitlines()) == 32


@pytest.mark.parametrize("grown", ["[x|L]", "f(L)", "f(L,L)"])
def test_a_term_that_grows_for_ever_is_an_error_too(tmp_path: Path, grown: str) -> None:
    with pytest.raises(BoundExceeded, match="nested deeper") as caught:
        explored(tmp_path, {"a": f"!g. +!g <- +p([]). +p(L) <- -p(L); +p({grown})."})
    assert caught.value.diagnostics[0].code == "ASP051"


@pytest.mark.parametrize(
    ("bound", "agent"),
    [
        ("M_Term", "p(1,2)."),
        ("M_Conj", "+p : q & r <- s(1)."),
        ("M_Var", "+p(X,Y) <- true."),
        ("M_Bel", "p. q."),
        ("M_Inst", "p(1,2). p(2,1)."),
        ("M_Ev", "!g. !h. +!g <- true. +!h <- true."),
    ],
)
def test_bounds_that_programs_exceed_as_written(tmp_path: Path, bound: str, agent: str) -> None:
    world = "action s(N) do nothing\npercept p\npercept p(X,Y)\npercept q\npercept r"
    assert set(codes(tmp_path, {"a": agent}, world, f"{bound} = 1")) == {"ASP005"}
