"""Archibald et al., Sect. 4.2, Fig. 5 and "Action Outcome Analysis": two values over the failure
probabilities of both kinds of bag.

The figure has no numbers.  Its surfaces have closed forms: with expensive bags for both products
all four actions succeed with (1-pe)^4, with a cheap one for product 1 with (1-pc)^2 (1-pe)^2.  The
deadlines leave no time for two cheap ones.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.analysis.can_programs import SMART_MANUFACTURING
from volition.analysis.sweeps.closed_forms import ClosedForm, closed_form
from volition.analysis.sweeps.result import SweepResult
from volition.analysis.sweeps.sweep import sweep
from volition.languages import load

GRID = ["pc=0:1:0.1", "pe=0:1:0.1"]
BOTH = "Pmax=? [ F (PS1 & PS2) ]"
CHEAP = "Pmax=? [ F (PS1 & PS2 & (Pch1 | Pch2)) ]"


def cheap(pc: Fraction, pe: Fraction) -> Fraction:
    return (1 - pc) ** 2 * (1 - pe) ** 2


def best(pc: Fraction, pe: Fraction) -> Fraction:
    return max((1 - pe) ** 4, cheap(pc, pe))


@pytest.fixture(scope="module")
def figure() -> SweepResult:
    return sweep(load(SMART_MANUFACTURING), GRID, [BOTH, CHEAP])


def test_all_121_points(figure: SweepResult) -> None:
    assert len(figure.rows) == 121
    for row in figure.rows:
        both, with_cheap = (float(value) for value in row.values if value is not None)
        assert both == pytest.approx(float(best(**row.point)), abs=1e-9)
        assert with_cheap == pytest.approx(float(cheap(**row.point)), abs=1e-9)


def test_one_exploration(figure: SweepResult) -> None:
    assert figure.explorations == 1
    assert figure.graph_parameters == ()


def test_what_the_text_says(figure: SweepResult) -> None:
    """Both values fall with both probabilities, and coincide with 1 and 0 where both are 0 or both
    are 1."""
    for formula in (0, 1):
        values = figure.array(formula)
        assert (values[1:, :] <= values[:-1, :]).all()
        assert (values[:, 1:] <= values[:, :-1]).all()
        assert values[0, 0] == 1
        assert values[-1, -1] == 0
    assert (figure.array(0) >= figure.array(1)).all()


def pieces(form: ClosedForm) -> dict[str, str]:
    return {str(piece.function): piece.region for piece in form.pieces}


def test_the_closed_forms_and_where_which_bag_is_better() -> None:
    program = load(SMART_MANUFACTURING)
    both = closed_form(program, GRID, BOTH)
    assert pieces(both) == {"(1-pe)^4": "pe <= pc", "(1-pc)^2*(1-pe)^2": "pc <= pe"}
    assert (both.num_checked, both.exceptions) == (121 + 100, ())
    assert pieces(closed_form(program, ["pc=0:1:0.5", "pe=0:1:0.5"], CHEAP)) == {
        "(1-pc)^2*(1-pe)^2": "everywhere"
    }


def test_each_piece_has_a_strategy_that_uses_its_bags() -> None:
    both = closed_form(load(SMART_MANUFACTURING), ["pc=0:1:0.5", "pe=0:1:0.5"], BOTH)
    for piece in both.pieces:
        assert piece.strategy is not None
        space = piece.strategy.space
        actions = {
            getattr(space.label(int(choice)), "action", None) for _, _, choice in piece.strategy
        }
        wraps_standard = any(
            action is not None and action.startswith("wrap_standard") for action in actions
        )
        assert wraps_standard == ("pc" in str(piece.function))
