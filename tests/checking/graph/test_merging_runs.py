"""Violations behind points where runs merge are found.

A checker that remembers states without the automaton's state loses them.  The agent picks between
two bodies that leave the same beliefs at the end; each response property is broken by one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from volition import check, load

PROGRAM = """
// Initial belief bases
1. idle
// External events
go
// Plan library
go : true <- +r; -r; +p; -p.
go : true <- +p; -p; +r; -r.
// Actions description
"""


@pytest.mark.parametrize(
    ("formula", "left_alone"),
    [("[]((Bel(r) & ~Bel(p)) -> <>Bel(p))", "r"), ("[]((Bel(p) & ~Bel(r)) -> <>Bel(r))", "p")],
)
def test_both_response_properties_are_violated(
    tmp_path: Path, formula: str, left_alone: str
) -> None:
    path = tmp_path / "merge.can"
    path.write_text(PROGRAM)
    (answer,) = check(load(path), [formula]).answers
    verdict = answer.verdict
    assert verdict.holds is False
    assert verdict.run is not None
    believed = [
        answer.exploration.model.describe(verdict.run.space.values(state))["beliefs"]
        for state in verdict.run.states
    ]
    (awaited,) = {"r", "p"} - {left_alone}
    alone = max(index for index, beliefs in enumerate(believed) if left_alone in beliefs)
    assert not any(awaited in beliefs for beliefs in believed[alone:])
