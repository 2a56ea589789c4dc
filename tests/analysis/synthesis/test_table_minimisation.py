"""Equally good choices make tables shorter, and the strategy still attains the value."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.analysis.can_programs import EXAMPLES
from tests.analysis.synthesis.followed_strategies import SmallProgram, followed, with_ways_back
from tests.analysis.synthesis.test_python_code import executed
from tests.checking.properties import by_numbers
from tests.checking.random_mdps import SmallMdp, small_mdps
from volition import load
from volition.analysis.synthesis.python_code import python_code
from volition.analysis.synthesis.synthesise import synthesise
from volition.logic import parse

QUESTIONS = [
    "P{} [ F b ]",
    "P{} [ a U b ]",
    "P{} [ G a ]",
    'R{{"gain"}}{} [ F b ]',
    "P{} [ F<=3 b ]",
]


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(
    st.one_of(small_mdps(choices=3), small_mdps().map(with_ways_back)),
    st.sampled_from(["max", "min"]),
    st.sampled_from(QUESTIONS),
    st.sampled_from([True, False]),
)
def test_the_strategy_that_is_told_attains_the_value(
    mdp: SmallMdp, optimum: str, prop: str, exact: bool
) -> None:
    synthesis = synthesise(SmallProgram(mdp), prop.format(f"{optimum}=?"), exact=exact)
    chain = followed(mdp, executed(python_code(synthesis)))
    attained = by_numbers(chain, chain.explored(), parse(prop.format("=?")), exact=True).value
    value = synthesis.answer.verdict.value
    assert value is not None
    assert attained == value if exact else attained == pytest.approx(float(value), abs=1e-6)


def certain(*targets: int) -> tuple[tuple[dict[int, Fraction], int], ...]:
    return tuple(({target: Fraction(1)}, 0) for target in targets)


def test_equally_good_choices_do_not_go_round_for_ever() -> None:
    """From everywhere everything is worth 1, also to go back; one who goes back in both states
    never arrives."""
    labels = (frozenset[str](), frozenset[str](), frozenset("b"), frozenset[str]())
    synthesis = synthesise(
        SmallProgram(SmallMdp((certain(1, 3), certain(0, 2), (), ()), labels, (0,) * 4)),
        "Pmax=? [ F b ]",
    )
    assert synthesis.answer.verdict.value == 1
    assert [(each.state, each.action) for each in synthesis.decision_points] == [
        (0, "choice 0"),
        (1, "choice 1"),
    ]


def test_one_answer_for_all_states_if_one_will_do() -> None:
    """Three states, in each of which another choice, too, leads to the goal as surely: it is always
    the first one."""
    rows = (certain(1, 1, 3), certain(2, 4, 2), certain(4, 3, 4), (), ())
    synthesis = synthesise(
        SmallProgram(SmallMdp(rows, (frozenset(),) * 4 + (frozenset("b"),), (0,) * 5)),
        "Pmax=? [ F b ]",
    )
    (table,) = synthesis.tables()
    assert [row[:2] for row in table.rows] == [["always", "choice 0"]]


@pytest.mark.parametrize(
    ("path", "formula", "rows"),
    [
        ("can/rover.can", 'R{"distance"}min=? [ F (SS1 & SS2) ]', 3),
        ("can/rover.can", "Pmax=? [ F (SS1 & SS2) ]", 4),
        ("can/smart_manufacturing.can", "Pmin=? [ F PS1 ]", 1),
        ("can/smart_manufacturing.can", "Pmax=? [ F<=40 (PS1 & PS2) ]", 3),
    ],
)
def test_tables_of_the_examples_are_short(path: str, formula: str, rows: int) -> None:
    """Where each row tells what the engine happens to choose, they have 6, 9, 3 and 4 rows."""
    synthesis = synthesise(load(EXAMPLES / path), formula)
    assert sum(len(table.rows) for table in synthesis.tables()) <= rows


@pytest.mark.parametrize("exact", [True, False])
def test_who_wants_to_earn_for_ever_does_not_come_to_the_goal(exact: bool) -> None:
    """To wait is worth more than any way to the goal, also than one that may come back."""
    half = Fraction(1, 2)
    rows = ((({1: Fraction(1)}, 0), ({0: half, 1: half}, 0), ({0: Fraction(1)}, 0)), ())
    waiting = SmallMdp(rows, (frozenset(), frozenset("b")), (0, 0))
    synthesis = synthesise(SmallProgram(waiting), 'R{"gain"}max=? [ F b ]', exact=exact)
    assert synthesis.answer.verdict.value == float("inf")
    assert [(each.state, each.action) for each in synthesis.decision_points] == [(0, "choice 2")]
