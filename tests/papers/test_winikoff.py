"""Winikoff et al., "Slicing Agent Programs for More Efficient Verification": the cruise control of
Fig. 2 and its two slices of Fig. 6.

The paper prints seconds and no state counts.  The counts here come from an interpreter that was
compared with the public tool on other programs; :mod:`tests.languages.gwendolen.reference` finds
them too.  One state for each call of an agent's reasoning cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import volition
from volition import Answer
from volition.kernel import StateSpace

HEAD = """EASS
:name: car
:Reasoning Rules:
can_accelerate :- safe, ~ driver_accelerates, ~ driver_brakes;

:Initial Goals:
at_speed_limit [achieve]

:Plans:
"""
UNSLICED = """
+! at_speed_limit [achieve] : {B can_accelerate}
  ← perf(accelerate), wait;
+! at_speed_limit [achieve] : {~B safe} ← *safe;
+! at_speed_limit [achieve] : {B driver_accelerates}
  ← *~driver_accelerates;
+! at_speed_limit [achieve] : {B driver_brakes}
  ← *~driver_brakes;
+at_speed_limit: {B can_accelerate, B at_speed_limit}
  ← perf(maintain_speed);
-at_speed_limit: {~G at_speed_limit [achieve],
  ~B at_speed_limit} ← +! at_speed_limit[achieve];
-safe: {~B driver_brakes, ~B safe} ← perf(brake);
+driver_accelerates: {B safe, ~B driver_brakes,
  B driver_accelerates} ← perf(accelerate);
+driver_brakes: {B driver_brakes} ← perf(brake);
"""
OLD_SLICE = """
+! at_speed_limit [achieve] : {B can_accelerate} ←
  perf(accelerate),
  wait;
-at_speed_limit: {~G at_speed_limit [achieve],
  ~B at_speed_limit} ← +! at_speed_limit[achieve];
+driver_accelerates: {B safe, ~B driver_brakes,
  B driver_accelerates} ← perf(accelerate);
"""
NEW_SLICE = """
+! at_speed_limit [achieve] : {B can_accelerate} ←
  perf(accelerate);
+! at_speed_limit [achieve] : {~B safe}; // ← skip
+! at_speed_limit [achieve] : {B driver_accelerates} ;
+! at_speed_limit [achieve] : {B driver_brakes} ;
-at_speed_limit: {~G at_speed_limit [achieve],
  ~B at_speed_limit} ← +! at_speed_limit[achieve];
+driver_accelerates: {B safe, ~B driver_brakes,
  B driver_accelerates} ← perf(accelerate);
"""
PLANS = {"unsliced": UNSLICED, "old slice": OLD_SLICE, "new slice": NEW_SLICE}
WORLD = "".join(
    f"free percept {each}\n"
    for each in ("at_speed_limit", "safe", "driver_accelerates", "driver_brakes")
)
PROPERTY = "A [ G (Does(car, perf(accelerate)) -> Bel(car, safe)) ]"

FREE_EASS = {"cycle": "eass", "redraw": "handled"}
FREE_GWENDOLEN = {"cycle": "gwendolen", "redraw": "handled"}
NOTICED_EASS = {"cycle": "eass", "redraw": "noticed"}
NOTICED_GWENDOLEN = {"cycle": "gwendolen", "redraw": "noticed"}
AFTER_ACTIONS = {"cycle": "eass", "redraw": "acted"}
TWO_ROUNDS = {"cycle": "eass", "redraw": "acted_and_asleep"}
TWO_ROUNDS_LAST = {**TWO_ROUNDS, "does": "last"}
"""As the public verification environment draws percepts, with two more rounds when the agent
sleeps; the last with its ``Does``, too."""


def written(folder: Path, plans: str) -> Path:
    (folder / "car.world").write_text(WORLD, encoding="utf-8")
    (folder / "car.eass").write_text(HEAD + plans, encoding="utf-8")
    return folder / "car.eass"


def size(space: StateSpace) -> tuple[int, int]:
    """States, and pairs of states of which the second may follow the first."""
    sources = space.choice_states[space.transition_choices]
    return space.num_states, len(set(zip(sources.tolist(), space.targets.tolist(), strict=True)))


def asked(folder: Path, plans: str, settings: Mapping[str, str]) -> Answer:
    (answer,) = volition.check(written(folder, plans), PROPERTY, settings=settings, reduce="off")
    return answer


def figures(answer: Answer) -> tuple[bool | None, int, int]:
    """The verdict, states and edges; where a violation ended the exploration early it goes on."""
    return answer.verdict.holds, *size(volition.explore(answer.exploration.space))


@pytest.mark.parametrize(
    ("settings", "program", "states", "edges"),
    [
        (FREE_EASS, "unsliced", 3361, 7501),
        (FREE_EASS, "old slice", 2163, 4953),
        (FREE_EASS, "new slice", 1082, 2297),
        (FREE_GWENDOLEN, "unsliced", 6879, 9219),
        (FREE_GWENDOLEN, "old slice", 4446, 5781),
        (FREE_GWENDOLEN, "new slice", 1975, 2545),
        (NOTICED_EASS, "unsliced", 5544, 12144),
        (NOTICED_EASS, "old slice", 4692, 10632),
        (NOTICED_EASS, "new slice", 2202, 4557),
        (NOTICED_GWENDOLEN, "unsliced", 8625, 11595),
        (NOTICED_GWENDOLEN, "old slice", 7855, 10255),
        (NOTICED_GWENDOLEN, "new slice", 2934, 3804),
        (AFTER_ACTIONS, "unsliced", 14555, 20495),
        (AFTER_ACTIONS, "old slice", 2138, 2933),
        (AFTER_ACTIONS, "new slice", 298, 388),
        (TWO_ROUNDS, "unsliced", 14612, 20612),
        (TWO_ROUNDS, "old slice", 2163, 2973),
        (TWO_ROUNDS, "new slice", 315, 405),
        (TWO_ROUNDS_LAST, "unsliced", 15351, 23451),
        (TWO_ROUNDS_LAST, "old slice", 2244, 3084),
        (TWO_ROUNDS_LAST, "new slice", 368, 473),
    ],
)
def test_states_edges_and_verdicts(
    tmp_path: Path, settings: Mapping[str, str], program: str, states: int, edges: int
) -> None:
    """The last action of all is not what the paper asks about: with it even the unsliced program
    does not have the property."""
    holds = settings.get("does") != "last"
    assert figures(asked(tmp_path, PLANS[program], settings)) == (holds, states, edges)


@pytest.mark.parametrize(("settings", "steps"), [(FREE_EASS, 2), (FREE_GWENDOLEN, 6)])
def test_a_plan_that_does_not_ask_whether_it_is_safe(
    tmp_path: Path, settings: Mapping[str, str], steps: int
) -> None:
    """The car accelerates at once when the driver does; Gwendolen's cycle takes the percept and the
    goal in turns first."""
    careless = UNSLICED.replace("{B safe, ~B driver_brakes,", "{~B driver_brakes,")
    answer = asked(tmp_path, careless, settings)
    annotated = volition.annotated_run(answer)
    assert answer.verdict.holds is False
    assert annotated is not None
    assert len(annotated) == steps
    assert annotated[-1].text == "does perf(accelerate)"
