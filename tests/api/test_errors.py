"""What somebody gets wrong from Python is said in a sentence with a code, as on the command line;
and what looks doubtful is right."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import volition
from tests.api.test_calls import BEST, EXAMPLES, HOUSE, LABELS, MANUFACTURING, VACUUM
from volition import InputError, SlotView


def fails(_: SlotView) -> bool:
    raise ValueError("boom")


RESCUE, RESCUED = EXAMPLES / "can" / "rescue.can", "Pmax=? [ F Bel(rescued) ]"
LOADED = volition.load(MANUFACTURING)
house: Any = lambda text, labels=LABELS: volition.check(HOUSE, text, labels=labels)  # noqa: E731

MISTAKES: dict[str, tuple[str, Callable[[], object]]] = {
    "a number as formula": ("5 is not a formula", lambda: volition.check(LOADED, 5)),  # type: ignore[arg-type]
    "bytes as formula": ("is not a formula", lambda: volition.check(LOADED, b"A [ F PS1 ]")),  # type: ignore[arg-type]
    "no formula among several": (
        "None is not a formula",
        lambda: volition.check(LOADED, [BEST, None]),  # type: ignore[list-item]
    ),
    "no formula at all": ("None is not a formula", lambda: volition.strategy(LOADED, None)),  # type: ignore[arg-type]
    "an empty text": ("missing formula", lambda: volition.check(LOADED, "")),
    "nothing as program": ("None is not a program", lambda: volition.check(None, BEST)),  # type: ignore[arg-type]
    "an answer as program": (
        "a Report is not a program",
        lambda: volition.check(house("E [ F open ]"), BEST),
    ),
    "a path to nowhere": (
        "no such file or folder: 'nowhere.can'",
        lambda: volition.check("nowhere.can", BEST),
    ),
    "a folder": ("is not a project", lambda: volition.check(EXAMPLES / "can", BEST)),
    "settings for a loaded program": (
        "already loaded",
        lambda: volition.check(LOADED, BEST, settings={"pe": 1}),
    ),
    "settings for a space": (
        "already loaded",
        lambda: volition.explore(volition.explore(LOADED), settings={"pe": 1}),
    ),
    "settings without names": (
        "settings must be a mapping from names to values, got 'pe=1'",
        lambda: volition.load(MANUFACTURING, "pe=1"),  # type: ignore[arg-type]
    ),
    "an unknown setting": ("unknown setting 'pq'", lambda: volition.load(MANUFACTURING, {"pq": 1})),
    "an unknown engine": (
        "unknown engine 'prism'",
        lambda: volition.check(LOADED, BEST, engine="prism"),
    ),
    "an engine for another language": (
        "spin cannot check",
        lambda: volition.check(LOADED, "A [ F PS1 ]", engine="spin"),
    ),
    "unknown fairness": (
        "'fair' cannot be 'totally'",
        lambda: volition.check(LOADED, "A [ F PS1 ]", fair="totally"),  # type: ignore[arg-type]
    ),
    "a negative limit": (
        "'max_states' cannot be -1",
        lambda: volition.explore(LOADED, max_states=-1),
    ),
    "half a state": (
        "'max_states' cannot be 1.5",
        lambda: volition.explore(LOADED, max_states=1.5),  # type: ignore[arg-type]
    ),
    "time as text": (
        "'timeout' cannot be '10s'",
        lambda: volition.check(LOADED, BEST, timeout="10s"),  # type: ignore[arg-type]
    ),
    "time that is no number": (
        "'timeout' cannot be nan",
        lambda: volition.check(LOADED, BEST, timeout=float("nan")),
    ),
    "no runs": ("'runs' cannot be 0", lambda: volition.simulate_strategy(LOADED, BEST, runs=0)),
    "no processes": (
        "'processes' cannot be 0",
        lambda: volition.sweep(LOADED, {"pe": 0}, BEST, processes=0),
    ),
    "no values": ("no values given for 'pe'", lambda: volition.sweep(LOADED, {"pe": []}, BEST)),
    "a budget in words": (
        "'budget' cannot be 'four'",
        lambda: volition.mission(RESCUE, RESCUED, budget="four"),  # type: ignore[arg-type]
    ),
    "a picture of a report": (
        "Report objects cannot be drawn",
        lambda: volition.save_plot(house("E [ F open ]"), "x.png"),
    ),
    "an unknown label": ("unknown label or slot 'opne'", lambda: house("A [ F opne ]")),
    "a label that fails": (
        "the label 'bad' fails: ValueError: boom",
        lambda: house("A [ F bad ]", {"bad": fails}),
    ),
    "a label with a wrong slot": (
        "fails: unknown slot 'dor'",
        lambda: house("A [ F bad ]", {"bad": lambda state: state["dor"]}),
    ),
    "a label that says nothing": (
        "'bad' is None, not true or false",
        lambda: house("A [ F bad ]", {"bad": lambda _: None}),
    ),
    "a text as truth": (
        "the slot 'door' is 'closed', not true or false",
        lambda: house("A [ F door ]"),
    ),
    "a number as truth": (
        "the label 'width' is 0, not true or false",
        lambda: house("A [ F width ]"),
    ),
    "a text as number": (
        "the slot 'door' is 'closed', not a number",
        lambda: house("A [ F door > 3 ]"),
    ),
    "labels that are no functions": (
        "labels must map names to functions",
        lambda: house("A [ F bad ]", {"bad": True}),
    ),
    "labels without functions": (
        "labels must map names to functions",
        lambda: house("A [ F bad ]", ["bad"]),
    ),
    "an unknown reward": ("unknown reward 'efort'", lambda: house('R{"efort"}min=? [ F open ]')),
    "nothing asked about a system": ("no properties to check", lambda: house(None)),
    "a system swept": (
        "no parameters to vary",
        lambda: volition.sweep(HOUSE, {"p": 0}, "Pmax=? [ F used ]"),
    ),
    "purity from the middle": (
        "from the start",
        lambda: volition.explore(volition.explore(HOUSE), check_purity=True),
    ),
}


@pytest.mark.parametrize("diagnostic", MISTAKES)
def test_a_mistake_is_told(diagnostic: str) -> None:
    message, call = MISTAKES[diagnostic]
    with pytest.raises(InputError) as error:
        call()
    (reported,) = error.value.diagnostics
    assert message in reported.message
    assert "--" not in (reported.hint or "")


def test_the_error_in_a_label_can_be_found() -> None:
    line = fails.__code__.co_firstlineno + 1
    with pytest.raises(InputError, match=f"line {line} of 'test_errors.py'"):
        house("A [ F bad ]", {"bad": fails})


def test_numbers_of_other_libraries_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert len(volition.explore(LOADED, max_states=numpy.int64(50))) == len(
        volition.explore(LOADED, max_states=50)
    )
    labels = {"open": lambda state: numpy.bool_(state["door"] == "open")}
    assert volition.check(HOUSE, "E [ F open ]", labels=labels)[0].verdict.holds
    assert len(volition.sweep(LOADED, {"pe": numpy.linspace(0, 1, 3)}, BEST, processes=1)) == 3


def test_one_value_of_a_parameter() -> None:
    (row,) = volition.sweep(LOADED, {"pe": 0.5}, BEST, processes=1)
    assert row.values == (
        Fraction(49, 100) * Fraction(1, 4),
    )  # the standard plan, with pc at 0.3, is better than the premium one


def test_an_exploration_goes_on_from_its_space() -> None:
    small = volition.explore(LOADED, max_states=50)
    whole, again = volition.explore(small), volition.explore(LOADED)
    assert (len(small), small.complete, whole.complete) == (51, False, True)
    assert (whole.targets == again.targets).all()
    assert volition.coverage(whole) == volition.coverage(again)
    assert volition.explore(volition.explore(HOUSE, max_states=1)).complete
    small = volition.explore(VACUUM, max_states=1)
    empty = volition.explore(small, stop_when=lambda state: not state["belief b"])
    assert (
        empty.stop_state
        == volition.explore(VACUUM, stop_when=lambda state: not state["belief b"]).stop_state
        is not None
    )


def test_a_run_is_told() -> None:
    (answer,) = volition.check(VACUUM, "A [ F (B(c1) & B(c2)) ]")
    annotated = volition.annotated_run(answer)
    assert annotated is not None
    assert [step.text for step in annotated][2] == annotated[2].text == "execute cR"
    assert len(annotated) == 7
    assert "3  vacuum: execute cR  [execute(cR)]" in str(annotated)
    (without,) = volition.check(VACUUM, "A [ G B(b) | !B(b) ]")
    assert volition.annotated_run(without) is None
