"""Sweeps over LISA programs: the numbers of percepts and feedbacks."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from tests.analysis.sweeps.test_sweep import assert_like_fresh_explorations
from tests.languages.lisa.projects import EXAMPLES, action, project, reasoning
from tests.languages.lisa.random_projects import projects
from volition.analysis.sweeps.closed_forms import closed_form
from volition.analysis.sweeps.sweep import sweep
from volition.checking.check import check
from volition.diagnostics import InputError
from volition.languages.lisa import LisaProgram, load

FORMULAS = [
    "Pmax=? [ F Bel(done) ]",
    "Pmin=? [ F<=12 Bel(done) ]",
    "Pmax=? [ F<=7 Bel(rain) ]",
    "Pmax=? [ (!Bel(rain)) U Bel(done) ]",
    'R{"res_cycles"}max=? [ F (Bel(done) | Bel(failed)) ]',
]


def painter(
    feedbacks: str = "Done[0.5,2,1], Smeared[0.3,2,1], Failed[0.2,2,1]",
    rain: str = "[0.2,2,1],[0.5,1,0]",
) -> LisaProgram:
    """Paints once: that ends well, badly, or not quite, and then it paints again.  Rain comes and
    goes."""
    plans = (
        "If ^[Start] while ~^[Rain] then\n-^[Start]\n[paint.].\n\nIf ^[Smeared] then\n+^[Start]."
    )
    return project(
        reasoning(beliefs="Start.", percepts=f"Rain. {{[],{rain}}}", plans=plans),
        {"paint": action("paint", feedbacks)},
    )


def test_probabilities_of_percepts_are_varied_with_one_exploration() -> None:
    """At 0 the rain never comes, or never ends; at 1 it does in every window of its average."""
    program = painter()
    result = sweep(
        program,
        ["rain.activation.p=0,0.2,0.7,1", "rain.deactivation.p=0,0.5,1"],
        FORMULAS,
        processes=1,
    )
    assert result.explorations == 1
    assert result.graph_parameters == ()
    assert_like_fresh_explorations(result, program, FORMULAS)


def test_the_other_feedbacks_share_what_one_leaves() -> None:
    """Smeared and Failed keep their 3 : 2; whoever tries until one of Done and Failed comes is done
    with Done / (Done + Failed)."""
    program = painter(rain="[0,1,0],[1,1,0]")
    result = sweep(program, ["done.p=0:1:0.25"], FORMULAS, processes=1)
    assert result.explorations == 1
    assert_like_fresh_explorations(result, program, FORMULAS)
    for row in result.rows:
        done = row.point["done.p"]
        failed = (1 - done) * Fraction(2, 5)
        assert row.values[0] == done / (done + failed)
        assert program.with_parameters(row.point).parameters["failed.p"] == failed


def test_two_weights_leave_the_rest_to_the_third() -> None:
    program = painter()
    result = sweep(program, ["done.p=0,0.4", "failed.p=0.1,0.6"], FORMULAS, processes=1)
    assert result.explorations == 1
    assert_like_fresh_explorations(result, program, FORMULAS)


def test_averages_and_variances_decide_what_can_happen() -> None:
    program = painter()
    for axis in (
        "rain.activation.mu=1,3",
        "rain.deactivation.sigma=0,1",
        "paint.mu=1,3",
        "paint.sigma=0,1",
    ):
        result = sweep(program, [axis, "rain.activation.p=0.2,1"], FORMULAS[:3], processes=1)
        assert result.graph_parameters == (axis.partition("=")[0],)
        assert result.explorations == 2
        assert_like_fresh_explorations(result, program, FORMULAS[:3])


def test_a_setting_is_a_number_in_the_file() -> None:
    """The painter with other numbers in its files is the painter with other settings."""
    written = painter("Done[0.25,3,0], Smeared[0.45,3,0], Failed[0.3,3,0]", "[0.9,2,1],[0.5,1,0]")
    values = {
        "done.p": Fraction(1, 4),
        "paint.mu": Fraction(3),
        "paint.sigma": Fraction(0),
        "rain.activation.p": Fraction(9, 10),
    }
    program = painter().with_parameters(values)
    assert program.parameters == written.parameters
    as_set, as_written = (check(each, FORMULAS) for each in (program, written))
    assert [each.verdict.value for each in as_set.answers] == [
        each.verdict.value for each in as_written.answers
    ]


def test_settings_of_an_example() -> None:
    program = load(
        EXAMPLES / "pipeline_drone", {"picture_taken.p": "1/2", "leak_in_view.activation.mu": "2"}
    )
    assert program.parameters["picture_blurred.p"] == Fraction(1, 2)
    table = next(table for table in program.tables() if table.title == "Parameters")
    assert ["leak_in_view.activation", "0.5", "2", "1"] in table.rows
    assert ["picture_blurred", "0.5", "", ""] in table.rows
    assert ["take_off", "", "2", "1"] in table.rows


def test_a_closed_form() -> None:
    """Done in the end: with weights d, and 2/5 (1 - d) for failing, d / (d + 2/5 (1 - d)).  With no
    Done at all it is the same, 0."""
    form = closed_form(
        painter(rain="[0,1,0],[1,1,0]"), ["done.p=0:1:0.5"], FORMULAS[0], processes=1
    )
    assert [(str(piece.function), piece.region) for piece in form.pieces] == [
        ("5*done.p/(2+3*done.p)", "everywhere")
    ]
    assert not form.exceptions


@settings(max_examples=10, deadline=None)
@given(projects())
def test_random_programs(written: tuple[str, dict[str, str]]) -> None:
    program = project(*written)
    formulas = [
        "Pmax=? [ F<=8 Bel(note_one) ]",
        "Pmin=? [ F (Bel(percept_one) & Bel(note__hyphen_one)) ]",
        'R{"res_cycles"}max=? [ C<=6 ]',
    ]
    axes = ["percept_one.activation.p=0,0.3", "percept_two.deactivation.p=0.5,1"]
    if 0 < program.parameters["good.p"] < 1:
        axes.append("good.p=0.4")
    result = sweep(program, axes, formulas, processes=1)
    assert result.explorations == 1
    assert_like_fresh_explorations(result, program, formulas)


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        (
            ["rain.activation.p=0.5,1.5"],
            r"LIS004\]: .*1.5 for 'rain.activation.p' is not a probability\n.*--> "
            r"<vary>(.|\n)*agent.sej:9",
        ),
        (
            ["rain.activation.mu=1,2.5"],
            r"LIS004\]: .*2.5 for 'rain.activation.mu' is not an average number of cycles",
        ),
        (
            ["paint.sigma=0,-1"],
            r"LIS004\]: .*-1 for 'paint.sigma' is not a whole number of cycles\n.*--> "
            r"<vary>(.|\n)*paint.sep",
        ),
        (
            ["done.p=0.5,0.8", "failed.p=0.2,0.4"],
            r"LIS043\]: .* feedbacks of 'paint' sum to 1.2, more than 1",
        ),
        (
            ["done.p=0.5", "failed.p=0.2", "smeared.p=0.3,0.4"],
            r"LIS043\]: .* sum to 1.1, more than 1",
        ),
        (["done.p=0.5", "failed.p=0.2", "smeared.p=0.3,0.2"], r"LIS043\]: .* sum to 0.9, not 1"),
        (["rian.activation.p=0.5"], "unknown parameter 'rian.activation.p'"),
    ],
)
def test_points_without_meaning_are_refused(axes: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sweep(painter(), axes, FORMULAS[:1], processes=1)


def test_a_weight_that_nobody_can_make_room_for() -> None:
    """The file leaves nothing to the other feedback, so that there are no shares to go by."""
    program = painter("Done[1,2,0], Smeared[0,2,0], Failed[0,2,0]")
    with pytest.raises(InputError, match=r"LIS043.*sum to 0.5, not 1"):
        sweep(program, ["done.p=1,0.5"], FORMULAS[:1], processes=1)


def test_settings_without_meaning_are_refused() -> None:
    drone = EXAMPLES / "pipeline_drone"
    with pytest.raises(
        InputError,
        match=r"LIS060.*unknown setting 'picture_take.p'(.|\n)*did you mean 'picture_taken.p'",
    ):
        load(drone, {"picture_take.p": "1"})
    with pytest.raises(InputError, match=r"LIS063.*'picture_taken.p' cannot be 'often'"):
        load(drone, {"picture_taken.p": "often"})
    with pytest.raises(
        InputError, match=r"LIS060.*unknown setting 'airborne.p'"
    ):  # the only feedback of its action
        load(drone, {"airborne.p": "0.5"})
