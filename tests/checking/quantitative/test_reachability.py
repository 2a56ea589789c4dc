"""Strategies in words, and the runs and states that they are shown with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.checking.properties import by_numbers
from tests.checking.random_mdps import SmallMdp
from volition.checking.verdict import Verdict
from volition.kernel import Choice, Component, SlotView, StateSpace, System, explore
from volition.languages.protocols import StateView
from volition.logic import parse
from volition.logic.syntax import AtomicFormula, Identifier, Proposition
from volition.origin import Origin
from volition.reporting.strategies.strategy_table import tabulate_strategy


@dataclass(frozen=True)
class Courier:
    """Two couriers with a parcel each; a bicycle is safe and slow, a car may break down.  Late is
    late."""

    hours: int = 3
    agents: Sequence[str] = ("anna", "ben")

    @property
    def system(self) -> System:
        def courier(name: str) -> Component:
            def ride(vehicle: str, chance: Fraction, hours: int, state: SlotView) -> Choice:
                left = state["hours"] - hours
                done = {name: "delivered" if left >= 0 else "late", "hours": left}
                outcomes = (
                    [(chance, done), (1 - chance, {name: "stuck", "hours": left})]
                    if chance < 1
                    else [(1, done)]
                )
                return Choice(
                    Origin(name, (vehicle,), f"take the {vehicle}"),
                    outcomes,
                    {"money": 2 if vehicle == "car" else 0},
                )

            def step(state: SlotView) -> list[Choice]:
                if state[name] != "waiting":
                    return []
                return [
                    ride("bicycle", Fraction(1), 2, state),
                    ride("car", Fraction(9, 10), 1, state),
                ]

            return Component(name, step)

        return System(
            {"anna": "waiting", "ben": "waiting", "hours": self.hours},
            [courier("anna"), courier("ben")],
        )

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if isinstance(atom, Identifier):
            return lambda view: view[atom.name]
        assert isinstance(atom, Proposition)
        return lambda view: view["anna"] == view["ben"] == "delivered"

    def describe(self, state: SlotView) -> StateView:
        return {
            "beliefs": {"hours": str(state["hours"])},
            "goals": {
                f"{name} delivers": "" for name in ("anna", "ben") if state[name] == "waiting"
            },
            "weather": {},
        }


def asked(formula: str, hours: int = 3) -> tuple[Courier, StateSpace, Verdict]:
    model = Courier(hours)
    space = explore(model.system)
    return model, space, by_numbers(model, space, parse(formula))


def test_only_states_with_a_choice_are_told_and_only_before_it_is_decided() -> None:
    model, space, verdict = asked("Pmax=? [ F done ]")
    assert verdict.strategy is not None
    reported = tabulate_strategy(model, verdict.strategy).decision_points
    assert len(reported) == 2, (
        "one decision for each parcel; a parcel that is stuck decides the rest"
    )
    assert all(
        space.first_choice[each.state + 1] - space.first_choice[each.state] > 1 for each in reported
    )


def test_both_have_the_same_choices_and_who_takes_them_is_told_too() -> None:
    model, _, verdict = asked("Pmax=? [ F done ]")
    assert verdict.value == Fraction(9, 10)
    assert verdict.strategy is not None
    table = tabulate_strategy(model, verdict.strategy)
    assert table.decision_points[0].options == dict.fromkeys(
        ("anna", "ben"), ("take the bicycle", "take the car")
    )
    turns, steps = table.tables()
    assert [row[:3] for row in turns.rows] in (
        [["always", "anna", "ben"]],
        [["always", "ben", "anna"]],
    )
    assert steps.columns[0] == "component"
    assert {row[0] for row in steps.rows} == {"anna", "ben"}


def test_as_data() -> None:
    model, _, verdict = asked("Pmin=? [ F done ]")
    assert verdict.strategy is not None
    (data, *_) = tabulate_strategy(model, verdict.strategy).as_json()["states"]
    assert data["state"] == 0
    assert data["view"]["beliefs"] == {"hours": "3"}
    assert data["action"] in data["options"][data["component"]]


def test_the_run_of_a_maximum_is_the_likeliest_to_the_goal() -> None:
    _, space, verdict = asked("Pmax=? [ F done ]")
    run = verdict.run
    assert run is not None
    assert space.value(run.states[-1], "anna") == space.value(run.states[-1], "ben") == "delivered"
    assert len(run.choices) == 2


def test_the_run_of_a_minimum_misses_the_goal_for_ever() -> None:
    _, space, verdict = asked("Pmin=? [ F done ]")
    run = verdict.run
    assert verdict.value == 0
    assert run is not None
    assert run.loop is not None
    assert not any(
        space.value(s, "anna") == space.value(s, "ben") == "delivered" for s in run.states
    )


def test_total_rewards_have_a_strategy_too() -> None:
    model, _, verdict = asked('R{"money"}max=? [ C ]')
    assert verdict.value == 4
    assert verdict.strategy is not None
    assert all(
        "car" in each.action for each in tabulate_strategy(model, verdict.strategy).decision_points
    )


def test_the_steps_that_are_left_matter() -> None:
    """A gamble at once, or a surer way that takes two steps: with three steps left there is time
    for one gamble before."""
    surely = Fraction(9, 10)
    model = SmallMdp(
        rows=(
            (({0: Fraction(1, 2), 2: Fraction(1, 2)}, 0), ({1: Fraction(1)}, 0)),
            (({2: surely, 3: 1 - surely}, 0),),
            (),
            (),
        ),
        labels=(frozenset(), frozenset(), frozenset("b"), frozenset()),
        earned_in=(0, 0, 0, 0),
    )
    verdict = by_numbers(model, model.explored(), parse("Pmax=? [ F<=3 b ]"))
    assert verdict.value == Fraction(1, 2) + Fraction(1, 2) * surely
    assert verdict.strategy is not None
    assert verdict.strategy.memoryless_if_possible is verdict.strategy
    (table,) = tabulate_strategy(model, verdict.strategy).tables()
    assert table.rows == [
        ["with at least 3 steps left", "choice 0", "choice 1", "1"],
        ["otherwise", "choice 1", "choice 0", "1"],
    ]
