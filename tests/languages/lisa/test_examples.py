"""The examples answer their properties as they say (the vessel's are in
``tests/papers/test_izzo.py``)."""

from __future__ import annotations

import pytest

from tests.languages.lisa.projects import EXAMPLES
from volition.checking.check import check
from volition.languages.lisa import load


def test_the_drone() -> None:
    report = check(load(EXAMPLES / "pipeline_drone", {}))
    assert [
        (answer.prop.name, answer.as_expected)
        for answer in report.answers
        if answer.as_expected is not True
    ] == []
    assert len(report.answers) == 8


def test_the_repaired_vessel() -> None:
    report = check(load(EXAMPLES / "vessel_repaired", {}))
    assert [
        (answer.prop.name, answer.as_expected)
        for answer in report.answers
        if answer.as_expected is not True
    ] == []
    assert len(report.answers) == 7


@pytest.mark.parametrize("name", ["vessel_mdp", "vessel_dtmc", "vessel_repaired", "pipeline_drone"])
def test_every_property_states_its_result(name: str) -> None:
    program = load(EXAMPLES / name, {})
    assert not program.warnings
    assert program.properties
    assert all(stated.expected for stated in program.properties)
