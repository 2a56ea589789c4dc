"""Slips in the examples: text that is written twice, unknown, or left over is refused, warned of,
or changes what is understood.

``make fuzz`` goes on with the same for as long as there is time, and with any other change.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.agreement import disagreement
from tests.fuzz.findings import wrong
from tests.fuzz.meaning import unnoticed
from tests.fuzz.mutations import careful_mutants
from tests.fuzz.options import FLAGS, LEFT_OUT, VALUES, command_options
from tests.fuzz.specimens import Specimen, kinds, program_specimens
from tests.fuzz.trials import complaint, run
from volition.cli.program import COMMANDS

SLIPS = 6
"""For each file of each example."""


def read_without_a_word(specimen: Specimen) -> Iterator[str]:
    for what, text in careful_mutants(len(specimen.text), specimen.text, SLIPS, specimen.kind):
        assert wrong(specimen.changed(text)) is None, what
        if unnoticed(specimen, text):
            yield what


@pytest.mark.parametrize(
    "specimen", program_specimens(), ids=lambda each: f"{each.project.language}-{each.target}"
)
def test_no_slip_is_read_without_a_word(specimen: Specimen) -> None:
    assert list(read_without_a_word(specimen)) == []


@pytest.mark.parametrize("kind", kinds())
def test_input_of_every_kind_is_in_order_before_it_is_changed(kind: str, tmp_path: Path) -> None:
    chance = random.Random(f"{kind} 1")
    accepted = 0
    for number in range(30):
        specimen = kinds()[kind](chance)
        (tmp_path / str(number)).mkdir()
        outcome = run(specimen.trial, tmp_path / str(number))
        assert complaint(specimen.trial, outcome) is None, specimen.trial.arguments
        accepted += outcome.accepted
        if outcome.accepted and accepted == 1:
            assert disagreement(chance, specimen.trial, outcome) is None
        if accepted == 2:
            return
    raise AssertionError("almost everything is refused: what lies behind the reading is not tried")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_values_to_try(command: str) -> None:
    assert set(command_options(command)) <= {*VALUES, *FLAGS, *LEFT_OUT}
