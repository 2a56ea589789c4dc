"""Archibald et al., "Quantitative Verification and Strategy Synthesis for BDI Agents": every figure
of Sect. 4.

Counts of states, choices and transitions are those of an implementation that shares no code with
this one.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from volition.checking.check import Answer, Report, check
from volition.kernel import explore
from volition.languages.can import load
from volition.origin import Origin

EXAMPLES = Path(__file__).parents[2] / "examples" / "can"
MANUFACTURING = EXAMPLES / "smart_manufacturing.can"
ROVER = EXAMPLES / "rover.can"

BOTH = "Pmax=? [ F (PS1 & PS2) ]"
BOTH_WITH_A_CHEAP_BAG = "Pmax=? [ F (PS1 & PS2 & (Pch1 | Pch2)) ]"


@cache
def report(path: Path) -> Report:
    """The answers to the properties that the file carries."""
    return check(load(path, {}), exact=True)


def answer(path: Path, formula: str) -> Answer:
    (found,) = [each for each in report(path).answers if each.prop.text == formula]
    return found


def value(formula: str, **parameters: Fraction) -> Fraction | float | None:
    """The value of a formula for smart manufacturing with other parameters."""
    settings = {name: str(number) for name, number in parameters.items()}
    return check(load(MANUFACTURING, settings), [formula], exact=True).answers[0].verdict.value


# --- Sect. 4.2, smart manufacturing ---------------------------------------------------------------


def test_size_of_smart_manufacturing() -> None:
    space = explore(load(MANUFACTURING, {}).model().system)
    assert (space.num_states, space.num_choices, space.num_transitions) == (784, 1288, 1418)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("Pmin=? [ F (PS1 & PS2) ]", 0),
        (BOTH, Fraction("0.6561")),
        ("Pmax=? [ F (PS1 & PS2 & Pch1 & Pch2) ]", 0),
        (BOTH_WITH_A_CHEAP_BAG, Fraction("0.3969")),
    ],
)
def test_listing_1_2(formula: str, expected: Fraction) -> None:
    """The four values of Listing 1.2, exactly."""
    assert answer(MANUFACTURING, formula).verdict.value == expected


def test_listing_1_1_as_printed_does_not_give_listing_1_2(tmp_path: Path) -> None:
    """With ``deadline2 >= 3`` in line 11, as printed, the second product cannot be wrapped in time
    after the first."""
    printed = MANUFACTURING.read_text().replace("deadline2 >= 0", "deadline2 >= 3")
    (tmp_path / "printed.can").write_text(printed)
    found = check(load(tmp_path / "printed.can", {}), [BOTH], exact=True).answers[0].verdict.value
    assert found is not None
    assert found < Fraction("0.6561")


def test_strategy_of_section_4_2() -> None:
    """Where nothing fails, the strategy for 0.6561 wraps the urgent product first, then the other
    one, both in the expensive bag, and moves them only when both are wrapped.
    """
    strategy = answer(MANUFACTURING, BOTH).verdict.strategy
    assert strategy is not None
    space = strategy.space
    state, actions = 0, []
    while not (space.value(state, "success1") and space.value(state, "success2")):
        choice = int(strategy.reachable_choices[state])
        label = space.label(choice)
        assert isinstance(label, Origin)
        actions += [label.action] if label.action else []
        targets = [
            int(space.targets[t])
            for t in range(space.first_transition[choice], space.first_transition[choice + 1])
        ]
        (state,) = [
            target
            for target in targets
            if not (space.value(target, "failure1") or space.value(target, "failure2"))
        ]
    assert actions[:2] == ["wrap_premium1", "wrap_premium2"]
    assert sorted(filter(None, actions[2:])) == ["move_product_premium1", "move_product_premium2"]


@pytest.mark.parametrize("pe", [Fraction(0), Fraction("0.1"), Fraction("0.55"), Fraction(1)])
@pytest.mark.parametrize("pc", [Fraction(0), Fraction("0.3"), Fraction("0.7"), Fraction(1)])
def test_figure_5(pe: Fraction, pc: Fraction) -> None:
    """Success needs four actions: two with each kind of bag, or all four with the expensive one."""
    cheap = (1 - pc) ** 2 * (1 - pe) ** 2
    assert value(BOTH, pe=pe, pc=pc) == max((1 - pe) ** 4, cheap)
    assert value(BOTH_WITH_A_CHEAP_BAG, pe=pe, pc=pc) == cheap


# --- Sect. 4.3, rover -----------------------------------------------------------------------------


def test_size_of_rover() -> None:
    space = explore(load(ROVER, {}).model().system)
    assert (space.num_states, space.num_choices) == (664, 1225)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("Pmin=? [ F (SS1 & SS2) ]", 0),
        ("Pmax=? [ F (SS1 & SS2) ]", 1),
        ('R{"moves"}min=? [ F (SS1 & SS2) ]', 3),
        ('R{"distance"}min=? [ F (SS1 & SS2) ]', 12),
        ('R{"distance"}max=? [ F (SS1 & SS2) ]', float("inf")),
    ],
)
def test_values_of_section_4_3(formula: str, expected: float) -> None:
    """Careless interleaving may fail, careful does not, and the shortest tour is base, site 1, site
    2, base."""
    assert answer(ROVER, formula).verdict.value == expected
