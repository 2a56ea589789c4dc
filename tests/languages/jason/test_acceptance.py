"""Programs that use what programs for Jason use, each with the answers that Jason's semantics gives
it.

The folders are called by what they are about; their properties carry the expected results.  All
runs are taken to be fair: an agent, the world, or a timer that can move from some time on does so.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import volition

PROGRAMS = Path(__file__).parent / "acceptance"
EXAMPLES = Path(__file__).parents[3] / "examples" / "jason"
MAX_STATES = 60_000


def program(folder: Path) -> Path:
    """The project in a folder, or its only agent."""
    (beside,) = folder.glob("*.volition")
    project = beside.with_suffix(".mas2j")
    return project if project.exists() else beside.with_suffix(".asl")


def holds(folder: Path, formula: str, **settings: str) -> bool:
    """Whether a formula holds of a program."""
    (answer,) = volition.check(
        program(folder), [formula], settings=settings, fair="weak", max_states=MAX_STATES
    )
    assert answer.verdict.holds is not None
    return answer.verdict.holds


@pytest.mark.parametrize(
    "folder", sorted(each.name for each in PROGRAMS.iterdir() if each.is_dir())
)
def test_a_program_answers_as_it_says(folder: str) -> None:
    report = volition.check(program(PROGRAMS / folder), fair="weak", max_states=MAX_STATES)
    assert report.answers
    assert [each.prop.text for each in report if not each.as_expected] == []


@pytest.mark.parametrize("folder", sorted(each.name for each in EXAMPLES.iterdir()))
def test_an_example_answers_as_it_says(folder: str) -> None:
    report = volition.check(program(EXAMPLES / folder), max_states=MAX_STATES)
    assert report.answers
    assert [each.prop.text for each in report if not each.as_expected] == []


def test_results_after_perception_let_an_agent_find_what_it_has_done() -> None:
    formula = "F Bel(maid, given(_, _, _, _, _, _, tea))"
    assert not holds(PROGRAMS / "kitchen", formula)
    assert holds(PROGRAMS / "kitchen", formula, results="after perception")


@pytest.mark.parametrize(
    "formula",
    [
        "F Bel(butler, served(juice, 1))",
        "G !Bel(butler, mistaken(juice))",
        "G (fridge_open -> F !fridge_open)",
    ],
)
def test_a_butler_that_looks_before_it_goes_on_makes_no_mistake(formula: str) -> None:
    assert holds(EXAMPLES / "household", formula, results="after perception")


def test_timers_that_may_end_at_any_moment_break_deadlines() -> None:
    assert not holds(EXAMPLES / "contract_net", "F Bel(tiler, busy(roof))", time="free")
    assert holds(
        EXAMPLES / "contract_net",
        "G !(Bel(mason, accepted(roof)) & Bel(tiler, accepted(roof)))",
        time="free",
    )


def test_a_search_may_come_before_anybody_has_registered(tmp_path: Path) -> None:
    for file in (PROGRAMS / "tender").iterdir():
        (tmp_path / file.name).write_text(file.read_text())
    (tmp_path / "tender.mas2j").write_text("MAS tender { agents: town; firm #1; silent; }")
    assert holds(tmp_path, "F Bel(firm, taken(1))", random="[0]")
    assert not holds(tmp_path, "F Bel(firm, taken(1))", random="[0]", time="free")


def test_who_ends_first_is_open_where_timers_are() -> None:
    assert not holds(PROGRAMS / "forks", "G !Int(runner, lap(a, 0))", time="free")
    assert holds(PROGRAMS / "forks", "F G !Int(runner, start)", time="free")


def test_who_is_enabled_again_and_again_burns_in_the_end() -> None:
    """Weak fairness is not enough: the burner may look whenever there is nothing to see."""
    path, formula = program(PROGRAMS / "cleaning"), "F Does(burner, burn)"
    verdicts = [
        volition.check(path, formula, fair=fairness, max_states=MAX_STATES)[0].verdict.holds
        for fairness in ("weak", "strong")
    ]
    assert verdicts == [False, True]


def test_a_counter_without_end_exceeds_no_bound_where_a_loop_does_not_count() -> None:
    """Operators that cannot be applied cost no move: a run that picks nothing else has no end, and
    needs no more room."""
    (answer,) = volition.check(program(PROGRAMS / "jugs"), "A [ F jug(2, 1) ]", max_states=2_000)
    assert answer.verdict.holds is False


def test_what_grows_without_end_is_told_with_the_run(tmp_path: Path) -> None:
    (tmp_path / "counter.asl").write_text("n(0). !count. +!count <- ?n(N); +n(N + 1); !count.")
    with pytest.raises(volition.InputError) as caught:
        volition.check(tmp_path / "counter.asl", "G Bel(n(0))")
    (found,) = caught.value.diagnostics
    assert found.code == "JSN050"
    assert "counter: " in (found.hint or "")
