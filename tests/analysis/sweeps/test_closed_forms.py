"""Closed forms of what programs do: chains, strategies, and which strategy is best where."""

from __future__ import annotations

import pytest

from tests.analysis.can_programs import SMART_MANUFACTURING, gambler, program
from volition.analysis.sweeps.closed_forms import ClosedForm, closed_form
from volition.analysis.sweeps.grid import points, read_grid
from volition.checking.check import check
from volition.diagnostics import InputError
from volition.kernel.weights import value_at
from volition.languages import load

COURIER = """
// Parameters
walk = 0.9, drive = 0.8, jam = 0.3

// Initial belief bases
at_home

// External events
parcel

// Plan library
parcel : true <- deliver.
deliver : true <- go_on_foot.
deliver : true <- take_van; unload.

// Actions description
go_on_foot : true <- walk: <{},{delivered}> + 1 - walk: <{},{lost}>
take_van : true <- 1 - jam: <{},{there}> + jam: <{},{stuck}>
unload : there <- drive: <{},{delivered}> + 1 - drive: <{},{lost}>
"""
"""One choice between two ways: ``walk`` on foot, ``drive*(1-jam)`` by van.

A van that is stuck cannot be unloaded; the plan fails, and the courier may still walk.
"""


def pieces(form: ClosedForm) -> dict[str, str]:
    return {str(piece.function): piece.region for piece in form.pieces}


def courier(policy: str = "") -> ClosedForm:
    return closed_form(
        program(COURIER + policy),
        ["walk=0:1:0.25", "drive=0:1:0.25", "jam=0:1:0.25"],
        "Pmax=? [ F Bel(delivered) ]",
        processes=1,
    )


def test_the_better_of_two_plans() -> None:
    """By van, and on foot if that gets stuck: drive*(1-jam) + jam*walk.  It beats walking where
    drive > walk (unless all jams)."""
    form = courier()
    assert pieces(form) == {"walk": "drive <= walk", "drive-drive*jam+jam*walk": "walk <= drive"}
    assert not form.exceptions
    assert form.num_checked == 5**3 + 4**3


def test_a_program_without_choices_has_one_function() -> None:
    chain = "\n// Policies\nplans : fixed 3, 2.\nintentions : fixed.\nevents : fixed.\n"
    form = closed_form(
        program(COURIER + chain),
        ["walk=0:1:0.5", "drive=0:1:0.5", "jam=0:1:0.5"],
        "P=? [ F Bel(delivered) ]",
        processes=1,
    )
    assert pieces(form) == {"drive-drive*jam+jam*walk": "everywhere"}
    assert form.pieces[0].strategy is None


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (
            "Pmin=? [ F Bel(delivered) ]",
            {"walk": "walk <= drive", "drive-drive*jam+jam*walk": "drive <= walk"},
        ),
        (
            "Pmax=? [ !Bel(stuck) U Bel(delivered) ]",
            {"walk": "drive <= walk+drive*jam", "drive*(1-jam)": "walk+drive*jam <= drive"},
        ),
        (
            "Pmax=? [ G !Bel(lost) ]",
            {"walk": "drive <= walk", "drive-drive*jam+jam*walk": "walk <= drive"},
        ),
        (
            "Pmin=? [ G !Bel(lost) ]",
            {"walk": "walk <= drive", "drive-drive*jam+jam*walk": "drive <= walk"},
        ),
    ],
)
def test_other_questions(formula: str, expected: dict[str, str]) -> None:
    """The courier goes one of the two ways in any case, and every parcel is delivered or lost in
    the end."""
    grid = ["walk=0.1,0.5,0.9", "drive=0.1,0.5,0.9", "jam=0.1,0.5,0.9"]
    assert pieces(closed_form(program(COURIER), grid, formula, processes=1)) == expected


def test_a_fixed_parameter_is_a_number_in_the_function() -> None:
    form = closed_form(
        program(COURIER, drive="1", jam="0.5"),
        ["walk=0:1:0.25"],
        "Pmax=? [ F Bel(delivered) ]",
        processes=1,
    )
    assert pieces(form) == {"(1+walk)/2": "everywhere"}


def test_functions_are_the_values_off_the_grid() -> None:
    """A random-looking point, checked in the ordinary way with the parameters written into the
    program."""
    form = courier()
    (point,) = points(read_grid(["walk=0.37", "drive=0.61", "jam=1/7"], ["walk", "drive", "jam"]))
    (answer,) = check(
        program(COURIER).with_parameters(point), ["Pmax=? [ F Bel(delivered) ]"]
    ).answers
    assert answer.verdict.value == max(value_at(piece.function, point) for piece in form.pieces)


def test_where_the_value_jumps_is_an_exception() -> None:
    """Who tosses a coin for ever wins for certain, however bad the coin, except with p = 0."""
    for tosser in (gambler(), gambler("try : tries > 0 <- gamble.\n", "")):
        form = closed_form(tosser, ["p=0:1:0.25"], "Pmax=? [ F Bel(won) ]", processes=1)
        assert pieces(form) == {"1": "everywhere"}
        assert [float(point["p"]) for point in form.exceptions] == [0]
        assert form.num_checked == 4 + 4
    assert form.remark().endswith("different at 1, such as p = 0")


@pytest.mark.parametrize(
    "formula",
    [
        "Pmax>=0.5 [ F Bel(won) ]",
        "Pmax=? [ F<=5 Bel(won) ]",
        'R{"cost"}min=? [ F Bel(won) ]',
        "A [ F Bel(won) ]",
        "Pmax=? [ G F Bel(won) ]",
    ],
)
def test_what_has_no_closed_form_is_refused(formula: str) -> None:
    with pytest.raises(InputError, match="CHK070"):
        closed_form(gambler(), ["p=0.2,0.8"], formula)


def test_parameters_that_decide_what_happens_are_refused() -> None:
    with pytest.raises(InputError, match=r"CHK072.*no closed form can be computed over patience"):
        closed_form(gambler(), ["p=0.2,0.8", "patience=0,1"], "Pmax=? [ F Bel(won) ]")


def test_as_data_and_for_people() -> None:
    form = closed_form(
        load(SMART_MANUFACTURING), ["pe=0.1:0.3:0.1"], "Pmax=? [ F (PS1 & PS2) ]", processes=1
    )
    assert form.to_json()["pieces"] == [{"function": "(1-pe)^4", "where": "everywhere"}]
    assert form.table().rows == [["(1-pe)^4", "everywhere"]]
    assert form.remark() == "equal to Storm's value at 5 points in 0.1 <= pe <= 0.3"
