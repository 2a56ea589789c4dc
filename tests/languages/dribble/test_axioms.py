"""The axioms of Sect. 3.3 can fail: each is broken by a change of a model, or by a model of another
program."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.languages.dribble.comparing import explored, program_of, successors
from volition.kernel.system import SlotView
from volition.languages.dribble import DribbleModel
from volition.languages.dribble.axioms import AXIOMS, check_axioms

PROGRAM = """
len_max: 12
beliefs:
  ~p, ~q, r | s
goals:
  p & q
actions:
  make : ~p => p
  more => q
abstract plans:
  Abstract
goal rules:
  p & q -> if p then more else {make; Abstract}
revision rules:
  Abstract | true -> more
  make; pi | ~p -> make; more; pi
"""


@dataclass
class Structure:
    """A model as the checks see it, which a test may change."""

    model: DribbleModel
    states: list[SlotView]
    successors: list[set[int]]

    def broken(self) -> set[str]:
        return {
            violation.axiom for violation in check_axioms(self.model, self.states, self.successors)
        }

    def find(self, plan: str, *, believed: str | None = None) -> int:
        """The first state with a plan that begins so, and in which an atom is believed."""
        for number, state in enumerate(self.states):
            view = self.model.describe(state)
            if view["plan"]["steps"].startswith(plan) and (
                believed is None or view["beliefs"].get(believed) == "true"
            ):
                return number
        raise AssertionError(plan)

    def write(self, state: int, **values: object) -> None:
        """Another value for some slots of a state."""
        self.states[state] = {
            slot: self.states[state][slot] for slot in self.model.system.slots
        } | {slot.replace("_", " "): value for slot, value in values.items()}


@pytest.fixture
def structure() -> Structure:
    model, space = explored(program_of(PROGRAM))
    return Structure(
        model, [space.values(state) for state in range(space.num_states)], successors(space)
    )


def test_the_model_of_a_program_satisfies_every_axiom(structure: Structure) -> None:
    assert structure.broken() == set()
    assert len(AXIOMS) == 15


def test_a3_a_plan_that_is_too_long(structure: Structure) -> None:
    state = structure.find("make")
    structure.write(state, plan=structure.states[state]["plan"] * 10)
    assert "A3" in structure.broken()


def test_a5_a_goal_that_is_believed(structure: Structure) -> None:
    structure.write(0, belief_p=True, belief_q=True)
    assert "A5" in structure.broken()


def test_epg_a_goal_rule_that_leads_nowhere(structure: Structure) -> None:
    structure.successors[0] = {0}
    assert structure.broken() == {"EPG", "APG"}


def test_apg_a_step_from_the_empty_plan_that_no_rule_makes(structure: Structure) -> None:
    structure.successors[0].add(structure.find("more"))
    assert structure.broken() == {"APG"}


def test_eba_an_action_that_is_never_executed(structure: Structure) -> None:
    state = structure.find("more", believed="p")
    structure.successors[state] = {state}
    assert structure.broken() == {"EBA", "ABAvPR"}


def test_eif_a_conditional_that_is_never_tested(structure: Structure) -> None:
    state = structure.find("if")
    structure.successors[state] = {state}
    assert structure.broken() == {"EIF", "AIFvPR"}


def test_epr_a_revision_that_never_happens(structure: Structure) -> None:
    state = structure.find("make; Abstract")
    executed = next(
        each
        for each in structure.successors[state]
        if structure.model.describe(structure.states[each])["beliefs"]["p"] == "true"
    )
    structure.successors[state] = {executed}
    assert structure.broken() == {"EPR"}


def test_aba_v_pr_a_step_besides_execution_and_revision(structure: Structure) -> None:
    structure.successors[structure.find("make")].add(0)
    assert structure.broken() == {"ABAvPR"}


def test_aif_v_pr_a_step_besides_the_chosen_branch(structure: Structure) -> None:
    structure.successors[structure.find("if")].add(0)
    assert structure.broken() == {"AIFvPR"}


def test_apr_an_abstract_plan_that_is_skipped(structure: Structure) -> None:
    structure.successors[structure.find("Abstract")].add(0)
    assert structure.broken() == {"APR"}


def test_stall_a_way_out_of_a_stalled_state(structure: Structure) -> None:
    final = next(
        number for number, targets in enumerate(structure.successors) if targets == {number}
    )
    structure.successors[final].add(0)
    assert structure.broken() == {"Stall"}


def test_stall_a_state_without_successors(structure: Structure) -> None:
    final = next(
        number for number, targets in enumerate(structure.successors) if targets == {number}
    )
    structure.successors[final] = set()
    assert structure.broken() == {"Stall"}


def test_a4_an_inconsistent_belief_base(structure: Structure) -> None:
    part = "belief r | s"
    r_and_s = next(iter(structure.states[0][part]))
    nothing = type(r_and_s)(frozenset())
    structure.states[0] = {
        slot: structure.states[0][slot] for slot in structure.model.system.slots
    } | {part: frozenset([nothing])}
    assert "A4" in structure.broken()
