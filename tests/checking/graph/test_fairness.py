"""Fairness of components: the textbook cases that tell weak, strong and no fairness apart."""

from __future__ import annotations

import pytest

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem
from volition.diagnostics import InputError
from volition.kernel import System
from volition.logic import parse

# Component 0 spins in state 0 for ever unless component 1, always enabled there, ends it.
SPINNING = SmallSystem(
    edges=(((0, 0), (1, 1)), ()), labels=(frozenset(), frozenset("a")), components=2
)

# Component 0 goes round 0 ⇄ 1; component 1 is enabled in 0 only, so never without a break.
NOW_AND_THEN = SmallSystem(
    edges=(((0, 1), (1, 2)), ((0, 0),), ()),
    labels=(frozenset(), frozenset("b"), frozenset("a")),
    components=2,
)


@pytest.mark.parametrize(
    ("system", "fairness", "holds"),
    [
        (SPINNING, None, False),
        (SPINNING, "weak", True),
        (SPINNING, "strong", True),
        (NOW_AND_THEN, None, False),
        (NOW_AND_THEN, "weak", False),
        (NOW_AND_THEN, "strong", True),
    ],
)
def test_what_fairness_guarantees(system: SmallSystem, fairness: str | None, holds: bool) -> None:
    for formula in ("A [ F a ]", "AF a", "A [ (F a) & true ]", "AF AG a"):
        verdict = on_graph(system, system.explored(), parse(formula), fairness=fairness)
        assert verdict.holds is holds
        assert (verdict.run is None) is holds


def test_fairness_as_a_formula() -> None:
    """Component 1 of the second system is treated fairly if state 1 is not seen infinitely
    often."""
    space = NOW_AND_THEN.explored()
    assert (
        on_graph(NOW_AND_THEN, space, parse("A [ F a ]"), assumption=parse("!(G F b)")).holds
        is True
    )
    assert (
        on_graph(NOW_AND_THEN, space, parse("A [ F a ]"), assumption=parse("G F (b | !b)")).holds
        is False
    )
    with pytest.raises(InputError, match="CHK005"):
        on_graph(NOW_AND_THEN, space, parse("A [ F a ]"), assumption=parse("E [ F a ]"))


def test_too_many_components_to_keep_apart() -> None:
    many = SmallSystem(edges=(((0, 0),),), labels=(frozenset(),), components=65)
    assert isinstance(many.system, System)
    with pytest.raises(InputError, match="CHK002"):
        on_graph(many, many.explored(), parse("A [ F a ]"), fairness="weak")
