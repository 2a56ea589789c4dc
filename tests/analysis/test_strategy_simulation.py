"""Simulation: the intervals hold their promise, and contain the values that Storm computes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.analysis.can_programs import COIN, EXAMPLES, program
from volition import InputError, load
from volition.analysis.strategy_simulation import Simulation, simulate, wilson_interval
from volition.analysis.synthesis.synthesise import Synthesis, synthesise


def run(
    synthesis: Synthesis,
    *,
    by_strategy: bool = True,
    runs: int = 10_000,
    seed: int = 1,
    max_steps: int = 10_000,
) -> Simulation:
    answer = synthesis.answer
    return simulate(
        answer.exploration.model,
        answer.exploration.space,
        answer.prop.formula,
        strategy=synthesis.strategy if by_strategy else None,
        runs=runs,
        seed=seed,
        max_steps=max_steps,
    )


def test_wilson_interval_of_textbook_cases() -> None:
    """No hit in n runs gives z² / (n + z²) above; half of the runs gives an interval around 1/2."""
    z = 1.959963984540054
    lower, upper = wilson_interval(0, 10, 0.95)
    assert lower == 0
    assert upper == pytest.approx(z * z / (10 + z * z))
    assert sum(wilson_interval(50, 100, 0.95)) == pytest.approx(1)


@pytest.mark.parametrize("chance", [0.01, 0.3, 0.98])
def test_wilson_interval_covers_as_often_as_it_promises(chance: float) -> None:
    """Of 2,000 intervals with confidence 0.95 at least 0.93 must contain the truth: fewer has a
    probability below 10⁻⁴."""
    hits = np.random.default_rng(0).binomial(500, chance, size=2000)
    covered = [
        lower <= chance <= upper
        for lower, upper in (wilson_interval(int(each), 500, 0.95) for each in hits)
    ]
    assert np.mean(covered) > 0.93


@pytest.mark.parametrize(
    ("path", "formula"),
    [
        ("can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]"),
        ("can/vacuum.can", "Pmin=? [ F tidied ]"),
        ("can/vacuum.can", "Pmin=? [ G !tidied ]"),
        ("can/vacuum.can", 'R{"tries"}max=? [ F empty ]'),
        ("lisa/pipeline_drone", 'Pmax=? [ F Bel("Leak documented") ]'),
    ],
)
def test_value_lies_in_the_interval(path: str, formula: str) -> None:
    synthesis = synthesise(load(EXAMPLES / path), formula)
    found = run(synthesis)
    value = synthesis.answer.verdict.value
    assert value is not None
    assert found.lower <= value <= found.upper
    assert found.upper - found.lower < 0.06
    assert found.undecided == 0


def test_intervals_of_many_seeds_miss_as_rarely_as_they_promise() -> None:
    """With confidence 0.99, more than 8 misses in 200 simulations have a probability below 10⁻³."""
    synthesis = synthesise(
        load(EXAMPLES / "can" / "smart_manufacturing.can"), "Pmax=? [ F (PS1 & PS2) ]"
    )
    found = [run(synthesis, runs=300, seed=seed) for seed in range(200)]
    assert sum(not each.lower <= 0.6561 <= each.upper for each in found) <= 8


def test_a_strategy_without_chance_has_a_certain_cost() -> None:
    found = run(
        synthesise(load(EXAMPLES / "can" / "rover.can"), 'R{"distance"}min=? [ F (SS1 & SS2) ]'),
        runs=100,
    )
    assert (found.estimate, found.lower, found.upper) == (12, 12, 12)


def test_choices_made_by_chance() -> None:
    """Each try is fair or risky with 1/2.  It wins with 1/2, loses with 1/4, goes on with 1/4: 2/3
    in the end."""
    found = run(synthesise(program(COIN), "Pmax=? [ F won ]"), by_strategy=False)
    assert found.lower <= 2 / 3 <= found.upper
    assert found.scheduler == "with random choices"


def test_a_missed_goal_costs_without_end() -> None:
    assert (
        run(synthesise(program(COIN), 'R{"cost"}min=? [ F won ]'), by_strategy=False).estimate
        == math.inf
    )


def test_the_seed_decides() -> None:
    synthesis = synthesise(program(COIN), "Pmax=? [ F won ]")
    first, again, other = (run(synthesis, by_strategy=False, seed=seed) for seed in (3, 3, 4))
    assert first == again
    assert first.estimate != other.estimate


def test_runs_that_are_given_up_count_on_both_sides() -> None:
    found = run(synthesise(program(COIN), "Pmax=? [ F won ]"), by_strategy=False, max_steps=8)
    assert found.undecided > 0
    assert found.lower <= 2 / 3 <= found.upper
    assert "did not end" in found.sentence()


def test_long_runs_cannot_be_simulated() -> None:
    synthesis = synthesise(program(COIN), "Pmax=? [ F won ]")
    from volition import parse

    formula = parse("Pmax=? [ G (won -> X F won) ]")
    with pytest.raises(InputError) as raised:
        simulate(
            synthesis.model,
            synthesis.answer.exploration.space,
            formula,
            strategy=None,
            runs=10,
            seed=1,
        )
    assert [each.code for each in raised.value.diagnostics] == ["CHK083"]
