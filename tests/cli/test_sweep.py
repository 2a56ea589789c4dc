"""``volition sweep``.  Figures: Archibald et al., Sect. 4.2, Fig. 5."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.conftest import EXAMPLES, MANUFACTURING, VACUUM, Volition

BOTH = "Pmax=? [ F (PS1 & PS2) ]"


def test_one_parameter_as_a_table(volition: Volition) -> None:
    ended = volition("sweep", MANUFACTURING, "--vary", "pe=0.1,0.2", "-p", BOTH)
    assert ended.exit_code == 0
    assert "2 points, explored once" in ended.out
    assert "0.1 0.6561 0.2 0.4096" in ended.words


def test_two_parameters_side_by_side(volition: Volition) -> None:
    ended = volition(
        "sweep", MANUFACTURING, "--vary", "pc=0,0.3", "--vary", "pe=0.1,0.2", "-p", BOTH
    )
    assert r"pc \ pe 0.1 0.2" in ended.words
    assert "0 0.81 0.64 0.3 0.6561 0.4096" in ended.words


def test_the_properties_of_the_file_are_the_default(volition: Volition) -> None:
    """Listing 1.2: 0, 0.6561, 0, 0.3969."""
    document = volition("sweep", MANUFACTURING, "--vary", "pe=0.1", "--json").document
    assert [float(value) for value in document["rows"][0]["values"]] == pytest.approx(
        [0, 0.6561, 0, 0.3969], abs=1e-9
    )
    assert document["explorations"] == 1


def test_closed_forms(volition: Volition) -> None:
    arguments = (
        "sweep",
        MANUFACTURING,
        "--vary",
        "pc=0:1:0.5",
        "--vary",
        "pe=0:1:0.5",
        "-p",
        BOTH,
        "--closed-form",
    )
    assert "(1-pe)^4 pe <= pc (1-pc)^2*(1-pe)^2 pc <= pe" in volition(*arguments).words
    (form,) = volition(*arguments, "--json").document["closed_forms"]
    assert {"function": "(1-pe)^4", "where": "pe <= pc"} in form["pieces"]


def test_files(volition: Volition, tmp_path: Path) -> None:
    table, plot = tmp_path / "sweep.csv", tmp_path / "sweep.svg"
    arguments = (
        "sweep",
        MANUFACTURING,
        "--vary",
        "pe=0,0.1,1",
        "-p",
        BOTH,
        "--csv",
        table,
        "--plot",
        plot,
    )
    assert volition(*arguments).exit_code == 0
    with table.open() as lines:
        assert [[float(cell) for cell in row] for row in list(csv.reader(lines))[1:]] == [
            [0, 1],
            [0.1, pytest.approx(0.6561)],
            [1, 0],
        ]
    assert "<svg" in plot.read_text()
    again = volition(*arguments)
    assert again.exit_code == 2
    assert "already exists" in again.err
    assert volition(*arguments, "--force").exit_code == 0


def test_mistakes_are_reported_before_the_work(volition: Volition, tmp_path: Path) -> None:
    ended = volition("sweep", MANUFACTURING, "--vary", "pf=0", "--vary", "pe=0:1", "-p", BOTH)
    assert ended.exit_code == 2
    assert "unknown parameter 'pf'" in ended.err
    assert "'0:1' is not a range" in ended.err
    assert (
        "unsupported picture format"
        in volition("sweep", MANUFACTURING, "--vary", "pe=0", "--plot", tmp_path / "plot.doc").err
    )
    assert (
        "closed forms are not supported for"
        in volition(
            "sweep", MANUFACTURING, "--vary", "pe=0", "-p", "A [ F PS1 ]", "--closed-form"
        ).err
    )
    ended = volition("sweep", VACUUM, "--vary", "pe=0")
    assert ended.exit_code == 2
    assert "Dribble programs have no parameters to vary" in ended.err


@pytest.mark.parametrize(
    ("program", "vary", "formula", "explored"),
    [
        (
            EXAMPLES / "agentspeak" / "factory",
            "reliability=0.5,1/3,1",
            "Pmax=? [ F (stamped = 2 & tries = 2) ]",
            1,
        ),
        (EXAMPLES / "agentspeak" / "auction", "auctions=1,2", "[](announced < 2)", 2),
        (
            EXAMPLES / "lisa" / "pipeline_drone",
            "picture_taken.p=0,0.8,1",
            'Pmax=? [ F<=24 Bel("Leak documented") ]',
            1,
        ),
        (
            EXAMPLES / "lisa" / "pipeline_drone",
            "wind_is_strong.activation.p=0,1/2",
            'Pmax=? [ F<=24 Bel("Leak documented") ]',
            1,
        ),
        (
            EXAMPLES / "lisa" / "pipeline_drone",
            "leak_in_view.activation.mu=2,4",
            'Pmax=? [ F<=24 Bel("Leak documented") ]',
            2,
        ),
    ],
    ids=["factory", "auction", "feedback", "percept", "average"],
)
def test_a_point_has_the_value_that_check_gives_there(
    volition: Volition, program: Path, vary: str, formula: str, explored: int
) -> None:
    swept = volition(
        "sweep", program, "--vary", vary, "-p", formula, "--jobs", "1", "--json"
    ).document
    assert swept["explorations"] == explored
    name, _, values = vary.partition("=")
    for row, value in zip(swept["rows"], values.split(","), strict=True):
        (answer,) = volition(
            "check", program, "--set", f"{name}={value}", "-p", formula, "--json"
        ).document["properties"]
        assert row["values"] == [pytest.approx(answer.get("value", answer.get("holds")), abs=1e-9)]


def test_numbers_of_lisa_are_listed_and_set(volition: Volition) -> None:
    drone = EXAMPLES / "lisa" / "pipeline_drone"
    assert "wind_is_strong.activation 0.2 4 2" in volition("show", drone).words
    assert "picture_blurred 0.25" in volition("show", drone, "--set", "picture_taken.p=0.75").words
    ended = volition("check", drone, "--set", "picture_taken.p=1.5")
    assert ended.exit_code == 2
    assert "1.5 for 'picture_taken.p' is not a probability" in ended.err


def test_a_limit_leaves_values_out(volition: Volition) -> None:
    ended = volition(
        "sweep", MANUFACTURING, "--vary", "pe=0.1,0.2", "-p", BOTH, "--max-states", "50", "--json"
    )
    assert ended.exit_code == 3
    assert [row["values"] for row in ended.document["rows"]] == [[None], [None]]
    assert len(ended.document["problems"]) == 2
