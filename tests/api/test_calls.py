"""Python says what the command line says: paths, texts with results, sentences, limits, labels of
one's own; and objects travel."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

import volition
from volition import Choice, Component, InputError, System
from volition.cli import main
from volition.kernel import SlotView

EXAMPLES = Path(__file__).parents[2] / "examples"
MANUFACTURING, VACUUM = (
    EXAMPLES / "can" / "smart_manufacturing.can",
    EXAMPLES / "dribble" / "vacuum.dribble",
)
BEST, CHEAP = "Pmax=? [ F (PS1 & PS2) ]", "Pmax=? [ F (Pch1 | Pch2) ]"
CLEAN = "A [ F (B(c1) & B(c2)) ]"


def door(state: SlotView) -> list[Choice]:
    """Closed at first; pushing opens it every other time, a key always, at three times the
    effort."""
    if state["door"] == "open":
        return []
    push = Choice(
        "push", [(Fraction(1, 2), {"door": "open"}), (Fraction(1, 2), {})], rewards={"effort": 1}
    )
    return [
        push,
        Choice("use the key", [(1, {"door": "open", "used": True})], rewards={"effort": 3}),
    ]


HOUSE = System(
    {"door": "closed", "used": False},
    [Component("door", door)],
    state_rewards={"time": lambda _: 1},
)
LABELS = {
    "open": lambda state: state["door"] == "open",
    "width": lambda state: 3 if state["door"] == "open" else 0,
}


# --- as the command line does it ------------------------------------------------------------------


def test_a_text_carries_its_result_and_its_name() -> None:
    report = volition.check(MANUFACTURING, f'"best": {BEST} // RESULT: 0.6561')
    assert (len(report), report[0].as_expected, report[0].verdict.value) == (
        1,
        True,
        Fraction(6561, 10000),
    )
    assert not volition.check(MANUFACTURING, [f"{BEST} // RESULT: 0.5"]).as_expected


def test_without_formulas_those_of_the_program() -> None:
    assert [each.verdict.value for each in volition.check(MANUFACTURING)] == [
        0,
        Fraction(6561, 10000),
        0,
        Fraction(3969, 10000),
    ]


def test_settings_are_texts_or_numbers() -> None:
    values = [
        volition.check(MANUFACTURING, BEST, settings={"pe": pe})[0].verdict.value
        for pe in ("0.2", 0.2, Fraction(1, 5))
    ]
    assert values == [Fraction(4, 5) ** 4] * 3


def test_everything_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        volition.check(MANUFACTURING, ["Pmax=? [ F", "Pmax=? [ U ]"])
    assert len(error.value.diagnostics) == 2


def test_limits_have_the_names_of_the_command_line() -> None:
    assert len(volition.explore(MANUFACTURING, max_states=50)) < 60
    assert volition.check(MANUFACTURING, BEST, max_states=50)[0].verdict.unknown is not None


def test_hints_name_options_on_the_command_line_only() -> None:
    said = (
        CliRunner()
        .invoke(main, ["check", str(MANUFACTURING), "-p", BEST, "--engine", "native"])
        .stderr
    )
    assert "--engine storm" in said
    with pytest.raises(InputError) as error:
        volition.check(MANUFACTURING, BEST, engine="native")
    assert "--" not in (error.value.diagnostics[0].hint or "")


def test_a_trace_is_replayed(tmp_path: Path) -> None:
    trace = volition.trace(volition.check(VACUUM, CLEAN)[0])
    assert trace is not None
    assert volition.replay(trace, VACUUM).possible
    file = tmp_path / "run.json"
    file.write_text(json.dumps(trace))
    assert not volition.replay(file, EXAMPLES / "dribble" / "vacuum_repaired.dribble").possible


def test_the_other_calls() -> None:
    assert "digraph" in str(volition.export(VACUUM, "dot"))
    assert isinstance(volition.export(MANUFACTURING, "umb", ["PS1"]).model, bytes)
    assert "HOA" in str(volition.export(VACUUM, "hoa", "G F B(c1)"))
    assert [table.title for table in volition.show(VACUUM)][-1] == "Properties"
    assert volition.coverage(volition.explore(VACUUM)).unused["actions"] == ("cB",)
    assert all(
        tested.report is not None and tested.report.as_expected
        for tested in volition.test(EXAMPLES / "dribble")
    )
    found = volition.strategy(MANUFACTURING, BEST)
    assert "def " in volition.render_strategy(found, "python")
    assert "product1" in volition.render_strategy(found, "tree")
    simulated = volition.simulate_strategy(MANUFACTURING, BEST, runs=2000, uniform=True)
    assert simulated.estimate < 0.6561
    assert (
        volition.simulate_strategy(found, runs=2000).lower
        < 0.6561
        < volition.simulate_strategy(found, runs=2000).upper
    )


# --- systems of one's own -------------------------------------------------------------------------


def test_a_system_is_asked_by_labels_and_slots() -> None:
    report = volition.check(
        HOUSE,
        [
            "A [ F open ]",
            "E [ F used ]",
            "A [ G width <= 3 ]",
            "Pmin=? [ F open ]",
            'R{"effort"}min=? [ F open ]',
        ],
        labels=LABELS,
    )
    assert [each.verdict.holds for each in report][:3] == [False, True, True]
    assert [each.verdict.value for each in report][3:] == [1, 2]  # a fair coin takes two throws
    run = report[0].verdict.run
    assert run is not None
    assert run[0] == {"door": "closed", "used": False}
    assert "door: closed" in report._repr_html_()


def test_rewards_of_states_strategies_and_simulation() -> None:
    time = volition.check(HOUSE, 'R{"time"}min=? [ F open ]', labels=LABELS)[0]
    assert time.verdict.value == 1  # the key opens it at once
    (_, row), *_ = volition.strategy(HOUSE, 'R{"effort"}min=? [ F open ]', labels=LABELS)
    assert row.answer == "push"
    simulated = volition.simulate_strategy(
        HOUSE, 'R{"effort"}min=? [ F open ]', runs=4000, labels=LABELS
    )
    assert simulated.lower <= 2 <= simulated.upper


def test_what_a_system_does_not_know() -> None:
    with pytest.raises(InputError, match="unknown label or slot 'opne'"):
        volition.check(HOUSE, "A [ F opne ]", labels=LABELS)
    with pytest.raises(InputError, match=r"'Bel.open.' is not available"):
        volition.check(HOUSE, "A [ F Bel(open) ]", labels=LABELS)
    with pytest.raises(InputError, match="labels apply to a user-defined system"):
        volition.check(MANUFACTURING, BEST, labels=LABELS)


# --- objects travel -------------------------------------------------------------------------------


def test_reports_are_pickled_with_their_evidence() -> None:
    for report in (
        volition.check(VACUUM, CLEAN),
        volition.check(MANUFACTURING),
        volition.check(EXAMPLES / "agentspeak" / "auction"),
    ):
        again = pickle.loads(pickle.dumps(report))
        assert [each.verdict.value for each in again] == [each.verdict.value for each in report]
        assert [each.verdict.holds for each in again] == [each.verdict.holds for each in report]
        for one, other in zip(report, again, strict=True):
            run = one.verdict.run
            assert run is None or list(run) == list(other.verdict.run)
            assert volition.trace(one) == volition.trace(other)


def test_fronts_missions_and_sweeps_are_pickled() -> None:
    front = volition.pareto(MANUFACTURING, [BEST, CHEAP])
    again = pickle.loads(pickle.dumps(front))
    assert again.to_json(strategies=True) == front.to_json(strategies=True)
    mission = volition.mission(
        EXAMPLES / "can" / "rescue.can", "Pmax=? [ F Bel(rescued) ]", budget=3
    )
    assert pickle.loads(pickle.dumps(mission)).to_json(strategies=True) == mission.to_json(
        strategies=True
    )
    sweep = volition.sweep(MANUFACTURING, {"pe": [0, 0.5]}, BEST, processes=1)
    assert pickle.loads(pickle.dumps(sweep)) == sweep


def test_a_space_is_explored_again_only_when_looked_at() -> None:
    space = volition.explore(MANUFACTURING)
    written = pickle.dumps(space)
    assert len(written) < 50_000
    again = pickle.loads(written)
    assert "_native" not in vars(again)
    assert again.num_states == 784
    assert (again.targets == space.targets).all()


def test_what_cannot_be_pickled_says_so() -> None:
    from volition.kernel import explore

    with pytest.raises(TypeError, match="holds functions and cannot be pickled"):
        pickle.dumps(explore(HOUSE))
    with pytest.raises(TypeError, match="consists of functions"):
        pickle.dumps(volition.check(HOUSE, "A [ F open ]", labels=LABELS))
