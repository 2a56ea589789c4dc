"""Every command that reads formulas says where it reads them otherwise than people may mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.can_programs import EXAMPLES
from tests.cli.conftest import Volition

VACUUM = EXAMPLES / "can" / "vacuum.can"
RESCUE = EXAMPLES / "can" / "rescue.can"
DOUBTFUL = "A [ G clean -> F tidied ]"
"""Is it G (clean -> F tidied)?"""

COMMANDS = [
    ("check", VACUUM, "-p", DOUBTFUL),
    ("check", VACUUM, "-p", "A [ F clean ]", "--assume", "G clean -> F tidied"),
    ("strategy", VACUUM, "-p", f"Pmax=? [ F ({DOUBTFUL}) ]"),
    ("mission", VACUUM, "-p", f"Pmax=? [ F ({DOUBTFUL}) ]"),
    (
        "pareto",
        RESCUE,
        "-p",
        "Pmax=? [ F Bel(rescued) ]",
        "-p",
        "Pmin=? [ F (A [ G Bel(rescued) -> F Bel(rescued) ]) ]",
    ),
    ("sweep", VACUUM, "-p", f"Pmax=? [ F ({DOUBTFUL}) ]", "--vary", "p=0.1,0.2"),
    (
        "export",
        EXAMPLES / "dribble" / "vacuum.dribble",
        "--to",
        "prism",
        "-p",
        "A [ G B(c1) -> F B(c2) ]",
    ),
]


@pytest.mark.parametrize(
    "arguments", COMMANDS, ids=lambda arguments: " ".join(map(str, arguments[:1]))
)
def test_what_is_doubtful_is_shown_once(
    volition: Volition, arguments: tuple[str | Path, ...]
) -> None:
    ended = volition(*arguments, "--json")
    assert ended.err.count("LOG009") == 1
    assert [each["code"] for each in ended.document["warnings"]].count("LOG009") == 1


def test_what_the_language_doubts_is_shown_too(volition: Volition) -> None:
    """Nobody ever says what the call is compared with."""
    ended = volition(
        "strategy",
        EXAMPLES / "agentspeak" / "contract_net",
        "-p",
        "Pmax=? [ F Bel(anna, call(painnt)) ]",
        "--json",
    )
    assert [each["code"] for each in ended.document["warnings"]] == ["ASP046"]
