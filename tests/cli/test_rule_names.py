"""A full trace names the rule of each step, in every language."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import EXAMPLES, Volition


@pytest.mark.parametrize(
    ("program", "formula", "named"),
    [
        ("can/smart_manufacturing.can", "A [ F (PS1 & PS2) ]", {"A_event(1)", "A_update(1)"}),
        (
            "dribble/vacuum.dribble",
            "A [ F (B(c1) & B(c2)) ]",
            {"apply(g1)", "execute(cR)", "stall"},
        ),
        ("lisa/vessel_mdp", 'A [ G !Bel("Mission complete") ]', {"f_BU", "f_P", "F_O f_act"}),
        (
            "agentspeak/auction",
            "[] !Bel(ag1, auction(1))",
            {"Environment announce", "CheckMail", "BRF"},
        ),
    ],
)
def test_every_step_of_a_full_trace_names_its_rules(
    volition: Volition, program: str, formula: str, named: set[str]
) -> None:
    ended = volition("check", EXAMPLES / program, "-p", formula, "--trace", "full", "--no-color")
    assert ended.exit_code == 1
    (header,) = [line for line in ended.out.splitlines() if re.match(r" step .* rules", line)]
    column = header.index("rules")
    steps = [line for line in ended.out.splitlines() if re.match(r" +[1-9][0-9]*   ", line)]
    rules = [re.split(r" {2,}", line[column:])[0].strip() for line in steps]
    assert all(rules), steps[rules.index("")]
    assert named <= set(rules)
