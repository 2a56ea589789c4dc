"""Properties that watch different actions share one model, and are answered as if each had been
asked alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition import check, load
from volition.checking.verdict import Verdict

EXAMPLES = Path(__file__).parents[2] / "examples"
ROVER = EXAMPLES / "can" / "rover.can"

WATCHING = [
    "A [ F Does(do_nothing) ]",
    "E [ F Does(move_site1_to_site2) ]",
    "A [ G (Does(perform_experiment_site1) -> Bel(done_1)) ]",
    "A [ G (Does(perform_experiment_site2) -> Bel(done_1)) ]",
    "E [ F (Does(move_base_to_site1) & F Does(move_site2_to_site1)) ]",
    "Pmax=? [ !Does(move_base_to_site1) U Does(perform_experiment_site1) ]",
    "Pmin=? [ F Does(move_base_to_site2) ]",
    "A [ F empty ]",
]


def answer(verdict: Verdict) -> object:
    return verdict.value if verdict.holds is None else verdict.holds


@pytest.mark.parametrize(
    "together",
    [WATCHING[:2], WATCHING[2:4], WATCHING[4:6], WATCHING, WATCHING[::-1]],
    ids=["F", "G", "mixed", "all", "reversed"],
)
def test_together_as_alone(together: list[str]) -> None:
    program = load(ROVER)
    alone = [answer(check(program, [formula]).answers[0].verdict) for formula in together]
    assert None not in alone
    assert [answer(each.verdict) for each in check(program, together).answers] == alone


@pytest.mark.parametrize("threshold", [5, 20])
@pytest.mark.parametrize(
    ("name", "atom"),
    [
        ("can/breakfast.can", "Bel(hot)"),
        ("agentspeak/contract_net", "Bel(manager, done(_, _))"),
        ("jason/courier", "Bel(courier, done)"),
        ("dribble/vacuum.dribble", "B(r2)"),
    ],
)
def test_together_as_alone_with_reduction(
    monkeypatch: pytest.MonkeyPatch, name: str, atom: str, threshold: int
) -> None:
    """A property that is decided early leaves a part of the space behind, which later properties
    must not take for all that can be explored."""
    monkeypatch.setattr("volition.checking.check.REDUCTION_THRESHOLD", threshold)
    program = load(EXAMPLES / name)
    together = [
        f"A [ G ({atom} -> F {atom}) ]",
        f"E [ F ({atom} | !{atom}) ]",
        f"E [ F {atom} ]",
        f"E [ F ({atom} & !{atom}) ]",
    ]
    alone = [check(program, [each], reduce="off").answers[0].verdict.holds for each in together]
    assert None not in alone
    assert [each.verdict.holds for each in check(program, together).answers] == alone


def test_what_the_rover_does() -> None:
    """Archibald et al., Listing 1.3: an experiment leaves its own site done, and nothing says that
    the other was done before."""
    first, second = (each.verdict for each in check(load(ROVER), WATCHING[2:4]).answers)
    assert first.holds is True
    assert second.holds is False
    assert second.run is not None
