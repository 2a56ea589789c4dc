"""``volition slice`` and ``volition check --slice`` as people use them.  That slices are right is tested in ``tests/slicing``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, VACUUM, Volition

CRUISE_CONTROL = EXAMPLES / "gwendolen" / "cruise_control"
SAFELY = "[](Does(car, perf(accelerate)) -> Bel(car, safe))"


def test_the_slice_is_a_program(volition: Volition, tmp_path: Path) -> None:
    file = tmp_path / "part.eass"
    ended = volition("slice", CRUISE_CONTROL, "-p", SAFELY, "-o", file)
    assert ended.exit_code == 0
    assert "3 of 9 plans and 1 step of others were left out" in ended.out
    file.with_suffix(".world").write_text((CRUISE_CONTROL / "road.world").read_text())
    assert "3,198 states, 7,338 choices" in volition("check", file, "-p", SAFELY).out
    assert volition("slice", CRUISE_CONTROL, "-p", SAFELY, "-o", file).exit_code == 2
    assert volition("slice", CRUISE_CONTROL, "-p", SAFELY, "-o", file, "--force").exit_code == 0


def test_what_is_printed_is_the_program(volition: Volition) -> None:
    ended = volition("slice", CRUISE_CONTROL, "-p", SAFELY, "--method", "new", "--explain")
    assert "+!at_speed_limit [achieve] : {~B safe};  // without *safe" in ended.out
    assert "// plan 7 (-safe) is left out: all plans for this event are empty: the event can be ignored" in ended.out
    assert "//   perf(accelerate) stays: the property asks for this action" in ended.out
    assert "the verdict may change, D1: *safe is left out" in ended.err
    sound = volition("slice", CRUISE_CONTROL, "-p", SAFELY)
    assert "holds by guards, without any exploration: plans 1, 8" in sound.out
    assert not sound.err


def test_as_data(volition: Volition) -> None:
    document = volition("slice", CRUISE_CONTROL, "-p", SAFELY, "--method", "old", "--explain", "--json").document
    assert {key: document[key] for key in ("method", "plans", "plans_left_out", "steps_left_out")} == {
        "method": "old", "plans": 9, "plans_left_out": 6, "steps_left_out": 0,
    }  # fmt: skip
    assert document["explanation"][0].startswith("plan 1 (+!at_speed_limit [achieve]) is kept: it leads to p1.s1")
    assert {each["code"] for each in document["warnings"]} == {"SLC010"}


def test_checking_on_the_slice(volition: Volition) -> None:
    braking = "[](Does(car, perf(brake)) -> Bel(car, driver_brakes))"
    ended = volition("check", CRUISE_CONTROL, "-p", SAFELY, "-p", braking, "--slice", "--trace", "none")
    assert ended.exit_code == 1
    assert "holds by guards, nothing was explored" in ended.out
    assert "checked on the part that matters: 2 of 9 plans and 2 steps of others were left out" in ended.words
    whole = volition("check", CRUISE_CONTROL, "-p", braking, "--trace", "none").out
    assert "violated" in whole


def test_the_same_answers_with_and_without(volition: Volition) -> None:
    """Those that the examples state."""
    for folder in ("cruise_control", "cruise_control_unsafe"):
        assert volition("check", EXAMPLES / "gwendolen" / folder, "--slice", "--trace", "none").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["slice", CRUISE_CONTROL, "-p", "A [ X Bel(car, safe) ]"], "SLC001"),
        (["slice", CRUISE_CONTROL, "-p", "A [ F<=3 Bel(car, safe) ]"], "SLC002"),
        (["slice", CRUISE_CONTROL, "-p", "Pmax=? [ F Bel(car, safe) ]"], "SLC003"),
        (["slice", VACUUM, "-p", "A [ F B(c1) ]"], "SLC004"),
        (["check", CRUISE_CONTROL, "-p", SAFELY, "--slice", "--fair", "weak"], "SLC005"),
        (["check", CRUISE_CONTROL, "-p", SAFELY, "--slice", "--write-trace", "run.json"], "SLC006"),
        (["slice", CRUISE_CONTROL, "-p", "A [ F Bel(lorry, safe) ]"], "GWN042"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_is_refused(volition: Volition, arguments: list[str | Path], code: str) -> None:
    ended = volition(*arguments)
    assert ended.exit_code == 2
    assert f"error[{code}]" in ended.err
