"""Who answers: each engine gives the same answers, says what it cannot do, and a disagreement does
not go unnoticed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem, ctl_formulas, ltl_formulas, small_systems
from tests.checking.vending import Vending
from volition.checking import engines
from volition.checking.check import check
from volition.checking.engines import ENGINES, register_engine
from volition.checking.explored_model import Exploration
from volition.checking.quantitative.qualitative_by_storm import check_qualitative_by_storm
from volition.checking.task import CheckTask
from volition.checking.verdict import Verdict
from volition.diagnostics import InputError
from volition.kernel import Limits
from volition.languages import load
from volition.languages.protocols import Program
from volition.logic.syntax import Formula, PathQuantifier

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = ("auto", "native", "storm", "cross")


@settings(max_examples=25, deadline=None)
@given(
    small_systems(states=5),
    ctl_formulas(bounded=False),
    ltl_formulas(bounded=False),
    st.sampled_from(["A", "E"]),
)
def test_storm_answers_as_we_do(
    system: SmallSystem, branching: Formula, linear: Formula, quantifier: str
) -> None:
    space = system.explored()
    for formula in (branching, PathQuantifier(quantifier, linear)):  # type: ignore[arg-type]
        storms = check_qualitative_by_storm(
            CheckTask(system, formula), Exploration(system, space).nondeterministic_model
        )
        assert storms.holds == on_graph(system, space, formula).holds


@pytest.mark.parametrize("engine", OWN)
def test_every_engine_answers_for_the_vacuum_cleaner(engine: str) -> None:
    """Trang et al.: as printed room 2 is never cleaned, on no run; one more rule repairs it."""
    formulas = [
        "A [ F (B(c1) & B(c2)) ]",
        "E [ F (B(c1) & B(c2)) ]",
        "A [ F (stalled & Plan(cR)) ] & E [ X E [ G !B(c2) ] ]",
    ]
    printed, repaired = (
        load(EXAMPLES / "dribble" / name) for name in ("vacuum.dribble", "vacuum_repaired.dribble")
    )
    assert [answer.verdict.holds for answer in check(printed, formulas, engine=engine).answers] == [
        False,
        False,
        True,
    ]
    assert [
        answer.verdict.holds for answer in check(repaired, formulas[:2], engine=engine).answers
    ] == [True, True]


@pytest.mark.parametrize("engine", OWN)
def test_chance_counts_as_choice_for_runs(engine: str) -> None:
    """A broken machine gives no drink with probability 1/10, again and again on one run, of
    probability 0."""
    machine = Vending(broken=True, kicking=False)
    holds = [
        answer.verdict.holds
        for answer in check(machine, ["A [ F drinks ]", "E [ G !drinks ]"], engine=engine).answers
    ]
    assert holds == [False, True]


@dataclass(frozen=True)
class Stubborn:
    """An engine that gives the same answer to everything, and says so."""

    holds: bool
    name: str = "Spin"

    def unsupported_reason(self, program: Program, formula: Formula) -> str | None:  # noqa: ARG002
        return (
            None
            if isinstance(formula, PathQuantifier) and formula.quantifier == "A"
            else "it is not about all runs"
        )

    def check(self, program: Program, formula: Formula, *, seconds: float | None = None) -> Verdict:  # noqa: ARG002
        return Verdict(formula, "by heart", 0.0, holds=self.holds)


def test_disagreement_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "spin", lambda: Stubborn(True))
    with pytest.raises(InputError, match=r"CHK093.*native says it is violated, Spin says it holds"):
        check(Vending(), ["A [ F drinks ]"], engine="cross")


def test_agreement_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "spin", lambda: Stubborn(False))
    (agreed, alone) = check(Vending(), ["A [ F drinks ]", "E [ F drinks ]"], engine="cross").answers
    assert agreed.verdict.notes == ("Storm agrees", "Spin agrees")
    assert alone.verdict.notes == ("Storm agrees", "Spin has no result: it is not about all runs")
    assert agreed.verdict.run is not None


def test_an_engine_that_does_not_know_is_no_disagreement() -> None:
    (answer,) = check(
        Vending(price=30), ["E [ F drinks ]"], engine="cross", limits=Limits(states=5)
    ).answers
    assert answer.verdict.unknown is not None


def test_one_engine_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "stubborn", lambda: Stubborn(True))
    (answer,) = check(Vending(), ["A [ F drinks ]"], engine="stubborn").answers
    assert answer.verdict.method == "by heart"
    with pytest.raises(InputError, match=r"CHK092.*it is not about all runs"):
        check(Vending(), ["E [ F drinks ]"], engine="stubborn")
    with pytest.raises(
        InputError, match=r"(?s)CHK096.*unknown engine 'stuborn'.*did you mean 'stubborn'"
    ):
        check(Vending(), ["A [ F drinks ]"], engine="stuborn")


def test_the_library_has_spin() -> None:
    """Nobody has to hand it in; a program in another language than AgentSpeak has no
    translation."""
    with pytest.raises(InputError, match=r"CHK092.*spin cannot check"):
        check(Vending(), ["A [ F drinks ]"], engine="spin")


def test_what_an_engine_cannot_do_is_said() -> None:
    with pytest.raises(InputError, match="CHK090"):
        check(Vending(), ["Pmax=? [ F drinks ]"], engine="native")
    with pytest.raises(InputError, match="CHK091"):
        check(Vending(), ["A [ F drinks ]"], engine="storm", fairness="weak")
    (answer,) = check(Vending(), ["A [ F drinks ]"], engine="cross", fairness="weak").answers
    assert "no other engine supports this formula" in answer.verdict.notes


@pytest.mark.parametrize(
    "formula",
    [
        "A [ F drinks ] & P>=0 [ F drinks ]",
        "P>=1 [ G E [ F drinks ] ]",
        "[]<>drinks & P>=0 [ F drinks ]",
    ],
)
def test_fairness_is_not_dropped_silently_where_runs_and_numbers_meet(formula: str) -> None:
    with pytest.raises(
        InputError,
        match="fairness and assumptions are not supported in formulas that mix path quantifiers "
        "and probabilities",
    ):
        check(Vending(), [formula], fairness="weak")
    with pytest.raises(InputError):
        check(Vending(), [formula], assume="G F drinks")


def test_an_engine_is_registered_by_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "ENGINES", dict(ENGINES))

    def make() -> Stubborn:
        return Stubborn(True)

    register_engine("stubborn", make)
    register_engine("stubborn", make)  # the same again is no mistake
    assert check(Vending(), ["A [ F drinks ]"], engine="stubborn").answers[0].verdict.holds
    for taken in ("auto", "spin", "stubborn"):
        with pytest.raises(ValueError, match=f"the engine '{taken}' is already registered"):
            register_engine(taken, lambda: Stubborn(False))
