"""Fronts of programs: corners, mixtures, and how they are told and drawn."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.analysis.small_programs import SmallProgram
from tests.analysis.tradeoffs.test_missions import RISKY
from tests.checking.random_mdps import SmallMdp
from volition.analysis.tradeoffs.missions import build_mission, min_cost_at_max_probability
from volition.analysis.tradeoffs.pareto import pareto
from volition.analysis.tradeoffs.plots import check_pareto_plot, draw_pareto, save_pareto_plot
from volition.checking.storm.client import EngineError, EngineStopped
from volition.checking.task import CheckSettings
from volition.diagnostics import InputError
from volition.kernel import Limits
from volition.reporting.strategies.strategy_table import tabulate_strategy

SUCCESS, COST = "Pmax=? [ F b ]", 'R{"gain"}min=? [ F b ]'


def test_success_against_cost() -> None:
    result = pareto(SmallProgram(RISKY), [SUCCESS, COST])
    assert [corner.values for corner in result.corners] == [(1, 6), (Fraction(1, 2), 1)]
    assert result.exact
    assert result.table().rows == [["strategy 1", "1", "6"], ["strategy 2", "0.5", "1"]]


def test_a_point_between_corners_is_explained() -> None:
    result = pareto(SmallProgram(RISKY), [SUCCESS, COST])
    point = result.mixture([Fraction(7, 10), Fraction(3)])
    assert point is not None
    assert (
        point.sentence()
        == "with probability 0.4 play strategy 1, else strategy 2, chosen once at the start"
    )
    assert point.values == (Fraction(7, 10), 3)
    assert result.mixture([1, 5]) is None
    corner = result.mixture([Fraction(1, 2), 1])
    assert corner is not None
    assert corner.sentence() == "play strategy 2"


def test_bounds_choose_a_point() -> None:
    result = pareto(SmallProgram(RISKY), [SUCCESS, 'R{"gain"}<=2 [ F b ]'])
    assert result.attainable is True
    assert result.bound_meeting_point is not None
    assert result.bound_meeting_point.values == (Fraction(3, 5), 2)
    impossible = pareto(SmallProgram(RISKY), ["P>=0.9 [ F b ]", 'R{"gain"}<=2 [ F b ]'])
    assert impossible.attainable is False
    assert impossible.bound_meeting_point is None


def test_json() -> None:
    document = pareto(SmallProgram(RISKY), [SUCCESS, 'R{"gain"}<=2 [ F b ]']).to_json(
        strategies=True
    )
    assert json.loads(json.dumps(document)) == document
    assert [corner["values"] for corner in document["corners"]] == [[1.0, 6.0], [0.5, 1.0]]
    assert document["corners"][1]["strategy"]["decisions"][0]["rows"][0]["choose"] == "choice 2"
    assert document["chosen"]["mixture"] == [
        {"probability": 0.2, "strategy": "strategy 1"},
        {"probability": 0.8, "strategy": "strategy 2"},
    ]


MEMORY = SmallMdp(
    # From the middle one can go to a and come back, or to b and stay: to have both, a must come
    # first.
    rows=(
        (({1: Fraction(1)}, 0), ({2: Fraction(1)}, 0)),
        (({0: Fraction(1)}, 0),),
        (),
    ),
    labels=(frozenset(), frozenset("a"), frozenset("b")),
    earned_in=(0, 0, 0),
)


def test_a_corner_may_need_memory() -> None:
    result = pareto(SmallProgram(MEMORY), ["Pmax=? [ F a ]", "Pmax=? [ F b ]"])
    (corner,) = result.corners
    assert corner.values == (1, 1)
    assert corner.strategy.memoryless_if_possible.memory is not None
    (table,) = tabulate_strategy(MEMORY, corner.strategy).tables()
    assert [row[:3] for row in table.rows] == [
        ["as long as F a was reached", "choice 1", "choice 0"],
        ["otherwise", "choice 0", "choice 1"],
    ]


# Watching costs 1 for ever, leaving costs 2 once and hurts (a) one time in ten.
GUARD = SmallMdp(
    rows=((({0: Fraction(1)}, 1), ({1: Fraction(9, 10), 2: Fraction(1, 10)}, 2)), (), ()),
    labels=(frozenset(), frozenset("b"), frozenset("a")),
    earned_in=(0, 0, 0),
)
SAFE, SPENT = "Pmax=? [ G !a ]", 'R{"gain"}min=? [ C ]'


def test_strategies_of_infinite_cost_are_shown() -> None:
    result = pareto(SmallProgram(GUARD), [SAFE, SPENT])
    assert result.has_infinite_corner
    assert result.table().rows == [["strategy 1", "0.9", "2"], ["strategy 2", "1", "∞"]]
    document = result.to_json()
    assert [corner["values"] for corner in document["corners"]] == [[0.9, 2.0], [1.0, "inf"]]
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert not pareto(SmallProgram(RISKY), [SUCCESS, COST]).has_infinite_corner


def test_bounds_may_have_an_infinite_price() -> None:
    """More safety than 9 in 10 is had by tossing a coin between leaving and watching for ever,
    which costs without end."""
    result = pareto(SmallProgram(GUARD), ["P>=0.95 [ G !a ]", SPENT])
    assert result.attainable is True
    assert result.bound_meeting_point is not None
    assert result.bound_meeting_point.values[1] == float("inf")
    assert result.bound_meeting_point.values[0] >= Fraction(95, 100)
    assert (
        pareto(SmallProgram(GUARD), ["P>=0.95 [ G !a ]", 'R{"gain"}<=100 [ C ]']).attainable
        is False
    )


def test_gains_without_end_have_no_front() -> None:
    with pytest.raises(EngineError, match="a strategy can gain infinitely often"):
        pareto(SmallProgram(GUARD), [SAFE, 'R{"gain"}max=? [ C ]'])


def test_everything_may_be_infinite() -> None:
    watch = SmallMdp(rows=((({0: Fraction(1)}, 1),),), labels=(frozenset(),), earned_in=(1,))
    with pytest.raises(
        EngineError, match="all of these objectives are infinite under every strategy"
    ):
        pareto(SmallProgram(watch), [SPENT, SPENT])


def test_the_time_is_for_all_of_it() -> None:
    with pytest.raises(EngineStopped, match="stopped after 1e-09 seconds"):
        pareto(
            SmallProgram(RISKY),
            [SUCCESS, COST],
            settings=CheckSettings(limits=Limits(seconds=1e-9)),
        )
    with pytest.raises(EngineStopped, match="stopped after 1e-09 seconds"):
        min_cost_at_max_probability(
            build_mission(
                SmallProgram(RISKY), SUCCESS, settings=CheckSettings(limits=Limits(seconds=1e-9))
            )
        )


def test_one_objective_is_no_trade_off() -> None:
    with pytest.raises(InputError, match="at least two objectives"):
        pareto(SmallProgram(RISKY), [SUCCESS])


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_pictures(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"front{suffix}"
    save_pareto_plot(pareto(SmallProgram(RISKY), [SUCCESS, 'R{"gain"}<=2 [ F b ]']), path)
    assert path.stat().st_size > 1000


def test_the_picture_shows_corners_and_the_chosen_point() -> None:
    figure = draw_pareto(pareto(SmallProgram(RISKY), [SUCCESS, 'R{"gain"}<=2 [ F b ]']))
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["strategy 1\n(1, 6)", "strategy 2\n(0.5, 1)", "(0.6, 2)"]


def test_axes_of_probabilities_end_where_probabilities_do() -> None:
    (panel,) = draw_pareto(pareto(SmallProgram(RISKY), [SUCCESS, "Pmin=? [ G !b ]"])).axes
    for axis in (panel.xaxis, panel.yaxis):
        assert min(axis.get_majorticklocs()) >= -1e-9
        assert max(axis.get_majorticklocs()) <= 1 + 1e-9
    assert panel.get_xlim()[0] > -0.05
    assert panel.get_ylim()[1] < 1.05


@pytest.mark.parametrize(
    "objectives", [[SAFE, SPENT], [SAFE, SPENT, "Pmax=? [ F b ]"]], ids=["plane", "space"]
)
def test_pictures_name_what_lies_beyond_them(objectives: list[str], tmp_path: Path) -> None:
    result = pareto(SmallProgram(GUARD), objectives)
    save_pareto_plot(result, tmp_path / "front.svg")
    words = [
        text.get_text() for legend in draw_pareto(result).legends for text in legend.get_texts()
    ]
    assert any("∞" in each and "outside the plot" in each for each in words)


def test_three_objectives_in_space() -> None:
    figure = draw_pareto(pareto(SmallProgram(RISKY), [SUCCESS, COST, "Pmin=? [ F a ]"]))
    assert figure.axes[0].name == "3d"


def test_plots_that_cannot_be() -> None:
    with pytest.raises(InputError, match=r"\.svg, \.png or \.pdf"):
        check_pareto_plot(Path("front.doc"), objectives=2)
    with pytest.raises(InputError, match="two or three objectives"):
        check_pareto_plot(Path("front.svg"), objectives=4)
