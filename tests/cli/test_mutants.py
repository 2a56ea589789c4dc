"""Slips in the examples: what is written twice, unknown, matches nothing or is left over is refused, warned of, or changes what is shown.

``make fuzz`` goes on with the same for as long as there is time, and with any damage at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.fuzz.findings import wrong
from tests.fuzz.mutations import careful_mutants
from tests.fuzz.specimens import Specimen, specimens
from tests.fuzz.trials import run, understood

SLIPS = 6
"""For each file of each example."""

FOR_RUNNING = ("run", "toml", "py")
"""Files that only a program that runs reads: 'show' has nothing to say about them."""
SHOWN = [
    each for each in specimens() if each.trial.arguments[0] == "show" and isinstance(each.target, str) and each.kind not in FOR_RUNNING
]


@cache
def shown_before(arguments: tuple[str, ...]) -> Any:
    """What is shown of an example as it stands, all of whose files are in each of its specimens."""
    specimen = next(each for each in SHOWN if each.trial.arguments == arguments)
    with TemporaryDirectory() as folder:
        return understood(run(specimen.trial, Path(folder)))


def unnoticed(specimen: Specimen) -> Iterator[str]:
    for what, text in careful_mutants(len(specimen.text), specimen.text, SLIPS, specimen.kind):
        with TemporaryDirectory() as folder:
            outcome = run(specimen.damaged(text), Path(folder))
        assert outcome.escaped is None, what
        if outcome.exit_code == 0 and understood(outcome) == shown_before(specimen.trial.arguments):
            yield what


@pytest.mark.parametrize("specimen", SHOWN, ids=lambda each: str(each.target))
def test_no_slip_is_read_without_a_word(specimen: Specimen) -> None:
    assert list(unnoticed(specimen)) == []


def test_the_examples_themselves_are_in_order() -> None:
    assert [each.target for each in SHOWN if wrong(each.trial) is not None] == []
