"""Every example carries its properties with the results that its author expects, and they are
met."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.manufacturing import manufacturing

from tests.languages.can.small import space
from volition.checking.check import check
from volition.kernel import explore
from volition.languages.can import load

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "can").glob("*.can"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_results_are_as_expected(path: Path) -> None:
    report = check(load(path, {}))
    assert report.answers
    assert all(answer.as_expected for answer in report.answers)
    assert not report.warnings


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_there_is_nothing_to_warn_of(path: Path) -> None:
    assert not load(path, {}).warnings


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_rules_are_pure(path: Path) -> None:
    """Run in every state, each component gives the same choices after the same reads."""
    assert explore(load(path, {}).model().system, check_purity=True).complete


def test_the_courier_is_late_if_intentions_take_turns() -> None:
    courier = next(path for path in EXAMPLES if path.stem == "courier")
    (answer,) = check(load(courier, {"intentions": "round-robin"}), ["P=? [ F told ]"]).answers
    assert answer.verdict.value == 0


# --- Python calls grow with the program -----------------------------------------------------------


def test_two_products_are_the_program_of_the_paper() -> None:
    found = space(manufacturing(2))
    assert (found.num_states, found.num_choices, found.num_transitions) == (784, 1288, 1418)


def test_python_calls_grow_with_the_program_and_not_with_the_states() -> None:
    """Each product multiplies the states and adds to the calls what one product needs."""
    two, three, four = (space(manufacturing(products)).stats for products in (2, 3, 4))
    assert three.states > 10 * two.states
    assert four.states > 10 * three.states
    per_product = two.python_calls / 2
    assert four.python_calls < 4 * per_product * 1.5
    assert four.python_calls < 0.01 * four.states
