"""Every figure of Izzo's thesis, "Verification-driven design and programming of autonomous robots",
that a program can check.

Tables 3.1, 3.2 and 4.1 are checked on small programs in ``tests/languages/lisa/test_semantics.py``,
the figures with source code in ``test_reading.py`` there.
"""

from __future__ import annotations

from functools import cache
from math import floor

import numpy as np
import pytest

from tests.exporters.storm import Built, build
from tests.languages.lisa.projects import EXAMPLES
from tests.languages.lisa.reference import bounded, prism_value_iteration
from volition.checking.check import check
from volition.exporters.prism.lisa import lisa_to_prism
from volition.kernel import SlotView, StateSpace, explore
from volition.languages.lisa import LisaProgram, load
from volition.logic import parse

SIZES = {"vessel_mdp": (270_268, 276_454, 420_431), "vessel_dtmc": (157_072, 157_072, 231_148)}
"""Table 6.2, page 123: states, choices, transitions."""

COMPLETE, ERROR = "mission_complete = 1", "error = 1"

VALUES = {
    "vessel_mdp": {
        f"Pmin=? [F<=100 {COMPLETE}]": 0.635794,  # Table 6.2: 0.6357
        "Pmax=? [F (abort = 1 & continue = 1)]": 0,  # Table 6.3, page 125
        f"Pmax=? [F (error = 0 & {COMPLETE})]": 0.447030,  # 0.4470
        f"Pmax=? [F<=100 {ERROR}]": 0.672323,  # 0.6723
        f'R{{"fuel"}}max=? [F {COMPLETE}]': 5.767291,  # 5.7671, see below
        f"Pmax=? [F<=100 {COMPLETE}]": 0.645368,
        f'R{{"fuel"}}min=? [F {COMPLETE}]': 2.006145,
        f"Pmin=? [F {COMPLETE}]": 1,
        f"Pmax=? [F {COMPLETE}]": 1,
        f"Pmin=? [F<=200 {COMPLETE}]": 0.893810,
    },
    "vessel_dtmc": {
        f"P=? [F<=100 {COMPLETE}]": 0.638964,  # 0.6389
        "P=? [F (abort = 1 & continue = 1)]": 0,
        f"P=? [F (error = 0 & {COMPLETE})]": 0.441680,  # 0.4416
        f"P=? [F<=100 {ERROR}]": 0.671369,  # 0.6713
        f'R{{"fuel"}}=? [F {COMPLETE}]': 5.766618,  # 5.7664, see below
    },
}


@cache
def program(name: str) -> LisaProgram:
    return load(EXAMPLES / name, {})


@cache
def space(name: str) -> StateSpace:
    return explore(program(name).model().system)


@cache
def exported(name: str) -> Built:
    files = lisa_to_prism(program(name).agents, [parse(prop) for prop in VALUES[name]])
    return build(files.model, files.properties)


def complete(state: SlotView) -> bool:
    return bool(state["mission_complete"] == 1)


@pytest.mark.parametrize("name", SIZES)
def test_table_6_2_sizes(name: str) -> None:
    """Table 6.2, page 123: the vessel from its sEnglish source."""
    found = space(name)
    assert (found.num_states, found.num_choices, found.num_transitions) == SIZES[name]
    assert found.stats.python_calls < 1000


@pytest.mark.parametrize("name", SIZES)
def test_table_6_2_sizes_of_the_exported_program(name: str) -> None:
    """The same, from the PRISM program, built by Storm."""
    built = exported(name)
    assert (built.states, built.choices, built.transitions) == SIZES[name]


@pytest.mark.parametrize("name", SIZES)
def test_tables_6_2_and_6_3_values_of_the_exported_program(name: str) -> None:
    """Tables 6.2 and 6.3, pages 123 and 125, more exactly than printed there."""
    assert list(exported(name).values) == pytest.approx(list(VALUES[name].values()), abs=1e-6)


@pytest.mark.parametrize("name", SIZES)
def test_tables_6_2_and_6_3_values(name: str) -> None:
    """The same from the sEnglish source, on our own state space."""
    report = check(program(name), list(VALUES[name]))
    assert [answer.verdict.value for answer in report.answers] == pytest.approx(
        list(VALUES[name].values()), abs=1e-6
    )


@pytest.mark.parametrize(("name", "printed"), [("vessel_mdp", 0.6357), ("vessel_dtmc", 0.6389)])
def test_table_6_2_result(name: str, printed: float) -> None:
    """Table 6.2, page 123, by plain iteration; the thesis cuts its digits off."""
    value = bounded(space(name), np.minimum, complete, 100)
    assert floor(value * 10_000) / 10_000 == printed


@pytest.mark.parametrize(
    ("name", "printed", "exact"),
    [("vessel_mdp", 5.7671, 5.767291), ("vessel_dtmc", 5.7664, 5.766618)],
)
def test_table_6_3_fuel_is_an_unfinished_iteration(name: str, printed: float, exact: float) -> None:
    """Table 6.3, page 125: PRISM's stopping rule gives the printed digits, which are not those of
    the exact value."""
    value = prism_value_iteration(space(name), np.maximum, "fuel", complete)
    assert floor(value * 10_000) / 10_000 == printed
    assert floor(exact * 10_000) / 10_000 != printed
    assert value < exact


def test_theorems_4_1_and_4_2() -> None:
    """Pages 77 to 79, and page 122: plans 4 and 5 of the first variant start under the same
    condition."""
    assert {name: program(name).agent.kind for name in SIZES} == {
        "vessel_mdp": "mdp",
        "vessel_dtmc": "dtmc",
    }
    assert [
        group.name for name in SIZES for group in program(name).agent.groups if len(group.plans) > 1
    ] == ["plan_4_5", "plan_4_5"]


def test_table_6_1() -> None:
    """Table 6.1, page 121: actions and feedbacks (the generated program of Appendix B.2 has no
    variance)."""
    found = {
        each.text: [(feedback.text, each.mean) for feedback in each.feedbacks]
        for each in program("vessel_mdp").agent.actions
    }
    assert found == {
        "Generate set of waypoints": [("Waypoints generated", 1)],
        "Activate drive mode": [("Drive mode", 5)],
        "Activate park mode": [("Park mode", 1)],
        "Wait for instructions": [("Continue", 5), ("Abort", 5)],
    }


def test_what_the_printed_agent_gets_wrong() -> None:
    """Appendix B.1 (docs/explanation/vessel.md): it loses the first *Continue*, and may call the
    mission complete just when areas are left."""
    lost = "Pmax=? [ !(continue = 1 | abort = 1) U (continue = 1 & waiting_for_instructions = 1) ]"
    race = f"Pmax=? [ !({COMPLETE}) & plan_7 != 2 U (plan_7 = 2 & areas_left_unexplored = 1) ]"
    report = check(program("vessel_mdp"), [lost, race])
    assert [answer.verdict.value for answer in report.answers] == pytest.approx(
        [0, 0.0709], abs=5e-5
    )
