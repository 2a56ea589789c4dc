"""``volition slice`` and ``volition check --slice`` as people use them.  That slices are right is
tested in ``tests/slicing``."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import EXAMPLES, VACUUM, Volition

CRUISE_CONTROL = EXAMPLES / "gwendolen" / "cruise_control"
SAFELY = "[](Does(car, perf(accelerate)) -> Bel(car, safe))"


def test_the_slice_is_a_program(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "part.eass"
    ended = volition("slice", CRUISE_CONTROL, "-p", SAFELY, "-o", file)
    assert ended.exit_code == 0
    assert "3 of 9 plans and 1 step of other plans were removed" in ended.out
    file.with_suffix(".world").write_text((CRUISE_CONTROL / "road.world").read_text())
    assert "3,198 states, 7,338 choices" in volition("check", file, "-p", SAFELY).out
    assert volition("slice", CRUISE_CONTROL, "-p", SAFELY, "-o", file).exit_code == 2
    assert volition("slice", CRUISE_CONTROL, "-p", SAFELY, "-o", file, "--force").exit_code == 0


def test_what_is_printed_is_the_program(volition: Volition) -> None:
    ended = volition("slice", CRUISE_CONTROL, "-p", SAFELY, "--method", "winikoff", "--explain")
    assert "+!at_speed_limit [achieve] : {~B safe};  // without *safe" in ended.out
    assert (
        "// plan 7 (-safe) is removed: all plans for this event are empty: the event can be ignored"
    ) in ended.out
    assert "//   perf(accelerate) is kept: the property mentions this action" in ended.out
    assert "another verdict on the slice than on the program (D1): *safe is removed" in ended.err
    sound = volition("slice", CRUISE_CONTROL, "-p", SAFELY)
    assert "holds by guards, without exploration: plans 1, 8" in sound.out
    assert not sound.err


def test_as_data(volition: Volition) -> None:
    document = volition(
        "slice", CRUISE_CONTROL, "-p", SAFELY, "--method", "bordini", "--explain", "--json"
    ).document
    assert {
        key: document[key] for key in ("method", "plans", "removed_plans", "removed_steps")
    } == {
        "method": "bordini",
        "plans": 9,
        "removed_plans": 6,
        "removed_steps": 0,
    }
    assert document["explanation"][0].startswith(
        "plan 1 (+!at_speed_limit [achieve]) is kept: it leads to p1.s1"
    )
    assert {each["code"] for each in document["warnings"]} == {"SLC010"}


def test_checking_on_the_slice(volition: Volition) -> None:
    braking = "[](Does(car, perf(brake)) -> Bel(car, driver_brakes))"
    ended = volition(
        "check", CRUISE_CONTROL, "-p", SAFELY, "-p", braking, "--slice", "--trace", "none"
    )
    assert ended.exit_code == 1
    assert "holds by guards, without exploration" in ended.out
    assert (
        "the run is a run of the whole program, found within its first 655 states, so no "
        "slice was needed"
    ) in ended.words
    whole = volition("check", CRUISE_CONTROL, "-p", braking, "--trace", "none").out
    assert "violated" in whole


def test_runs_are_told_on_the_whole_program(volition: Volition, tmp_path: Path) -> None:
    """Nobody reads b, so that the slice has a step in the place of +b that does nothing."""
    file = tmp_path / "ag.gwen"
    file.write_text(
        "GWENDOLEN\n:name: ag\n:Initial Beliefs:\n:Initial Goals:\nh [perform]\n:Plans:\n+!h "
        "[perform] : {True} <- +b, act;\n"
    )
    never = "[] ~ Does(ag, act)"
    assert "-skip" in volition("slice", file, "-p", never).out
    ended = volition("check", file, "-p", never, "--slice", "--trace", "changes")
    assert ended.exit_code == 1
    assert "the run is a run of the whole program" in ended.words
    assert "believes b" in ended.out
    assert "skip" not in ended.out


@pytest.mark.parametrize(
    "folder", [pytest.param("cruise_control", marks=pytest.mark.soak), "cruise_control_unsafe"]
)
def test_the_same_answers_with_and_without(volition: Volition, folder: str) -> None:
    """Those that the examples state."""
    assert (
        volition("check", EXAMPLES / "gwendolen" / folder, "--slice", "--trace", "none").exit_code
        == 0
    )


def test_every_language(volition: Volition, tmp_path: Path) -> None:
    """A file for a program of one file, a folder for a project; both can be checked, and have the
    same answers."""
    part = tmp_path / "part.can"
    query = "Pmax=? [ F (PS1 & PS2) ]"
    ended = volition("slice", EXAMPLES / "can" / "smart_manufacturing.can", "-p", query, "-o", part)
    assert "0 of 6 plans and 4 changes in other parts were removed" in ended.out
    assert "0.6561" in volition("check", part).out
    folder = tmp_path / "factory"
    assert (
        volition(
            "slice",
            EXAMPLES / "agentspeak" / "factory",
            "-p",
            "[]!(loaded(1) & loaded(2))",
            "-o",
            folder,
        ).exit_code
        == 0
    )
    assert {each.name for each in folder.iterdir()} == {
        "factory.mas",
        "factory.world",
        "feeder.asl",
        "press.asl",
    }
    assert volition("check", folder).exit_code == 0
    ended = volition(
        "check",
        EXAMPLES / "lisa" / "pipeline_drone",
        "-p",
        'Pmin=? [ F Bel("Inspection over") ]',
        "--slice",
        "--stats",
    )
    assert "20,471 states" in ended.out
    assert "checked on a slice" in ended.words


def test_where_a_project_is_written(volition: Volition, tmp_path: Path) -> None:
    """A new folder, or one that is there: its own files are overwritten only by --force, and a file
    is no folder."""
    factory, query = EXAMPLES / "agentspeak" / "factory", "[]!(loaded(1) & loaded(2))"
    folder, file = tmp_path / "there", tmp_path / "file"
    folder.mkdir()
    file.write_text("mine")
    assert volition("slice", factory, "-p", query, "-o", folder).exit_code == 0
    assert "CLI003" in volition("slice", factory, "-p", query, "-o", folder).err
    assert volition("slice", factory, "-p", query, "-o", folder, "--force").exit_code == 0
    for options in ([], ["--force"]):
        assert "CLI004" in volition("slice", factory, "-p", query, "-o", file, *options).err
    assert (
        "CLI004" in volition("slice", factory, "-p", query, "-o", tmp_path / "nowhere" / "part").err
    )
    assert file.read_text() == "mine"


def test_properties_of_a_file(volition: Volition) -> None:
    auction = EXAMPLES / "gwendolen" / "auction"
    ended = volition(
        "slice", auction / "two_bidders.gwendolen", "--props", auction / "outcome.props"
    )
    assert "Slice for A [ F (exists x. Bel(x, win)) ]" in ended.out


def test_explanation_and_picture(volition: Volition, tmp_path: Path) -> None:
    picture, graph = tmp_path / "graph.svg", tmp_path / "graph.dot"
    ended = volition("slice", CRUISE_CONTROL, "-p", SAFELY, "--explain", "--graph", picture)
    path = (
        "+!at_speed_limit [achieve] in plan 6 -> perf(accelerate) in plan 1 -> Does(car, "
        "perf(accelerate)), which the property mentions"
    )
    assert path in ended.out
    texts = [
        each.text for each in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert {"plan 9", "perf(accelerate)", "Bel(car, safe)"} <= set(texts)
    assert volition("slice", VACUUM, "-p", "A [ F B(c1) ]", "--graph", graph).exit_code == 0
    assert graph.read_text().startswith("digraph dependencies {")


def test_parts_of_a_property(volition: Volition) -> None:
    """What holds by guards is dropped, and the rest answered part by part."""
    both = (
        "[]((Does(car, perf(accelerate)) -> Bel(car, safe)) & (Does(car, perf(brake)) -> "
        "Bel(car, driver_brakes)))"
    )
    ended = volition("check", CRUISE_CONTROL, "-p", both, "--slice", "--trace", "none")
    assert ended.exit_code == 1
    assert "holds by guards: G (Does(car, perf(accelerate)) -> Bel(car, safe))" in ended.words


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["slice", CRUISE_CONTROL, "-p", "A [ X Bel(car, safe) ]"], "SLC001"),
        (["slice", CRUISE_CONTROL, "-p", "A [ F<=3 Bel(car, safe) ]"], "SLC002"),
        (["slice", CRUISE_CONTROL, "-p", "Pmax=? [ F Bel(car, safe) ]"], "SLC003"),
        (["slice", VACUUM, "-p", "A [ F B(c1) ]", "--method", "winikoff"], "SLC007"),
        (["slice", VACUUM, "-p", "A [ F B(c1) ]", "--graph", "picture.png"], "SLC008"),
        (["check", CRUISE_CONTROL, "-p", SAFELY, "--slice", "--fair", "weak"], "SLC005"),
        (["check", CRUISE_CONTROL, "-p", SAFELY, "--slice", "--write-trace", "run.json"], "SLC006"),
        (["slice", CRUISE_CONTROL, "-p", "A [ F Bel(lorry, safe) ]"], "GWN042"),
        (["slice", CRUISE_CONTROL, "-p", "A [ F Bel(car, saved) ]"], "GWN043"),
        (
            ["slice", EXAMPLES / "gwendolen" / "satellite", "-p", "A [ F temprature(x,high) ]"],
            "WLD051",
        ),
        (
            [
                "check",
                CRUISE_CONTROL,
                "-p",
                "[](Does(car, acelerate) -> Bel(car, safe))",
                "--slice",
            ],
            "GWN043",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_is_refused(volition: Volition, arguments: list[str | Path], code: str) -> None:
    ended = volition(*arguments)
    assert ended.exit_code == 2
    assert f"error[{code}]" in ended.err


def test_mistakes_do_not_keep_others_from_an_answer(volition: Volition) -> None:
    """An action that no plan does is never done without the belief: that is an answer only for an
    action that there is."""
    unknown, counting = "[](Does(car, acelerate) -> Bel(car, safe))", "A [ X Bel(car, safe) ]"
    ended = volition(
        "check", CRUISE_CONTROL, "-p", unknown, "-p", counting, "-p", SAFELY, "--slice"
    )
    assert ended.exit_code == 2
    assert ended.out.count("holds by guards") == 1
    assert "GWN043" in ended.err
    assert "SLC001" in ended.err


@pytest.mark.parametrize(
    "program",
    ["agentspeak/factory", "can/vacuum.can", "lisa/pipeline_drone", "gwendolen/cruise_control"],
)
def test_a_slice_cannot_be_asked_for_deadlocks(volition: Volition, program: str) -> None:
    """What was left out may still move; the answer says so instead of not knowing the word."""
    ended = volition("check", EXAMPLES / program, "-p", 'A [ G !"deadlock" ]', "--slice")
    assert ended.exit_code == 2
    assert "SLC009" in ended.err
    assert volition(
        "check", EXAMPLES / program, "-p", 'A [ G !"deadlock" ]', "--slice", "guided"
    ).exit_code in (0, 1)
