"""Results travel: pickled and made again they say the same; what cannot be pickled says so."""

from __future__ import annotations

import pickle
import shutil

import pytest

import volition
from tests.api.test_calls import EXAMPLES, HOUSE, LABELS
from tests.notebook.objects import objects
from volition import ClosedForm, InputError, Report, StateSpace

KINDS = [
    "program",
    "overview",
    "space",
    "part of a space",
    "coverage",
    "report",
    "violated",
    "answer",
    "verdict",
    "run",
    "telling",
    "strategy",
    "bare strategy",
    "simulation",
    "front",
    "mission",
    "sweep",
    "line",
    "closed form",
    "replay",
    "exported",
    "table",
]
COMPARED = {"coverage", "simulation", "sweep", "line", "replay", "exported", "table"}
"""Values that are equal where they say the same; the others hold programs and spaces, which are
equal to themselves alone."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_says_the_same_elsewhere(kind: str) -> None:
    shown = objects()[kind]
    again = pickle.loads(pickle.dumps(shown))
    assert repr(again) == repr(shown)
    assert kind not in COMPARED or again == shown
    if not isinstance(shown, StateSpace) and "<svg" not in shown._repr_html_():  # type: ignore[attr-defined]
        assert again._repr_html_() == shown._repr_html_()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path",
    ["can/rescue.can", "dribble/vacuum.dribble", "agentspeak/auction", "lisa/pipeline_drone"],
)
def test_programs_of_all_languages(path: str) -> None:
    program = volition.load(EXAMPLES / path)
    again = pickle.loads(pickle.dumps(program))
    assert repr(again) == repr(program)
    assert again._repr_html_() == program._repr_html_()  # type: ignore[attr-defined]
    assert repr(volition.explore(again, max_states=500)) == repr(
        volition.explore(program, max_states=500)
    )


def test_the_functions_and_the_strategies_of_a_closed_form() -> None:
    form = objects()["closed form"]
    assert isinstance(form, ClosedForm)
    again = pickle.loads(pickle.dumps(form))
    assert [piece.function for piece in again] == [piece.function for piece in form]
    assert again[0].function + form[1].function == form[0].function + form[1].function, (
        "they are functions of the same parameters"
    )
    assert [list(piece.strategy) for piece in again] == [
        list(piece.strategy) for piece in form if piece.strategy is not None
    ]


def test_a_part_of_a_space_is_the_same_part() -> None:
    program = volition.load(EXAMPLES / "can" / "smart_manufacturing.can")
    for limit in (0, 1, 10, 50, 100, 700):
        space = volition.explore(program, max_states=limit)
        again = pickle.loads(pickle.dumps(space))
        assert (again.num_expanded, len(again), again.stopped) == (
            space.num_expanded,
            len(space),
            space.stopped,
        )
    stopped = volition.explore(program, stop_when=lambda state: bool(state["wrapped1"]))
    again = pickle.loads(pickle.dumps(stopped))
    assert again.stop_state == stopped.stop_state is not None
    assert again.values(again.stop_state) == stopped.values(stopped.stop_state)


@pytest.mark.skipif(shutil.which("spin") is None, reason="Spin is not installed on this machine")
def test_what_another_engine_found() -> None:
    report = volition.check(
        EXAMPLES / "agentspeak" / "auction", "A [ G announced = 0 ]", engine="spin"
    )
    again = pickle.loads(pickle.dumps(report))
    assert isinstance(again, Report)
    run = report[0].verdict.run
    assert run is not None
    assert list(again[0].verdict.run or ()) == list(run)
    assert again[0].verdict.run._repr_html_() == run._repr_html_()  # type: ignore[union-attr]


def test_errors() -> None:
    with pytest.raises(InputError) as error:
        volition.load("nowhere.can")
    assert pickle.loads(pickle.dumps(error.value)).diagnostics == error.value.diagnostics


def test_what_is_made_of_functions_says_so() -> None:
    found = volition.strategy(HOUSE, "Pmax=? [ F open ]", labels=LABELS)
    for each in (
        volition.explore(HOUSE),
        found,
        found.answer,
        found.answer.verdict.strategy,
        volition.show(HOUSE),
    ):
        with pytest.raises(TypeError, match="consists of functions and cannot be pickled"):
            pickle.dumps(each)
    assert pickle.loads(pickle.dumps(volition.simulate_strategy(found, runs=10))).runs == 10
    estimated = volition.simulate(HOUSE, "Pmax=? [ F open ]", labels=LABELS, runs=10, jobs=1)
    assert pickle.loads(pickle.dumps(estimated)) == estimated
