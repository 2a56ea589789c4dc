"""Bordini et al., "Model Checking AgentSpeak": the auction of Sect. 5, with the programs in
``examples/agentspeak``.

State and transition counts are those of two implementations that share no code with this one (a
plain interpreter, and a Promela model in Spin); the kernel's self-loops in terminal states come on
top of the transitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.checking.properties import on_graph
from tests.exporters.spin import needs_spin, states_of
from volition.checking.graph.fairness import Fairness
from volition.checking.spin.tools import verifier
from volition.checking.verdict import Verdict
from volition.exporters.promela import to_promela
from volition.kernel import StateSpace, explore
from volition.languages.agentspeak import AgentSpeakProgram, load
from volition.languages.agentspeak.model import AgentSpeakModel
from volition.logic.parsing.parser import parse
from volition.origin import Origin

EXAMPLES = Path(__file__).parents[2] / "examples" / "agentspeak"


@dataclass(frozen=True)
class Auction:
    """One of the two programs, explored."""

    program: AgentSpeakProgram
    model: AgentSpeakModel
    space: StateSpace

    @property
    def transitions(self) -> int:
        """Without the self-loops that the kernel gives to terminal states."""
        return self.space.num_transitions - int(self.space.terminal.sum())

    def check(self, name: str, fairness: Fairness | None = None) -> Verdict:
        (stated,) = [each for each in self.program.properties if each.name == name]
        return on_graph(self.model, self.space, parse(stated.text), fairness=fairness)

    def verdicts(self, fairness: Fairness | None = None) -> tuple[bool | None, ...]:
        return tuple(self.check(name, fairness).holds for name in ("P1", "P2", "P3"))


@cache
def auction(folder: str, auctions: int, idle: str = "block") -> Auction:
    program = load(EXAMPLES / folder, {"auctions": str(auctions), "idle": idle})
    model = program.model()
    return Auction(program, model, explore(model.system))


# --- Sect. 5, ten auctions ------------------------------------------------------------------------


def test_section_5_as_printed() -> None:
    """The error that the paper found: P1 and P3 are violated."""
    printed = auction("auction", 10)
    assert (printed.space.num_states, printed.transitions) == (1_642_871, 5_395_268)
    assert printed.verdicts() == (False, True, False)


def test_section_5_repaired() -> None:
    """'Once this modification is made, the formulae above can be verified.'"""
    repaired = auction("auction_repaired", 10)
    assert (repaired.space.num_states, repaired.transitions) == (1_889_696, 6_203_557)
    assert repaired.verdicts() == (True, True, True)


def test_section_5_the_run_that_the_paper_tells() -> None:
    """The confirmation arrives after ag3 chose to ask for an alliance and before it selects that
    event: it has no plan and makes no bid."""
    printed = auction("auction", 10)
    run = printed.check("P1").run
    assert run is not None
    steps = [
        label for choice in run.choices if isinstance(label := run.space.label(choice), Origin)
    ]
    chosen = max(
        index for index, step in enumerate(steps) if step.text == "takes plan p3 for +auction(5)"
    )
    confirmed = next(
        index
        for index, step in enumerate(steps)
        if step.text == "gets tell alliance(ag3,ag2) from ag2"
    )
    discarded = next(
        index
        for index, step in enumerate(steps)
        if step.text.startswith("has no applicable plan for +!alliance(ag3,ag2)")
    )
    assert chosen < confirmed < discarded
    last_auction = max(index for index, step in enumerate(steps) if step.text == "announce")
    assert {step.agent for step in steps[last_auction:] if step.action} == {"ag1", "ag2"}


@needs_spin
@pytest.mark.soak
@pytest.mark.parametrize(
    ("folder", "verdicts"),
    [("auction", [False, True, False]), ("auction_repaired", [True, True, True])],
)
def test_section_5_in_spin(folder: str, verdicts: list[bool]) -> None:
    """Sect. 5 by the paper's own way, from the Promela translation with its three
    specifications."""
    program = load(EXAMPLES / folder, {})
    model = to_promela(program, {str(each.name): parse(each.text) for each in program.properties})
    with verifier(model) as made:
        found = [made.check(name) for name in ("P1", "P2", "P3")]
    assert not [each for each in found if each.unknown or each.exceeded]
    assert [not each.violated for each in found] == verdicts


@needs_spin
@pytest.mark.soak
@pytest.mark.parametrize(
    ("folder", "states"), [("auction", 1_642_871), ("auction_repaired", 1_889_696)]
)
def test_section_5_states_in_spin(folder: str, states: int) -> None:
    """The same states as ours, and the one before ``init`` has run."""
    assert states_of(to_promela(load(EXAMPLES / folder, {})), optimise="-O1") == states + 1


def test_section_5_expected_results_are_in_the_files() -> None:
    """The examples carry the three specifications with their results."""
    expected = {
        folder: [each.expected for each in load(EXAMPLES / folder, {}).properties]
        for folder in ("auction", "auction_repaired")
    }
    assert expected == {
        "auction": ["false", "true", "false"],
        "auction_repaired": ["true", "true", "true"],
    }


# --- fewer auctions -------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["auction", "auction_repaired"])
@pytest.mark.parametrize(("auctions", "states"), [(1, 10_599), (3, 89_728)])
def test_agents_that_cycle_for_ever(folder: str, auctions: int, states: int) -> None:
    assert auction(folder, auctions, "cycle").space.num_states == states


@pytest.mark.parametrize(
    ("folder", "states"), [("auction", 1_491_307), ("auction_repaired", 1_491_053)]
)
def test_five_auctions_of_agents_that_cycle_for_ever(folder: str, states: int) -> None:
    assert auction(folder, 5, "cycle").space.num_states == states


def test_liveness_of_agents_that_cycle_for_ever_needs_fairness() -> None:
    """Without it an idle agent may take all turns, and even the repaired program fails all
    three."""
    repaired = auction("auction_repaired", 5, "cycle")
    assert repaired.verdicts() == (False, False, False)
    assert repaired.verdicts("weak")[:2] == (True, True)


@pytest.mark.parametrize(("auctions", "violated"), [(4, False), (5, True)])
def test_the_error_needs_five_auctions(auctions: int, violated: bool) -> None:
    assert auction("auction", auctions).check("P1").holds is not violated


@pytest.mark.parametrize(("auctions", "holds"), [(3, False), (4, True)])
def test_an_alliance_needs_four_auctions(auctions: int, holds: bool) -> None:
    assert auction("auction", auctions).check("P2").holds is holds
